import Glibc

/// A value of `errno`.
package struct Errno: Error, Equatable {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The error of this thread's last failed call to libc.
    package static var last: Errno { Errno(code: errno) }

    /// The error's text from libc, for example "No such file or directory".
    package var message: String {
        // SAFETY: glibc returns a string that is valid until this thread's next call. The string is copied immediately.
        unsafe String(cString: strerror(code))
    }
}
