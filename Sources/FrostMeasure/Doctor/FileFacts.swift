import Frost
import Glibc

/// Owner, permissions and kind of a file.
struct FileFacts {
    let path: String
    /// A name such as "root"; the number if it has no name.
    let owner: String
    let group: String
    let mode: UInt32
    let isFolder: Bool
    /// Why this user may not read and write it; nil if they may.
    let obstacle: String?

    /// nil if there is nothing at the path.
    init?(_ path: String) {
        var status = stat()
        // SAFETY: here and below, strings are passed as C strings for the duration of the call, and stat fills in the
        // structure it is given.
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.path = path
        owner = Self.name(ofUser: status.st_uid)
        group = Self.name(ofGroup: status.st_gid)
        mode = UInt32(status.st_mode) & 0o7777
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        obstacle = unsafe access(path, R_OK | W_OK) == 0 ? nil : Errno.last.message
    }

    /// "/dev/dri/renderD128, root:render, mode 660".
    var description: String { "\(path), \(owner):\(group), mode \(String(mode, radix: 8))" }

    /// The nearest folder above a path that exists.
    static func existingParent(of path: String) -> FileFacts? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let parent = slash == path.startIndex ? "/" : String(path[..<slash])
        return FileFacts(parent) ?? (parent == "/" ? nil : existingParent(of: parent))
    }

    /// This process's user.
    static var user: String { name(ofUser: geteuid()) }

    // SAFETY: both return null or a structure that the next call overwrites. The name is copied at once, and only one
    // thread calls them.
    private static func name(ofUser id: uid_t) -> String {
        unsafe getpwuid(id).map { unsafe String(cString: $0.pointee.pw_name) } ?? "\(id)"
    }

    private static func name(ofGroup id: gid_t) -> String {
        unsafe getgrgid(id).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(id)"
    }
}
