public import FrostCore

/// The reason why a call of a ``DisplayLink`` failed, or why the link stopped by itself.
public enum DisplayLinkError: Error, Sendable, Equatable {
    /// A rate, frame interval, number of refreshes, time or duration is out of range. Times that are NaN are out of
    /// range.
    case parameter(ParameterError)
    /// A host reported a refresh that is earlier than the previous one.
    case timeWentBackwards(timestamp: FrameTime, previous: FrameTime)
    /// The call does not suit the link's source of ticks.
    case wrongSource(call: String, source: DisplayLink.Source, needed: DisplayLink.Source)
    /// The link's callback tried to make the next tick. A callback of a tick must return before the next tick.
    case calledFromCallback(call: String)
    /// The link was invalidated.
    case invalidated
    /// A parent of this process made the link, and goes on using its timer.
    case forked
    /// The operating system refused a timer or a thread. `code` is the value of `errno`.
    case systemCallFailed(call: String, code: Int32)
}

extension DisplayLinkError: CustomStringConvertible {
    /// The error in one line.
    public var description: String {
        switch self {
        case .parameter(let error): error.description
        case .timeWentBackwards(let timestamp, let previous):
            "the timestamp \(timestamp) is earlier than the previous timestamp \(previous)"
        case .wrongSource(let call, let source, let needed):
            "\(call) needs a display link with the source \(needed); this link has the source \(source)"
        case .calledFromCallback(let call): "\(call) was called from the callback of the same display link"
        case .invalidated: "the display link was invalidated"
        case .forked: "a parent of this process made the display link before the fork"
        case .systemCallFailed(let call, let code): "\(call) failed: \(Errno(code: code).message)"
        }
    }
}
