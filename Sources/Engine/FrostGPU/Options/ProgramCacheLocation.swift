import FrostCore

/// Where an executor keeps linked programs between runs of the process, so that the driver does not compile them again.
public enum ProgramCacheLocation: Sendable, Hashable {
    /// Uses `$XDG_CACHE_HOME/frost/programs`, or else `$HOME/.cache/frost/programs`. Keeps nothing if `FROST_PROGRAM_CACHE`
    /// is `off`.
    case user
    /// Uses this folder. If necessary, the folder and its missing parent folders are created.
    case folder(String)
    /// Keeps no programs between runs.
    case off
}

extension ProgramCacheLocation {
    /// The folder to use, or the reason why there is none.
    enum Resolved: Hashable {
        case folder(String)
        case none(reason: String)
    }

    /// Determines the folder.
    ///
    /// - Parameter environment: a function that returns the value of an environment variable, or nil if the variable is not
    ///   set.
    func resolve(_ environment: (String) -> String? = Environment.value) -> Resolved {
        switch self {
        case .folder(let path): return .folder(path)
        case .off: return .none(reason: "switched off")
        case .user: break
        }
        if environment("FROST_PROGRAM_CACHE") == "off" {
            return .none(reason: "the program cache is switched off by FROST_PROGRAM_CACHE")
        }
        if let folder = CacheFolder.user(environment) { return .folder(folder + "/programs") }
        return .none(reason: "neither XDG_CACHE_HOME nor HOME is set to an absolute path")
    }
}
