import FrostCore
import FrostThreads
import Synchronization

/// The state of a ``DisplayLink``. The link's thread holds a reference to the core, but not to the link. So the link is
/// destroyed when its users release it, and then ends the thread.
///
/// Two locks protect the core. `delivery` is held while a tick is delivered, so that callbacks do not overlap and
/// ``invalidate(because:)`` can wait for them. `state` is held for short moments, never during a callback. A thread
/// that holds `delivery` may lock `state`, but not the other way round.
final class DisplayLinkCore: Sendable {
    struct LinkState {
        var schedule: FrameSchedule
        var callback: (@Sendable (DisplayLink.Tick) -> Void)?
        var listeners = TickListeners()
        var isInvalidated = false
        var failure: DisplayLinkError?
        var thread: Thread?
        /// The last time that a host reported.
        var lastTime: FrameTime?
    }

    let source: DisplayLink.Source
    let rate: FrameRate
    let start: FrameTime
    let timer: MonotonicTimer?
    let state: Mutex<LinkState>
    private let delivery = Mutex<Void>(())
    /// The ``ThreadToken`` of the thread that delivers a tick; 0 if there is none.
    private let deliveringThread = Atomic<UInt>(0)
    /// The ``ThreadToken`` of the link's own thread; 0 before it runs.
    let ownThread = Atomic<UInt>(0)

    init(
        _ source: DisplayLink.Source, rate: FrameRate, frameInterval: Int, isPaused: Bool
    ) throws(DisplayLinkError) {
        self.source = source
        self.rate = rate
        let position: Int
        switch source {
        case .timer, .descriptor:
            timer = try MonotonicTimer()
            start = try rethrow(FrameTime(nanoseconds: MonotonicTimer.now), as: DisplayLinkError.parameter)
            position = 0
        case .manual, .virtual:
            timer = nil
            start = .zero
            position = -1
        }
        let schedule = try FrameSchedule(
            rate: rate, start: start, position: position, frameInterval: frameInterval, isPaused: isPaused)
        state = Mutex(LinkState(schedule: schedule))
    }

    /// Whether the link belongs to a parent of this process. The child of a fork has no thread of its parent, which may have held a
    /// lock during the fork. So no call in the child locks, waits, or changes the timer.
    var isForked: Bool { timer?.isOwn == false }

    var isPaused: Bool { isForked || state.withLock { $0.schedule.isPaused } }
    var frameInterval: Int { isForked ? 1 : state.withLock { $0.schedule.frameInterval } }
    var isInvalidated: Bool { isForked || state.withLock { $0.isInvalidated } }
    var failure: DisplayLinkError? { isForked ? .forked : state.withLock { $0.failure } }

    func setCallback(_ callback: @escaping @Sendable (DisplayLink.Tick) -> Void) {
        state.withLock { $0.callback = callback }
    }

    func setPaused(_ isPaused: Bool) {
        change { state in
            guard state.schedule.isPaused != isPaused else { return [] }
            state.schedule.isPaused = isPaused
            if !isPaused { state.schedule.skip(past: position(state)) }
            // The loops over a virtual clock make the next tick themselves.
            return state.listeners.takeWaiting()
        }
    }

    func setFrameInterval(_ interval: Int) throws(DisplayLinkError) {
        if isForked { throw .forked }
        try state.withLock { (state) throws(DisplayLinkError) in
            guard !state.isInvalidated else { throw .invalidated }
            try state.schedule.setFrameInterval(interval, position: position(state))
        }
        change { _ in [] }
    }

    /// Changes the state, adapts the timer, and resumes the calls that `body` returns. If the timer fails, the link
    /// ends.
    func change(_ body: (inout LinkState) -> [CheckedContinuation<Void, Never>]) {
        if isForked { return }
        var failure: DisplayLinkError?
        let waiting = state.withLock { state in
            let waiting = body(&state)
            do throws(DisplayLinkError) { try setTimer(state) } catch { failure = error }
            return waiting
        }
        for call in waiting { call.resume() }
        if let failure { invalidate(because: failure) }
    }

