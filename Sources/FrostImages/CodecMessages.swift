#if AVIF || JPEGXL
    // SAFETY: only C's variable `stderr` is used, before other threads start.
    @unsafe @preconcurrency import Glibc
#endif

/// What codec libraries print without being asked.
public enum CodecMessages {
    /// Redirects C's `stderr` to /dev/null. The libraries for AVIF and JPEG XL print messages there that the thrown
    /// error repeats more clearly, and they have no option to stop that. Descriptor 2 is not changed.
    ///
    /// For programs that write to the descriptor itself. Call it before other threads start. It does nothing in a build
    /// without those two formats.
    public static func discard() {
        #if AVIF || JPEGXL
            // SAFETY: a new stream, which is never closed.
            if let nowhere = unsafe fopen("/dev/null", "we") { unsafe stderr = unsafe nowhere }
        #endif
    }
}
