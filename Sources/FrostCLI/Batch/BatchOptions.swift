import Frost

extension Option {
    static let recursive = Option(
        "recursive", short: "r",
        "process folders with all their subfolders; an output folder gets the same structure")
    static let jobs = Option(
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
        "process only part I of N, to divide the work among N machines")

    /// The options that control the processing of several pictures.
    static let batch: [Option] = [.recursive, .jobs, .failFast, .dryRun, .manifest, .resume, .shard]
}

/// One of several equal parts of the work: the value I/N of `--shard`.
struct Shard: OptionValue, Hashable {
    /// The number of this part, counted from 0.
    let index: Int
    let count: Int

    init?(written text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1, (1...count).contains(index)
        else {
            return nil
        }
        self.index = index - 1
        self.count = count
    }
}
