#if TIFF
    import FrostCore
    import CTIFFShim

    /// The library libtiff. The C module CTIFFShim calls its functions.
    enum TIFFLibrary {
        /// Set once the shim has its functions.
        static let isLoaded = Result { () throws(SharedLibraryError) in
            // SAFETY: names that live as long as the program, and one address for each, as the shim asks.
            let addresses = try unsafe CodecLibrary.addresses(
                of: frost_tiff_name_list(), frost_tiff_name_count(),
                in: [String(cString: frost_tiff_library())])
            unsafe frost_tiff_use(addresses)
        }
    }
#endif
