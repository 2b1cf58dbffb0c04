import CCommand
import Frost
import FrostCLI
import FrostImages
import Glibc

/// A folder with pictures that clients may ask for. Nothing outside it can be read, whatever paths and symbolic links there are.
final class SourceFolder: Sendable {
    private let descriptor: Int32

    /// - Throws: ``CommandError`` if the folder cannot be opened.
    init(_ path: FilePath) throws(CommandError) {
        do throws(Errno) { descriptor = try path.open(O_RDONLY | O_DIRECTORY | O_CLOEXEC) } catch {
            throw .image(.cannotRead(path: path.text, errno: error.code))
        }
    }

    deinit { close(descriptor) }

    /// Opens a picture.
    ///
    /// - Parameter segments: the parts of its path below the folder.
    func open(_ segments: ArraySlice<[UInt8]>) throws(Refusal) -> SourceFile {
        let path = FilePath(bytes: segments.joined(separator: [UInt8(ascii: "/")]))
        let file: Int32
        do throws(Errno) {
            file = try Errno.check { unsafe path.withCString { unsafe frost_open_beneath(descriptor, $0) } ?? -1 }
        } catch {
            switch error.code {
            case EMFILE, ENFILE, ENOMEM: throw .unavailable("files", "the server has too many open files")
            // Whether a file outside the folder exists is not revealed.
            default: throw .notFound("\(path.shownName) does not exist")
            }
        }
        guard let source = SourceFile(file, name: path.text) else {
            close(file)
            throw .notFound("\(path.shownName) is not a file")
        }
        return source
    }
}

/// An open picture of a ``SourceFolder``.
final class SourceFile: Sendable {
    let name: String
    private let descriptor: Int32
    /// What changes whenever the file changes: its device and number, its size, and its times of modification and change.
    let identity: String

    /// - Parameter descriptor: the open file, which this object closes.
    fileprivate init?(_ descriptor: Int32, name: String) {
        guard let identity = Self.identity(descriptor) else { return nil }
        (self.descriptor, self.name, self.identity) = (descriptor, name, identity)
    }

    deinit { close(descriptor) }

    /// Whether the file is still what it was when it was opened.
    var isUnchanged: Bool { Self.identity(descriptor) == identity }

    /// Returns a duplicate of the descriptor, whose place is the start of the file.
    func duplicate() throws(Errno) -> Int32 {
        let copy = try Errno.check { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
        lseek(copy, 0, SEEK_SET)
        return copy
    }

    /// Returns the first bytes.
    func head(_ count: Int) throws(Errno) -> [UInt8] { try Descriptor.read(descriptor, count, at: 0) }

    /// Returns nil if the descriptor is not that of a file.
    private static func identity(_ descriptor: Int32) -> String? {
        var status = stat()
        // SAFETY: fstat fills the structure that it receives.
        guard unsafe fstat(descriptor, &status) == 0, status.kind == S_IFREG else { return nil }
        let times = [status.st_mtim, status.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
        return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(times)"
    }
}
