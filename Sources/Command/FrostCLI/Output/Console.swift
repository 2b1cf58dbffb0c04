package import Frost
import Glibc

/// Prints results to standard output and everything else to standard error.
package struct Console {
    package var json = false
    package var quiet = false
    package var verbose = false
    /// The name of the current command. Usage errors refer to the help of this command. If the name is nil, they refer
    /// to the help of the whole program.
    package var command: String?
    /// Whether a picture is written to standard output. If so, results are printed to standard error.
    package var outputIsPicture = false
    /// Receives the warnings in place of standard error; nil for standard error.
    package var onWarning: (@Sendable (String) -> Void)?

    package init() {}

    /// Prints one line of the command's result.
    package func result(_ line: String) { Self.write(line + "\n", to: outputIsPicture ? 2 : 1) }

    package func result(_ json: JSONValue) { result(json.line) }

    /// Prints a remark about the work, unless `json` or `quiet` is set.
    package func note(_ line: String) {
        note([line])
    }

    /// Prints several lines together, so that the output of other threads cannot come between them.
    package func note(_ lines: [String]) {
        if !quiet, !json { Self.write(lines.map { $0.shownLine + "\n" }.joined(), to: 2) }
    }

    /// Prints a warning about work that succeeded, unless `quiet` is set.
    package func warn(_ line: String) {
        if let onWarning { return onWarning(line) }
        if !quiet { Self.write("\(Ink.yellow.paint("frost: warning:", on: 2)) \(line.shownLine)\n", to: 2) }
    }

    /// Prints a failure to standard error. Commands that print JSON also describe the failure in their result.
    package func fail(_ line: String) {
        Self.write("\(Ink.red.paint("frost:", on: 2)) \(line.shownLine)\n", to: 2)
    }

    /// Prints an error. If `json` is set, also prints the error as a JSON object, where results are printed.
    package func report(_ error: CommandError, input: String? = nil) {
        let code = ExitCode(error)
        let help = (command.map { "frost \($0)" } ?? "frost") + " --help"
        let hint = if case .usage = error { "; see '\(help)'" } else { "" }
        fail("\(error)\(hint)")
        guard json else { return }
        result(
            [
                "schema": "frost.error/1", "input": .optional(input ?? error.input), "code": .int(Int(code.rawValue)),
                "error": .string("\(error)"),
            ])
    }

    /// Writes all of the text. If the process that reads the output has ended, SIGPIPE ends this program, as is usual
    /// for Unix commands.
    private static func write(_ text: String, to descriptor: Int32) {
        StatusLine.making(room: { writeAll(text, to: descriptor) })
    }

    private static func writeAll(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        guard let error = unsafe Descriptor.write(descriptor, bytes.span.bytes) else { return }
        if error.code == EPIPE { Interruption.end(by: SIGPIPE) }
        // If a result cannot be written, the program ends with an error. A failure to write to standard error cannot be
        // reported anywhere.
        guard descriptor == 1 else { return }
        writeAll("frost: standard output cannot be written: \(error.message)\n", to: 2)
        Interruption.abandonFiles()
        exit(ExitCode.unwritable.rawValue)
    }
}
