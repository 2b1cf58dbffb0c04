#if AVIF || JPEGXL
    // SAFETY: of C's variables `stderr` alone is used, before there are other threads.
    @unsafe @preconcurrency import Glibc
#endif

/// What libraries print of their own accord.
public enum CodecMessages {
    /// Takes C's standard error away from the libraries of AVIF and JPEG XL, which print there what is said better by the
    /// error that follows, and have no other switch. Descriptor 2 stays as it is.
    ///
    /// For programs that write to the descriptor themselves, before other threads are begun; without those formats it does
    /// nothing.
    public static func discard() {
        #if AVIF || JPEGXL
            // SAFETY: a stream of its own, which is never closed.
            if let nowhere = unsafe fopen("/dev/null", "we") { unsafe stderr = unsafe nowhere }
        #endif
    }
}
