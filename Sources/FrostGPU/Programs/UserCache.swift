import Glibc

/// The folder where Frost keeps what it would otherwise have to work out again.
package enum UserCache {
    /// `$XDG_CACHE_HOME/frost`, or `$HOME/.cache/frost`; nil if neither is named by an absolute path: relative ones are
    /// to be ignored, by the XDG base directory specification.
    ///
    /// - Parameter environment: the value of a variable; nil if it is not set.
    package static func folder(_ environment: (String) -> String? = Environment.value) -> String? {
        func absolute(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return absolute("XDG_CACHE_HOME").map { $0 + "/frost" } ?? absolute("HOME").map { $0 + "/.cache/frost" }
    }
}

/// The process's environment.
package enum Environment {
    /// nil if the variable is not set, or if the process has more rights than the user who chose its value.
    package static func value(_ name: String) -> String? {
        guard getuid() == geteuid(), getgid() == getegid() else { return nil }
        // SAFETY: a C string that is copied at once. Nothing in Frost changes the environment.
        return unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
