import Glibc
public import FrostCore
import Testing

/// Laws of single transitions: what makes each of them look as its description claims. They hold for every backend.
extension TransitionLaws {
    /// Sizes of source and target.
    private static let twoSizes = [((31, 20), (31, 20)), ((20, 13), (11, 24))]

    /// At its fade threshold, a flash of the default colour makes every picture opaque white, in linear light too.
    public func flashIsWhite() throws {
        let description = try TransitionCatalog.transition("flash")
        var generator = SeededGenerator(seed: 21)
        for (source, target) in Self.twoSizes {
            for value in [nil, 0.0, 1] {
                for decoding in [nil, TransferFunction.sRGB] {
                    var pictures = try noise(source, target)
                    if let value {
                        pictures.source = try Self.flat(source, value)
                        pictures.target = try Self.flat(target, value)
                    }
                    let color = EffectValue.color(try Color(red: 1, green: 0.8, blue: 0.6))
                    var transition = try description.random(using: &generator, ["color": color])
                    transition.decoding = decoding
                    guard case .flash(let flash) = transition.kind else { return }
                    let frame = try draw(transition, flash.fadeThreshold, pictures)
                    let white = SampleRows(width: frame.width, height: frame.height, channels: frame.channels) { _ in
                        [Double](repeating: 1, count: frame.width * frame.channels.count)
                    }
                    guard
                        try isClose(
                            frame, white, within: tolerance(1e-4, "rounding of floats, which decoding amplifies"),
                            "\(transition) over \(value.map { "\($0)" } ?? "noise")")
                    else { return }
                }
            }
        }
    }

    /// Between two equal pictures a transition never makes a pixel darker or more transparent, and sometimes brighter.
    public func onlyAddsLight(_ description: TransitionDescription) throws {
        var generator = SeededGenerator(seed: 22)
        for _ in 0..<6 {
            let transition = try description.random(using: &generator)
            let picture = try TestImage.make(.uniformNoise, 31, 20, Self.float, seed: 3)
            let before = SampleRows(picture)
            var gain = 0.0
            for step in 0...40 {
                let frame = try draw(transition, Double(step) / 40, TransitionPictures(picture, picture))
                for y in 0..<frame.height {
                    for (old, new) in zip(before[y], frame[y]) {
                        gain = max(gain, new - old)
                        if (old - new) * 255 > 2 * error + 1e-9 {
                            Issue.record("\(name) \(transition): \(new) after \(old) at \(step)/40 in row \(y)")
                            return
                        }
                    }
                }
            }
            #expect(gain > 0.1, "\(name) \(transition)")
        }
    }

    /// The burst of a flash leads to its fade without a jump, for light of every colour.
    public func flashDoesNotJump() throws {
        let description = try TransitionCatalog.transition("flash")
        var generator = SeededGenerator(seed: 23)
        for (source, target) in Self.twoSizes {
            for _ in 0..<5 {
                let threshold = 0.2 + 0.7 * generator.unit()
                let transition = try description.random(using: &generator, ["fade-threshold": .number(threshold)])
                let pictures = try noise(source, target)
                let (before, after) = (threshold - 1e-6, threshold + 1e-6)
                guard
                    try isClose(
                        draw(transition, before, pictures), draw(transition, after, pictures),
                        within: tolerance(
                            0.3, "in 2e-6 of the time gains change by less than 1e-4 and shares by 2e-4"),
                        "\(transition) around its threshold")
                else { return }
            }
        }
    }

