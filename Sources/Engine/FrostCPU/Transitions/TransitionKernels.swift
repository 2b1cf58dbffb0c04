import FrostCore

extension Transition.Kind {
    /// Returns the kernel that computes a frame.
    ///
    /// - Parameter layers: the layers of ``Disintegrate``.
    func kernel(_ frame: TransitionFrame, layers: TransitionLayers?) -> any TransitionKernel {
        switch self {
        case .dissolve(let kind): DissolveKernel(share: kind.drawing(frame).share)
        case .swipe(let kind): SwipeKernel(kind.drawing(frame))
        case .copyMachine(let kind): CopyMachineKernel(kind.drawing(frame))
        case .barsSwipe(let kind): BarsSwipeKernel(kind.drawing(frame))
        case .mod(let kind): ModKernel(kind.drawing(frame))
        case .disintegrate: DisintegrateKernel(layers)
        case .ripple(let kind): RippleKernel(kind.drawing(frame))
        case .pageCurl(let kind): PageCurlKernel(kind.drawing(frame))
        case .accordionFold(let kind): AccordionFoldKernel(kind.drawing(frame))
        case .flash(let kind): FlashKernel(kind.drawing(frame))
        }
    }
}
