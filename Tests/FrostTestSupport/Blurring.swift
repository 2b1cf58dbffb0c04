public import FrostCore
public import FrostCPU

/// Blurs images in memory, for tests.
public enum Blurring {
    /// What ``cpu(_:_:extent:region:accuracy:threads:padding:format:cancellation:)`` gives.
    public struct Result: Sendable {
        /// The blurred region.
        public var image: PixelBuffer
        /// The plan that was carried out.
        public var plan: Plan
    }

    /// The padding behind a row was written to.
    public struct PaddingOverwritten: Error {}

    /// Blurs on the CPU, into rows with padding, and checks that the padding was left alone.
    ///
    /// - Parameters:
    ///   - extent: where the image lies; at the origin by default.
    ///   - region: what is computed; the extent by default.
    ///   - accuracy: as suits the image's samples by default.
    ///   - padding: of the result, in samples.
    ///   - format: of the result; the effect's own choice by default.
    /// - Throws: what planning and execution throw, and ``PaddingOverwritten``.
    public static func cpu(
        _ blur: GaussianBlur, _ image: PixelBuffer, extent: Rect? = nil, region: Rect? = nil,
        accuracy: Accuracy? = nil, threads: Int = 2, padding: Int = 3, format: PixelFormat? = nil,
        cancellation: Cancellation? = nil
    ) throws -> Result {
        let extent = extent ?? image.layout.extent
        let plan = try blur.plan(
            extent: extent, region: region, accuracy: accuracy ?? Accuracy.suited(to: image.format.sample))
        let output = try execute(
            plan, image, threads: threads, padding: padding, format: format ?? blur.outputFormat(for: image.format),
            cancellation: cancellation)
        return Result(image: output, plan: plan)
    }

    /// Carries out a plan on the CPU, into rows with padding, and checks that the padding was left alone.
    ///
    /// - Throws: what execution throws, and ``PaddingOverwritten``.
    public static func execute(
        _ plan: Plan, _ image: PixelBuffer, threads: Int = 2, padding: Int = 3, format: PixelFormat? = nil,
        cancellation: Cancellation? = nil
    ) throws -> PixelBuffer {
        let executor = try CPUExecutor(threads: threads)
        var output = try TestImage.blank(
            plan.region.width, plan.region.height, format ?? image.format, padding: padding)
        let layout = output.layout
        // SAFETY: both buffers are as large as their layouts say and outlive the call.
        try unsafe image.withUnsafeBytes { source in
            try unsafe output.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                try unsafe executor.execute(
                    plan, source: PixelSource(from, layout: image.layout), target: PixelTarget(to, layout: layout),
                    cancellation: cancellation)
            }
        }
        guard output.hasUntouchedPadding else { throw PaddingOverwritten() }
        return output
    }

    /// Carries out a plan with source and target in the same memory.
    ///
    /// - Throws: what execution throws.
    public static func inPlace(_ plan: Plan, _ image: PixelBuffer, threads: Int = 2) throws -> PixelBuffer {
        let executor = try CPUExecutor(threads: threads)
        var image = image
        let layout = image.layout
        // SAFETY: one buffer, as large as its layout says.
        try unsafe image.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            try unsafe executor.execute(
                plan, source: PixelSource(UnsafeRawPointer(base), layout: layout),
                target: PixelTarget(base, layout: layout))
        }
        return image
    }

    /// The exact result: what the effect means, in Double.
    ///
    /// - Throws: what the reference throws.
    public static func exact(
        _ blur: GaussianBlur, _ image: PixelBuffer, extent: Rect? = nil, region: Rect? = nil, threads: Int = 2
    ) throws -> ExactImage {
        let extent = extent ?? image.layout.extent
        // SAFETY: the pointer does not leave the closure.
        return try unsafe image.withUnsafeBytes { bytes throws(CPUError) in
            guard let base = bytes.baseAddress else { throw CPUError.cancelled }
            return try unsafe ExactGaussian.render(
                blur, source: PixelSource(base, layout: image.layout), extent: extent, region: region ?? extent,
                threads: threads)
        }
    }
}
