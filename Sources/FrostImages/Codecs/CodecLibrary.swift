#if TIFF || AVIF || JPEGXL
    import Glibc

    /// Opens codec libraries at run time, when the first file of their format is met. So other files do not pay for them,
    /// and where one is not installed, only its format is missing.
    enum CodecLibrary {
        /// The addresses of functions.
        ///
        /// - Parameters:
        ///   - names: C strings that live as long as the program; each is in one of the libraries.
        ///   - files: the libraries, for example "libavif.so.15": the version whose header was compiled.
        @unsafe static func addresses(
            of names: UnsafePointer<UnsafePointer<CChar>>, _ count: Int, in files: [String]
        ) throws(CodecLibraryError) -> [UnsafeMutableRawPointer?] {
            CodecMessages.begin()
            var handles: [UnsafeMutableRawPointer] = unsafe []
            for file in files {
                // The libraries stay open: another file may follow.
                guard let handle = unsafe dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
                    // SAFETY: the message is copied before another call replaces it.
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

        /// A C struct of the functions' addresses, in the order of the names.
        @unsafe static func table<Functions>(
            _ names: UnsafePointer<UnsafePointer<CChar>>, _ count: Int, in files: [String]
        ) throws(CodecLibraryError) -> Functions {
            let addresses = unsafe try addresses(of: names, count, in: files)
            precondition(MemoryLayout<Functions>.size == count * MemoryLayout<Int>.size, "not one field for each name")
            // SAFETY: the struct has one pointer for each address, by the line above.
            return unsafe addresses.withUnsafeBytes { bytes in unsafe bytes.loadUnaligned(as: Functions.self) }
        }
    }

    /// A library cannot be opened, or is another version than that of the header.
    struct CodecLibraryError: Error, Equatable {
        /// The library's file name.
        let file: String
        let reason: String
    }

    extension Result where Failure == CodecLibraryError {
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

    extension CodecLibraryError {
        /// For people. The loader's own message begins with the file's name.
        func text(_ format: ImageFormat) -> String {
            "\(format.traits.title) needs a library that cannot be loaded: "
                + (reason.hasPrefix(file) ? reason : "\(file): \(reason)")
        }
    }
#endif
