import FrostCore
import Synchronization

// The loops over a link's ticks.
extension DisplayLinkCore {
    /// What a loop finds when it asks for a tick.
    enum Outcome {
        case tick(DisplayLink.Tick)
        case nothing
        case ended
    }

    func addListener() -> Int {
        var number = 0
        change { state in
            // Nobody has waited for the refreshes before the first loop.
            if timer != nil, state.callback == nil, state.listeners.isEmpty {
                state.schedule.skip(past: position(state))
            }
            number = state.listeners.add()
            return []
        }
        return number
    }

    func removeListener(_ number: Int) {
        change { state in
            state.listeners.remove(number)
            return []
        }
    }

    /// Ends a loop whose task is cancelled.
    func finish(_ number: Int) { change { state in state.listeners.finish(number) } }

    /// Returns the tick that waits for a loop. If none waits on a virtual clock, advances the clock to the next tick.
    func take(_ number: Int) -> Outcome {
        if isForked { return .ended }
        while true {
            let found = state.withLock { state -> Outcome? in
                if state.isInvalidated || state.listeners.isFinished(number) { return .ended }
                if let tick = state.listeners.takeTick(number) { return .tick(tick) }
                return isAdvancedByLoops(state) ? nil : .nothing
            }
            if let found { return found }
            do throws(DisplayLinkError) {
                _ = try deliver("next()") { (state) throws(DisplayLinkError) in
                    // Another loop may have advanced the clock, or paused the link.
                    guard !state.listeners.hasTick(number), isAdvancedByLoops(state) else { return nil }
                    return try state.schedule.show(state.schedule.due)
                }
            } catch {
                end(after: error)
                return .ended
            }
        }
    }

    /// Resumes a call of a loop as soon as ``take(_:)`` returns something else than `nothing`.
    func wake(_ call: CheckedContinuation<Void, Never>, whenReady number: Int) {
        let isReady = state.withLock { state in
            if state.isInvalidated || state.listeners.isFinished(number) || state.listeners.hasTick(number)
                || isAdvancedByLoops(state)
            {
                return true
            }
            state.listeners.add(waiting: call, to: number)
            return false
        }
        if isReady { call.resume() }
    }

    private func isAdvancedByLoops(_ state: borrowing LinkState) -> Bool {
        source == .virtual && !state.schedule.isPaused
    }
}
