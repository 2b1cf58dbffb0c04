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
            case let columns = (block.x..<block.x + block.count).clamped(to: layers.region.columns), !columns.isEmpty
        else { preconditionFailure("the layers do not cover the block at \(block.x), \(block.y)") }
        // The pixels of the block left of the region are not drawn.
        block.fill(.page, 1)
        block.fill(.targetShade, 1)
        let start = (block.y - layers.region.y) * layers.region.width - layers.region.x
        let first = columns.lowerBound - block.x
        // SAFETY: the layers have a number for each column of the row.
        let rest = unsafe layers.rest.floats + (start + columns.lowerBound)
        let shadow = unsafe layers.shadow.floats + (start + columns.lowerBound)
        for i in 0..<columns.count {
            unsafe page[first &+ i] = rest[i]
            unsafe shade[first &+ i] = 1 - shadow[i]
        }
    }
}
