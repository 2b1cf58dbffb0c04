import Glibc

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

    /// Returns the names in a folder as text; see ``entries(in:)``.
    package static func names(in folder: String) -> [String] { entries(in: FilePath(folder)).map(\.text) }
}
