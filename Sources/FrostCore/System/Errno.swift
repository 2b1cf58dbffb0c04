import Glibc

/// A value of `errno`.
package struct Errno: Error, Equatable {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// Why this thread's last call to libc failed.
    package static var last: Errno { Errno(code: errno) }

    /// The text of libc: "No such file or directory".
    package var message: String {
        // SAFETY: glibc returns a string that is valid until this thread's next call; it is copied at once.
        unsafe String(cString: strerror(code))
    }
}
