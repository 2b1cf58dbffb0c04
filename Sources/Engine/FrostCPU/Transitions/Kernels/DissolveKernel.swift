/// The kernel of a dissolve: one weight for all pixels.
struct DissolveKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = []
    private let page: Float

    init(share: Double) { page = Float(1 - share) }

    func fill(_ block: TransitionBlock) {
        block.parts = []
        block.fill(.page, page)
    }
}
