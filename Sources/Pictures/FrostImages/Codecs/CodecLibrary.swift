import FrostCore

#if TIFF || AVIF || JPEGXL || HEIC

    /// Opens the library of a codec at run time, when Frost reads or writes the first file of the codec's format.
    /// Programs that use only other formats never load the library. If the library is not installed, only this format
    /// is unavailable.
    enum CodecLibrary {
        /// Opens the libraries and returns the addresses of the named functions, in the order of the names.
        ///
        /// - Parameters:
        ///   - names: C strings that exist until the program ends. Each function must be in one of the libraries.
        ///   - files: the file names of the libraries, for example "libavif.so.15". The number is the version of the
        ///     library's interface, and matches the header that Frost was compiled with.
        @unsafe static func addresses(
            of names: UnsafePointer<UnsafePointer<CChar>>, _ count: Int, in files: [String]
        ) throws(SharedLibraryError) -> [UnsafeMutableRawPointer?] {
            CodecMessages.begin()
            return try unsafe SharedLibrary.addresses(of: names, count, in: files)
        }

        /// Returns a C struct that holds the addresses of the named functions, in the order of the names.
        @unsafe static func table<Functions>(
            _ names: UnsafePointer<UnsafePointer<CChar>>, _ count: Int, in files: [String]
        ) throws(SharedLibraryError) -> Functions {
            CodecMessages.begin()
            return try unsafe SharedLibrary.table(names, count, in: files)
        }
    }

    extension Result where Failure == SharedLibraryError {
        /// Returns the functions of the library for reading a file. Throws
        /// ``ImageError/unsupported(path:format:reason:)`` if the library cannot be loaded.
        func toRead(_ path: String, _ format: ImageFormat) throws(ImageError) -> Success {
            do { return try get() } catch {
                throw .unsupported(path: path, format: format, reason: error.text(format))
            }
        }

        /// Returns the functions of the library for writing a file. Throws ``ImageError/cannotEncode(path:reason:)`` if
        /// the library cannot be loaded.
        func toWrite(_ path: String, _ format: ImageFormat) throws(ImageError) -> Success {
            do { return try get() } catch { throw .cannotEncode(path: path, reason: error.text(format)) }
        }
    }

    extension SharedLibraryError {
        /// The error message for users.
        func text(_ format: ImageFormat) -> String {
            "\(format.traits.title) needs a library that cannot be loaded: \(self)\(advice)"
        }
    }
#endif
