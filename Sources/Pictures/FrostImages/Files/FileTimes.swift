package import FrostCore
import Glibc

/// The times at which a file was last read and last changed.
package struct FileTimes: Sendable {
    private let accessed: timespec
    private let modified: timespec

    /// Reads the times of a file.
    ///
    /// - Throws: ``ImageError/cannotRead(path:errno:)``.
    package init(of path: FilePath) throws(ImageError) {
        do throws(Errno) {
            let status = try path.status()
            (accessed, modified) = (status.st_atim, status.st_mtim)
        } catch {
            throw .cannotRead(path: path.text, errno: error.code)
        }
    }

    /// Sets the times of an open file to these times.
    func set(on descriptor: Int32) throws(Errno) {
        // SAFETY: both times are read during the call.
        try Errno.check { unsafe futimens(descriptor, [accessed, modified]) }
    }
}
