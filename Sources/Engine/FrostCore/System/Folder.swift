package import Glibc

/// Functions for folders of the file system.
package enum Folder {
    /// Returns the names in a folder, sorted by their bytes, without "." and ".."; empty if the folder cannot be read.
    package static func entries(in folder: FilePath) -> [FilePath] {
        // SAFETY: the stream is closed once.
        guard let stream = unsafe folder.withCString({ unsafe opendir($0) }) ?? nil else { return [] }
        defer { unsafe closedir(stream) }
        var names: [FilePath] = []
        while let entry = unsafe readdir(stream) {
            // SAFETY: d_name is a C string within the entry, which is valid until the next readdir.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe FilePath(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Makes the names in a folder durable: after a power failure, files that were created, renamed or deleted before this
    /// call are so still.
    ///
    /// - Throws: the error of a disk that fails or is full, or of a system without memory or descriptors. All other errors mean
    ///   that the folder can never be opened or synced, as on some network file systems; its names then become durable when the
    ///   system itself writes it.
    package static func sync(_ folder: FilePath) throws(Errno) {
        do throws(Errno) {
            let descriptor = try folder.open(O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(descriptor) }
            try Errno.check { fsync(descriptor) }
        } catch {
            if [EIO, ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM].contains(error.code) { throw error }
        }
    }

    /// Creates a folder whose name is durable when this function returns.
    ///
    /// - Throws: EEXIST if anything has this name; the errors of ``sync(_:)``, after which the folder is removed again:
    ///   otherwise a later call would find a folder that a power failure takes away with all files.
    package static func make(_ folder: FilePath, mode: mode_t) throws(Errno) {
        try folder.makeFolder(mode: mode)
        do throws(Errno) { try sync(folder.folder) } catch {
            try? folder.removeFolder()
            throw error
        }
    }

    /// Returns the names in a folder as text; see ``entries(in:)``.
    package static func names(in folder: String) -> [String] { entries(in: FilePath(folder)).map(\.text) }
}
