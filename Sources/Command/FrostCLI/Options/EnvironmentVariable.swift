import Frost
import FrostGPU

/// An environment variable that Frost reads.
package struct EnvironmentVariable {
    package let name: String
    /// The values that the command allows; nil if the variable is checked elsewhere, or any value is allowed.
    private var kind: ValueKind?
    package let help: String

    /// Checks the variables that the library reads. The library ignores a value that is not allowed, and writes that to its
    /// log. The command refuses it.
    static func check(_ environment: (String) -> String? = Environment.value) throws(CommandError) {
        for variable in others {
            guard let kind = variable.kind, let text = environment(variable.name), !text.isEmpty else { continue }
            try WrittenValue(text: text, origin: .environment(variable.name)).check(kind)
        }
    }

    /// Returns all variables: first those that give the default of an option, then the others.
    package static func all(of commands: [Command]) -> [EnvironmentVariable] { options(of: commands) + others }

    private static func options(of commands: [Command]) -> [EnvironmentVariable] {
        var seen: Set<String> = []
        return commands.flatMap(\.options).compactMap { option in
            guard let name = option.environment, seen.insert(name).inserted else { return nil }
            return EnvironmentVariable(name: name, help: "default of --\(option.name)")
        }
    }

    private static let others = [
        EnvironmentVariable(
            name: "OMP_NUM_THREADS", help: "number of CPU threads if neither --threads nor FROST_THREADS is given"),
        EnvironmentVariable(
            name: "FROST_KERNELS",
            help: "instruction set of the CPU backend (baseline, avx2, avx512) instead of the fastest one"),
        EnvironmentVariable(
            name: "FROST_PROGRAM_CACHE", kind: .word(["off"]), help: "off: do not store or load compiled GPU programs"),
        EnvironmentVariable(
            name: "FROST_GPU_TIMEOUT", kind: .number(GPUOptions.allowedTimeouts),
            help: "seconds without progress after which the GPU counts as blocked, and the CPU replaces it; default 30"),
        EnvironmentVariable(
            name: "XDG_CACHE_HOME", help: "folder in which frost/ holds GPU programs and measurements; default ~/.cache"
        ),
        EnvironmentVariable(
            name: "XDG_CONFIG_HOME", help: "folder in which frost/presets has the user's presets; default ~/.config"),
        EnvironmentVariable(
            name: "XDG_STATE_HOME", help: "folder in which frost/ holds the key of redact; default ~/.local/state"),
        EnvironmentVariable(
            name: Shard.indexVariable, help: "index of a pod in an indexed Job, from 0; read by --shard auto"),
        EnvironmentVariable(name: Shard.countVariable, help: "number of pods of the Job; read by --shard auto"),
        EnvironmentVariable(name: "NO_COLOR", help: "if not empty: no colours on terminals"),
    ]
}
