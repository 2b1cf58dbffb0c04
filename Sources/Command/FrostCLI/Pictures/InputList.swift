package import Frost
import FrostImages
import Glibc

/// A picture to read. If the picture was found in a folder that the command line names, also its position in that
/// folder. A folder whose pictures cannot be found is also an input, so that the batch reports it like a picture.
package struct Input: Hashable {
    package let path: FilePath
    /// The subfolders between the named folder and the picture, for example "2026/may/". Empty for a picture that the
    /// command line names directly.
    package let tree: FilePath
    /// Whether the picture was found in a folder, instead of being named directly.
    let isFound: Bool
    /// The reason why a folder or its entry cannot be read; nil for a picture.
    private let errno: Int32?

    init(_ path: FilePath, tree: FilePath = "", isFound: Bool = false, errno: Int32? = nil) {
        self.path = path
        self.tree = tree
        self.isFound = isFound
        self.errno = errno
    }

    /// The error for a folder, or an entry of one, that cannot be read; nil for a picture.
    package var fault: CommandError? { errno.map { .image(.cannotRead(path: path.text, errno: $0)) } }
}

/// A file or folder that a search of folders found and left out.
struct IgnoredFile: Hashable {
    enum Reason: Hashable {
        /// A file of a format that Frost does not read, for example "a GIF".
        case foreign(String)
        /// The name begins with a dot.
        case hidden
        /// A symbolic link to a folder, or to nothing.
        case link
        /// A device, pipe or socket.
        case special
        /// The first bytes are those of no format that Frost knows.
        case unknown
        /// The first bytes cannot be read.
        case unreadable(Int32)
    }

    let path: FilePath
    let reason: Reason
}

extension IgnoredFile.Reason: CustomStringConvertible {
    /// The kind of the file, for a list with counts: "2 hidden".
    var description: String {
        switch self {
        case .foreign(let what): String(what.drop { $0 != " " }.dropFirst().prefix { $0 != "," })
        case .hidden: "hidden"
        case .link: "link to a folder or to nothing"
        case .special: "not a file"
        case .unknown: "of unknown type"
        case .unreadable: "not readable"
        }
    }
}

/// The pictures that a command line names: files and, with `--recursive`, the contents of folders.
package struct InputList {
    package private(set) var inputs: [Input] = []
    /// What a search of folders has left out, in the order of the search.
    private(set) var ignored: [IgnoredFile] = []

    /// Expands the words of a command line to pictures. A file that the command line names is always included. A folder
    /// is searched with all subfolders, in the order of names, for files with the suffix or the first bytes of a picture
    /// format. The search leaves out hidden files, the output folder, and symbolic links to folders. A file or folder that
    /// cannot be read becomes an input with a ``Input/fault``. Without `recursive`, no folder is searched.
    ///
    /// - Parameter output: the output folder, if it is known.
    package init(_ words: [FilePath], recursive: Bool, output: FilePath?) throws(CommandError) {
        guard recursive else {
            inputs = words.map { Input($0) }
            return
        }
        let output = output?.identity
        for word in words {
            guard word == "-" || InputList.exists(word) else {
                throw .image(.cannotRead(path: word.text, errno: ENOENT))
            }
            guard word != "-", Self.kind(word, follows: true) == .folder else {
                inputs.append(Input(word))
                continue
            }
            let before = inputs.count
            search(word, tree: "", except: output)
            if inputs.count == before { throw .noPictures(path: word.text) }
        }
    }

    /// Returns whether a file or folder exists at a path. A link that leads nowhere does not exist.
    package static func exists(_ path: FilePath) -> Bool { (try? path.checkAccess(F_OK)) != nil }

    private mutating func search(_ folder: FilePath, tree: FilePath, except output: FileIdentity?) {
        if !tree.isEmpty, let output, folder.identity == output { return }
        do throws(Errno) { try folder.checkAccess(R_OK | X_OK) } catch {
            inputs.append(Input(folder, tree: tree, isFound: !tree.isEmpty, errno: error.code))
            return
        }
        for name in Folder.entries(in: folder) {
            let path = folder.appending(name)
            guard !name.hasPrefix(".") else {
                ignored.append(IgnoredFile(path: path, reason: .hidden))
                continue
            }
            switch Self.kind(path, follows: false) {
            case .folder: search(path, tree: "\(tree)\(name)/", except: output)
            case .file:
                if let reason = Self.obstacle(path, name) {
                    ignored.append(IgnoredFile(path: path, reason: reason))
                } else {
                    inputs.append(Input(path, tree: tree, isFound: true))
                }
            case .link: ignored.append(IgnoredFile(path: path, reason: .link))
            case .special: ignored.append(IgnoredFile(path: path, reason: .special))
            case .unreadable(let errno): inputs.append(Input(path, tree: tree, isFound: true, errno: errno))
            }
        }
    }

    /// Returns the reason to leave a file out; nil if its suffix or its first bytes are those of a picture.
    private static func obstacle(_ path: FilePath, _ name: FilePath) -> IgnoredFile.Reason? {
        if ImageFormat.reads(suffixOf: name) { return nil }
        do throws(Errno) {
            let descriptor = try path.open(O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            defer { close(descriptor) }
            let head = try Descriptor.read(descriptor, ImageFormat.signatureByteCount, at: 0)
            switch ImageFormat.Content(firstBytes: head) {
            case .readable: return nil
            case .foreign(let what): return .foreign(what)
            case .unknown: return .unknown
            }
        } catch {
            return .unreadable(error.code)
        }
    }

    private enum FileKind: Equatable {
        case folder, file, link, special
        /// The system cannot tell, for example because the disk fails.
        case unreadable(Int32)
    }

    /// Returns what a path leads to.
    ///
    /// - Parameter follows: whether a symbolic link to a folder counts as a folder.
    private static func kind(_ path: FilePath, follows: Bool) -> FileKind {
        let status: stat
        do throws(Errno) { status = try path.status(followsLink: follows) } catch {
            // The file may have been deleted since the folder was read.
            return error.code == ENOENT ? .special : .unreadable(error.code)
        }
        switch status.kind {
        case S_IFLNK: return (try? path.status())?.kind == S_IFREG ? .file : .link
        case S_IFDIR: return .folder
        case S_IFREG: return .file
        default: return .special
        }
    }
}
