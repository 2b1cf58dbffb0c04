import Glibc

package struct Errno: Error, Equatable {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The error of this thread's last failed call to libc.
    package static var last: Errno { Errno(code: errno) }

    /// Calls a function that returns a negative number and sets `errno` if it fails. Repeats a call that a signal
    /// interrupted.
    @discardableResult
    package static func check<Number: SignedInteger>(_ call: () -> Number) throws(Errno) -> Number {
        while true {
            let result = call()
            if result >= 0 { return result }
            let error = Errno.last
            if error.code != EINTR { throw error }
        }
    }

    /// The error's text from libc, for example "No such file or directory".
    package var message: String {
        // SAFETY: glibc returns a string that is valid until this thread's next call. The string is copied immediately.
        unsafe String(cString: strerror(code))
    }
}
