import FrostThreads

/// The result of work that another thread does. If no thread has begun the work when its result is needed, the thread that
/// needs it does the work. So the result comes even if the system refuses threads.
final class PendingResult<Result: Sendable>: Sendable {
    private enum Progress {
        case waiting(@Sendable () -> Result)
        case begun
        case done(Result)
        case taken
    }
    private let state: Monitor<Progress>

    private init(_ work: @escaping @Sendable () -> Result) { state = Monitor(.waiting(work)) }

    /// Starts work on a thread of its own, or does the work at once if the system refuses threads.
    static func start(_ work: @escaping @Sendable () -> Result) -> PendingResult {
        let pending = PendingResult(work)
        do throws(ThreadError) {
            try ThreadPool.tasks.add { pending.runUnlessBegun() }
        } catch {
            pending.runUnlessBegun()
        }
        return pending
    }

    /// Does work on the calling thread.
    static func done(_ work: @escaping @Sendable () -> Result) -> PendingResult {
        let pending = PendingResult(work)
        pending.runUnlessBegun()
        return pending
    }

    private func runUnlessBegun() {
        if let result = resultUnlessBegun() { state.update { $0 = .done(result) } }
    }

    /// Does the work, unless a thread has begun it. The work is released before this function returns, and so before anyone
    /// gets the result: what it holds, such as a frame, is then free.
    @inline(never)
    private func resultUnlessBegun() -> Result? {
        let work = state.withLock { state -> (@Sendable () -> Result)? in
            switch state {
            case .waiting(let work):
                state = .begun
                return work
            case .begun, .done, .taken: return nil
            }
        }
        return work?()
    }

    /// Takes the result out, so that a thread which still holds this object holds no result.
    private static func take(_ state: inout Progress) -> Result? {
        switch state {
        case .waiting, .begun: return nil
        case .done(let result):
            state = .taken
            return result
        case .taken: preconditionFailure("the result of a task can be taken once")
        }
    }

    /// Returns the result, after waiting for it or doing the work. It can be taken once.
    func wait() -> Result {
        runUnlessBegun()
        return state.wait(Self.take)
    }

    /// Returns the result, after waiting for it or doing the work. It can be taken once.
    ///
    /// - Parameter isOver: a function that is called several times a second. If it returns true, the wait ends.
    /// - Returns: nil if `isOver` ended the wait.
    func wait(unless isOver: () -> Bool) -> Result? {
        guard !isOver() else { return nil }
        runUnlessBegun()
        return state.wait(unless: isOver, Self.take)
    }
}

extension Monitor {
    /// Waits until `body` returns a result. `body` is called at first and after each change.
    ///
    /// - Parameters:
    ///   - isOver: a function that is called several times a second. If it returns true, the wait ends.
    ///   - body: the function that is called.
    /// - Returns: nil if `isOver` ended the wait.
    func wait<Result>(unless isOver: () -> Bool, _ body: (inout Value) -> Result?) -> Result? {
        while !isOver() {
            if let result = wait(for: .milliseconds(100), body) { return result }
        }
        return nil
    }
}
