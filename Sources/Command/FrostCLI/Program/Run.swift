import Frost
import FrostGLES
import FrostImages
import Glibc

/// Ends the process. If the GPU's driver blocks, its exit handlers are skipped, because they could wait for ever. All
/// output is written at this point.
package func endFrost(_ code: Int32) -> Never {
    if EGLLibrary.isBlocked { _exit(code) }
    exit(code)
}

/// Runs a command line and returns the exit code of the program.
///
/// - Parameters:
///   - words: the command line without the name of the program.
///   - commands: the commands of the program, in the order of its help.
package func runFrost(_ words: [String], commands: [Command]) -> Int32 {
    reserveStandardDescriptors()
    AddressSpace.saveIfLimited()
    Interruption.install()
    MemoryReport.begin(json: words.contains("--json"))
    CodecMessages.discard()
    var console = Console()
    if words.first == "__complete" {
        Completion(of: words.dropFirst(), among: commands).lines.forEach { console.result($0) }
        return 0
    }
    do throws(CommandError) {
        // The JSON mode is set before anything can fail, so that errors are printed as JSON if --json is given.
        console.json = words.contains("--json")
        let expanded = try Preset.expand(words, among: commands)
        let leading = Command.leadingOptions(expanded, of: commands)
        let words = expanded.dropFirst(leading.count)
        // Behind the name of a command, the word may be the value of an option. The command's own options decide.
        console.json = leading.contains("--json")
        guard let name = words.first else {
            guard !console.json else { throw .usage("a command is required") }
            console.fail("a command is required")
            let introduction = Command.introduction(of: commands).trimmingNewline
            console.note(introduction.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
            return ExitCode.usage.rawValue
        }
        if name == "--version" || name == "-V" {
            console.result("frost \(frostVersion)")
            return 0
        }
        if name == "--help" || name == "-h" || name == "help" {
            guard let topic = words.dropFirst().first else {
                let help = name == "-h" ? Command.introduction(of: commands) : Command.overview(of: commands)
                console.result(help.trimmingNewline)
                return 0
            }
            let command = try Command.named(topic, among: commands)
            console.result(try (command.specialized?(words.dropFirst(2)) ?? command).help.trimmingNewline)
            return 0
        }
        let rest = leading + words.dropFirst()
        console.json = rest.contains("--json")
        var command = try Command.named(name, among: commands, operands: words.dropFirst())
        console.command = name
        if let specialized = command.specialized { command = try specialized(rest) }
        let options = command.parameters + command.options + Command.common + [.version]
        let arguments = try Arguments(rest, options: options, remark: command.remark)
        if arguments.has(.help) {
            console.json = false
            let help = arguments.asksForShortHelp ? command.shortHelp : command.help
            console.result(help.trimmingNewline)
            return 0
        }
        if arguments.has(.version) {
            console.result("frost \(frostVersion)")
            return 0
        }
        try EnvironmentVariable.check()
        console.quiet = arguments.has(.quiet)
        console.verbose = arguments.has(.verbose)
        return try command.run(arguments, console).rawValue
    } catch {
        console.report(error)
        return ExitCode(error).rawValue
    }
}

/// Opens the standard descriptors that are closed, such that reading and writing fail as if they were. Otherwise a file or a device
/// that is opened later would get the number, and what is printed.
private func reserveStandardDescriptors() {
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
        // The lowest free number is that of the descriptor.
        _ = unsafe open("/dev/null", mode)
    }
}

extension String {
    fileprivate var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
