/// An environment variable that Frost reads.
package struct EnvironmentVariable {
    package let name: String
    package let help: String

    /// The variables that options fall back on, then the others.
    package static func all(of commands: [Command]) -> [EnvironmentVariable] { options(of: commands) + others }

    private static func options(of commands: [Command]) -> [EnvironmentVariable] {
        var seen: Set<String> = []
        return commands.flatMap(\.options).compactMap { option in
            guard let name = option.environment, seen.insert(name).inserted else { return nil }
            return EnvironmentVariable(name: name, help: "what --\(option.name) is where the line does not say")
        }
    }

    private static let others = [
        EnvironmentVariable(
            name: "FROST_PROGRAM_CACHE", help: "off: compiled programs of a GPU are neither kept nor read"),
        EnvironmentVariable(
            name: "FROST_GPU_FILTER",
            help: "exact: GPUs read texel by texel; fast: their linear filter, where measured to be exact enough"),
        EnvironmentVariable(
            name: "XDG_CACHE_HOME", help: "the folder whose frost/ holds programs and measurements; else ~/.cache"),
        EnvironmentVariable(name: "NO_COLOR", help: "set to anything: no colours, on terminals either"),
    ]
}
