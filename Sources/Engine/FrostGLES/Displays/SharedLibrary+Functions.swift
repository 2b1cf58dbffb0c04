import FrostCore

extension SharedLibrary {
    /// Opens a library of the driver.
    ///
    /// - Throws: ``GLError/libraryMissing(name:reason:)``.
    static func open(_ name: String) throws(GLError) -> SharedLibrary {
        do throws(SharedLibraryError) { return try SharedLibrary(name) } catch {
            throw .libraryMissing(name: name, reason: error.reason)
        }
    }

    /// Returns a function of the library. `Function` must be the C function pointer type that the library's header declares.
    func function<Function>(_ symbol: String, as type: Function.Type = Function.self) throws(GLError) -> Function {
        guard let address = unsafe address(of: symbol) else { throw .unsupported("\(symbol) in \(name)") }
        // SAFETY: the caller passes the type that the header declares for this symbol.
        return unsafe unsafeBitCast(address, to: type)
    }
}
