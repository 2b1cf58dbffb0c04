import FrostCore
import FrostThreads
import Synchronization

// The ways in which refreshes reach a display link.
extension DisplayLinkCore {
    /// Sets the timer for the first time, and starts the thread of the source `timer`.
    func begin() throws(DisplayLinkError) {
        switch source {
        case .timer: try startThread()
        case .descriptor, .manual, .virtual: break
        }
        change { _ in [] }
    }

    func tick(at time: FrameTime, refreshes: Int) throws(DisplayLinkError) -> DisplayLink.Tick? {
        try require(.manual, "tick(at:)", refreshes)
        return try deliver("tick(at:)") { (state) throws(DisplayLinkError) in
            if let last = state.lastTime, time < last { throw .timeWentBackwards(timestamp: time, previous: last) }
            let refresh = state.schedule.position + refreshes
            let tick = try state.schedule.show(refresh, at: time)
            state.lastTime = time
            return tick
        }
    }

    func advance(by refreshes: Int) throws(DisplayLinkError) -> DisplayLink.Tick? {
        try require(.virtual, "advance(by:)", refreshes)
        return try deliver("advance(by:)") { (state) throws(DisplayLinkError) in
            try state.schedule.show(state.schedule.position + refreshes)
        }
    }

    var hostDescriptor: Int32? { source == .descriptor ? timer?.descriptor : nil }

    func dispatch() throws(DisplayLinkError) -> DisplayLink.Tick? {
        try require(.descriptor, "dispatch()")
        timer?.acknowledge()
        do throws(DisplayLinkError) { return try showCurrentRefresh("dispatch()") } catch {
            end(after: error)
            throw error
        }
    }

    private func require(
        _ needed: DisplayLink.Source, _ call: String, _ refreshes: Int = 1
    ) throws(DisplayLinkError) {
        if isForked { throw .forked }
        guard source == needed else { throw .wrongSource(call: call, source: source, needed: needed) }
        try refreshes.check("number of refreshes", in: DisplayLink.allowedRefreshes)
    }

    /// Delivers a tick if one is due at the timer's current time.
    private func showCurrentRefresh(_ call: String) throws(DisplayLinkError) -> DisplayLink.Tick? {
        try deliver(call) { (state) throws(DisplayLinkError) in
            try state.schedule.show(position(state))
        }
    }

    /// Ends the link if an error concerns the link and not only the call.
    func end(after error: DisplayLinkError) {
        switch error {
        case .parameter, .systemCallFailed: invalidate(because: error)
        case .timeWentBackwards, .wrongSource, .calledFromCallback, .invalidated, .forked: break
        }
    }

    private func startThread() throws(DisplayLinkError) {
        // The lock is held until the thread is stored, so that the thread cannot end before.
        try state.withLock { (state) throws(DisplayLinkError) in
            do throws(ThreadError) {
                state.thread = try Thread.start("frost-link") { [self] in runThread() }
            } catch {
                throw .systemCallFailed(call: "pthread_create", code: error.code)
            }
        }
    }

    private func runThread() {
        ownThread.store(ThreadToken.current, ordering: .relaxed)
        do throws(DisplayLinkError) {
            while !isInvalidated {
                try timer?.wait()
                _ = try showCurrentRefresh("the timer")
            }
        } catch {
            end(after: error)
        }
    }
}
