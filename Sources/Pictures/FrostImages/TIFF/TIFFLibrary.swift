#if TIFF
    import FrostCore
    import CTIFF

    /// Loads the library libtiff. The C module CTIFF calls the functions of libtiff.
    enum TIFFLibrary {
        /// The result of loading libtiff. After a success, the shim has the addresses of libtiff's functions.
        static let isLoaded = Result { () throws(SharedLibraryError) in
            // SAFETY: the names exist until the program ends, and the shim receives one address for each name, as it
            // requires.
            let addresses = try unsafe CodecLibrary.addresses(
                of: frost_tiff_name_list(), frost_tiff_name_count(),
                in: [String(cString: frost_tiff_library())])
            unsafe frost_tiff_use(addresses)
        }
    }
#endif
