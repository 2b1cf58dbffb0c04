import Frost
import FrostImages
import Glibc

/// Text files that a command writes beside its results.
package enum ReportFile {
    /// Writes a file whole or not at all; "-" is standard output.
    package static func write(_ text: String, to path: String) throws(CommandError) {
        let bytes = Array(text.utf8)
        do throws(ImageError) {
            // SAFETY: an array of bytes has no padding that could be read uninitialised.
            if path == "-" {
                var output = DescriptorSink(descriptor: 1, name: "standard output")
                return try output.write(unsafe bytes.span.bytes)
            }
            defer { Interruption.setTemporaryFile(nil) }
            var file = try AtomicFile(path: path, willCreate: { Interruption.setTemporaryFile($0) })
            try file.write(unsafe bytes.span.bytes)
            try file.commit()
        } catch {
            throw .writing(error)
        }
    }

    /// Fails now, rather than after minutes of work, if a file cannot be written.
    package static func check(_ path: String) throws(CommandError) {
        let mode = identity(of: path).map { $0.mode & S_IFMT }
        // Opening a pipe would wait for its reader, and closing it would end the reader's input.
        guard path != "-", mode == nil || mode == S_IFREG || mode == S_IFDIR else { return }
        do throws(ImageError) { _ = try AtomicFile(path: path) } catch { throw .image(error) }
    }

    /// Whether two paths lead to one file.
    package static func isSame(_ a: String, _ b: String) -> Bool {
        guard let a = identity(of: a), let b = identity(of: b) else { return a == b }
        return a.device == b.device && a.file == b.file
    }

    /// nil if there is nothing.
    private static func identity(of path: String) -> (device: dev_t, file: ino_t, mode: mode_t)? {
        var status = stat()
        // SAFETY: stat fills in the structure it is given.
        guard unsafe stat(path.fileName, &status) == 0 else { return nil }
        return (status.st_dev, status.st_ino, status.st_mode)
    }
}
