public import FrostCore
import Testing

/// The laws of transitions. They hold for every backend and for the reference.
///
/// Each law draws with a function, so that a test target can check its own backend. The source of each law is the
/// documentation of the kinds of transitions.
public struct TransitionLaws: Sendable {
    /// Draws a frame: the transition, the time, the images, and the region; nil for the canvas.
    public typealias Draw = @Sendable (Transition, Double, TransitionPictures, Rect?) throws -> SampleRows

    /// The backend's name, for failure messages.
    public let name: String
    /// The largest error of the backend for images of 32-bit floats, in 8-bit steps.
    public let error: Double
    private let drawRegion: Draw

    /// Creates the laws for a backend.
    public init(_ name: String, error: Double, draw: @escaping Draw) {
        self.name = name
        self.error = error
        drawRegion = draw
    }

    func draw(_ transition: Transition, _ time: Double, _ pictures: TransitionPictures) throws -> SampleRows {
        try drawRegion(transition, time, pictures, nil)
    }

    /// The format of most images: without rounding, so that laws hold closely.
    static let float = PixelFormat(.rgba, .f32, alpha: .premultiplied)

    /// Images of all kinds of sizes: small, odd, narrow, and of different sizes.
    private static let sizes: [((Int, Int), (Int, Int))] = [
        ((1, 1), (1, 1)), ((17, 5), (17, 5)), ((5, 23), (5, 23)), ((31, 20), (31, 20)), ((20, 13), (11, 24)),
        ((9, 9), (30, 17)),
    ]

    func tolerance(_ steps: Double, _ reason: String) -> Tolerance {
        Tolerance(name, steps: steps + 2 * error, reason: "\(reason) + the error of both results")
    }

    /// Expects a frame to be close to another. A law ends with its first failure.
    func isClose(
        _ actual: SampleRows, _ expected: SampleRows, within tolerance: Tolerance, _ context: @autoclosure () -> String
    ) throws -> Bool {
        try expectClose(actual, expected, within: tolerance, "\(name) \(context())").maximum <= tolerance.steps
    }

    /// Makes images of noise. The mask has no value at either end, because the source would start or end with a jump.
    func noise(
        _ source: (Int, Int), _ target: (Int, Int), _ format: PixelFormat = float
    ) throws -> TransitionPictures {
        TransitionPictures(
            try TestImage.make(.uniformNoise, source.0, source.1, format, seed: 1),
            try TestImage.make(.uniformNoise, target.0, target.1, format, seed: 2), mask: try Self.mask(13, 9),
            backside: try TestImage.make(.uniformNoise, 12, 10, format, seed: 3),
            shading: try TestImage.make(.uniformNoise, 8, 8, format, seed: 4))
    }

    private static func mask(_ width: Int, _ height: Int, seed: UInt64 = 5) throws -> MaskImage {
        let noise = SeededNoise(seed: seed)
        return MaskImage(
            try TestImage.make(width, height, PixelFormat(.grey, .f32)) { x, y, _ in 0.05 + 0.9 * noise.value(x, y, 0) }
        )
    }

    /// At time 0 the result is the source, and at time 1 the target, without any difference.
    public func ends(_ description: TransitionDescription) throws {
        var generator = SeededGenerator(seed: 11)
        for (source, target) in Self.sizes {
            for format in [Self.float, PixelFormat(.rgba), PixelFormat(.grey, .u16)] {
                for decoding in [nil, TransferFunction.sRGB] {
                    var transition = try description.random(using: &generator)
                    transition.decoding = decoding
                    let pictures = try noise(source, target, format)
                    for (time, image) in [(0.0, pictures.source), (1, pictures.target)] {
                        let rows = try draw(transition, time, pictures)
                        let canvas = pictures.canvas
                        let expected = Self.placed(SampleRows(image), width: canvas.width, height: canvas.height)
                        guard
                            try isClose(rows, expected.expanded(to: rows.channels), within: .identical, "\(transition)")
                        else { return }
                    }
                }
            }
        }
    }

