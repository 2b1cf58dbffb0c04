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
}