    /// The last refresh that has taken place.
    func position(_ state: borrowing LinkState) -> Int {
        guard timer != nil else { return state.schedule.position }
        return state.schedule.refresh(atNanoseconds: MonotonicTimer.now - start.nanoseconds)
    }

    /// Sets the timer to the time of the next tick, or switches it off if nobody receives ticks. The caller must hold
    /// the lock of the state, so that settings of several threads do not overtake each other.
    private func setTimer(_ state: borrowing LinkState) throws(DisplayLinkError) {
        guard let timer, !state.isInvalidated else { return }
        let isReceived = source == .descriptor || state.callback != nil || !state.listeners.isEmpty
        let isOn = isReceived && !state.schedule.isPaused
        try timer.set(isOn ? start.nanoseconds + state.schedule.dueNanoseconds : nil)
    }

    /// Delivers the tick that `show` returns.
    ///
    /// - Parameter call: the name of the call, for error messages.
    func deliver(
        _ call: String, _ show: (inout LinkState) throws(DisplayLinkError) -> DisplayLink.Tick?
    ) throws(DisplayLinkError) -> DisplayLink.Tick? {
        let thread = ThreadToken.current
        guard deliveringThread.load(ordering: .relaxed) != thread else { throw .calledFromCallback(call: call) }
        return try delivery.withLock { (_) throws(DisplayLinkError) -> DisplayLink.Tick? in
            deliveringThread.store(thread, ordering: .relaxed)
            defer { deliveringThread.store(0, ordering: .relaxed) }
            return try deliverAlone(show)
        }
    }

    /// Delivers a tick while the lock `delivery` is held. Not inlined, so that the callback is released before the lock
    /// is: what the callback captured may invalidate the link when it is destroyed.
    @inline(never) private func deliverAlone(
        _ show: (inout LinkState) throws(DisplayLinkError) -> DisplayLink.Tick?
    ) throws(DisplayLinkError) -> DisplayLink.Tick? {
        var callback: (@Sendable (DisplayLink.Tick) -> Void)?
        var waiting: [CheckedContinuation<Void, Never>] = []
        let tick = try state.withLock { (state) throws(DisplayLinkError) -> DisplayLink.Tick? in
            guard !state.isInvalidated else { throw .invalidated }
            let tick = try show(&state)
            try setTimer(state)
            callback = state.callback
            if let tick { waiting = state.listeners.offer(tick) }
            return tick
        }
        for call in waiting { call.resume() }
        if let tick { callback?(tick) }
        return tick
    }

    /// Ends the link, and waits for a running callback and for the thread, unless the caller is one of them.
    ///
    /// - Parameter failure: the reason, if the link ends by itself.
    func invalidate(because failure: DisplayLinkError? = nil) {
        if isForked { return }
        var callback: (@Sendable (DisplayLink.Tick) -> Void)?
        var waiting: [CheckedContinuation<Void, Never>] = []
        let thread = state.withLock { state -> Thread? in
            if !state.isInvalidated { state.failure = failure }
            state.isInvalidated = true
            callback = state.callback
            state.callback = nil
            waiting = state.listeners.takeWaiting()
            // Wakes the thread, which then ends. Setting a valid time on an open timer does not fail.
            if state.thread != nil { try? timer?.set(0) }
            defer { state.thread = nil }
            return state.thread
        }
        for call in waiting { call.resume() }
        let caller = ThreadToken.current
        let isOwnThread = ownThread.load(ordering: .relaxed) == caller
        if !isOwnThread, deliveringThread.load(ordering: .relaxed) != caller { delivery.withLock { _ in } }
        if let thread {
            if isOwnThread { thread.detach() } else { thread.join() }
        }
        // The callback lives until here, so that its destruction happens outside the locks.
        _ = consume callback
    }
}
