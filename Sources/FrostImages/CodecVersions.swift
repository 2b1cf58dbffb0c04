import CPNGShim

/// The libraries that read and write files.
public enum CodecVersions {
    /// Those that are loaded, with their versions: "libpng", "1.6.39".
    public static var all: [(name: String, version: String)] {
        // SAFETY: a constant of the library's.
        [("libpng", unsafe String(cString: frost_png_version()))]
    }
}
