import CJPEG
import CLCMS
import CPNG
import CWebP
import CZimg
import CZlib

#if TIFF
    import CTIFF
#endif

/// The versions of the libraries that read and write image files.
public enum CodecVersions {
    /// The name and version of each library, for example ("libpng", "1.6.39"). The version is nil if the library cannot
    /// be loaded. Reading this property loads all libraries, including those that Frost otherwise loads only for the
    /// first file of their format. For libjpeg-turbo, the version is that of the headers that Frost was compiled with.
    public static var all: [(name: String, version: String?)] {
        // SAFETY: the libraries return constant strings.
        let png = unsafe String(cString: frost_png_version())
        let zlib = unsafe String(cString: zlibVersion())
        let webp = UInt32(bitPattern: WebPGetDecoderVersion())
        let lcms = Int(cmsGetEncodedCMMversion())
        var (major, minor, micro): (UInt32, UInt32, UInt32) = (0, 0, 0)
        unsafe zimg_get_version_info(&major, &minor, &micro)
        var all: [(name: String, version: String?)] = [
            ("libpng", png), ("zlib", zlib), ("libjpeg-turbo", unsafe String(cString: frost_jpeg_version())),
            ("libwebp", "\(webp >> 16).\(webp >> 8 & 255).\(webp & 255)"),
            ("lcms2", "\(lcms / 1000).\(lcms / 10 % 100)"),
            ("zimg", "\(major).\(minor).\(micro)"),
        ]
        #if TIFF
            all.append(
                ("libtiff", (try? TIFFLibrary.isLoaded.get()).map { unsafe String(cString: frost_tiff_version()) }))
        #endif
        #if AVIF
            all.append(("libavif", (try? AVIFLibrary.functions.get())?.version))
        #endif
        #if JPEGXL
            all.append(("libjxl", (try? JXLLibrary.functions.get())?.version))
        #endif
        #if HEIC
            all.append(("libheif", (try? HEICLibrary.functions.get())?.version))
        #endif
        return all
    }
}