    /// Shortly after the start the result is near the source, and shortly before the end near the target.
    ///
    /// A flash whose fade threshold is 0 or 1 starts or ends with a jump, so the threshold lies between them.
    public func nearEnds(_ description: TransitionDescription) throws {
        var generator = SeededGenerator(seed: 12)
        for (source, target) in Self.sizes {
            for _ in 0..<6 {
                let fixed: [String: EffectValue] =
                    description.name == "flash" ? ["fade-threshold": .number(0.2 + 0.7 * generator.unit())] : [:]
                let transition = try description.random(using: &generator, fixed)
                let pictures = try noise(source, target)
                for (time, end) in [(1e-6, 0.0), (1 - 1e-6, 1)] {
                    guard
                        try isClose(
                            draw(transition, time, pictures), draw(transition, end, pictures),
                            within: tolerance(
                                0.3,
                                "in a millionth of the time edges move by less than 1e-3 pixels and colours by 1e-4"),
                            "\(transition) \(source) to \(target) at \(time)")
                    else { return }
                }
            }
        }
    }

    /// The target's share never falls with time. The source is black, the target white, and colours and shadows are off.
    /// The light of ``CopyMachine`` is off too; its bar's return uncovers the target, so its share does not fall either.
    public func neverFalls(_ description: TransitionDescription) throws {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<5 {
            let transition = try Self.withoutLight(description, using: &generator)
            func flat(_ value: Double) throws -> PixelBuffer {
                try TestImage.make(23, 17, Self.float) { _, _, channel in channel == 3 ? 1 : value }
            }
            let pictures = TransitionPictures(
                try flat(0), try flat(1), mask: try Self.mask(13, 9), backside: try flat(0))
            var before: SampleRows?
            for step in 0...60 {
                let now = try draw(transition, Double(step) / 60, pictures)
                defer { before = now }
                guard let before else { continue }
                for y in 0..<now.height {
                    for (old, new) in zip(before[y], now[y]) where (old - new) * 255 > 2 * error + 1e-9 {
                        Issue.record("\(name) \(transition): \(new) after \(old) at \(step)/60 in row \(y)")
                        return
                    }
                }
            }
        }
    }

    /// Equal images give that image if it is one colour, lights and shadows aside. The back of a page is paler than its
    /// front, so a page is black and has a black back.
    public func constants(_ description: TransitionDescription) throws {
        var generator = SeededGenerator(seed: 14)
        let isPage = description.name.hasPrefix("page")
        for _ in 0..<8 {
            var transition = try Self.withoutLight(description, using: &generator)
            if !isPage { transition.decoding = .sRGB }
            let image = try TestImage.make(23, 17, Self.float) { _, _, channel in
                channel == 3 ? 1 : isPage ? 0 : [0.2, 0.5, 0.9][channel]
            }
            let pictures = TransitionPictures(image, image, mask: try Self.mask(7, 7), backside: isPage ? image : nil)
            for time in [1e-6, 0.2, 0.5, 0.83, 1 - 1e-6] {
                guard
                    try isClose(
                        draw(transition, time, pictures), SampleRows(image),
                        within: tolerance(1e-4, "rounding of floats, which decoding amplifies"),
                        "\(transition) at \(time)")
                else { return }
            }
        }
    }

