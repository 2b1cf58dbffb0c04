import FrostCPU
public import FrostExact
public import FrostCore

/// The images of a transition, for tests.
public struct TransitionPictures: Sendable {
    public var source: PixelBuffer
    public var target: PixelBuffer
    public var mask: MaskImage?
    public var backside: PixelBuffer?
    public var shading: PixelBuffer?

    public init(
        _ source: PixelBuffer, _ target: PixelBuffer, mask: MaskImage? = nil, backside: PixelBuffer? = nil,
        shading: PixelBuffer? = nil
    ) {
        self.source = source
        self.target = target
        self.mask = mask
        self.backside = backside
        self.shading = shading
    }

    /// The smallest rectangle that contains both images.
    public var canvas: Rect {
        Rect(x: 0, y: 0, width: max(source.width, target.width), height: max(source.height, target.height))
    }

    /// Calls a function with pointers to the images.
    @unsafe public func withImages<Result>(_ body: (TransitionImages) throws -> Result) throws -> Result {
        func open(
            _ image: PixelBuffer?, _ body: (PixelSource?) throws -> Result
        ) throws -> Result {
            guard let image else { return try body(nil) }
            // SAFETY: the pointer is used within the closure only.
            return try unsafe image.withUnsafeBytes { bytes in
                try unsafe body(bytes.baseAddress.map { unsafe PixelSource($0, layout: image.layout) })
            }
        }
        return try unsafe open(source) { source in
            try unsafe open(target) { target in
                try unsafe open(backside) { backside in
                    try unsafe open(shading) { shading in
                        guard let source = unsafe source, let target = unsafe target else { throw ExactError.cancelled }
                        return try unsafe body(
                            TransitionImages(source: source, target: target, backside: backside, shading: shading))
                    }
                }
            }
        }
    }
}

extension Transition {
    /// Computes a frame with the reference implementation.
    ///
    /// - Throws: errors of the reference implementation.
    public func exact(
        at time: Double, _ pictures: TransitionPictures, region: Rect? = nil, threads: Int = 2,
        cancellation: Cancellation? = nil
    ) throws -> ExactImage {
        try unsafe pictures.withImages { images in
            try unsafe ExactTransition.render(
                self, at: time, images: images, mask: pictures.mask, region: region, threads: threads,
                cancellation: cancellation)
        }
    }

    /// Computes a frame on the CPU. The result's rows have padding, and the function checks that the padding bytes stay
    /// unchanged.
    ///
    /// - Throws: errors of planning and execution; ``Blurring/PaddingOverwritten``.
    public func cpu(
        at time: Double, _ pictures: TransitionPictures, region: Rect? = nil, threads: Int = 2, padding: Int = 3
    ) throws -> (image: PixelBuffer, plan: TransitionPlan) {
        let plan = try plan(
            at: time, from: pictures.source.layout.extent, to: pictures.target.layout.extent, region: region)
        let extraImages = extraImages
        let drawn = [
            extraImages.contains(.backside) ? pictures.backside : nil,
            extraImages.contains(.shading) ? pictures.shading : nil,
        ].compactMap { $0?.format }
        let format = try outputFormat(from: pictures.source.layout, to: pictures.target.layout, extraFormats: drawn)
        let executor = try CPUExecutor(threads: threads)
        var output = try TestImage.blank(plan.region.width, plan.region.height, format, padding: padding)
        let layout = output.layout
        // SAFETY: the buffer has the size of its layout and outlives the call.
        try unsafe output.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            try unsafe pictures.withImages { images in
                let layers = try unsafe executor.layers(of: plan, images: images, mask: pictures.mask)
                try unsafe executor.execute(
                    plan, images: images, layers: layers, target: PixelTarget(base, layout: layout))
            }
        }
        guard output.hasUntouchedPadding else { throw Blurring.PaddingOverwritten() }
        return (output, plan)
    }
}

extension TransitionDescription {
    /// Returns random parameters that suit images of about 30 pixels.
    ///
    /// - Parameter fixed: parameters that are not random.
    public func random(
        using generator: inout SeededGenerator, _ fixed: [String: EffectValue] = [:]
    ) throws -> Transition {
        var values = fixed
        for parameter in parameters where fixed[parameter.name] == nil {
            switch parameter.kind {
            case .number(let unit, let range, _):
                let wanted: ClosedRange<Double> =
                    switch (parameter.name, unit) {
                    case ("angle", _): -360...360
                    case ("shadow-radius", _): 0...6
                    case (_, "pixels"): -10...25
                    case ("center-x", _), ("center-y", _): -0.3...1.3
                    case ("folds", _): 1...7
                    default: 0...3
                    }
                let allowed = wanted.clamped(to: range)
                var value = allowed.lowerBound + (allowed.upperBound - allowed.lowerBound) * generator.unit()
                if parameter.name == "folds" { value = value.rounded() }
                values[parameter.name] = .number(value)
            case .color:
                let parts = (0..<4).map { _ in generator.unit() }
                values[parameter.name] = .color(
                    try Color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3]))
            case .colorOrAuto: values[parameter.name] = .choice(parameter.defaultText)
            case .stops: values[parameter.name] = .stops([])
            case .choice(let words, _):
                if let word = words.randomElement(using: &generator) { values[parameter.name] = .choice(word) }
            }
        }
        return try make(values)
    }
}
