#if HEIC
    import CHEIF
    import FrostCore

    /// The functions of libheif, which Frost opens at run time.
    enum HEICLibrary {
        // SAFETY: the names are C strings that exist until the program ends.
        static let functions = Result { () throws(SharedLibraryError) -> frost_heif in
            let heif: frost_heif = try unsafe CodecLibrary.table(
                frost_heif_name_list(), frost_heif_name_count(), in: [FROST_HEIF_LIBRARY])
            // This loads the decoders, if they are files of their own. A process of a sandbox can do so only now.
            _ = unsafe heif.heif_init(nil)
            return heif
        }
    }

    extension frost_heif {
        // SAFETY: libheif returns a constant string that ends with a zero byte.
        var version: String { unsafe heif_get_version().map { unsafe String(cString: $0) } ?? "unknown" }
    }
#endif