    /// If the images, the extent, the centre and the angle are turned by half a turn, the result is turned by half a turn.
    /// The law does not hold for ``AccordionFold``, which folds upwards. The rays of ``Flash`` do not turn, so they are off.
    public func halfTurn(_ description: TransitionDescription) throws {
        var generator = SeededGenerator(seed: 15)
        for _ in 0..<10 {
            var first: [String: EffectValue] = [:]
            var second: [String: EffectValue] = [:]
            for parameter in description.parameters {
                switch parameter.name {
                case "angle":
                    let angle = (generator.unit() - 1) * 180
                    (first["angle"], second["angle"]) = (.number(angle), .number(angle + 180))
                case "center-x", "center-y":
                    let place = generator.unit()
                    (first[parameter.name], second[parameter.name]) = (.number(place), .number(1 - place))
                case "shadow-x", "shadow-y":
                    let offset = 6 * generator.signed()
                    (first[parameter.name], second[parameter.name]) = (.number(offset), .number(-offset))
                case "striation-strength": (first[parameter.name], second[parameter.name]) = (.number(0), .number(0))
                default: break
                }
            }
            var copy = generator
            var transition = try description.random(using: &generator, first)
            var turned = try description.random(using: &copy, second)
            transition.extent = Rect(x: 3, y: -2, width: 15, height: 12)
            turned.extent = Rect(x: 24 - 18, y: 17 - 10, width: 15, height: 12)
            let pictures = try noise((24, 17), (24, 17))
            func turn(_ image: PixelBuffer?) throws -> PixelBuffer? {
                try image?.flippedHorizontally().flippedVertically()
            }
            let other = TransitionPictures(
                try #require(try turn(pictures.source)), try #require(try turn(pictures.target)),
                mask: MaskImage(
                    try TestImage.make(13, 9, PixelFormat(.grey, .f32)) { x, y, _ in
                        pictures.mask.map { Double($0.values[(8 - y) * 13 + 12 - x]) } ?? 0
                    }), backside: try turn(pictures.backside), shading: try turn(pictures.shading))
            for time in [0.13, 0.5, 0.77] {
                let turnedBack = Self.turned(try draw(turned, time, other))
                guard
                    try isClose(
                        draw(transition, time, pictures), turnedBack,
                        within: tolerance(1e-6, "rounding of angles"), "\(transition) at \(time)")
                else { return }
            }
        }
    }

    /// If the images and the extent are moved, the result is moved. There is room between the images and the border of the
    /// canvas, because the canvas does not move.
    public func moves(_ description: TransitionDescription) throws {
        var generator = SeededGenerator(seed: 16)
        for _ in 0..<6 {
            var transition = try description.random(using: &generator)
            let (x, y) = (Int(generator.next() % 9), Int(generator.next() % 9))
            func pictures(_ x: Int, _ y: Int) throws -> TransitionPictures {
                func placed(_ seed: UInt64) throws -> PixelBuffer {
                    let image = try TestImage.make(.uniformNoise, 21, 16, Self.float, seed: seed)
                    return try image.rearranged(width: 400, height: 400) { column, row in
                        let (column, row) = (column - 190 - x, row - 190 - y)
                        return (0..<21).contains(column) && (0..<16).contains(row) ? (column, row) : nil
                    }
                }
                var pictures = try noise((1, 1), (1, 1))
                (pictures.source, pictures.target, pictures.backside) = (try placed(1), try placed(2), nil)
                return pictures
            }
            let (first, second) = (try pictures(0, 0), try pictures(x, y))
            // A page is the whole canvas. Its extent reaches outside the canvas, so that it moves with the images.
            let isPage = description.name.hasPrefix("page")
            transition.extent =
                isPage
                ? Rect(x: -20, y: -20, width: 440, height: 440) : Rect(x: 190, y: 190, width: 21, height: 16)
            transition.shadowExtent = Rect(x: 185, y: 187, width: 30, height: 13)
            var moved = transition
            moved.extent?.x += x
            moved.extent?.y += y
            moved.shadowExtent?.x += x
            moved.shadowExtent?.y += y
            for time in [0.1, 0.45, 0.5, 0.55, 0.9] {
                let still = try drawRegion(transition, time, first, Rect(x: 185, y: 185, width: 31, height: 26))
                let shifted = try drawRegion(
                    moved, time, second, Rect(x: 185 + x, y: 185 + y, width: 31, height: 26))
                guard
                    try isClose(
                        shifted, still, within: tolerance(1e-6, "rounding of positions"),
                        "\(transition) by \(x), \(y) at \(time)")
                else { return }
            }
        }
    }

