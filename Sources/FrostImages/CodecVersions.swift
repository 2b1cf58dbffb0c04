import CJPEGShim
import CLCMS
import CPNGShim
import CWebP
import CZlib

/// The libraries that read and write files.
public enum CodecVersions {
    /// Those that are loaded, with their versions: "libpng", "1.6.39". libjpeg-turbo has only that of its headers.
    public static var all: [(name: String, version: String)] {
        // SAFETY: constants of the libraries'.
        let png = unsafe String(cString: frost_png_version())
        let zlib = unsafe String(cString: zlibVersion())
        let webp = UInt32(bitPattern: WebPGetDecoderVersion())
        let lcms = Int(cmsGetEncodedCMMversion())
        return [
            ("libpng", png), ("zlib", zlib), ("libjpeg-turbo", unsafe String(cString: frost_jpeg_version())),
            ("libwebp", "\(webp >> 16).\(webp >> 8 & 255).\(webp & 255)"),
            ("lcms2", "\(lcms / 1000).\(lcms / 10 % 100)"),
        ]
    }
}
