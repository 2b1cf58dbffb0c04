import Glibc

/// Lists of strings for functions of the system, such as the words of a command line.
package enum CStrings {
    /// Calls a function with an array of C strings that ends with null.
    ///
    /// - Parameter texts: texts in the form of ``FilePath/text``.
    package static func with<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        // SAFETY: the copies exist until the body has returned, and the array ends with null.
        let copies = unsafe texts.map { unsafe FilePath($0).withCString { unsafe strdup($0) } ?? nil } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies)
    }
}