    /// Every parameter changes the result.
    public func everyParameterCounts(_ description: TransitionDescription) throws {
        let pictures = try noise((31, 22), (31, 22))
        let base: [String: EffectValue] = Self.visible.filter { name, _ in
            description.parameters.contains { $0.name == name }
        }
        func differs(
            _ a: Transition, _ b: Transition, _ pictures: TransitionPictures, _ other: TransitionPictures? = nil
        )
            throws -> Bool
        {
            try [0.15, 0.5, 0.95].contains { time in
                try Comparison(draw(a, time, pictures), draw(b, time, other ?? pictures)).maximum > 1
            }
        }
        let transition = try description.make(base)
        for parameter in description.parameters {
            var values = base
            switch parameter.kind {
            case .number(_, let range, let value):
                guard case .number(let own) = base[parameter.name] ?? .number(value) else { continue }
                let next = parameter.name == "folds" ? own + 1 : own + 0.3 * max(1, abs(own))
                values[parameter.name] = .number(range.contains(next) ? next : own / 2)
            case .color: values[parameter.name] = .color(try Color(red: 0, green: 0, blue: 1, alpha: 0.5))
            case .choice, .stops, .colorOrAuto:
                Issue.record("no transition has words, stops or colours that Frost chooses")
            }
            #expect(
                try differs(transition, description.make(values), pictures),
                "\(name) \(description.name) \(parameter.name)")
        }
        var decoding = transition
        decoding.decoding = .sRGB
        #expect(try differs(transition, decoding, pictures), "\(name) \(description.name) in linear light")
        var extent = transition
        extent.extent = Rect(x: -7, y: -9, width: 60, height: 52)
        // A dissolve is the same everywhere.
        #expect(
            try differs(transition, extent, pictures) == (description.name != "dissolve"),
            "\(name) \(description.name) extent")
        var shadow = transition
        shadow.shadowExtent = Rect(x: 0, y: 0, width: 3, height: 3)
        #expect(
            try differs(transition, shadow, pictures) == (description.name == "page-curl-with-shadow"),
            "\(name) \(description.name) shadow extent")
        for extra in Transition.ExtraImage.allCases {
            var other = pictures
            switch extra {
            case .mask: other.mask = try Self.mask(13, 9, seed: 77)
            case .shading: other.shading = nil
            case .backside: other.backside = nil
            }
            #expect(
                try differs(transition, transition, pictures, other) == transition.extraImages.contains(extra),
                "\(name) \(description.name) \(extra)")
        }
    }

    /// Parameters for which every other parameter is visible on an image of 31x22 pixels.
    private static let visible: [String: EffectValue] = [
        "angle": .number(20), "width": .number(9), "opacity": .number(0.8), "radius": .number(7),
        "compression": .number(20), "bar-offset": .number(3), "shadow-radius": .number(2), "shadow-x": .number(2),
        "shadow-y": .number(3), "scale": .number(6), "bottom-height": .number(5), "fold-shadow-amount": .number(0.5),
        "striation-strength": .number(2),
    ]

    private static func withoutLight(
        _ description: TransitionDescription, using generator: inout SeededGenerator
    ) throws -> Transition {
        var fixed: [String: EffectValue] = [:]
        for parameter in description.parameters {
            switch parameter.name {
            case "opacity", "fold-shadow-amount", "shadow-density", "shadow-amount", "sheen":
                fixed[parameter.name] = .number(0)
            case "color": fixed[parameter.name] = .color(try Color(red: 0, green: 0, blue: 0, alpha: 0))
            default: break
            }
        }
        return try description.random(using: &generator, fixed)
    }

    private static func turned(_ rows: SampleRows) -> SampleRows {
        let count = rows.channels.count
        return SampleRows(width: rows.width, height: rows.height, channels: rows.channels) { y in
            let row = rows[rows.height - 1 - y]
            return (0..<rows.width).reversed().flatMap { Array(row[$0 * count..<($0 + 1) * count]) }
        }
    }

    /// Returns the rows of an image in a larger one that is transparent outside it.
    private static func placed(_ image: SampleRows, width: Int, height: Int) -> SampleRows {
        guard width != image.width || height != image.height else { return image }
        let full = image.expanded(to: image.channels.addingAlpha)
        let count = full.channels.count
        return SampleRows(width: width, height: height, channels: full.channels) { y in
            let row = y < image.height ? full[y] : []
            return row + [Double](repeating: 0, count: width * count - row.count)
        }
    }
}
