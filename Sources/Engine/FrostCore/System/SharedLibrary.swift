import Glibc

/// A shared library that is opened at run time. It stays open for the life of the process. Closing the library of a
/// driver is not safe, because drivers leave threads and exit handlers behind.
// SAFETY: the handle is only given to dlsym, which may be called from any thread.
@safe package struct SharedLibrary: @unchecked Sendable {
    package let name: String
    private let handle: UnsafeMutableRawPointer

    /// - Parameter name: a file name such as "libEGL.so.1", which the loader looks up, or a path.
    package init(_ name: String) throws(SharedLibraryError) {
        // SAFETY: dlopen takes a C string, and dlerror returns one. The string of dlerror is copied before any other dl
        // call.
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            let reason = unsafe dlerror().map { text in unsafe String(cString: text) }
            throw SharedLibraryError(file: name, reason: reason ?? "dlopen failed")
        }
        self.name = name
        unsafe self.handle = unsafe handle
    }

    /// Returns the address of a symbol; nil if the library has no symbol of this name.
    package func address(of symbol: UnsafePointer<CChar>) -> UnsafeMutableRawPointer? {
        // SAFETY: the handle is open for as long as the process lives.
        unsafe dlsym(handle, symbol)
    }

    /// Opens libraries and looks up functions in them.
    ///
    /// - Parameters:
    ///   - names: the functions' names, as C strings that live as long as the program. Each function must be in one of
    ///     the libraries.
    ///   - files: the libraries' names.
    /// - Returns: the functions' addresses, in the order of the names.
    @unsafe package static func addresses(
        of names: UnsafePointer<UnsafePointer<CChar>>, _ count: Int, in files: [String]
    ) throws(SharedLibraryError) -> [UnsafeMutableRawPointer?] {
        let libraries = try files.map { (file) throws(SharedLibraryError) in try SharedLibrary(file) }
        return try unsafe (0..<count).map { (i) throws(SharedLibraryError) in
            for library in libraries {
                if let address = unsafe library.address(of: names[i]) { return unsafe address }
            }
            let name = unsafe String(cString: names[i])
            throw SharedLibraryError(file: files[0], reason: "function \(name) is missing")
        }
    }

    /// Opens libraries and fills a C struct with the addresses of functions, in the order of the names.
    @unsafe package static func table<Functions>(
        _ names: UnsafePointer<UnsafePointer<CChar>>, _ count: Int, in files: [String]
    ) throws(SharedLibraryError) -> Functions {
        let addresses = unsafe try addresses(of: names, count, in: files)
        precondition(
            MemoryLayout<Functions>.size == count * MemoryLayout<Int>.size,
            "the number of fields differs from the number of names")
        // SAFETY: the struct has one pointer for each address, as the precondition above checks.
        return unsafe addresses.withUnsafeBytes { bytes in unsafe bytes.loadUnaligned(as: Functions.self) }
    }
}

/// The error for a library that cannot be opened, or that lacks a function that the header of the expected version
/// declares.
package struct SharedLibraryError: Error, Equatable {
    /// The library's file name.
    package let file: String
    package let reason: String

    package init(file: String, reason: String) {
        self.file = file
        self.reason = reason
    }
}

extension SharedLibraryError: CustomStringConvertible {
    /// The error message for people. It always begins with the file's name: the loader's messages already contain the
    /// name, and it is added to messages of this program.
    package var description: String { reason.hasPrefix(file) ? reason : "\(file): \(reason)" }
}

extension SharedLibraryError {
    /// The packages of a library of a file format that is not installed, as the end of a message for users; empty if the
    /// library is installed. Debian's names contain the version of the interface: libtiff.so.6 is in libtiff6.
    package var advice: String {
        guard reason.hasPrefix("\(file): cannot open shared object file"), let dot = file.firstIndex(of: ".") else {
            return ""
        }
        let name = file[..<dot]
        let version = file[dot...].dropFirst(".so.".count)
        let fedora = name == "libjansson" ? "jansson" : name
        return "; its package is \(name)\(version) on Debian, \(fedora) of this version on Fedora"
    }
}
