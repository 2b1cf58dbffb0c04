import Frost
import FrostCLI
import FrostGPU

extension Option {
    static let timeout = Option(
        "timeout", value: "SECONDS", kind: .integer(1...3600), default: "30",
        "time after which a driver that does not answer counts as hanging")
}

extension Option {
    static let warm = Option(
        "warm",
        "also compile the GPU programs of usual blurs and effects on every device that works, and keep them, so that later "
            + "runs start faster")
}

extension Command {
    static let doctor = Command(
        name: "doctor", operands: "[options]",
        summary:
            "Test the CPU and every GPU of this machine by blurring on it, and explain how to fix what fails.",
        options: [.backend, .device, .gpuShaders, .threads, .timeout, .warm],
        examples: ["frost doctor", "frost doctor --json", "frost doctor --backend gpu", "frost doctor --warm"],
        run: { (arguments, console) throws(CommandError) in
            if arguments.operands.first == DoctorCommand.probe { return try DoctorCommand.runProbe(arguments, console) }
            guard arguments.operands.isEmpty else { throw .usage("unexpected operand \(arguments.operands[0])") }
            return try DoctorCommand(arguments, console).run()
        },
        details: [
            "Exit code 1: the CPU exceeds its error bound, or a driver crashes, hangs or blurs wrongly. Exit code 5: the GPU "
                + "that --backend, --device or the environment selects cannot be used. Other devices that cannot be used are "
                + "warnings, because the CPU blurs without them."
        ])
}

/// Implements `frost doctor`. Each driver is loaded in another process, so that it cannot harm this one. The other
/// process runs this program with operands that make it call ``runProbe(_:_:)``. It prints one line for each finding.
struct DoctorCommand {
    fileprivate static let probe = "probe"
    private static let everything = "egl"
    private static let demand = "demand"
    private static let warmUp = "warm"

    private let arguments: Arguments
    private let console: Console
    private let timeout: Int
    private let isDemanding: Bool

    init(_ arguments: Arguments, _ console: Console) throws(CommandError) {
        self.arguments = arguments
        self.console = console
        timeout = try arguments.required(.timeout, as: Int.self)
        isDemanding =
            try arguments.required(.backend, as: Backend.self) == .gpu || arguments.value(.device) != nil
    }

    func run() -> ExitCode {
        var all: [Finding] = []
        func add(_ findings: [Finding]) {
            findings.forEach(report)
            all += findings
        }
        add(MachineChecks(environment: Environment.value, threads: arguments.value(.threads, as: Int.self)).findings)
        let nodes = DeviceNodes()
        add(nodes.findings)
        let egl = probed([Self.everything], check: "EGL loader")
        add(egl)
        let platforms = egl.first { $0.check == DriverProbes.enumeration }?.evidence ?? []
        let shaders = written(.gpuShaders)
        let devices = platforms.indices.flatMap {
            probed(["\($0)"] + shaders, check: "device \($0)", what: platforms[$0])
        }
        add(devices)
        if arguments.has(.warm) {
            for index in platforms.indices
            where devices.contains(where: { $0.check == "device \(index)" && $0.status == .ok }) {
                add(probed([Self.warmUp, "\(index)"] + shaders, check: "programs of device \(index)"))
            }
        }
        let hardware = devices.filter { $0.evidence.contains { $0.hasPrefix(DriverProbes.hardware) } }
        if hardware.isEmpty, nodes.nodes.contains(where: { !$0.isCard }) {
            add([
                Finding(
                    check: "fallback", status: .warning,
                    text:
                        "there is a GPU device node, but EGL has no hardware device: only software rendering is available",
                    evidence: nodes.nodes.map(\.description) + nodes.buses,
                    advice: (egl + devices).lazy.compactMap(\.advice).first ?? "install the GPU vendor's EGL driver")
            ])
        }
        if isDemanding {
            let options = [Option.backend, .device].flatMap(written)
            add(probed([Self.demand] + options + shaders, check: DriverProbes.demandCheck))
        }
        let problems = all.filter { $0.status == .problem }.map(\.check)
        report(Self.summary(problems: problems, hardware: hardware.count))
        return problems.isEmpty ? .done : problems == [DriverProbes.demandCheck] ? .noDevice : .someFailed
    }

    private static func summary(problems: [String], hardware: Int) -> Finding {
        guard problems.isEmpty else {
            return Finding(
                check: "summary", status: .problem, text: "these checks failed: " + problems.joined(separator: ", "))
        }
        return Finding(
            check: "summary", status: .ok,
            text: hardware == 0
                ? "blurring works on the CPU; no hardware GPU can be used"
                : "blurring works on the CPU and on \(hardware) hardware GPU\(hardware == 1 ? "" : "s")")
    }

    private func report(_ finding: Finding) {
        if console.json { return console.result(finding.json) }
        if console.quiet, finding.status == .ok || finding.status == .note { return }
        finding.lines { $0.paint($1, on: 1) }.forEach { console.result($0) }
    }

    /// Returns an option as it was written on the command line; empty if it was not.
    private func written(_ option: Option) -> [String] {
        arguments.has(option) ? arguments.value(option).map { ["--\(option.name)", $0] } ?? [] : []
    }

    /// Returns the findings of a probe in another process. If the process fails, a finding about the failure is added.
    private func probed(_ words: [String], check: String, what: String? = nil) -> [Finding] {
        let run = Subprocess.run([Command.doctor.name, Self.probe] + words, seconds: timeout)
        var findings = run.output.split(separator: "\n").compactMap { Finding(wire: $0) }
        let said = run.errors.split(whereSeparator: \.isNewline).suffix(4).map { "on standard error: \($0)" }
        // Messages that a driver prints are added to the last finding that is not ok.
        if let index = findings.lastIndex(where: { $0.status != .ok }) { findings[index].evidence += said }
        let place = what.map { "\($0): " } ?? ""
        let advice = "update or remove the driver; until then use --backend cpu, which never loads it"
        switch run.end {
        case .exit(0) where !findings.isEmpty: break
        case .exit(let code):
            findings.append(
                Finding(
                    check: check, status: .problem, text: "\(place)the test ended with exit code \(code)",
                    evidence: said,
                    advice: Advice.about(run.errors) ?? advice))
        case .signal(let signal):
            findings.append(
                Finding(
                    check: check, status: .problem, text: "\(place)the driver crashes with signal \(signal)",
                    evidence: said,
                    advice: advice))
        case .timeout:
            findings.append(
                Finding(
                    check: check, status: .problem,
                    text: "\(place)the driver hangs: the test did not end within \(timeout) s",
                    evidence: said, advice: advice + "; --timeout extends the time"))
        case .notStarted(let reason):
            findings.append(
                Finding(check: check, status: .warning, text: "\(place)not tested: \(reason)", advice: "mount /proc"))
        }
        return findings
    }

    /// Runs the probe in the process that ``probed(_:check:what:)`` starts.
    fileprivate static func runProbe(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
        let words = arguments.operands.dropFirst()
        var findings: [Finding] = []
        switch words.first {
        case everything: findings = DriverProbes.egl(Environment.value)
        case demand: findings = [DriverProbes.demanded(arguments)]
        case warmUp: findings = [try WarmUp(device: words.dropFirst().first ?? "", arguments.gpuOptions).finding]
        case let word:
            guard let index = word.flatMap({ Int($0) }) else { throw .usage("a device number is required") }
            findings = [try DriverProbes.device(index, arguments.gpuOptions)]
        }
        findings.forEach { console.result($0.wire) }
        return .done
    }
}
