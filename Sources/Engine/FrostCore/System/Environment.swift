import Glibc

/// The process's environment.
package enum Environment {
    /// Returns the value of an environment variable, in the form of ``FilePath/text``; nil if it is not set, or if the process has more rights than the
    /// user who set the variable (setuid or setgid).
    package static func value(_ name: String) -> String? {
        guard getuid() == geteuid(), getgid() == getegid() else { return nil }
        // SAFETY: getenv returns a C string, which is copied immediately. Nothing in Frost changes the environment.
        return unsafe getenv(name).map { unsafe String(system: $0) }
    }

    /// The environment of this process at its start, as "NAME=value". Frost never changes its environment.
    package static var all: [String] {
        let path: FilePath = "/proc/self/environ"
        guard let descriptor = try? path.open(O_RDONLY | O_CLOEXEC) else { return [] }
        defer { close(descriptor) }
        return ((try? Descriptor.readAll(descriptor)) ?? []).split(separator: 0).map { FilePath(bytes: $0).text }
    }

    /// Returns the path of an installed program; nil if no folder of PATH contains it.
    package static func program(_ name: FilePath) -> FilePath? {
        // A part without characters means the current folder, which a program should not be started from by accident.
        let folders = (value("PATH") ?? "").split(separator: ":").map { FilePath(String($0)) }
        return folders.lazy.map { $0.appending(name) }.first { path in
            (try? path.status())?.kind == S_IFREG && (try? path.checkAccess(X_OK)) != nil
        }
    }
}
