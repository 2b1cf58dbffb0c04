import Frost
import Glibc

/// The owner, the permissions and the kind of a file.
struct FileFacts {
    let path: String
    /// The name of the owner, for example "root", or the owner's number if there is no name.
    let owner: String
    let group: String
    let mode: UInt32
    let isFolder: Bool
    /// The reason why this user may not read and write the file; nil if both are allowed.
    let obstacle: String?

    /// Reads the facts. Returns nil if no file exists at the path.
    init?(_ path: FilePath) {
        guard let status = try? path.status() else { return nil }
        self.path = path.text
        owner = Self.name(ofUser: status.st_uid)
        group = Self.name(ofGroup: status.st_gid)
        mode = UInt32(status.st_mode) & 0o7777
        isFolder = status.kind == S_IFDIR
        do throws(Errno) {
            try path.checkAccess(R_OK | W_OK)
            obstacle = nil
        } catch {
            obstacle = error.message
        }
    }

    /// The facts as text, for example "/dev/dri/renderD128, root:render, mode 660".
    var description: String { "\(path.shownName), \(owner):\(group), mode \(String(mode, radix: 8))" }

    /// Returns the nearest existing folder above a path.
    static func existingParent(of path: FilePath) -> FileFacts? {
        let parent = path.folder
        return FileFacts(parent) ?? (parent == "/" ? nil : existingParent(of: parent))
    }

    /// The name of the user who runs this process.
    static var user: String { name(ofUser: geteuid()) }

    // SAFETY: getpwuid and getgrgid return null or a structure that the next call overwrites. The name is copied before
    // the next call, and only one thread calls these functions.
    private static func name(ofUser id: uid_t) -> String {
        unsafe getpwuid(id).map { unsafe String(cString: $0.pointee.pw_name) } ?? "\(id)"
    }

    private static func name(ofGroup id: gid_t) -> String {
        unsafe getgrgid(id).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(id)"
    }
}