    /// The weight of a copy machine's bar changes from pixel to pixel by no more than 3.08 max(1, opacity) / width, and the
    /// middle of the bar is as bright as the opacity says.
    public func softBar() throws {
        let description = try TransitionCatalog.transition("copy-machine")
        let white = EffectValue.color(try Color(red: 1, green: 1, blue: 1))
        var generator = SeededGenerator(seed: 24)
        let pictures = TransitionPictures(try Self.flat((220, 5), 0), try Self.flat((220, 5), 0))
        for opacity in [0.5, 1, 1.3, 4, 30] {
            let (width, angle) = (60 + 60 * generator.unit(), 60 * generator.signed())
            let bar = try description.make([
                "color": white, "opacity": .number(opacity), "width": .number(width), "angle": .number(angle),
            ])
            let bound = 3.08 * max(1, opacity) / width + 2 * error / 255 + 1e-9
            for time in [0.2, 0.5 - 0.1, 0.75] {
                let row = try draw(bar, time, pictures)[2]
                let red = stride(from: 0, to: row.count, by: 4).map { row[$0] }
                let steepest = zip(red, red.dropFirst()).map { abs($0 - $1) }.max() ?? .infinity
                #expect(steepest <= bound, "\(name) opacity \(opacity), width \(width), angle \(angle) at \(time)")
                // Half a pixel beside the middle, the bell is below its top by 2 (1 / width)², times the slope.
                let missing = abs((red.max() ?? 0) - min(1, opacity))
                let limit = 2 * max(1, opacity) / (width * width) + error / 255
                #expect(missing < limit, "\(name) opacity \(opacity) at \(time)")
            }
        }
    }

    /// With its default shade, every second pleat of an accordion is at least 20 % darker than the others from time ¼ on,
    /// and 34 % from time ½ on.
    public func visibleFolds() throws {
        let fold = try TransitionCatalog.transition("accordion-fold").make()
        let pictures = TransitionPictures(try Self.flat((7, 90), 1), try Self.flat((7, 90), 1))
        for (time, contrast) in [(0.25, 0.2), (0.4, 0.2), (0.5, 0.34), (0.7, 0.34)] {
            let frame = try draw(fold, time, pictures)
            let rows = (0..<frame.height).map { frame[$0][0] }
            #expect((rows.min() ?? 1) < 1 - contrast && rows.max() == 1, "\(name) at \(time): \(rows)")
        }
    }

    /// The edge of a page's back covers each pixel of the flat page as much as it does geometrically.
    ///
    /// The page is black and its back is white. The reference divides each pixel into 16x16 parts, and asks for each whether the
    /// flat back lies over it: the back is the mirror image of the page.
    public func curlEdge() throws {
        let description = try TransitionCatalog.transition("page-curl")
        let black = try Self.flat((60, 44), 0)
        let pictures = TransitionPictures(black, black, backside: try Self.flat((60, 44), 1))
        for angle in [0.0, 17, 45, 200] {
            let (radius, time) = (5.0, 0.4)
            let curl = try description.make(["angle": .number(angle), "radius": .number(radius)])
            let frame = try draw(curl, time, pictures)
            let direction = SIMD2(cos(angle * .pi / 180), sin(angle * .pi / 180))
            let half = abs(direction.x) * 30 + abs(direction.y) * 22
            let axis = -half + (2 * half + radius) * time
            func behind(_ p: SIMD2<Double>) -> Double { axis - ((p - SIMD2(30, 22)) * direction).sum() }
            var edges = 0
            for y in 0..<44 {
                for x in 0..<60 where behind(SIMD2(Double(x) + 0.5, Double(y) + 0.5)) < -1 {
                    var parts = 0.0
                    for j in 0..<16 {
                        for i in 0..<16 {
                            let p = SIMD2(Double(x) + (Double(i) + 0.5) / 16, Double(y) + (Double(j) + 0.5) / 16)
                            let place = p + direction * (2 * behind(p) - .pi * radius)
                            if place.x > 0, place.x < 60, place.y > 0, place.y < 44 { parts += 1 / 256.0 }
                        }
                    }
                    let covered = frame[y][4 * x] / PageCurl.flatBrightness
                    if parts > 0.2, parts < 0.8 { edges += 1 }
                    // A turned edge crosses a pixel over up to √2 pixels, and bilinear coverage ramps over one: they differ
                    // by up to 0.05 along an edge and 0.09 at a corner. The parts add 1/32.
                    if abs(covered - parts) > 0.12 {
                        Issue.record("\(name) angle \(angle) at (\(x), \(y)): \(covered), geometrically \(parts)")
                        return
                    }
                }
            }
            // At angle 0 the edges of the page lie along pixels.
            #expect(edges > 20, "\(name) angle \(angle)")
        }
    }

    private static func flat(_ size: (Int, Int), _ value: Double) throws -> PixelBuffer {
        try TestImage.make(size.0, size.1, float) { _, _, channel in channel == 3 ? 1 : value }
    }
}
