import Frost

extension Option {
    static let recursive = Option(
        "recursive", short: "r",
        "take the pictures in folders, and in theirs; a folder as --output gets the same folders")
    static let jobs = Option(
        "jobs", short: "j", value: "N", kind: .integer(1...256),
        default: .words("as many as --threads, which share them"),
        "pictures that are worked on at once")
    static let failFast = Option(
        "fail-fast", "stop at the first picture that fails, instead of going on with the others")
    static let dryRun = Option("dry-run", short: "n", "say what would be made of what, and make nothing")
    static let manifest = Option(
        "manifest", value: "FILE", kind: .file,
        "add a line of JSON for each result: SHA-256 of input and output, and how it was made")
    static let resume = Option(
        "resume", "pass over results that the manifest proves to be done, and replace those it does not")
    static let shard = Option(
        "shard", value: "I/N", kind: .shard,
        "of the pictures, every N-th from the I-th on: for N machines that share them")

    /// The options for several pictures.
    static let batch: [Option] = [.recursive, .jobs, .failFast, .dryRun, .manifest, .resume, .shard]
}

/// One of several equal parts of the work.
struct Shard: OptionValue, Hashable {
    /// From 0.
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
