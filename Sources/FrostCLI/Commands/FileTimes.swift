import Frost
import FrostImages
import Glibc

/// The times at which a file was last read and last changed.
struct FileTimes {
    private let accessed: timespec
    private let modified: timespec

    init(of path: String) throws(CommandError) {
        var status = stat()
        // SAFETY: `status` is filled in during the call.
        guard unsafe stat(path.fileName, &status) == 0 else { throw .image(.cannotRead(path: path, errno: errno)) }
        (accessed, modified) = (status.st_atim, status.st_mtim)
    }

    /// Sets the times of another file to these times.
    func set(on path: String) throws(CommandError) {
        // SAFETY: both times are read during the call.
        guard unsafe utimensat(AT_FDCWD, path.fileName, [accessed, modified], 0) == 0 else {
            throw .image(.cannotWrite(path: path, errno: errno))
        }
    }
}
