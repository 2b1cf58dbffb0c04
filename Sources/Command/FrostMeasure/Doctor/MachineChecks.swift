import Frost
import FrostCLI
import FrostCPU
import FrostImages
import Glibc

/// The checks of `frost doctor` that need no driver: versions, processors, memory, cache and a blur on the CPU.
struct MachineChecks {
    let environment: (String) -> String?
    /// The number of CPU threads; nil for as many threads as there are processors.
    let threads: Int?
    private let limits = ProcessLimits()

    var findings: [Finding] { [versions, cpu] + processors + memory + [cache] + variables }

    private var versions: Finding {
        var system = utsname()
        // SAFETY: uname fills the structure that it receives with C strings.
        let kernel = unsafe uname(&system) == 0 ? unsafe withUnsafeBytes(of: &system.release) { unsafe text($0) } : "?"
        var libc = [CChar](repeating: 0, count: 64)
        // SAFETY: the array has the length that confstr receives, and confstr ends the text with a zero byte.
        unsafe confstr(Int32(_CS_GNU_LIBC_VERSION), &libc, libc.count)
        let codecs = CodecVersions.all.map { "\($0.name) \($0.version ?? "not installed")" }
        return Finding(
            check: "versions", status: .ok,
            text: (["frost \(frostVersion)"] + codecs + [
                String(decoding: libc.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
                "Linux \(kernel)",
            ]).joined(separator: ", "))
    }

    private func text(_ bytes: UnsafeRawBufferPointer) -> String {
        // SAFETY: the bytes are read while the caller keeps them valid.
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private var cpu: Finding {
        do throws(CommandError) {
            let renderer = try rethrow(Renderer(backend: .cpu, threads: threads), as: CommandError.frost)
            let probe = try BlurProbe(renderer)
            let name = "\(Machine.processor), \(CPUExecutor.instructionSet) kernels, \(renderer.threads) threads"
            return Finding(
                check: "cpu", status: probe.keepsPromise ? .ok : .problem, text: "\(probe.description); \(name)",
                advice: probe.keepsPromise
                    ? nil : "the processor or its memory miscalculates, or the build is broken: run Tools/test")
        } catch {
            return Finding(check: "cpu", status: .problem, text: "does not blur: \(error)")
        }
    }

    private var processors: [Finding] {
        let used = threads ?? CPUExecutor.defaultThreads
        guard let allowed = limits.processors, allowed + 0.5 < Double(used) else { return [] }
        return [
            Finding(
                check: "processors", status: .warning, text: "\(used) threads share \(numberText(allowed)) processors",
                evidence: [limits.processorEvidence],
                advice: "--threads \(max(1, Int(allowed))), or FROST_THREADS=\(max(1, Int(allowed)))")
        ]
    }

    private var memory: [Finding] {
        guard let bytes = limits.memory else { return [] }
        return [
            Finding(
                check: "memory", status: .note, text: "at most \(bytes >> 20) MiB",
                evidence: limits.memoryEvidence.map { [$0] } ?? [],
                advice: bytes < 512 << 20
                    ? "large pictures do not fit: raise the limit, or refuse them early with --max-memory" : nil)
        ]
    }

    private var cache: Finding {
        if environment("FROST_PROGRAM_CACHE") == "off" {
            return Finding(
                check: "cache", status: .note, text: "compiled programs are not stored: FROST_PROGRAM_CACHE=off",
                advice: "unset it, so that later runs need not compile them again")
        }
        guard let folder = CacheFolder.user(environment) else {
            return Finding(
                check: "cache", status: .warning,
                text: "no cache folder: neither XDG_CACHE_HOME nor HOME is an absolute path",
                advice: "set XDG_CACHE_HOME; otherwise every run compiles GPU programs and measures the GPU again")
        }
        guard let facts = FileFacts(FilePath(folder)) else {
            let parent = FileFacts.existingParent(of: FilePath(folder))
            guard let obstacle = parent?.obstacle else {
                return Finding(check: "cache", status: .ok, text: "\(folder): not created yet")
            }
            return Finding(
                check: "cache", status: .warning, text: "\(folder) cannot be created: \(obstacle)",
                evidence: parent.map { [$0.description] } ?? [],
                advice: "set XDG_CACHE_HOME to a writable folder; otherwise every run compiles GPU programs again")
        }
        if let obstacle = facts.obstacle {
            return Finding(
                check: "cache", status: .warning, text: "\(folder) cannot be used: \(obstacle)",
                evidence: [facts.description], advice: "chown it to \(FileFacts.user), or set XDG_CACHE_HOME")
        }
        if facts.mode & 0o022 != 0 || facts.owner != FileFacts.user {
            return Finding(
                check: "cache", status: .warning,
                text: "\(folder) is not used: it belongs to another user, or others can write to it",
                evidence: [facts.description], advice: "chmod go-w \(folder), or set XDG_CACHE_HOME")
        }
        let programs = Folder.names(in: folder + "/programs").count
        return Finding(check: "cache", status: .ok, text: "\(folder), \(programs) programs")
    }

    private var variables: [Finding] {
        let own = EnvironmentVariable.all(of: Command.all).compactMap { variable -> Finding? in
            guard variable.name.hasPrefix("FROST_"), let value = environment(variable.name), !value.isEmpty else {
                return nil
            }
            return Finding(check: "environment", status: .note, text: "\(variable.name)=\(value): \(variable.help)")
        }
        return own + DriverVariable.all.compactMap { $0.finding(environment($0.name)) }
    }
}
