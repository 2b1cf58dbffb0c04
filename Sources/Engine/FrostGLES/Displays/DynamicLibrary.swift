import Glibc

/// A shared library that is opened at run time. The library stays open for the life of the process. Closing a library is not
/// safe, because drivers leave threads and exit handlers behind.
// SAFETY: the handle is only passed to dlsym, which may be called from any thread.
@safe struct DynamicLibrary: @unchecked Sendable {
    let name: String
    private let handle: UnsafeMutableRawPointer

    init(_ name: String) throws(GLError) {
        // SAFETY: dlopen and dlerror take and return C strings. The string of dlerror is copied before the next dl call.
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "unknown reason"
            throw .libraryMissing(name: name, reason: reason)
        }
        self.name = name
        unsafe self.handle = unsafe handle
    }

    /// Returns the address of a symbol; nil if the library has no symbol of this name.
    func address(of symbol: String) -> UnsafeMutableRawPointer? {
        // SAFETY: the handle stays open for the life of the process.
        unsafe dlsym(handle, symbol)
    }

    /// Returns a function of the library. `Function` must be the C function pointer type that the library's header declares.
    func function<Function>(_ symbol: String, as type: Function.Type = Function.self) throws(GLError) -> Function {
        guard let address = unsafe address(of: symbol) else {
            throw .unsupported("\(symbol) in \(name)")
        }
        // SAFETY: the caller passes the type that the header declares for this symbol.
        return unsafe unsafeBitCast(address, to: type)
    }
}
