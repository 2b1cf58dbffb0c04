import Frost
import FrostCLI
import FrostMeasure

extension KitStep {
    /// Blurs small pictures of every format.
    static let exactness = KitStep(
        "exactness", "compares blurs of every pixel format with the exact result", seconds: 60
    ) { context in
        let (renderer, exact) = (try context.renderer(), try Renderer(backend: .exact))
        var survey = ErrorSurvey()
        let formats = SampleType.allCases.flatMap { sample in
            ChannelLayout.allCases.flatMap { channels in
                (channels.hasAlpha ? AlphaMode.allCases : [.straight]).map { PixelFormat(channels, sample, alpha: $0) }
            }
        }
        let sigmas = [8, 2, 30, 0.7, 100]
        let total = formats.count * sigmas.count
        cases: for (step, sigma) in sigmas.enumerated() {
            for (index, format) in formats.enumerated() {
                guard context.hasTime else { break cases }
                let edge = EdgeMode.allCases[(step + index) % EdgeMode.allCases.count]
                let blur = try GaussianBlur(sigma: sigma, edge: edge)
                let picture = try KitPicture(seed: UInt32(index)).pixels(211, 137, format)
                let expected = try exact.exact(picture, blur)
                let name = "\(format), sigma \(decimal(sigma)), \(edge.rawValue)"
                let result = try renderer.blur(picture, blur)
                survey.add(
                    try Comparison(SampleRows(result.image), expected), name, bound: format.sample.guaranteedError)
                if let warning = result.report.warning { survey.warn("\(name): \(warning)") }
            }
        }
        return survey.result(of: total)
    }

    /// Applies every effect with its default parameters. Each kind of effect has shaders of its own.
    static let effects = KitStep("effects", "compares every effect with its exact result", seconds: 45) { context in
        let (renderer, exact) = (try context.renderer(), try Renderer(backend: .exact))
        let picture = try KitPicture(seed: 21).pixels(180, 120, PixelFormat(.rgba))
        let mask = MaskImage(try KitPicture(seed: 22).pixels(45, 30, PixelFormat(.grey)))
        var survey = ErrorSurvey()
        for description in EffectCatalog.all where context.hasTime {
            var effect = try description.make()
            // The exact result is not dithered.
            effect.outputStages.dither = nil
            let image = effect.mask == .image ? mask : nil
            let expected = try exact.exact(picture, effect, mask: image)
            let result = try renderer.render(picture, effect, mask: image)
            survey.add(
                try Comparison(SampleRows(result.image), expected), description.name,
                bound: SampleType.u8.guaranteedError)
            if let warning = result.report.warning { survey.warn("\(description.name): \(warning)") }
        }
        return survey.result(of: EffectCatalog.all.count)
    }

    /// Blurs a picture of 7680x4320 pixels and compares parts of it, because the exact result of all pixels takes
    /// minutes.
    static let large = KitStep("8k", "compares a blurred picture of 7680x4320 pixels in five places", seconds: 45) {
        context in
        let (width, height, side) = (7680, 4320, 96)
        let picture = KitPicture(seed: 8)
        let source = try picture.pixels(width, height, PixelFormat(.rgba, alpha: .premultiplied))
        let (renderer, exact) = (try context.renderer(), try Renderer(backend: .exact))
        let places = [
            (0, 0), (width - side, 0), (0, height - side), (width - side, height - side),
            (width / 2 - 17, height / 2 + 5),
        ]
        var survey = ErrorSurvey()
        let sigmas = [2.0, 30]
        for sigma in sigmas where context.hasTime {
            let blur = try GaussianBlur(sigma: sigma, edge: .clamp)
            let start = ContinuousClock.now
            let result = SampleRows(try renderer.blur(source, blur).image)
            survey.figures.append(
                ("sigma_\(decimal(sigma))_ms", .number((ContinuousClock.now - start).milliseconds, decimals: 1)))
            // The exact Gaussian ends at 6 sigma, so pixels further away do not matter.
            let margin = Int((6 * sigma).rounded(.up)) + 1
            let extent = Rect(x: 0, y: 0, width: width, height: height)
            for (x, y) in places where context.hasTime {
                let place = Rect(x: x, y: y, width: side, height: side)
                let around = Rect(
                    x: x - margin, y: y - margin, width: side + 2 * margin, height: side + 2 * margin)
                guard let read = around.intersection(extent) else { continue }
                let crop = try picture.pixels(read.width, read.height, source.format, x: read.x, y: read.y)
                let inside = Rect(x: x - read.x, y: y - read.y, width: side, height: side)
                survey.add(
                    try Comparison(result.part(place), try exact.exact(crop, blur).part(inside)),
                    "sigma \(decimal(sigma)) at \(x),\(y)", bound: SampleType.u8.guaranteedError)
            }
        }
        return survey.result(of: sigmas.count * places.count)
    }

