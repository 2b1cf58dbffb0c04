/// The images of a transition, in memory that is owned elsewhere. They have the same sample type.
@unsafe public struct TransitionImages {
    /// The image at time 0. Its top left pixel is at the origin.
    public let source: PixelSource
    /// The image at time 1. Its top left pixel is at the origin.
    public let target: PixelSource
    /// The image on the back of a page; nil for none.
    public let backside: PixelSource?
    /// The picture of a shaded sphere; nil for none.
    public let shading: PixelSource?

    /// Creates a set of images.
    public init(
        source: PixelSource, target: PixelSource, backside: PixelSource? = nil, shading: PixelSource? = nil
    ) {
        unsafe self.source = source
        unsafe self.target = target
        unsafe self.backside = backside
        unsafe self.shading = shading
    }
}

/// What ``Disintegrate`` computes of its mask before a frame is drawn: two values in 0...1 for each pixel of a region.
public struct TransitionLayers: Sendable {
    /// The region's rectangle in absolute pixels.
    public let region: Rect
    /// The rest k of the source, row by row.
    package let rest: PixelBlock
    /// The weight of the shadow on the target, row by row.
    package let shadow: PixelBlock

    /// Creates layers from the values of a region's pixels, which are not changed any more.
    ///
    /// - Precondition: both blocks have one number for each pixel of the region.
    package init(region: Rect, rest: PixelBlock, shadow: PixelBlock) {
        let byteCount = region.width * region.height * MemoryLayout<Float>.size
        unsafe precondition(rest.bytes.count >= byteCount && shadow.bytes.count >= byteCount)
        self.region = region
        self.rest = rest
        self.shadow = shadow
    }
}

extension TransitionPlan {
    /// Checks that the images and the target have the sizes and the sample type of the plan.
    package func check(_ images: TransitionImages, target output: PixelTarget) throws(PixelError) {
        func check(_ what: String, _ layout: PixelLayout, _ size: Rect) throws(PixelError) {
            guard layout.width == size.width, layout.height == size.height else {
                throw .mismatch(
                    property: "size", first: "\(layout.width)x\(layout.height) of the \(what)",
                    second: "\(size.width)x\(size.height) of the plan")
            }
        }
        try unsafe check("source", images.source.layout, source)
        try unsafe check("target image", images.target.layout, target)
        try unsafe check("result", output.layout, region)
        let sample = unsafe output.layout.format.sample
        func check(_ image: PixelSource?) throws(PixelError) {
            guard let image = unsafe image else { return }
            let format = unsafe image.layout.format
            guard format.sample == sample else {
                throw .mismatch(
                    property: "sample type", first: "\(format)", second: "\(unsafe output.layout.format) of the result")
            }
            guard unsafe !output.overlaps(image) else { throw .sharedMemory }
        }
        try unsafe check(images.source)
        try unsafe check(images.target)
        try unsafe check(images.backside)
        try unsafe check(images.shading)
    }
}
