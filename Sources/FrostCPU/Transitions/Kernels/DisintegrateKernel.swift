import FrostCore

/// The kernel of ``Disintegrate``, which copies the values of ``TransitionLayers``.
struct DisintegrateKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = .targetShade
    private let layers: TransitionLayers?

    init(_ layers: TransitionLayers?) { self.layers = layers }

    func fill(_ block: TransitionBlock) {
        block.parts = parts
        // SAFETY: the rows have room for `count` numbers.
        let (page, shade) = unsafe (block[.page], block[.targetShade])
        guard let layers, layers.region.rows.contains(block.y),
            layers.region.columns.contains(block.x), block.x + block.count <= layers.region.columns.upperBound
        else { preconditionFailure("the layers do not cover the block at \(block.x), \(block.y)") }
        let start = (block.y - layers.region.y) * layers.region.width + block.x - layers.region.x
        for i in 0..<block.count {
            unsafe page[i] = layers.rest[start + i]
            unsafe shade[i] = 1 - layers.shadow[start + i]
        }
    }
}
