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

    var description: String { "\(name), call \(call), \(kind.rawValue) 0x\(String(code, radix: 16))" }

    /// A kind of outcome.
    enum Kind: String, CaseIterable {
        case memory = "out of memory"
        case refused = "other error"
        case reported = "error after its effect"
        case silent = "failed without error"
        case lost = "context lost"
        case blocked
    }

    /// The kind of the outcome.
    var kind: Kind {
        switch outcome {
        case FAULTY_REFUSED:
            code == 0 ? .silent : code == 0x3003 || code == UInt32(GL_OUT_OF_MEMORY) ? .memory : .refused
        case FAULTY_REPORTED: .reported
        case FAULTY_LOST: .lost
        case FAULTY_BLOCKED: .blocked
        default: preconditionFailure("an unknown outcome")
        }
    }

    /// Whether the call cannot delete an object, which therefore stays.
    var isDeletion: Bool {
        outcome == FAULTY_REFUSED && (name.hasPrefix("glDelete") || name.hasPrefix("eglDestroy"))
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
        // glGetUniformLocation also returns -1 for a uniform that the compiler has removed.
        let canBeSilent = faulty_has_result(function) != 0 && name != "glGetUniformLocation"
        let silent = canBeSilent ? [(FAULTY_REFUSED, UInt32(0))] : []
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

    private static func ways(_ function: Int32, _ blockedMilliseconds: UInt32) -> [(faulty_outcome, UInt32)] {
        outcomes(of: function) + [(FAULTY_BLOCKED, blockedMilliseconds)]
    }

    private static func called(_ counts: [Int32]) -> [(function: Int32, count: Int32)] {
        zip(functions, counts).map { ($0, sureCount(of: $0, $1)) }.filter { $0.1 > 0 }
    }

    /// The number of calls of a function up to which each of them fails in every way.
    private static let thoroughCount = 64

    /// Returns the failures of all calls, one after the other. Each call fails in every way. If a function is called
    /// very often, such as the one that returns the name of an extension, its calls fail in one way each, by turns.
    ///
    /// - Parameters:
    ///   - counts: the number of calls of each function.
    ///   - blockedMilliseconds: how long a call blocks.
    static func all(_ counts: [Int32], blockedMilliseconds: UInt32) -> [CallFailure] {
        called(counts).flatMap { function, count in
            let ways = ways(function, blockedMilliseconds)
            return (0..<count).flatMap { call in
                (count > thoroughCount ? [ways[Int(call) % ways.count]] : ways).map {
                    CallFailure(function: function, call: call, outcome: $0.0, code: $0.1)
                }
            }
        }
    }

    /// Returns a sample of the failures: one for each function of a third of the functions.
    ///
    /// - Parameter scenario: the number of the scenario. Scenarios with other numbers get other functions.
    static func sample(_ counts: [Int32], of scenario: Int, blockedMilliseconds: UInt32) -> [CallFailure] {
        var random = SeededGenerator(seed: UInt64(scenario))
        return called(counts).compactMap { function, count in
            guard (Int(function) + scenario) % 3 == 0 else { return nil }
            // A call that blocks until the timeout takes long. BlockedCallTests tries some.
            let quick = ways(function, blockedMilliseconds).filter { $0.0 != FAULTY_BLOCKED || $0.1 < 100 }
            guard let way = quick.randomElement(using: &random) else { return nil }
            return CallFailure(
                function: function, call: .random(in: 0..<count, using: &random), outcome: way.0, code: way.1)
        }
    }
}
