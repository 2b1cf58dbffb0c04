#if TIFF || AVIF || JPEGXL
    // SAFETY: of Glibc's unsafe globals, this file uses only `stderr`; see ``CodecMessages/begin()``.
    @unsafe @preconcurrency import Glibc
    import Synchronization
#endif

/// Controls the messages that codec libraries print to standard error.
public enum CodecMessages {
    #if TIFF || AVIF || JPEGXL
        private static let isDiscarding = Atomic<Bool>(false)
    #endif

    /// Redirects C's `stderr` to /dev/null as soon as Frost opens a library for AVIF, JPEG XL or TIFF. These libraries
    /// print messages to `stderr` that the thrown error repeats more clearly, and they have no option to stop that.
    /// File descriptor 2 is not changed.
    ///
    /// Call this only in programs that write their own messages to the descriptor instead of `stderr`. It has no effect
    /// in a build without these formats.
    public static func discard() {
        #if TIFF || AVIF || JPEGXL
            isDiscarding.store(true, ordering: .relaxed)
        #endif
    }

    #if TIFF || AVIF || JPEGXL
        /// Redirects `stderr` if ``discard()`` was called. Call this before opening a library.
        static func begin() {
            guard isDiscarding.exchange(false, ordering: .relaxed) else { return }
            // SAFETY: neither the new stream nor the old one is ever closed, because other threads may be using them.
            // Storing the pointer takes one instruction.
            if let nowhere = unsafe fopen("/dev/null", "we") { unsafe stderr = unsafe nowhere }
        }
    #endif
}
