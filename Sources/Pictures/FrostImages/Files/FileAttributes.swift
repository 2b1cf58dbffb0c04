import CFiles
import FrostCore
import Glibc

/// The attributes of a file that its replacement keeps: the owner, the permission bits, and the extended attributes,
/// which include the access control list.
struct FileAttributes {
    private let status: stat
    private let extended: [(name: String, value: [UInt8])]

    /// The extended attribute that holds the access control list.
    private static let accessList = "system.posix_acl_access"
    /// Attributes that describe the content of the file. The kernel computes them, or deletes them when the content
    /// changes.
    private static let ofContent: Set<String> = ["security.capability", "security.evm", "security.ima"]
    /// The maximum size of the list of names, and of a value, in Linux.
    private static let maximumSize = 1 << 16

    /// Reads the attributes of a file.
    ///
    /// - Parameter status: the status of the file.
    init(of path: FilePath, _ status: stat) throws(Errno) {
        self.status = status
        var extended: [(String, [UInt8])] = []
        for name in try Self.names(of: path) where !Self.ofContent.contains(name) {
            if let value = try Self.value(of: name, path) { extended.append((name, value)) }
        }
        self.extended = extended
    }

    private static func names(of path: FilePath) throws(Errno) -> [String] {
        var list = [CChar](repeating: 0, count: maximumSize)
        do throws(Errno) {
            // SAFETY: here and below, the calls fill at most as many bytes as they are told.
            let count = try Errno.check { unsafe path.withCString { unsafe listxattr($0, &list, maximumSize) } ?? -1 }
            return list[..<count].split(separator: 0).map { FilePath(bytes: $0.map { UInt8(bitPattern: $0) }).text }
        } catch {
            if error.code == ENOTSUP { return [] }
            throw error
        }
    }

    /// Returns the value of an attribute; nil if the attribute does not exist any more.
    private static func value(of name: String, _ path: FilePath) throws(Errno) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: maximumSize)
        do throws(Errno) {
            let count = try Errno.check {
                unsafe path.withCString { unsafe getxattr($0, name, &value, maximumSize) } ?? -1
            }
            return Array(value[..<count])
        } catch {
            // Attributes for privileged users can be listed by others, but not read.
            if error.code == ENODATA || !isForOwner(name) && isRefusal(error) { return nil }
            throw error
        }
    }

    /// Gives the attributes to another file. The owner, and attributes that only privileged users may set, are left out
    /// if the system refuses them.
    func apply(to descriptor: Int32) throws(Errno) {
        do throws(Errno) { try Self.setOwner(status.st_uid, status.st_gid, of: descriptor) } catch {
            guard Self.isRefusal(error) else { throw error }
            // A user may give a file to each group of which the user is a member.
            do throws(Errno) { try Self.setOwner(.max, status.st_gid, of: descriptor) } catch {
                guard Self.isRefusal(error) else { throw error }
            }
        }
        // The folder may have given the new file an access list.
        if !extended.contains(where: { $0.name == Self.accessList }) {
            do throws(Errno) { try Errno.check { unsafe fremovexattr(descriptor, Self.accessList) } } catch {
                guard error.code == ENODATA || Self.isRefusal(error) else { throw error }
            }
        }
        for (name, value) in extended {
            do throws(Errno) { try Errno.check { unsafe fsetxattr(descriptor, name, value, value.count, 0) } } catch {
                guard !Self.isForOwner(name), Self.isRefusal(error) else { throw error }
            }
        }
        // A change of the owner or of the access list changes the permission bits, so these are set last.
        try Errno.check { fchmod(descriptor, status.st_mode & 0o777) }
    }

    private static func setOwner(_ user: uid_t, _ group: gid_t, of descriptor: Int32) throws(Errno) {
        try Errno.check { fchown(descriptor, user, group) }
    }

    /// Whether the owner of a file may set the attribute.
    private static func isForOwner(_ name: String) -> Bool { name.hasPrefix("user.") || name == accessList }

    /// Whether an error means that the user or the file system does not allow an attribute. EINVAL is the error for
    /// owners that have no number in the user namespace.
    private static func isRefusal(_ error: Errno) -> Bool {
        [EPERM, EACCES, EINVAL, ENOTSUP, ENOSYS].contains(error.code)
    }
}