    /// Tiles and regions. They have the bits of the whole picture.
    static let tiles = KitStep("tiles", "compares tiles and regions with the whole picture, bit by bit", seconds: 25) {
        context in
        let format = PixelFormat(.rgba)
        let picture = try KitPicture(seed: 3).pixels(900, 700, format)
        let whole = try context.renderer()
        var options = try context.options()
        options.maximumTextureSize = 512
        let tiled = try Renderer(backend: .gpu, device: context.device, options: options)
        var survey = ErrorSurvey()
        let regions = [
            Rect(x: 0, y: 0, width: 100, height: 50), Rect(x: 333, y: 217, width: 301, height: 99),
            Rect(x: 850, y: 600, width: 50, height: 100), Rect(x: -20, y: -30, width: 200, height: 77),
        ]
        let sigmas = [1.5, 8, 30]
        for sigma in sigmas where context.hasTime {
            let blur = try GaussianBlur(sigma: sigma, edge: .mirror)
            let expected = SampleRows(try whole.blur(picture, blur).image)
            survey.add(
                try Comparison(SampleRows(try tiled.blur(picture, blur).image), expected),
                "textures of 512 texels, sigma \(decimal(sigma))", bound: 0)
            for region in regions where context.hasTime {
                guard let inside = region.intersection(picture.layout.extent) else { continue }
                let part = SampleRows(try whole.blur(picture, blur, region: region).image)
                let visible = Rect(
                    x: inside.x - region.x, y: inside.y - region.y, width: inside.width, height: inside.height)
                survey.add(
                    try Comparison(part.part(visible), expected.part(inside)),
                    "region \(region), sigma \(decimal(sigma))", bound: 0)
            }
        }
        return survey.result(of: sigmas.count * (1 + regions.count))
    }
}

/// Collects the errors of many comparisons.
struct ErrorSurvey {
    var figures: [(name: String, value: JSON)] = []
    private var count = 0
    private var failures: [String] = []
    private var warnings: [String] = []
    /// The case with the largest error of all cases with the same bound.
    private var worst: [(name: String, error: Double, bound: Double)] = []

    mutating func add(_ comparison: Comparison, _ name: String, bound: Double) {
        count += 1
        let error = comparison.maximum
        if let index = worst.firstIndex(where: { $0.bound == bound }) {
            if !(error <= worst[index].error) { worst[index] = (name, error, bound) }
        } else {
            worst.append((name, error, bound))
        }
        // NaN exceeds every bound.
        if !(error <= bound) { failures.append("\(name): \(comparison.description); the bound is \(fixed(bound, 3))") }
    }

    mutating func warn(_ text: String) { warnings.append(text) }

    /// - Parameter total: the number of cases that would have been compared in enough time.
    func result(of total: Int) -> KitResult {
        guard count > 0 else { return .failed("nothing was compared in the time") }
        let part = count < total ? "\(count) of \(total) cases, in the time" : "\(count) cases"
        let error =
            "largest errors in 8-bit steps: "
            + worst.map { "\(fixed($0.error, 3)), allowed \(fixed($0.bound, 3)) (\($0.name))" }.joined(separator: "; ")
        let warned = warnings.isEmpty ? "" : "; \(warnings.count) with a warning"
        return KitResult(
            outcome: failures.isEmpty ? .passed : .failed,
            finding: failures.isEmpty
                ? "\(part); \(error)\(warned)" : "\(failures.count) of \(part) are over the bound; \(error)\(warned)",
            figures: [
                ("cases", .int(count)), ("all_cases", .int(total)), ("over_bound", .int(failures.count)),
                ("warnings", .int(warnings.count)),
            ] + worst.map { ("max_error_of_\(fixed($0.bound, 4))", .number($0.error, decimals: 5)) } + figures,
            evidence: failures + warnings)
    }
}
