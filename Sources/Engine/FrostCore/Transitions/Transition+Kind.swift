extension Transition {
    /// The kind of transition and its parameters.
    public enum Kind: Sendable, Hashable {
        /// One image fades into the other.
        case dissolve(Dissolve)
        /// A soft edge moves over the source.
        case swipe(Swipe)
        /// A bar of light crosses the picture twice.
        case copyMachine(CopyMachine)
        /// Bars of the source slide away.
        case barsSwipe(BarsSwipe)
        /// Holes grow in the source.
        case mod(Mod)
        /// The source disintegrates by a mask.
        case disintegrate(Disintegrate)
        /// A circular wave spreads.
        case ripple(Ripple)
        /// The source rolls up like a page.
        case pageCurl(PageCurl)
        /// The source folds upwards.
        case accordionFold(AccordionFold)
        /// A flash covers the picture.
        case flash(Flash)

        /// The kind as a value of its own type.
        package var value: any TransitionKind {
            switch self {
            case .dissolve(let kind): kind
            case .swipe(let kind): kind
            case .copyMachine(let kind): kind
            case .barsSwipe(let kind): kind
            case .mod(let kind): kind
            case .disintegrate(let kind): kind
            case .ripple(let kind): kind
            case .pageCurl(let kind): kind
            case .accordionFold(let kind): kind
            case .flash(let kind): kind
            }
        }
    }
}
