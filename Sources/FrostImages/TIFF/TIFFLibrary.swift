#if TIFF
    import CTIFFShim

    /// The library libtiff. The C module CTIFFShim calls its functions.
    enum TIFFLibrary {
        /// Loads libtiff on first use and passes its functions to the shim. Holds the error if that fails.
        static let isLoaded = Result { () throws(CodecLibraryError) in
            // SAFETY: the names exist until the program ends, and `addresses` has one address for each name, as the
            // shim requires.
            let addresses = try unsafe CodecLibrary.addresses(
                of: frost_tiff_name_list(), frost_tiff_name_count(),
                in: [String(cString: frost_tiff_library())])
            unsafe frost_tiff_use(addresses)
        }
    }
#endif
