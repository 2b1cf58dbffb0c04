import Frost
import FrostCLI
import FrostMeasure
import Glibc

extension KitStep {
    /// Measures blurs of Skia's GPU backend, if Python has skia-python.
    static let skia = KitStep("skia", "measures the same blurs with Skia's GPU backend", seconds: 25) { context in
        let python = "/usr/bin/env"
        let found = Subprocess.run(["python3", "-c", "import numpy, skia"], program: python, seconds: 10)
        guard found.end == .exit(0) else {
            return .skipped("python3 cannot import numpy and skia: \(lastLine(of: found))")
        }
        let folder = KitContext.folder
        let process = Subprocess.run(
            [
                "python3", "-B", "\(folder)/python/skia_gl.py", "\(folder)/pictures/photo.png", "1920x1080", "--runs",
                "5",
            ],
            program: python, seconds: max(1, context.seconds - 12))
        let record = process.output.split(separator: "\n").last.flatMap { FlatJSON.members($0, all: true) }
        guard process.end == .exit(0), let record else {
            return .failed("Skia could not be measured (\(process.end)): \(lastLine(of: process))")
        }
        let times = record.filter { $0.key.hasPrefix("sigma_") }.sorted {
            (Double($0.key.dropFirst(6)) ?? 0) < (Double($1.key.dropFirst(6)) ?? 0)
        }
        return KitResult(
            outcome: .passed,
            finding: "Skia \(record["version"] ?? "") on \(record["renderer"] ?? ""), 1920x1080 with readback: "
                + times.map { "sigma \($0.key.dropFirst(6)): \($0.value) ms" }.joined(separator: ", "),
            figures: times.compactMap { time in
                Double(time.value).map { ("\(time.key)_ms", .number($0, decimals: 3)) }
            })
    }

    /// Runs a host program in C, which compares all of its GL state before and after calls of Frost.
    static let host = KitStep(
        "host", "draws in the context of a program in C, and compares the program's GL state before and after",
        seconds: 20
    ) { context in try program("states", context) }

    /// Allocates, imports and draws into dma-bufs, in a program in C.
    static let dmabufs = KitStep("dma-buf", "allocates dma-bufs, draws into them and reads them back", seconds: 20) {
        context in
        guard let node = Environment.value("FROST_RENDER_NODE") else {
            return .skipped("the device has no render node")
        }
        return try program("dmabufs", context, ["FROST_DRM_NODE": node])
    }

    /// Runs one of the kit's programs in C. Its last line counts its checks.
    private static func program(
        _ name: String, _ context: KitContext, _ variables: [String: String] = [:]
    ) throws -> KitResult {
        let process = Subprocess.run(
            [], program: "\(KitContext.folder)/programs/\(name)", variables: variables,
            seconds: max(1, context.seconds - 1))
        let lines = process.output.split(separator: "\n").map(String.init)
        let failures = process.errors.split(whereSeparator: \.isNewline).map(String.init)
        switch process.end {
        case .exit(0): return KitResult(outcome: .passed, finding: lines.last ?? "", evidence: Array(lines.dropLast()))
        case .exit(127): return .skipped("the program does not start: \(lastLine(of: process))")
        case .exit(1):
            return KitResult(outcome: .failed, finding: lines.last ?? "the program failed", evidence: failures)
        case .exit, .signal, .timeout, .notStarted:
            return KitResult(outcome: .failed, finding: "the program ended by \(process.end)", evidence: failures)
        }
    }
}

/// The last line of a process's messages.
private func lastLine(of process: Subprocess) -> String {
    process.errors.split(whereSeparator: \.isNewline).last.map(String.init) ?? "\(process.end)"
}
