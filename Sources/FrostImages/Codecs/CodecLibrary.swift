#if TIFF || AVIF || JPEGXL
    import Glibc

    /// Opens the library of a codec at run time, when Frost meets the first file of its format. Files of other formats
    /// do not pay for this library. If the library is not installed, only its format is unavailable.
    enum CodecLibrary {
        /// Opens the libraries and returns the addresses of the named functions.
        ///
        /// - Parameters:
        ///   - names: C strings that exist until the program ends. Each function must be in one of the libraries.
        ///   - files: the file names of the libraries, for example "libavif.so.15". The number is the library version
        ///     that the compiled header belongs to.
        @unsafe static func addresses(
            of names: UnsafePointer<UnsafePointer<CChar>>, _ count: Int, in files: [String]
        ) throws(CodecLibraryError) -> [UnsafeMutableRawPointer?] {
            CodecMessages.begin()
            var handles: [UnsafeMutableRawPointer] = unsafe []
            for file in files {
                // Frost never closes a codec library, because another file of the same format may follow.
                guard let handle = unsafe dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
                    // SAFETY: the message of dlerror is copied before another call replaces it.
                    let reason = unsafe dlerror().map { text in unsafe String(cString: text) }
                    throw CodecLibraryError(file: file, reason: reason ?? "dlopen failed")
                }
                unsafe handles.append(handle)
            }
            var addresses: [UnsafeMutableRawPointer?] = unsafe []
            for i in 0..<count {
                var address: UnsafeMutableRawPointer?
                for j in unsafe handles.indices where unsafe address == nil {
                    unsafe address = unsafe dlsym(handles[j], names[i])
                }
                if unsafe address == nil {
                    let name = unsafe String(cString: names[i])
                    throw CodecLibraryError(file: files[0], reason: "it has no function \(name)")
                }
                unsafe addresses.append(address)
            }
            return unsafe addresses
        }

        /// Returns a C struct that holds the addresses of the named functions, in the order of the names.
        @unsafe static func table<Functions>(
            _ names: UnsafePointer<UnsafePointer<CChar>>, _ count: Int, in files: [String]
        ) throws(CodecLibraryError) -> Functions {
            let addresses = unsafe try addresses(of: names, count, in: files)
            precondition(MemoryLayout<Functions>.size == count * MemoryLayout<Int>.size, "not one field for each name")
            // SAFETY: the precondition above ensures that the struct has one pointer for each address.
            return unsafe addresses.withUnsafeBytes { bytes in unsafe bytes.loadUnaligned(as: Functions.self) }
        }
    }

    /// The error for a codec library that cannot be opened, or that lacks a function of the compiled header.
    struct CodecLibraryError: Error, Equatable {
        /// The file name of the library.
        let file: String
        let reason: String
    }

    extension Result where Failure == CodecLibraryError {
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

    extension CodecLibraryError {
        /// Returns a message for users. It does not repeat the file name if the message of the dynamic loader begins
        /// with it.
        func text(_ format: ImageFormat) -> String {
            "\(format.traits.title) needs a library that cannot be loaded: "
                + (reason.hasPrefix(file) ? reason : "\(file): \(reason)")
        }
    }
#endif
