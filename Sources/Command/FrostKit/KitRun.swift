import Frost
import FrostCLI
import FrostMeasure

/// Implements `gpu-kit run`: runs every step in a process of its own, and writes the result after each of them.
struct KitRun {
    private let console: Console
    private let output: FilePath
    private let seconds: Int
    private let steps: [KitStep]
    /// The device that the command line names; nil for all.
    private let wanted: String?
    private let fault: KitFault?
    private let start = ContinuousClock.now

    /// The time of a whole run.
    private static let defaultSeconds = KitStep.all.reduce(0) { $0 + $1.seconds }
    /// The shortest time that a step gets in a run that is shorter than the limits of its steps.
    private static let minimumSeconds = 3.0

    init(_ arguments: Arguments, _ console: Console) throws(CommandError) {
        self.console = console
        output = try arguments.requiredPath(.kitOutput)
        guard output.suffix == "json" else { throw .usage("--output \(output.shownName): the name must end in .json") }
        try ReportFile.check(output)
        seconds = arguments.value(.kitSeconds, as: Int.self) ?? Self.defaultSeconds
        let names = arguments.list(.kitOnly, of: String.self)
        steps = KitStep.all.filter { names?.contains($0.name) ?? true }
        wanted = arguments.value(.kitDevice)
        fault = arguments.value(.kitFault, as: KitFault.self)
    }

    func run() throws(CommandError) -> ExitCode {
        var log = KitLog()
        try add(Self.description(seconds: seconds), to: &log)
        let devices = devices()
        for device in devices { try add(device.line, to: &log) }
        var jobs = steps.filter { $0.scope == .machine }.map { (step: $0, device: Device?.none) }
        for device in devices { jobs += steps.filter { $0.scope == .device }.map { ($0, device) } }
        var limits = jobs.reduce(0) { $0 + $1.step.seconds }
        for (step, device) in jobs {
            // The remaining time is shared in proportion to the limits of the steps. No step gets more than its limit.
            let left = Double(seconds) - elapsed
            let share = Double(step.seconds) * min(1, left / Double(limits))
            limits -= step.seconds
            try perform(step, on: device, Int(min(max(share, Self.minimumSeconds), left)), &log)
        }
        let (passed, failed) = (log.count(.passed), log.count(.failed))
        try add(
            .object([
                ("schema", .string(KitLog.endSchema)), ("passed", .int(passed)), ("failed", .int(failed)),
                ("skipped", .int(log.count(.skipped))), ("seconds", .number(elapsed, decimals: 1)),
                ("cpu_seconds", .number(KitSystem.childSeconds, decimals: 1)),
            ]), to: &log)
        console.result(
            "\(passed) passed, \(failed) failed, \(log.count(.skipped)) skipped in \(fixed(elapsed, 0)) s: "
                + "\(output.shownName), \(page.shownName)")
        if devices.isEmpty { console.fail("no device was tested; see the step 'devices'") }
        return failed == 0 && passed > 0 && !devices.isEmpty ? .done : .someFailed
    }

    private var elapsed: Double { (ContinuousClock.now - start).milliseconds / 1000 }
    private var page: FilePath { "\(output.withoutSuffix).md" }

    private func add(_ json: JSON, to log: inout KitLog) throws(CommandError) {
        guard log.add(json.text) else { throw .usage("not a line of a result: \(json.text)") }
        try ReportFile.write(log.text, to: output)
        try ReportFile.write(KitPage.document([log]), to: page)
    }

