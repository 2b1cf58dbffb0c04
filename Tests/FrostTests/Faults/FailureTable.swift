import CFaultyGL
import FrostTestSupport

/// A part of all failures of a subject, for which `Tools/test-faults` runs the tests in a process of its own. A thread that
/// was abandoned inside the driver keeps its memory until the process ends.
struct FaultPart {
    let subject: String
    let index: Int
    let count: Int

    /// The part that the environment variable FROST_FAULT_PART asks for, such as "blurLater 0 4" for the first of four.
    static let asked: FaultPart? = environment("FROST_FAULT_PART").flatMap { text in
        let words = text.split(separator: " ")
        guard words.count == 3, let index = Int(words[1]), let count = Int(words[2]), index < count else {
            preconditionFailure("FROST_FAULT_PART=\(text) is not of the form SUBJECT PART PARTS")
        }
        return FaultPart(subject: String(words[0]), index: index, count: count)
    }

    func share(of failures: [CallFailure]) -> [CallFailure] {
        failures.enumerated().filter { $0.offset % count == index }.map(\.element)
    }
}

/// Counts what has come of failures.
struct FailureTable {
    enum Outcome: String {
        case right, error, wrong
    }

    private struct Row: Hashable {
        let function: String
        let calls: Int32
        let kind: CallFailure.Kind
        let outcome: Outcome
    }
    private var counts: [Row: Int] = [:]

    mutating func add(_ failure: CallFailure, calls: [Int32], _ outcome: Outcome) {
        let row = Row(
            function: failure.name, calls: calls[Int(failure.function)], kind: failure.kind, outcome: outcome)
        counts[row, default: 0] += 1
    }

    /// Prints a line for each function and outcome. `Tools/test-faults` makes tables of them.
    func print(_ title: String) {
        for (row, count) in counts {
            let words = [
                "fault", title, row.function, "\(row.calls)", row.kind.rawValue, row.outcome.rawValue, "\(count)",
            ]
            Swift.print(words.joined(separator: "|"))
        }
    }
}
