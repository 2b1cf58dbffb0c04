package import FrostCore
import FrostCPU

extension Renderer {
    /// Returns an upper bound of the memory, in bytes, that ``render(_:at:from:to:extraImages:region:cancellation:)`` takes for
    /// the whole canvas, besides the images, the mask and the result. The memory that a GPU takes does not count.
    package func memory(
        of transition: Transition, from source: PixelLayout, to target: PixelLayout,
        extraImages: TransitionExtraImages = TransitionExtraImages()
    ) throws(ParameterError) -> Int {
        guard backend != .exact else {
            // The exact backend computes four samples in double precision, and keeps up to four such images.
            let canvas = source.extent.hull(target.extent)
            return 4 * 4 * MemoryLayout<Double>.size * canvas.width * canvas.height
        }
        return try transition.memory(
            from: source, to: target, shading: extraImages.shading?.layout, backside: extraImages.backside?.layout)
    }
}
