#if AVIF
    import FrostCore
    import CAVIF

    /// The functions of libavif, which Frost opens at run time.
    enum AVIFLibrary {
        // SAFETY: the names are C strings that exist until the program ends.
        static let functions = Result { () throws(SharedLibraryError) -> frost_avif in
            try unsafe CodecLibrary.table(
                frost_avif_name_list(), frost_avif_name_count(),
                in: [FROST_AVIF_LIBRARY])
        }
    }

    extension frost_avif {
        // SAFETY: here and below, libavif returns constant strings that end with a zero byte.
        var version: String { unsafe text(avifVersion()) }

        func reason(_ result: avifResult) -> String { unsafe text(avifResultToString(result)) }

        @unsafe private func text(_ constant: UnsafePointer<CChar>?) -> String {
            unsafe constant.map { unsafe String(cString: $0) } ?? "no reason given"
        }
    }
#endif
