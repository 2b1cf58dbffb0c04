import Frost

extension Option {
    static let recursive = Option(
        "recursive", short: "r",
        "process folders with all their subfolders; an output folder gets the same structure. Files that are not"
            + " processed are counted at the end; -v lists them")
    static let strict = Option(
        "strict",
        "exit with 1 if a folder of --recursive has files that were not processed, and refuse to reduce the bits of samples "
            + "without --depth")
    package static let jobs = Option(
        "jobs", short: "j", value: "N", kind: .integer(1...256),
        default: .words("the value of --threads"),
        "number of pictures processed at the same time")
    static let failFast = Option(
        "fail-fast", "stop at the first error instead of continuing with the other pictures")
    static let dryRun = Option("dry-run", short: "n", "list inputs and outputs without writing anything")
    static let manifest = Option(
        "manifest", value: "FILE", kind: .file,
        "append a JSON line to this file for each result, with the parameters and the SHA-256 of input and output")
    static let resume = Option(
        "resume",
        "skip the results in the file of --manifest whose input, output and parameters are unchanged;"
            + " compute all other results")
    static let shard = Option(
        "shard", value: "I/N", kind: .shard,
        "process only part I of N, to divide the work among N machines; auto takes both numbers from the environment of"
            + " an indexed Job of Kubernetes")

    /// The options that control the processing of several pictures.
    static let batch: [Option] = [.recursive, .strict, .jobs, .failFast, .dryRun, .manifest, .resume, .shard]
}

/// One of several equal parts of the work: the value I/N of `--shard`, or `auto`.
struct Shard: OptionValue, Hashable {
    /// The number of this part, counted from 0.
    let index: Int
    let count: Int

    /// The value that stands for the part of a pod in an indexed Job of Kubernetes.
    static let automatic = "auto"
    /// The index of a pod, counted from 0. Kubernetes sets this variable.
    static let indexVariable = "JOB_COMPLETION_INDEX"
    /// The number of pods. Kubernetes does not set it, so the Job's manifest does.
    static let countVariable = "JOB_COMPLETIONS"

    init?(written text: String) { self.init(written: text, environment: Environment.value) }

    init?(written text: String, environment: (String) -> String?) {
        if text == Self.automatic {
            guard let index = environment(Self.indexVariable).flatMap(Int.init),
                let count = environment(Self.countVariable).flatMap(Int.init)
            else { return nil }
            self.init(index: index, count: count)
        } else {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let number = parts[0], number >= 1, let count = parts[1] else { return nil }
            self.init(index: number - 1, count: count)
        }
    }

    private init?(index: Int, count: Int) {
        guard (0..<max(0, count)).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// The message for a text from which no part can be made.
    static func complaint(about name: String, _ text: String) -> String {
        guard text == automatic else {
            return "\(name) must be two whole numbers I/N, with I from 1 to N, or \(automatic)"
        }
        let found = [indexVariable, countVariable].map { "\($0)=\(Environment.value($0) ?? "")" }
        return "\(name) needs the environment of an indexed Job: \(indexVariable) from 0 to N-1 and"
            + " \(countVariable) with N (\(found.joined(separator: ", ")))"
    }
}
