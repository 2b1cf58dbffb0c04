#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where an executor keeps linked programs between runs of the process. It saves the driver's GLSL compiler its work.
public enum ProgramCacheLocation: Sendable, Hashable {
    /// `$XDG_CACHE_HOME/frost/programs`, else `$HOME/.cache/frost/programs`; nowhere if `FROST_PROGRAM_CACHE` is `off`.
    case user
    /// This folder. It is made if need be, its missing parents too.
    case folder(String)
    /// Nowhere.
    case off
}

extension ProgramCacheLocation {
    /// A folder, or why there is none.
    enum Resolved: Hashable {
        case folder(String)
        case none(reason: String)
    }

    /// - Parameter environment: the value of a variable; nil where it is not set.
    func resolve(_ environment: (String) -> String? = Environment.value) -> Resolved {
        switch self {
        case .folder(let path): return .folder(path)
        case .off: return .none(reason: "switched off")
        case .user: break
        }
        if environment("FROST_PROGRAM_CACHE") == "off" { return .none(reason: "switched off by FROST_PROGRAM_CACHE") }
        // The specification has relative paths ignored.
        if let cache = environment("XDG_CACHE_HOME"), cache.hasPrefix("/") { return .folder(cache + "/frost/programs") }
        if let home = environment("HOME"), home.hasPrefix("/") { return .folder(home + "/.cache/frost/programs") }
        return .none(reason: "neither XDG_CACHE_HOME nor HOME is set to an absolute path")
    }
}

/// The process's environment.
enum Environment {
    /// nil where the variable is not set, or where the process has more rights than the user who chose its value.
    static func value(_ name: String) -> String? {
        guard getuid() == geteuid(), getgid() == getegid() else { return nil }
        // SAFETY: a C string that is copied at once. Nothing in Frost changes the environment.
        return unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
