#if TIFF || AVIF || JPEGXL
    import FrostCore

    /// Opens codec libraries at run time, when the first file of their format is met. So other files do not pay for them,
    /// and where one is not installed, only its format is missing.
    enum CodecLibrary {
        /// The addresses of functions, in the order of the names.
        ///
        /// - Parameters:
        ///   - names: C strings that live as long as the program; each is in one of the libraries.
        ///   - files: the libraries, for example "libavif.so.15": the version whose header was compiled.
        @unsafe static func addresses(
            of names: UnsafePointer<UnsafePointer<CChar>>, _ count: Int, in files: [String]
        ) throws(SharedLibraryError) -> [UnsafeMutableRawPointer?] {
            CodecMessages.begin()
            return try unsafe SharedLibrary.addresses(of: names, count, in: files)
        }

        /// A C struct of the functions' addresses, in the order of the names.
        @unsafe static func table<Functions>(
            _ names: UnsafePointer<UnsafePointer<CChar>>, _ count: Int, in files: [String]
        ) throws(SharedLibraryError) -> Functions {
            CodecMessages.begin()
            return try unsafe SharedLibrary.table(names, count, in: files)
        }
    }

    extension Result where Failure == SharedLibraryError {
        /// The library's functions, to read a file.
        func toRead(_ path: String, _ format: ImageFormat) throws(ImageError) -> Success {
            do { return try get() } catch {
                throw .unsupported(path: path, format: format, reason: error.text(format))
            }
        }

        /// The library's functions, to write a file.
        func toWrite(_ path: String, _ format: ImageFormat) throws(ImageError) -> Success {
            do { return try get() } catch { throw .cannotEncode(path: path, reason: error.text(format)) }
        }
    }

    extension SharedLibraryError {
        /// For people.
        func text(_ format: ImageFormat) -> String {
            "\(format.traits.title) needs a library that cannot be loaded: \(self)"
        }
    }
#endif
