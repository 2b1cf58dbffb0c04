import Frost
import FrostCLI

/// The result of checking one effect on one input. It is shown as text, as a JSON object, on the HTML page and in the
/// JUnit report.
struct CheckResult {
    struct Pair {
        let a: String
        let b: String
        let comparison: Comparison
        /// The time of the comparison in seconds. In the first pair that compares the image `a`, this includes the time
        /// to compute `a`.
        let seconds: Double
    }

    let input: String
    let subject: String
    /// The maximum allowed error in 8-bit steps.
    let bound: Double
    var pairs: [Pair] = []
    var contrasts: [CheckContrast] = []
    /// The backends that were skipped, with the reasons.
    var skipped: [(name: String, reason: String)] = []
    /// The pictures for the HTML page. Nil if no page was requested, or if the pictures do not fit on the page.
    var evidence: CheckEvidence?

    func holds(_ pair: Pair) -> Bool { pair.comparison.maximum <= bound }

    var holds: Bool { pairs.allSatisfy(holds) && contrasts.allSatisfy(\.holds) }

    /// The pair with the largest difference; the first one if several are equal.
    var worst: Pair? {
        pairs.reduce(nil) { worst, pair in
            guard let worst, worst.comparison.maximum >= pair.comparison.maximum else { return pair }
            return worst
        }
    }

    /// The error of the worst pair relative to the bound. It is above 1 if the pair exceeds the bound.
    var severity: Double {
        guard let maximum = worst?.comparison.maximum, maximum > 0 else { return 0 }
        return bound > 0 ? maximum / bound : .infinity
    }

    var json: JSONValue {
        .joined(
            ["schema": "frost.check/1", "input": .string(input), "subject": .string(subject)],
            pairs.isEmpty
                ? [:]
                : [
                    "bound": .number(bound, decimals: 4),
                    "pairs": .array(
                        pairs.map { .joined(["a": .string($0.a), "b": .string($0.b)], $0.comparison.json) }),
                ],
            contrasts.isEmpty ? [:] : ["contrasts": .array(contrasts.map(\.json))],
            ["status": .string(holds ? "ok" : "failed")])
    }

    /// The result as text, with one line for each pair and each contrast.
    var lines: [String] {
        func line(_ holds: Bool, _ text: String) -> String {
            "\(holds ? "ok  " : "FAIL") \(input.shownName) \(subject): \(text)"
        }
        return pairs.map { line(holds($0), "\($0.a) against \($0.b): \($0.comparison.description)") }
            + contrasts.map { line($0.holds, ($0.backend.map { "\($0): " } ?? "") + $0.words) }
    }
}

/// Reports that `frost check` found no GPU to check.
struct MissingGPU {
    let reason: String
    /// Whether a missing GPU is allowed. If false, the check fails.
    let isAllowed: Bool

    var text: String {
        "no GPU was checked: \(reason)"
            + (isAllowed ? "" : "; see 'frost doctor', or use --\(Option.allowMissingGPU.name) to accept this")
    }

    var json: JSONValue {
        [
            "schema": "frost.check/1", "input": nil, "subject": "GPU", "reason": .string(reason),
            "status": .string(isAllowed ? "skipped" : "failed"),
        ]
    }
}

/// All results of `frost check`, in the order of the command line, or of `frost compare`.
struct CheckLog {
    /// The command.
    enum Kind: String {
        case check, compare
    }
    let kind: Kind

    init(_ kind: Kind = .check) { self.kind = kind }

    enum Entry {
        case checked(CheckResult)
        /// An input that could not be read, or on which an effect failed.
        case failed(input: String, error: String)
        case noGPU(MissingGPU)
    }

    /// The maximum number of bytes of pictures on the HTML page. Larger pages open slowly, and many services refuse
    /// them as attachments.
    static let room = 6 << 20

    private(set) var entries: [Entry] = []
    private var bytes = 0

    /// Adds a result. While the pictures of all results exceed ``room``, drops the pictures of the result whose error
    /// is smallest relative to its bound. If several results are equal in this, drops the pictures of the last one.
    mutating func add(_ entry: Entry) {
        entries.append(entry)
        guard case .checked(let result) = entry else { return }
        bytes += result.evidence?.byteCount ?? 0
        while bytes > Self.room, let index = mildest, case .checked(var result) = entries[index] {
            bytes -= result.evidence?.byteCount ?? 0
            result.evidence = nil
            entries[index] = .checked(result)
        }
    }

    private var mildest: Int? {
        var minimum: (index: Int, severity: Double)?
        for (index, entry) in entries.enumerated() {
            guard case .checked(let result) = entry, result.evidence != nil else { continue }
            if result.severity <= minimum?.severity ?? .infinity { minimum = (index, result.severity) }
        }
        return minimum?.index
    }

    var results: [CheckResult] {
        entries.compactMap { if case .checked(let result) = $0 { result } else { nil } }
    }

    /// The entry about a missing GPU; nil if there is no such entry.
    var missingGPU: MissingGPU? {
        entries.lazy.compactMap { if case .noGPU(let missing) = $0 { missing } else { nil } }.first
    }

    /// The numbers of pairs and contrasts, of those that failed, and of inputs that failed.
    var counts: (checks: Int, failed: Int, errors: Int) {
        let results = results
        return (
            results.reduce(0) { $0 + $1.pairs.count + $1.contrasts.count },
            results.reduce(0) { sum, result in
                sum + result.pairs.count { !result.holds($0) } + result.contrasts.count { !$0.holds }
            },
            entries.count { if case .failed = $0 { true } else { false } }
        )
    }

    /// Whether a contrast was measured.
    var hasContrasts: Bool { results.contains { !$0.contrasts.isEmpty } }

    /// Whether every comparison is within its bound, every contrast reaches its minimum, and every input was checked.
    var holds: Bool { counts.failed == 0 && counts.errors == 0 }

    /// Whether the check as a whole succeeds.
    var passes: Bool { holds && missingGPU?.isAllowed != false }
}
