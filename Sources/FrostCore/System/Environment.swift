import Glibc

/// The process's environment.
package enum Environment {
    /// nil if the variable is not set, or if the process has more rights than the user who chose its value.
    package static func value(_ name: String) -> String? {
        guard getuid() == geteuid(), getgid() == getegid() else { return nil }
        // SAFETY: a C string that is copied at once. Nothing in Frost changes the environment.
        return unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