    private func perform(
        _ step: KitStep, on device: Device?, _ limit: Int, _ log: inout KitLog
    ) throws(CommandError) {
        let (began, cpu) = (elapsed, KitSystem.childSeconds)
        var result = KitResult.skipped("the time of the run was used up before this step")
        if limit > 0 {
            var words = ["step", step.name, "--seconds", "\(limit)"]
            if let device { words += ["--device", device.index] }
            if let fault { words += ["--fault", fault.rawValue] }
            result = Self.result(
                of: Subprocess.run(words, variables: device?.variables ?? Device.noCache, seconds: limit), limit)
        }
        try add(
            .object(
                [
                    ("schema", .string(KitLog.stepSchema)), ("step", .string(step.name)),
                    ("device", device.map { .string($0.index) } ?? .null),
                    ("seconds", .number(elapsed - began, decimals: 1)),
                    ("cpu_seconds", .number(KitSystem.childSeconds - cpu, decimals: 1)), ("limit", .int(limit)),
                ] + result.members), to: &log)
        guard !console.quiet else { return }
        let place = device.map { " (\($0.name))" } ?? ""
        console.result(
            "\(result.outcome.rawValue)  \(step.name)\(place), \(fixed(elapsed - began, 1)) s: \(result.finding)")
    }

    /// Returns the result that a step's process printed, or a failure if the process did not end well.
    private static func result(of process: Subprocess, _ limit: Int) -> KitResult {
        let said = process.errors.split(whereSeparator: \.isNewline).suffix(8).map(String.init)
        func failed(_ text: String) -> KitResult { KitResult(outcome: .failed, finding: text, evidence: said) }
        switch process.end {
        case .exit(0):
            // Drivers may print to standard output too, so the last line that is a result counts.
            let results = process.output.split(separator: "\n").compactMap(KitResult.init(line:))
            guard var result = results.last else { return failed("the step printed no result") }
            if result.outcome == .failed { result.evidence += said }
            return result
        case .exit(let code): return failed("the step ended with exit code \(code)")
        case .signal(let signal): return failed("the step crashed with signal \(signal)")
        case .timeout: return failed("the step was stopped after \(limit) s")
        case .notStarted(let reason): return failed("the step could not be started: \(reason)")
        }
    }

    /// Returns the devices to test: all hardware, or the software renderers of a machine without hardware. Another
    /// process loads the driver. If the driver hangs, time remains for the step that reports this.
    private func devices() -> [Device] {
        let limit = max(1, min(seconds / 4, KitStep.devices.seconds))
        let listed = Subprocess.run([Command.devices.name, "--json"], variables: Device.noCache, seconds: limit)
        let usable = listed.output.split(separator: "\n").compactMap { FlatJSON.members($0, all: true) }
            .filter { $0["status"] == "usable" }.map(Device.init)
        if let wanted {
            // A number is an index, because the names of many devices contain numbers.
            return usable.filter {
                Int(wanted) == nil ? $0.name.lowercased().contains(wanted.lowercased()) : $0.index == wanted
            }
        }
        let hardware = usable.filter { !$0.isSoftware }
        return hardware.isEmpty ? usable : hardware
    }

    private static func description(seconds: Int) -> JSON {
        .object([
            ("schema", .string(KitLog.runSchema)), ("frost", .string(frostVersion)),
            ("date", .string(Machine.timestamp)),
            ("processor", .string(Machine.processor)), ("system", .string(KitSystem.description)),
            ("seconds", .int(seconds)),
        ])
    }
}

extension KitResult {
    /// The members of the result in a line of ``KitLog``.
    fileprivate var members: [(String, JSON)] {
        guard case .object(let members) = json else { return [] }
        return members
    }

    /// Parses a result that a step's process printed. Numbers stay as they are.
    fileprivate init?(line: Substring) {
        guard let record = FlatJSON.members(line, all: true),
            let outcome = record["outcome"].flatMap(Outcome.init), let finding = record["finding"]
        else { return nil }
        self.init(outcome: outcome, finding: finding)
        let evidence = record["evidence"] ?? ""
        self.evidence = evidence.isEmpty ? [] : evidence.split(separator: "\n").map(String.init)
        let known: Set = ["outcome", "finding", "evidence"]
        figures = record.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
            .map { ($0.key, Double($0.value).map { .number($0, decimals: 5) } ?? .string($0.value)) }
    }
}
