#if TIFF || AVIF || JPEGXL
    // SAFETY: only C's variable `stderr` is used, see ``CodecMessages/begin()``.
    @unsafe @preconcurrency import Glibc
    import Synchronization
#endif

/// What codec libraries print without being asked.
public enum CodecMessages {
    #if TIFF || AVIF || JPEGXL
        private static let isDiscarding = Atomic<Bool>(false)
    #endif

    /// Redirects C's `stderr` to /dev/null from the moment when a library for AVIF, JPEG XL or TIFF is opened. These
    /// libraries print messages there that the thrown error repeats more clearly, and they have no option to stop that.
    /// Descriptor 2 is not changed.
    ///
    /// For programs that write to the descriptor itself. It does nothing in a build without those formats.
    public static func discard() {
        #if TIFF || AVIF || JPEGXL
            isDiscarding.store(true, ordering: .relaxed)
        #endif
    }

    #if TIFF || AVIF || JPEGXL
        /// Called before a library is opened.
        static func begin() {
            guard isDiscarding.exchange(false, ordering: .relaxed) else { return }
            // SAFETY: a new stream, which is never closed, and neither is the old one: other threads may be using it. Storing
            // the pointer is one instruction.
            if let nowhere = unsafe fopen("/dev/null", "we") { unsafe stderr = unsafe nowhere }
        }
    #endif
}
