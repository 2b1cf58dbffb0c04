#if HEIC
    import CHEIF
    import FrostThreads

    /// Clears memory before the decoder of HEIC gets it. libde265 leaves some pixels of a damaged picture as the memory was, and
    /// reports success. The memory may have held other pictures, which then would become a part of the result.
    enum ClearedMemory {
        /// The number of calls that need cleared memory at the moment.
        private static let users = Lock(0)

        /// Calls a function, during which malloc clears memory, in all threads. Only blocks of a few hundred bytes may keep what
        /// they held; the rows of a picture are in larger ones.
        static func during<Result>(_ body: () throws(ImageError) -> Result) throws(ImageError) -> Result {
            count(1)
            defer { count(-1) }
            return try body()
        }

        private static func count(_ change: Int) {
            users.withLock { users in
                users += change
                frost_clear_memory(users > 0)
            }
        }
    }
#endif
