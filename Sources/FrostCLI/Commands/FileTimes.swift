import Frost
import FrostImages
import Glibc

/// The times at which a file was last read and last changed.
struct FileTimes {
    private let accessed: timespec
    private let modified: timespec

    init(of path: FilePath) throws(CommandError) {
        do throws(Errno) {
            let status = try path.status()
            (accessed, modified) = (status.st_atim, status.st_mtim)
        } catch {
            throw .image(.cannotRead(path: path.text, errno: error.code))
        }
    }

    /// Sets the times of another file to these times.
    func set(on path: FilePath) throws(CommandError) {
        do throws(Errno) { try path.setTimes(accessed: accessed, modified: modified) } catch {
            throw .image(.cannotWrite(path: path.text, errno: error.code))
        }
    }
}
