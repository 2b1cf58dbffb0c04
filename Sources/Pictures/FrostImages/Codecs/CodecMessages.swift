#if TIFF || AVIF || JPEGXL || HEIC
    // SAFETY: of Glibc's unsafe globals, this file uses only `stderr`; see ``CodecMessages/begin()``.
    @unsafe @preconcurrency import Glibc
    import Synchronization
#endif

/// Controls the messages that codec libraries print to standard error.
public enum CodecMessages {
    #if TIFF || AVIF || JPEGXL || HEIC
        private static let isDiscarding = Atomic<Bool>(false)
    #endif

    /// Makes Frost redirect C's `stderr` to /dev/null when it opens a library for AVIF, JPEG XL or TIFF. These
    /// libraries print messages to `stderr`, and they have no option to stop that. The messages are not needed, because
    /// the thrown error gives the reason more clearly. File descriptor 2 is not changed.
    ///
    /// Call this only in programs that write their own messages to file descriptor 2 instead of `stderr`. The call has
    /// no effect in a build without these formats.
    public static func discard() {
        #if TIFF || AVIF || JPEGXL || HEIC
            isDiscarding.store(true, ordering: .relaxed)
        #endif
    }

    #if TIFF || AVIF || JPEGXL || HEIC
        /// Redirects `stderr` if ``discard()`` was called. Call this before opening a library.
        static func begin() {
            guard isDiscarding.exchange(false, ordering: .relaxed) else { return }
            // SAFETY: neither the new stream nor the old one is ever closed, because other threads may be using them.
            // Other threads see either the old or the new stream, because the pointer is stored by a single
            // instruction.
            if let nowhere = unsafe fopen("/dev/null", "we") { unsafe stderr = unsafe nowhere }
        }
    #endif
}
