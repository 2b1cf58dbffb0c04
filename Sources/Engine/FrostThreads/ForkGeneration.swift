import CSystem

/// Counts the forks between a process and the process that loaded Frost. An object that has threads or a GPU compares
/// the number with that of its creation: if they differ, the object belongs to a parent process, and its threads do not
/// exist in this one.
public struct ForkGeneration: Sendable, Equatable {
    private let number: UInt32

    /// The generation of this process.
    public static var current: ForkGeneration { ForkGeneration(number: frost_fork_generation()) }

    /// Whether the generation is that of this process.
    public var isCurrent: Bool { self == .current }
}
