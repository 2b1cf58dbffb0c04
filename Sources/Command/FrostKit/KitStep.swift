import Frost
import FrostCLI

/// One step of the kit. Each step runs in a process of its own, so that a driver may crash or hang.
struct KitStep: Sendable {
    enum Scope {
        /// The step runs once.
        case machine
        /// The step runs once for each device.
        case device
    }

    let name: String
    /// What the step tests, as a phrase.
    let summary: String
    /// The time after which the step is stopped.
    let seconds: Int
    let scope: Scope
    private let body: @Sendable (KitContext) throws -> KitResult

    init(
        _ name: String, _ summary: String, seconds: Int, scope: Scope = .device,
        body: @escaping @Sendable (KitContext) throws -> KitResult
    ) {
        (self.name, self.summary, self.seconds, self.scope, self.body) = (name, summary, seconds, scope, body)
    }

    /// All steps, in the order in which they run. Their limits add up to eight minutes, the time of a run.
    static let all: [KitStep] = [
        .doctor, .devices, .exactness, .effects, .large, .tiles, .faults, .contextLoss, .frames, .bench, .skia, .host,
        .dmabufs,
    ]

    static func named(_ name: String) -> KitStep? { all.first { $0.name == name } }

    /// Runs the step in this process. An error is a failure of the step.
    func result(_ context: KitContext) -> KitResult {
        do { return try body(context) } catch { return .failed("\(error)") }
    }
}

/// The result of a step.
struct KitResult {
    enum Outcome: String {
        case passed, failed
        /// The step could not run; the finding has the reason. A skipped step has tested nothing.
        case skipped
    }

    var outcome: Outcome
    /// What the step found, in one line.
    var finding: String
    /// The numbers behind the finding. The names differ from those of ``json``.
    var figures: [(name: String, value: JSON)] = []
    /// Lines with details, such as the cases that failed.
    var evidence: [String] = []

    static func failed(_ finding: String) -> KitResult { KitResult(outcome: .failed, finding: finding) }
    static func skipped(_ reason: String) -> KitResult { KitResult(outcome: .skipped, finding: reason) }

    /// The result as a flat JSON object, which ``KitRun`` completes with the step, the device and the times.
    var json: JSON {
        .object(
            [
                ("outcome", .string(outcome.rawValue)), ("finding", .string(finding)),
                ("evidence", .string(evidence.prefix(Self.maximumEvidence).joined(separator: "\n"))),
            ] + figures.map { ($0.name, $0.value) })
    }

    /// The maximum number of lines of evidence in a result.
    private static let maximumEvidence = 24
}
