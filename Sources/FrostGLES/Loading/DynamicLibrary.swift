import Glibc

/// A shared library opened at run time. It stays open for the life of the process: drivers leave threads and exit
/// handlers behind, so closing one is not safe.
// SAFETY: the handle is only ever given to dlsym, which may be called from any thread.
@safe struct DynamicLibrary: @unchecked Sendable {
    let name: String
    private let handle: UnsafeMutableRawPointer

    init(_ name: String) throws(GLError) {
        // SAFETY: dlopen and dlerror take and return C strings; dlerror's is copied before any other dl call.
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "unknown reason"
            throw .libraryMissing(name: name, reason: reason)
        }
        self.name = name
        unsafe self.handle = unsafe handle
    }

    /// The address of a symbol; nil if the library has none of that name.
    func address(of symbol: String) -> UnsafeMutableRawPointer? {
        // SAFETY: the handle is open for as long as the process lives.
        unsafe dlsym(handle, symbol)
    }

    /// The function of that name. `Function` has to be the C function pointer type the library's header declares.
    func function<Function>(_ symbol: String, as type: Function.Type = Function.self) throws(GLError) -> Function {
        guard let address = unsafe address(of: symbol) else {
            throw .unsupported("\(symbol) in \(name)")
        }
        // SAFETY: the caller names the type by the header's declaration of this very symbol.
        return unsafe unsafeBitCast(address, to: type)
    }
}
