import Frost
import FrostImages
import Glibc

/// A picture to read. If the picture was found in a folder that the command line names, also its position in that
/// folder.
struct Input: Hashable {
    let path: String
    /// The subfolders between the named folder and the picture, for example "2026/may/". Empty for a picture that the
    /// command line names directly.
    let tree: String
    /// Whether the picture was found in a folder, instead of being named directly.
    let isFound: Bool

    init(_ path: String, tree: String = "", isFound: Bool = false) {
        self.path = path
        self.tree = tree
        self.isFound = isFound
    }
}

/// Finds the pictures that a command line names: files and, with `--recursive`, the contents of folders.
package enum InputList {
    /// Expands the words of a command line to pictures. A file that the command line names is always included. A folder
    /// is searched with all subfolders, in the order of names, for files with the suffix of a picture format. The
    /// search skips hidden files and the output folder, and does not follow symbolic links to folders. Without
    /// `recursive`, no folder is searched.
    ///
    /// - Parameter output: the output folder, if it is known.
    static func expand(_ words: [String], recursive: Bool, output: String?) throws(CommandError) -> [Input] {
        guard recursive else { return words.map { Input($0) } }
        let output = output.flatMap(identity)
        var inputs: [Input] = []
        for word in words {
            guard word == "-" || InputList.exists(word) else {
                throw .image(.cannotRead(path: word, errno: ENOENT))
            }
            guard word != "-", kind(word, follows: true) == .folder else {
                inputs.append(Input(word))
                continue
            }
            let folder = word.hasSuffix("/") ? word : word + "/"
            let before = inputs.count
            try search(folder, tree: "", except: output, into: &inputs)
            if inputs.count == before { throw .noPictures(path: word) }
        }
        return inputs
    }

    /// Returns whether a file or folder exists at a path.
    package static func exists(_ path: String) -> Bool { unsafe access(path.fileName, F_OK) == 0 }

    private static func search(
        _ folder: String, tree: String, except output: Identity?, into inputs: inout [Input]
    ) throws(CommandError) {
        if !tree.isEmpty, let output, identity(folder) == output { return }
        // SAFETY: the string is passed as a C string for the duration of the call.
        guard unsafe access(folder.fileName, R_OK | X_OK) == 0 else {
            throw .image(.cannotRead(path: folder, errno: errno))
        }
        for name in Folder.names(in: folder) where !name.hasPrefix(".") {
            let path = folder + name
            switch kind(path, follows: false) {
            case .folder: try search(path + "/", tree: tree + name + "/", except: output, into: &inputs)
            case .file where ImageFormat(suffixOf: name) != nil:
                inputs.append(Input(path, tree: tree, isFound: true))
            case .file, .other: break
            }
        }
    }

    private enum Kind { case folder, file, other }

    /// Returns whether a path is a folder or a file.
    ///
    /// - Parameter follows: whether a symbolic link to a folder counts as a folder.
    private static func kind(_ path: String, follows: Bool) -> Kind {
        var status = stat()
        // SAFETY: stat and lstat fill the structure that they receive.
        guard unsafe (follows ? stat(path.fileName, &status) : lstat(path.fileName, &status)) == 0 else {
            return .other
        }
        if status.st_mode & S_IFMT == S_IFLNK, unsafe stat(path.fileName, &status) == 0 {
            return status.st_mode & S_IFMT == S_IFREG ? .file : .other
        }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : status.st_mode & S_IFMT == S_IFREG ? .file : .other
    }

    /// The device and inode of a file or folder. All paths to the same file or folder have the same device and inode.
    private struct Identity: Equatable { let device, number: UInt64 }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard unsafe stat(path.fileName, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}
