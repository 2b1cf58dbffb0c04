import FrostCPU
import FrostExact
import FrostCore
import FrostTestSupport
import Testing

/// Compares transitions on the CPU with the exact reference.
struct TransitionAccuracyTests {
    static let names = TransitionCatalog.all.map(\.name)

    /// The formats of both images.
    static let formats = [
        PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb), PixelFormat(.grey),
        PixelFormat(.bgra), PixelFormat(.greyAlpha), PixelFormat(.rgba, .u16), PixelFormat(.rgb, .u16),
        PixelFormat(.rgba, .f32), PixelFormat(.rgba, .f32, alpha: .premultiplied), PixelFormat(.rgba, .f16),
        PixelFormat(.rgb, .f16),
    ]

    static let times = [1e-6, 0.03, 0.25, 0.5, 0.7, 0.93, 1 - 1e-6]

    /// The error that a plan allows, with the rounding of the output.
    static func bound(_ plan: TransitionPlan, _ sample: SampleType) -> Tolerance {
        let rounding = Tolerance.rounding(sample)
        return Tolerance(
            "the plan's bound", steps: plan.errorBound + rounding,
            reason: "bound \(plan.errorBound) + rounding \(rounding)")
    }

    private static func pictures(
        _ format: PixelFormat, _ source: (Int, Int), _ target: (Int, Int), mixed: Bool = false
    ) throws -> TransitionPictures {
        let other = mixed ? PixelFormat(.rgb, format.sample) : format
        return TransitionPictures(
            try TestImage.make(.uniformNoise, source.0, source.1, format, seed: 1, padding: 2),
            try TestImage.make(.uniformNoise, target.0, target.1, other, seed: 2),
            mask: MaskImage(try TestImage.make(.uniformNoise, 13, 9, PixelFormat(.grey), seed: 5)),
            backside: try TestImage.make(.uniformNoise, 12, 10, other, seed: 3),
            shading: try TestImage.make(.softAlpha, 9, 9, format, seed: 4))
    }

    @Test("the CPU is within the plan's bound of the exact reference", arguments: names)
    func bound(_ name: String) throws {
        let description = try TransitionCatalog.transition(name)
        var generator = SeededGenerator(seed: 31)
        var worst = [SampleType: Double]()
        for (index, format) in Self.formats.enumerated() {
            for (source, target) in [
                ((1, 1), (1, 1)), ((17, 5), (17, 5)), ((300, 21), (300, 21)), ((40, 33), (25, 50)), ((9, 60), (70, 12)),
            ] {
                let pictures = try Self.pictures(format, source, target, mixed: index == 1)
                for time in Self.times {
                    var transition = try description.random(using: &generator)
                    if generator.unit() < 0.3 { transition.decoding = .sRGB }
                    if generator.unit() < 0.5 {
                        transition.extent = Rect(
                            x: Int(20 * generator.signed()), y: Int(10 * generator.signed()),
                            width: 1 + Int(60 * generator.unit()), height: 1 + Int(40 * generator.unit()))
                    }
                    var images = pictures
                    if generator.unit() < 0.5 { images.backside = nil }
                    if generator.unit() < 0.5 { images.shading = nil }
                    let exact = try transition.exact(at: time, images)
                    let (image, plan) = try transition.cpu(at: time, images)
                    let tolerance = Self.bound(plan, format.sample)
                    let comparison = try expectClose(
                        SampleRows(image), exact.rows, within: tolerance,
                        "\(transition) \(format) \(source) to \(target) at \(time)")
                    worst[format.sample] = max(worst[format.sample] ?? 0, comparison.maximum / tolerance.steps)
                }
            }
        }
        print(
            "\(name): used parts of the bound:", worst.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))
    }

    @Test("the CPU gives the same bits for every number of threads and region", arguments: names)
    func threads(_ name: String) throws {
        let description = try TransitionCatalog.transition(name)
        var generator = SeededGenerator(seed: 32)
        for format in [PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.rgba, .f32)] {
            let pictures = try Self.pictures(format, (290, 37), (270, 44))
            for time in [0, 0.3, 0.62, 1] {
                let transition = try description.random(using: &generator)
                let whole = try transition.cpu(at: time, pictures, threads: 1).image
                for threads in [2, 3, 8] {
                    try expectIdentical(
                        transition.cpu(at: time, pictures, threads: threads).image, whole,
                        "\(transition) \(format) at \(time) with \(threads) threads")
                }
                for region in [Rect(x: 3, y: 2, width: 1, height: 1), Rect(x: 250, y: 11, width: 40, height: 33)] {
                    try expectIdentical(
                        transition.cpu(at: time, pictures, region: region).image, whole.cropped(to: region),
                        "\(transition) \(format) at \(time) in \(region)")
                }
                let outside = try transition.cpu(at: time, pictures, region: Rect(x: -5, y: -4, width: 5, height: 9))
                    .image
                #expect(outside.pixelBytes.allSatisfy { $0 == 0 })
            }
        }
    }

    @Test("the comparison notices a wrong time")
    func wrongTime() throws {
        let pictures = try Self.pictures(PixelFormat(.rgba), (40, 33), (40, 33))
        for description in TransitionCatalog.all {
            var generator = SeededGenerator(seed: 36)
            let transition = try description.random(using: &generator)
            let (image, plan) = try transition.cpu(at: 0.52, pictures)
            let comparison = try Comparison(SampleRows(image), transition.exact(at: 0.5, pictures).rows)
            #expect(comparison.maximum > Self.bound(plan, .u8).steps, "\(transition)")
        }
    }

    @Test("extreme parameters, times and extents stay within the bound", arguments: names)
    func extremes(_ name: String) throws {
        let description = try TransitionCatalog.transition(name)
        var generator = SeededGenerator(seed: 37)
        let format = PixelFormat(.rgba, .f32, alpha: .premultiplied)
        let pictures = try Self.pictures(format, (23, 17), (20, 19))
        for _ in 0..<150 {
            var values: [String: EffectValue] = [:]
            for parameter in description.parameters {
                guard case .number(_, let range, let usual) = parameter.kind else { continue }
                let choices = [range.lowerBound, range.upperBound, usual, range.lowerBound + 1e-3 * generator.unit()]
                let value = choices[Int(4 * generator.unit())]
                values[parameter.name] = .number(parameter.name == "folds" ? value.rounded() : value)
            }
            var transition = try description.make(values)
            let reach = [0, 2000, 16e6][Int(3 * generator.unit())]
            if reach > 0 {
                transition.extent = Rect(
                    x: Int(reach * generator.signed()), y: Int(reach * generator.signed()),
                    width: 1 + Int(reach * generator.unit()), height: 1 + Int(reach * generator.unit()))
            }
            let time = [1e-300, 1e-9, 0.3, 0.5, 0.999, 1 - 0x1p-53][Int(6 * generator.unit())]
            let (image, plan) = try transition.cpu(at: time, pictures)
            try expectClose(
                SampleRows(image), transition.exact(at: time, pictures).rows, within: Self.bound(plan, .f32),
                "\(transition) at \(time)")
        }
    }
}
