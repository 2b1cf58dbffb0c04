package import Glibc

/// The system's functions that take a path. Each repeats a call that a signal interrupted.
extension FilePath {
    /// Opens the file and returns its descriptor, which the caller closes.
    package func open(_ flags: Int32, mode: mode_t = 0) throws(Errno) -> Int32 {
        try unsafe call { unsafe Glibc.open($0, flags, mode) }
    }

    /// Returns the status of the file.
    ///
    /// - Parameter followsLink: whether a symbolic link stands for the file that it leads to.
    package func status(followsLink: Bool = true) throws(Errno) -> stat {
        var result = stat()
        // SAFETY: stat and lstat fill the structure that they receive.
        try unsafe call { path in unsafe followsLink ? stat(path, &result) : lstat(path, &result) }
        return result
    }

    /// The device and inode of the file; nil if no file exists at the path. All paths to one file have the same
    /// identity.
    package var identity: FileIdentity? { (try? status()).map { FileIdentity($0) } }

    /// Whether a folder, or a symbolic link to one, exists at the path.
    package var isFolder: Bool { (try? status())?.kind == S_IFDIR }

    /// Whether anything exists at the path. A symbolic link that leads nowhere exists.
    package var exists: Bool { (try? status(followsLink: false)) != nil }

    /// Throws if the process may not use the file in the given way: R_OK, W_OK or X_OK, or several of them.
    package func checkAccess(_ mode: Int32) throws(Errno) { try unsafe call { unsafe access($0, mode) } }

    /// The path that a symbolic link contains.
    package func linkContent() throws(Errno) -> FilePath {
        let capacity = Int(PATH_MAX)
        var content = [CChar](repeating: 0, count: capacity)
        // SAFETY: readlink fills at most the capacity that it receives, and returns the number of bytes.
        let count = try unsafe call { path in unsafe readlink(path, &content, capacity) }
        return FilePath(bytes: content[..<count].map { UInt8(bitPattern: $0) })
    }

    /// The absolute path of the file without links and `..`; nil if no file exists at the path.
    package var canonical: FilePath? {
        // SAFETY: realpath returns null or a C string, which is copied and freed once.
        unsafe withCString { path in
            guard let real = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(real) }
            return unsafe FilePath(cString: real)
        } ?? nil
    }

    /// Renames the file. An existing file with the new path is replaced.
    package func rename(to path: FilePath) throws(Errno) {
        guard !path.bytes.contains(0) else { throw Errno(code: EINVAL) }
        try unsafe call { old in unsafe path.withCString { new in unsafe Glibc.rename(old, new) } ?? -1 }
    }

    /// Gives the file a second name. Throws EEXIST if a file of that name exists.
    package func link(to path: FilePath) throws(Errno) {
        guard !path.bytes.contains(0) else { throw Errno(code: EINVAL) }
        try unsafe call { old in unsafe path.withCString { new in unsafe Glibc.link(old, new) } ?? -1 }
    }

    package func unlink() throws(Errno) { try unsafe call { unsafe Glibc.unlink($0) } }

    /// The path from the root; the path itself if the working directory cannot be found.
    package var absolute: FilePath {
        if isAbsolute { return self }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // SAFETY: getcwd writes at most `count` bytes, with a zero at the end.
        return unsafe buffer.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress, unsafe getcwd(base, bytes.count) != nil else { return self }
            return unsafe FilePath(cString: base).appending(self)
        }
    }

    package func makeFolder(mode: mode_t) throws(Errno) { try unsafe call { unsafe mkdir($0, mode) } }

    /// Removes an empty folder.
    package func removeFolder() throws(Errno) { try unsafe call { unsafe rmdir($0) } }

    /// Creates a path from a C string of the system.
    @unsafe package init(cString: UnsafePointer<CChar>) {
        // SAFETY: the caller passes a C string, whose bytes are copied.
        self.init(
            bytes: unsafe UnsafeBufferPointer(start: cString, count: strlen(cString)).map { UInt8(bitPattern: $0) })
    }

    /// Calls a function with the path as a C string. Returns nil, without a call, if the path contains a zero byte.
    @unsafe package func withCString<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value? {
        guard !bytes.contains(0) else { return nil }
        // SAFETY: the array lives for the duration of the call, and ends in a zero byte.
        return unsafe (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe body($0) }
        }
    }

    /// Calls a function that returns a negative number and sets `errno` if it fails.
    @discardableResult
    @unsafe private func call<Number: SignedInteger>(
        _ body: (UnsafePointer<CChar>) -> Number
    ) throws(Errno) -> Number {
        guard !bytes.contains(0) else { throw Errno(code: EINVAL) }
        return try Errno.check { unsafe withCString { path in unsafe body(path) } ?? -1 }
    }
}

/// Identifies a file or a folder by the numbers of its device and its inode.
package struct FileIdentity: Hashable, Sendable {
    private let device, number: UInt64

    package init(_ status: stat) { (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
}

extension stat {
    /// The kind of the file: S_IFREG, S_IFDIR and so on.
    package var kind: mode_t { st_mode & S_IFMT }
}
