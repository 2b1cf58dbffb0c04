package import Frost
import FrostImages
import Glibc

/// A picture to read. If the picture was found in a folder that the command line names, also its position in that
/// folder. A folder whose pictures cannot be found is also an input, so that the batch reports it like a picture.
struct Input: Hashable {
    let path: FilePath
    /// The subfolders between the named folder and the picture, for example "2026/may/". Empty for a picture that the
    /// command line names directly.
    let tree: FilePath
    /// Whether the picture was found in a folder, instead of being named directly.
    let isFound: Bool
    /// The reason why a folder cannot be read; nil for a picture.
    private let errno: Int32?

    init(_ path: FilePath, tree: FilePath = "", isFound: Bool = false, errno: Int32? = nil) {
        self.path = path
        self.tree = tree
        self.isFound = isFound
        self.errno = errno
    }

    /// The error for a folder that cannot be read; nil for a picture.
    var fault: CommandError? { errno.map { .image(.cannotRead(path: path.text, errno: $0)) } }
}

/// Finds the pictures that a command line names: files and, with `--recursive`, the contents of folders.
package enum InputList {
    /// Expands the words of a command line to pictures. A file that the command line names is always included. A folder
    /// is searched with all subfolders, in the order of names, for files with the suffix of a picture format. The
    /// search skips hidden files and the output folder, and does not follow symbolic links to folders. A folder that
    /// cannot be read becomes an input with a ``Input/fault``. Without `recursive`, no folder is searched.
    ///
    /// - Parameter output: the output folder, if it is known.
    static func expand(_ words: [FilePath], recursive: Bool, output: FilePath?) throws(CommandError) -> [Input] {
        guard recursive else { return words.map { Input($0) } }
        let output = output?.identity
        var inputs: [Input] = []
        for word in words {
            guard word == "-" || InputList.exists(word) else {
                throw .image(.cannotRead(path: word.text, errno: ENOENT))
            }
            guard word != "-", kind(word, follows: true) == .folder else {
                inputs.append(Input(word))
                continue
            }
            let before = inputs.count
            search(word, tree: "", except: output, into: &inputs)
            if inputs.count == before { throw .noPictures(path: word.text) }
        }
        return inputs
    }

    /// Returns whether a file or folder exists at a path. A link that leads nowhere does not exist.
    package static func exists(_ path: FilePath) -> Bool { (try? path.checkAccess(F_OK)) != nil }

    private static func search(
        _ folder: FilePath, tree: FilePath, except output: FileIdentity?, into inputs: inout [Input]
    ) {
        if !tree.isEmpty, let output, folder.identity == output { return }
        do throws(Errno) { try folder.checkAccess(R_OK | X_OK) } catch {
            inputs.append(Input(folder, tree: tree, isFound: !tree.isEmpty, errno: error.code))
            return
        }
        for name in Folder.entries(in: folder) where !name.hasPrefix(".") {
            let path = folder.appending(name)
            switch kind(path, follows: false) {
            case .folder: search(path, tree: "\(tree)\(name)/", except: output, into: &inputs)
            case .file where ImageFormat(suffixOf: name) != nil:
                inputs.append(Input(path, tree: tree, isFound: true))
            case .file, .other: break
            }
        }
    }

    private enum FileKind { case folder, file, other }

    /// Returns whether a path is a folder or a file.
    ///
    /// - Parameter follows: whether a symbolic link to a folder counts as a folder.
    private static func kind(_ path: FilePath, follows: Bool) -> FileKind {
        guard let status = try? path.status(followsLink: follows) else { return .other }
        switch status.kind {
        case S_IFLNK: return (try? path.status())?.kind == S_IFREG ? .file : .other
        case S_IFDIR: return .folder
        case S_IFREG: return .file
        default: return .other
        }
    }
}
