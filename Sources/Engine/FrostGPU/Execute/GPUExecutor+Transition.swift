package import FrostCore
import FrostDrawing

extension GPUExecutor {
    /// Computes one frame of a transition.
    ///
    /// - Parameters:
    ///   - plan: a plan that draws. Frames that are copies of the source or the target image, as at times 0 and 1, need no
    ///     backend and are refused.
    ///   - images: the images. Not read after the call.
    ///   - layers: the layers of `Disintegrate`, which cover the part of the region within the canvas; nil for all other
    ///     kinds.
    ///   - target: an image of the region's size, with the images' sample type. It must not share memory with an image.
    ///   - cancellation: checked between uploads, and every few milliseconds while waiting for the GPU.
    /// - Throws: ``GPUError``; the target's content is undefined after an error.
    ///   ``GPUError/imageTooLarge(what:side:limit:)`` and ``GPUError/unsupportedFormat(_:)`` mean that this device cannot
    ///   draw the transition, and that the CPU can.
    @unsafe @discardableResult
    package func execute(
        _ plan: TransitionPlan, images: TransitionImages, layers: TransitionLayers? = nil, target: PixelTarget,
        cancellation: Cancellation? = nil
    ) throws(GPUError) -> GPUReport {
        let draw = try fromDrawing { () throws(DrawingError) in
            try unsafe TransitionDraw(plan, images: images, layers: layers, target: target, limits: drawLimits)
        }
        let patience = options.patience(cancellation)
        return try perform { (pipeline, gl) throws(GPUError) in
            try unsafe pipeline.execute(draw, images: images, layers: layers, target: target, patience, in: gl)
        }
    }
}
