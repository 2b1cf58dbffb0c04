#if JPEGXL
    import FrostCore
    import CJXL

    /// The functions of libjxl and libjxl_threads, which Frost opens at run time.
    enum JXLLibrary {
        // SAFETY: the names are C strings that exist until the program ends.
        static let functions = Result { () throws(SharedLibraryError) -> frost_jxl in
            try unsafe CodecLibrary.table(
                frost_jxl_name_list(), frost_jxl_name_count(),
                in: [String(cString: frost_jxl_library()), String(cString: frost_jxl_threads_library())])
        }
    }

    extension frost_jxl {
        var version: String {
            let number = JxlDecoderVersion()
            return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
        }
    }
#endif
