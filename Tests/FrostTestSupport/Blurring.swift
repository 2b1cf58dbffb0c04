public import FrostCore
import FrostCPU
public import FrostExact

/// Blurs images in memory, for tests.
public enum Blurring {
    /// The result of ``cpu(_:_:extent:region:accuracy:threads:padding:format:cancellation:)``.
    public struct Result: Sendable {
        /// The blurred region.
        public var image: PixelBuffer
        /// The plan that the executor ran.
        public var plan: Plan
    }

    /// Thrown if the executor wrote to the padding bytes after a row of the result.
    public struct PaddingOverwritten: Error {}

    /// Blurs an image on the CPU. The result's rows have padding, and the function checks that the blur leaves the padding
    /// bytes unchanged.
    ///
    /// - Parameters:
    ///   - extent: the rectangle that the image covers. By default, it has the image's size and starts at the origin.
    ///   - region: the rectangle to compute; by default, the extent.
    ///   - accuracy: by default, the accuracy suited to the image's sample type.
    ///   - padding: the number of padding samples after each row of the result.
    ///   - format: the pixel format of the result; by default, the format that the effect chooses for the image.
    /// - Throws: errors of planning and execution; ``PaddingOverwritten`` if the padding has changed.
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

    /// Runs a plan on the CPU. The result's rows have padding, and the function checks that the run leaves the padding bytes
    /// unchanged.
    ///
    /// - Throws: errors of execution; ``PaddingOverwritten`` if the padding has changed.
    public static func execute(
        _ plan: Plan, _ image: PixelBuffer, threads: Int = 2, padding: Int = 3, format: PixelFormat? = nil,
        cancellation: Cancellation? = nil
    ) throws -> PixelBuffer {
        let executor = try CPUExecutor(threads: threads)
        var output = try TestImage.blank(
            plan.region.width, plan.region.height, format ?? image.format, padding: padding)
        let layout = output.layout
        // SAFETY: both buffers have the sizes of their layouts and outlive the call.
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

    /// Runs a plan in place: the source and the target are the same memory.
    ///
    /// - Throws: errors of execution.
    public static func inPlace(_ plan: Plan, _ image: PixelBuffer, threads: Int = 2) throws -> PixelBuffer {
        let executor = try CPUExecutor(threads: threads)
        var image = image
        let layout = image.layout
        // SAFETY: source and target are the same buffer, which has the size of its layout.
        try unsafe image.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            try unsafe executor.execute(
                plan, source: PixelSource(UnsafeRawPointer(base), layout: layout),
                target: PixelTarget(base, layout: layout))
        }
        return image
    }

    /// Computes the exact result of a Gaussian blur in Double, with the reference implementation.
    ///
    /// - Throws: errors of the reference implementation.
    public static func exact(
        _ blur: GaussianBlur, _ image: PixelBuffer, extent: Rect? = nil, region: Rect? = nil, threads: Int = 2
    ) throws -> ExactImage {
        let extent = extent ?? image.layout.extent
        // SAFETY: the pointer does not leave the closure.
        return try unsafe image.withUnsafeBytes { bytes throws(ExactError) in
            guard let base = bytes.baseAddress else { throw ExactError.cancelled }
            return try unsafe ExactGaussian.render(
                blur, source: PixelSource(base, layout: image.layout), extent: extent, region: region ?? extent,
                threads: threads)
        }
    }
}
