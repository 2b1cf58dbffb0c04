import CFaultyGL
import CGLES
import FrostTestSupport

/// A driver call that fails, and how.
struct CallFailure: CustomStringConvertible {
    /// The index of the function in the driver's list.
    let function: Int32
    /// The number of calls of the function before it.
    let call: Int32
    let outcome: faulty_outcome
    /// The error, the reset status or the milliseconds of the outcome.
    let code: UInt32

    /// No call fails.
    static let none = CallFailure(function: -1, call: 0, outcome: FAULTY_REFUSED, code: 0)

    /// The indices of all functions of the driver.
    static let functions = (0..<Int32.max).prefix { unsafe faulty_function($0) != nil }

    /// The duration of a call that blocks, in milliseconds. It is longer than a test takes.
    static let forever: UInt32 = 600_000

    /// Returns the failure of a call of a function that is given by its name.
    static func of(_ name: String, call: Int32 = 0, _ outcome: faulty_outcome, _ code: UInt32) -> CallFailure {
        let index = functions.first { Self.name(of: $0) == name }
        guard let index else { preconditionFailure("\(name) is missing in driver-calls.h") }
        return CallFailure(function: index, call: call, outcome: outcome, code: code)
    }

    static func name(of function: Int32) -> String {
        // SAFETY: the names are constants of the driver.
        unsafe faulty_function(function).map { unsafe String(cString: $0) } ?? ""
    }

    var name: String { Self.name(of: function) }

    var description: String { "\(name), call \(call), \(kind) 0x\(String(code, radix: 16))" }

    /// The outcome in words.
    var kind: String {
        switch outcome {
        case FAULTY_REFUSED: code == 0 ? "failed without an error" : "refused"
        case FAULTY_REPORTED: "error although it had its effect"
        case FAULTY_LOST: "context lost"
        case FAULTY_BLOCKED: "blocked"
        default: preconditionFailure("an unknown outcome")
        }
    }

    /// Makes the call fail when it comes. Counts of calls start at 0.
    func set() { faulty_call(function, call, outcome, code) }

    /// The numbers of calls since the last failure was set.
    static var counts: [Int32] { functions.map { faulty_calls($0) } }

    /// Returns how a call of a function can fail.
    private static func outcomes(of function: Int32) -> [(faulty_outcome, UInt32)] {
        let name = name(of: function)
        // Errors of EGL: bad allocation, bad match, and context lost.
        let errors: [UInt32] =
            name.hasPrefix("egl")
            ? [0x3003, 0x3009, 0x300E]
            : [GL_OUT_OF_MEMORY, GL_INVALID_OPERATION, GL_INVALID_VALUE, GL_INVALID_ENUM].map { UInt32($0) }
        let resets = [GL_GUILTY_CONTEXT_RESET, GL_INNOCENT_CONTEXT_RESET, GL_UNKNOWN_CONTEXT_RESET].map { UInt32($0) }
        let lost = resets.map { (FAULTY_LOST, $0) }
        // A driver that hides its errors cannot be noticed.
        if name.hasSuffix("GetError") || name.hasPrefix("glGetGraphicsResetStatus") { return lost }
        let refused = errors.map { (FAULTY_REFUSED, $0) }
        // EGL reports errors by results only.
        let reported = name.hasPrefix("egl") ? [] : [(FAULTY_REPORTED, errors[0]), (FAULTY_REPORTED, errors[1])]
        let silent = faulty_has_result(function) != 0 ? [(FAULTY_REFUSED, UInt32(0))] : []
        return refused + reported + silent + lost
    }

    /// Returns how many of the counted calls are made in every run. Frost asks in slices of time whether the GPU has
    /// finished, and checks for errors after each slice, so a fast GPU needs fewer calls.
    private static func sureCount(of function: Int32, _ count: Int32) -> Int32 {
        let name = name(of: function)
        if name == "glClientWaitSync" || name.hasPrefix("glGetQueryObject") { return min(count, 1) }
        if name.hasSuffix("GetError") || name.hasPrefix("glGetGraphicsResetStatus") { return (count + 1) / 2 }
        return count
    }

    /// Returns the failures to try, one after the other.
    ///
    /// - Parameters:
    ///   - counts: the number of calls of each function.
    ///   - blocks: whether the first and the last call of each function also block.
    /// - Returns: every call with every outcome, or a sample in which every function has a failure.
    static func all(_ counts: [Int32], blocks: Bool) -> [CallFailure] {
        let called = zip(functions, counts).map { ($0, sureCount(of: $0, $1)) }.filter { $0.1 > 0 }
        if TestCases.every {
            return called.flatMap { function, count in
                let ways = outcomes(of: function)
                let failures = (0..<count).flatMap { call in
                    ways.map { CallFailure(function: function, call: call, outcome: $0.0, code: $0.1) }
                }
                let ends = blocks ? Set([0, count - 1]).sorted() : []
                return failures
                    + ends.map { CallFailure(function: function, call: $0, outcome: FAULTY_BLOCKED, code: forever) }
            }
        }
        var random = SeededGenerator(seed: 9)
        return called.compactMap { function, count in
            guard let way = outcomes(of: function).randomElement(using: &random) else { return nil }
            return CallFailure(
                function: function, call: .random(in: 0..<count, using: &random), outcome: way.0, code: way.1)
        }
    }
}

/// Counts what has come of failures, for docs/Reliability.md.
struct FailureTable {
    private var rows: [String: (calls: Int32, tried: Int, right: Int, errors: Int)] = [:]

    mutating func add(_ failure: CallFailure, calls: [Int32], isError: Bool) {
        let count = calls[Int(failure.function)]
        var row = rows[failure.name] ?? (count, 0, 0, 0)
        row.tried += 1
        if isError { row.errors += 1 } else { row.right += 1 }
        rows[failure.name] = row
    }

    /// Prints the table, if every case was tried.
    func print(_ title: String) {
        guard TestCases.every else { return }
        var text = "\n\(title)\n\n| function | calls | failures | right picture | error |\n|---|--:|--:|--:|--:|\n"
        for (name, row) in rows.sorted(by: { $0.key < $1.key }) {
            text += "| `\(name)` | \(row.calls) | \(row.tried) | \(row.right) | \(row.errors) |\n"
        }
        let all = rows.values
        let sums = (all.map(\.tried).reduce(0, +), all.map(\.right).reduce(0, +), all.map(\.errors).reduce(0, +))
        Swift.print(text + "| \(rows.count) functions | | \(sums.0) | \(sums.1) | \(sums.2) |\n")
    }
}
