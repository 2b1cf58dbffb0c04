extension DisplayLink {
    /// The link's ticks as a sequence. Each loop over it receives every tick for which it is ready.
    ///
    /// The sequence keeps the link alive. It ends when the link is invalidated or the task is cancelled.
    public var ticks: Ticks { Ticks(link: self) }

    /// The ticks of a ``DisplayLink``.
    ///
    /// Thread safety: the sequence may be used from any thread; each iterator belongs to one task.
    public struct Ticks: AsyncSequence, Sendable {
        fileprivate let link: DisplayLink

        /// Returns an iterator. It receives the ticks from this call on.
        public func makeAsyncIterator() -> Iterator { Iterator(subscription: Subscription(link)) }

        /// Waits for the ticks of a link.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let subscription: Subscription

            /// Returns the next tick. With a virtual clock, the tick is made by this call, so no time passes.
            ///
            /// Returns nil if the link is invalidated or the task is cancelled, and from then on.
            public mutating func next() async -> Tick? { await subscription.next() }
        }
    }

    /// The registration of an iterator with a link. It ends when the iterator is released.
    fileprivate final class Subscription: Sendable {
        private let link: DisplayLink
        private let listener: Int

        init(_ link: DisplayLink) {
            self.link = link
            listener = link.core.addListener()
        }

        deinit { link.core.removeListener(listener) }

        func next() async -> Tick? {
            let core = link.core
            return await withTaskCancellationHandler {
                while true {
                    switch core.take(listener) {
                    case .tick(let tick): return tick
                    case .ended: return nil
                    case .nothing: await withCheckedContinuation { core.wake($0, whenReady: listener) }
                    }
                }
            } onCancel: {
                core.finish(listener)
            }
        }
    }
}
