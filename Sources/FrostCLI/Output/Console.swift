import Frost
import Glibc

/// Standard output for results, standard error for everything else.
package struct Console {
    package var json = false
    package var quiet = false
    package var verbose = false
    /// The command whose help is named in usage errors.
    package var command: String?
    /// The picture goes to standard output, so reports go to standard error.
    package var outputIsPicture = false

    /// A line of the result.
    package func result(_ line: String) { Self.write(line + "\n", to: outputIsPicture ? 2 : 1) }

    package func result(_ json: JSON) { result(json.text) }

    /// A remark about what was done, left out with `--json`.
    package func note(_ line: String) {
        note([line])
    }

    /// Lines that stay together when several threads print.
    package func note(_ lines: [String]) {
        if !quiet, !json { Self.write(lines.map { $0.shownLine + "\n" }.joined(), to: 2) }
    }

    /// A warning about work that succeeded.
    package func warn(_ line: String) {
        if !quiet { Self.write("\(Ink.yellow.paint("frost: warning:", on: 2)) \(line.shownLine)\n", to: 2) }
    }

    /// A failure that the command's result describes.
    package func fail(_ line: String) {
        Self.write("\(Ink.red.paint("frost:", on: 2)) \(line.shownLine)\n", to: 2)
    }

    /// Reports an error. With `--json` it is also an object on standard output.
    package func report(_ error: CommandError, input: String? = nil) {
        let code = ExitCode(error)
        let help = (command.map { "frost \($0)" } ?? "frost") + " --help"
        let hint = if case .usage = error { " ('\(help)' says more)" } else { "" }
        fail("\(error)\(hint)")
        guard json else { return }
        result(
            .object([
                ("schema", .string("frost.error/1")), ("input", .optional(input ?? error.input)),
                ("code", .int(Int(code.rawValue))),
                ("error", .string("\(error)")),
            ]))
    }

    /// Writes all of the text. If the reader is gone, SIGPIPE ends the program as usual.
    private static func write(_ text: String, to descriptor: Int32) {
        StatusLine.making(room: { writeAll(text, to: descriptor) })
    }

    private static func writeAll(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        guard let error = unsafe Descriptor.write(descriptor, bytes.span.bytes) else { return }
        if error.code == EPIPE { Interruption.end(by: SIGPIPE) }
        // A result that cannot be written is an error. A failure of standard error cannot be reported anywhere.
        guard descriptor == 1 else { return }
        writeAll("frost: standard output cannot be written: \(error.message)\n", to: 2)
        Interruption.abandonFiles()
        exit(ExitCode.unwritable.rawValue)
    }
}
