import FrostCore
import Glibc
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
            let tick = try checking { () throws(ParameterError) in try state.schedule.show(refresh, at: time) }
            state.lastTime = time
            return tick
        }
    }

    func advance(by refreshes: Int) throws(DisplayLinkError) -> DisplayLink.Tick? {
        try require(.virtual, "advance(by:)", refreshes)
        return try deliver("advance(by:)") { (state) throws(DisplayLinkError) in
            let refresh = state.schedule.position + refreshes
            return try checking { () throws(ParameterError) in try state.schedule.show(refresh) }
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
        guard source == needed else { throw .wrongSource(call: call, source: source, needed: needed) }
        try checking { () throws(ParameterError) in
            try refreshes.check("number of refreshes", in: DisplayLink.allowedRefreshes)
        }
    }

    /// Delivers a tick if one is due at the timer's current time.
    private func showCurrentRefresh(_ call: String) throws(DisplayLinkError) -> DisplayLink.Tick? {
        try deliver(call) { (state) throws(DisplayLinkError) in
            let refresh = position(state)
            return try checking { () throws(ParameterError) in try state.schedule.show(refresh) }
        }
    }

    /// Ends the link if an error concerns the link and not only the call.
    func end(after error: DisplayLinkError) {
        switch error {
        case .parameter, .systemCallFailed: invalidate(because: error)
        case .timeWentBackwards, .wrongSource, .calledFromCallback, .invalidated: break
        }
    }

    private func startThread() throws(DisplayLinkError) {
        let box = unsafe Unmanaged.passRetained(self).toOpaque()
        // The lock is held until the thread is stored, so that the thread cannot end before.
        let failure = state.withLock { state in
            var thread = pthread_t()
            // SAFETY: the new thread takes over the reference. If no thread was created, the reference is released
            // here.
            let failure = unsafe pthread_create(
                &thread, nil,
                { box in
                    guard let box = unsafe box else { return nil }
                    unsafe Unmanaged<DisplayLinkCore>.fromOpaque(box).takeRetainedValue().runThread()
                    return nil
                }, box)
            if failure == 0 {
                state.thread = thread
            } else {
                unsafe Unmanaged<DisplayLinkCore>.fromOpaque(box).release()
            }
            return failure
        }
        guard failure == 0 else { throw .systemCallFailed(call: "pthread_create", code: failure) }
    }

    private func runThread() {
        ownThread.store(ThreadToken.current, ordering: .relaxed)
        var signals = sigset_t()
        // SAFETY: the signal set is local storage. The thread blocks the host's signals. Faults are not blocked, so
        // that crash reporters receive them.
        unsafe sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { unsafe sigdelset(&signals, fault) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
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
