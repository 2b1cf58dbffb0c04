import Frost
import FrostImages
import Glibc
import Synchronization

/// A record of results: a line of JSON for each, with the SHA-256 of input and output and the parameters. A line is
/// added when a result is complete. The last line for a result counts.
///
/// Thread-safety: may be used from any thread. Runs that write to one manifest at once do not disturb each other.
final class Manifest: Sendable {
    private struct Entry { let inputHash, parameters, outputHash: String }

    private let path: String
    private let descriptor: Int32
    /// See ``Rendering/parameters(_:)``.
    private let parameters: String
    private let entries: [String: Entry]

    private static let schema = "frost.manifest/1"

    /// Opens a manifest for appending.
    ///
    /// - Parameter reads: whether existing lines are read.
    init(path: String, parameters: String, reads: Bool, _ console: Console) throws(CommandError) {
        self.path = path
        self.parameters = parameters
        // SAFETY: the string is passed as a C string for the duration of the call.
        let descriptor = unsafe open(path.fileName, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .image(.cannotWrite(path: path, errno: errno)) }
        self.descriptor = descriptor
        var entries: [String: Entry] = [:]
        let text: String
        do throws(Errno) { text = String(decoding: try Descriptor.readAll(descriptor), as: UTF8.self) } catch {
            throw .image(.cannotRead(path: path, errno: error.code))
        }
        for line in reads ? text.split(separator: "\n") : [] {
            guard let found = FlatJSON.members(line), found["schema"] == Self.schema, let output = found["output"],
                let input = found["inputHash"], let made = found["parameters"], let hash = found["outputHash"]
            else {
                console.warn("\(path.shownName): ignored a line that is no manifest entry: \(line.prefix(60))")
                continue
            }
            entries[output] = Entry(inputHash: input, parameters: made, outputHash: hash)
        }
        self.entries = entries
        // The last line is incomplete, for example after a power failure.
        if !text.isEmpty, !text.hasSuffix("\n") { try append("\n") }
    }

    deinit { close(descriptor) }

    /// Whether the result exists and was made from the current input with the same parameters.
    func proves(_ work: Work) -> Bool {
        guard let entry = entries[work.output], entry.parameters == parameters,
            let output = try? FileHash.sha256(work.output), entry.outputHash == "sha256:" + output,
            let input = try? FileHash.sha256(work.input.path)
        else { return false }
        return entry.inputHash == "sha256:" + input
    }

    /// Adds a result.
    ///
    /// - Parameter inputHash: SHA-256 of the input.
    func record(_ work: Work, inputHash: String) throws(CommandError) {
        let line = JSON.object([
            ("schema", .string(Self.schema)), ("input", .string(work.input.path)),
            ("inputHash", .string("sha256:" + inputHash)),
            ("parameters", .string(parameters)), ("output", .string(work.output)),
            ("outputHash", .string("sha256:" + (try FileHash.sha256(work.output)))),
        ])
        try append(line.text + "\n")
    }

    /// One write: with O_APPEND the lines of several processes do not mix.
    private func append(_ text: String) throws(CommandError) {
        let bytes = Array(text.utf8)
        if let error = unsafe Descriptor.write(descriptor, bytes.span.bytes) {
            throw .image(.cannotWrite(path: path, errno: error.code))
        }
    }
}
