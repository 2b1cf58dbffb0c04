import FrostCore

/// Where an executor keeps linked programs between runs of the process, so that the driver need not compile them again.
public enum ProgramCacheLocation: Sendable, Hashable {
    /// `$XDG_CACHE_HOME/frost/programs`, else `$HOME/.cache/frost/programs`; nowhere if `FROST_PROGRAM_CACHE` is `off`.
    case user
    /// This folder. It is made if necessary, with its missing parents.
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

    /// - Parameter environment: the value of a variable; nil if it is not set.
    func resolve(_ environment: (String) -> String? = Environment.value) -> Resolved {
        switch self {
        case .folder(let path): return .folder(path)
        case .off: return .none(reason: "switched off")
        case .user: break
        }
        if environment("FROST_PROGRAM_CACHE") == "off" { return .none(reason: "switched off by FROST_PROGRAM_CACHE") }
        if let folder = CacheFolder.user(environment) { return .folder(folder + "/programs") }
        return .none(reason: "neither XDG_CACHE_HOME nor HOME is set to an absolute path")
    }
}
