import Frost
import FrostGPU
import FrostCLI
import FrostMeasure

extension KitStep {
    /// Runs `frost doctor`, whose warnings do not fail the step.
    static let doctor = KitStep(
        "doctor", "tests the CPU and every driver by blurring with it", seconds: 40, scope: .machine
    ) { context in
        // Each driver gets a third of the time, so that one that hangs does not hide the others.
        let process = Subprocess.run(
            ["doctor", "--timeout", "\(max(1, context.seconds / 3))"], seconds: max(1, context.seconds - 1))
        let lines = process.output.split(separator: "\n").map(String.init)
        let summary = lines.last { $0.contains("summary: ") } ?? "frost doctor printed no summary"
        let finding = summary.drop { $0 != ":" }.dropFirst(2)
        switch process.end {
        case .exit(0):
            // Warnings and their details, which are indented.
            var isWarning = false
            let warnings = lines.filter { line in
                if !line.hasPrefix(" ") { isWarning = line.hasPrefix("warning") }
                return isWarning
            }
            return KitResult(outcome: .passed, finding: String(finding), evidence: warnings)
        case .exit, .signal, .timeout, .notStarted:
            return KitResult(outcome: .failed, finding: "\(finding) (\(process.end))", evidence: lines)
        }
    }

    /// Lists the devices, as `frost devices` does.
    static let devices = KitStep("devices", "lists the devices that EGL offers", seconds: 15, scope: .machine) { _ in
        var (usable, hardware) = (0, 0)
        let lines = try Devices.list(options: GPUOptions().context).map { report in
            switch report {
            case .usable(let device):
                usable += 1
                if !device.isSoftware { hardware += 1 }
                return "\(device)"
            case .unusable(let index, let what, let reason): return "\(index): \(what): unusable: \(reason)"
            case .duplicate(let index, let what, let other): return "\(index): \(what): the same as \(other)"
            }
        }
        return KitResult(
            outcome: usable > 0 ? .passed : .failed,
            finding: "\(usable) of \(lines.count) can be used, \(hardware) of them hardware",
            figures: [("usable", .int(usable)), ("hardware", .int(hardware))], evidence: lines)
    }
}
