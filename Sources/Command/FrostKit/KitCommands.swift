import Frost
import FrostCLI
import FrostMeasure

extension Option {
    static let kitOutput = Option(
        "output", short: "o", value: "FILE.json", kind: .file, default: "gpu-kit.json",
        "where to write the result; the page is written beside it, with the suffix .md")
    static let kitPage = Option(
        "output", short: "o", value: "PAGE.md", kind: .file, default: "-", "where to write the page")
    static let kitSeconds = Option(
        "seconds", value: "N", kind: .integer(1...3600), default: .words("480 for a run"),
        "maximum time of the whole run, or of one step")
    static let kitOnly = Option(
        "only", value: "STEP,...", kind: .list(.word(KitStep.all.map(\.name))), default: .words("all"), "steps to run")
    static let kitDevice = Option(
        "device", value: "DEVICE",
        "the index or a part of the name of the only device to test; by default every hardware device, or the software "
            + "renderers of a machine without one")
    static let kitFault = Option(
        "fault", value: "NAME", kind: .word(KitFault.self),
        "put a faulty driver in front of the real one, to check that the kit notices it")
}

/// Runs the hardware kit. Besides its own commands it has those of `frost`, which some steps run.
///
/// - Parameter words: the command line without the name of the program.
/// - Returns: the exit code: 0 if no step failed, 1 if a step failed, and otherwise the code of the error.
package func runKit(_ words: [String]) -> Int32 {
    guard let name = words.first, let command = commands[name] else {
        guard words.isEmpty || words == ["--help"] else { return runFrost(words, commands: Command.all) }
        Console().result(help)
        return words.isEmpty ? ExitCode.usage.rawValue : ExitCode.done.rawValue
    }
    guard !words.contains("--help") else {
        Console().result(help)
        return ExitCode.done.rawValue
    }
    do throws(CommandError) {
        let arguments = try Arguments(words.dropFirst(), options: command.options + [.quiet])
        var console = Console()
        console.quiet = arguments.has(.quiet)
        return try command.run(arguments, console).rawValue
    } catch {
        Console().report(error)
        return ExitCode(error).rawValue
    }
}

private struct KitCommand: Sendable {
    let options: [Option]
    let run: @Sendable (Arguments, Console) throws(CommandError) -> ExitCode
}

private let commands: [String: KitCommand] = [
    "run": KitCommand(options: [.kitOutput, .kitSeconds, .kitOnly, .kitDevice, .kitFault]) {
        (arguments, console) throws(CommandError) in
        guard arguments.operands.isEmpty else { throw .usage("unexpected operand \(arguments.operands[0])") }
        return try KitRun(arguments, console).run()
    },
    "step": KitCommand(options: [.kitSeconds, .kitDevice, .kitFault]) { (arguments, console) throws(CommandError) in
        guard arguments.operands.count == 1, let step = KitStep.named(arguments.operands[0]) else {
            throw .usage("one step is required: \(KitStep.all.map(\.name).joined(separator: ", "))")
        }
        console.result(step.result(try KitContext(arguments)).json)
        return .done
    },
    "report": KitCommand(options: [.kitPage]) { (arguments, console) throws(CommandError) in
        guard !arguments.operands.isEmpty else { throw .usage("a result of 'gpu-kit run' is required") }
        let runs = try arguments.paths.map { (path) throws(CommandError) in try KitLog(path: path) }
        try ReportFile.write(KitPage.document(runs), to: try arguments.requiredPath(.kitPage))
        return .done
    },
]

private let help = """
    gpu-kit \(frostVersion): tests Frost on the GPUs of this machine

      gpu-kit run [--output FILE.json] [--seconds N] [--only STEP,...] [--device DEVICE] [--fault NAME]
          runs all steps on every hardware device, and writes the result as JSON and as a page (.md)
      gpu-kit step NAME [--device DEVICE] [--seconds N] [--fault NAME]
          runs one step in this process, and prints its result
      gpu-kit report RESULT.json... [--output PAGE.md]
          makes a page of the results of several machines

    steps:
    \(KitStep.all.map { "  \($0.name): \($0.summary), \($0.seconds) s at most" }.joined(separator: "\n"))

    faults: \(KitFault.allCases.map(\.rawValue).joined(separator: ", "))

    All commands of frost work too, for example 'gpu-kit doctor'.
    """
