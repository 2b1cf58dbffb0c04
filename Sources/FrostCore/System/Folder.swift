import Glibc

/// Functions for folders of the file system.
package enum Folder {
    /// Returns the sorted names in a folder, without "." and ".."; empty if the folder cannot be read.
    package static func names(in folder: String) -> [String] {
        // SAFETY: the string is passed as a C string for the duration of the call, and the stream is closed once.
        guard let stream = unsafe opendir(folder.fileName) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // SAFETY: d_name is a C string within the entry, which is valid until the next readdir.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe String(fileName: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
