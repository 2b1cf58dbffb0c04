import Frost
import FrostImages
import Glibc
import Synchronization

/// A file that records results. Each result is one line of JSON. The line contains the SHA-256 of the input, the
/// SHA-256 of the output, and the parameters. A line is appended when a result is complete. If several lines name the
/// same output, the last of these lines counts.
///
/// Thread-safety: may be used from any thread. Several runs may append to one manifest at the same time.
final class Manifest: Sendable {
    private struct Entry { let inputHash, parameters, outputHash: String }

    private let path: FilePath
    private let descriptor: Int32
    /// The text that ``Rendering/parameters(_:)`` returns.
    private let parameters: String
    private let entries: [FilePath: Entry]

    private static let schema = "frost.manifest/1"

    /// Opens a manifest for appending, and creates it if it does not exist.
    ///
    /// - Parameter reads: whether to read the existing lines.
    init(path: FilePath, parameters: String, reads: Bool, _ console: Console) throws(CommandError) {
        self.path = path
        self.parameters = parameters
        descriptor = try rethrow(
            path.open(O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, mode: 0o666),
            as: CommandError.cannotWrite(path))
        let status = try rethrow(
            path.status(), as: CommandError.cannotRead(path))
        guard status.kind == S_IFREG else { throw .usage("--manifest \(path.shownName) is not a regular file") }
        var entries: [FilePath: Entry] = [:]
        let start = "{\"schema\":\"\(Self.schema)\""
        let (text, head, first, last): (String, [UInt8], String, UInt8?)
        do throws(Errno) {
            // Only --resume needs all lines.
            text = reads ? String(decoding: try Descriptor.readAll(descriptor), as: UTF8.self) : ""
            let size = Int(status.st_size)
            head = try Descriptor.read(descriptor, ImageFormat.signatureByteCount, at: 0)
            first = String(decoding: head.prefix(start.utf8.count), as: UTF8.self)
            last = size == 0 ? nil : try Descriptor.read(descriptor, 1, at: size - 1).first
        } catch {
            throw .image(.cannotRead(path: path.text, errno: error.code))
        }
        var strange: [Substring] = []
        for line in reads ? text.split(separator: "\n") : [] {
            guard let found = FlatJSON.members(line), found["schema"] == Self.schema, let output = found["output"],
                let input = found["inputHash"], let text = found["parameters"], let hash = found["outputHash"]
            else {
                strange.append(line)
                continue
            }
            entries[FilePath(output)] = Entry(inputHash: input, parameters: text, outputHash: hash)
        }
        // A power failure may leave anything in place of what had not reached the disk, but no picture and no other text.
        let isStrange = entries.isEmpty && !strange.allSatisfy { $0.hasPrefix(start) || start.hasPrefix($0) }
        let isOther = isStrange && (Self.isText(text) || ImageFormat(firstBytes: head) != nil)
        guard reads ? !isOther : start.hasPrefix(first) else {
            throw .usage("--manifest \(path.shownName): the file exists, and is not a manifest")
        }
        for line in strange {
            console.warn("\(path.shownName): ignored a line that is not a manifest entry: \(line.prefix(60))")
        }
        self.entries = entries
        // A last line without a line feed is incomplete, for example because of a power failure. Appending the missing
        // line feed separates the next entry from this line.
        if let last, last != UInt8(ascii: "\n") { try append("\n") }
    }

    private static func isText(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { ($0.value >= 32 || "\t\n\r".unicodeScalars.contains($0)) && $0 != "\u{FFFD}" }
    }

    deinit { close(descriptor) }

    /// Returns whether the manifest proves that the output is current: the output is unchanged, and it was made from
    /// the current input with the same parameters.
    func proves(_ item: BatchItem) -> Bool {
        guard let entry = entries[item.output], entry.parameters == parameters,
            let output = try? FileHash.sha256(item.output), entry.outputHash == "sha256:" + output,
            let input = try? FileHash.sha256(item.input.path)
        else { return false }
        return entry.inputHash == "sha256:" + input
    }

    /// Appends a result.
    ///
    /// - Parameter inputHash: the SHA-256 of the input.
    func record(_ item: BatchItem, inputHash: String) throws(CommandError) {
        let entry: JSONValue = [
            "schema": .string(Self.schema), "input": .path(item.input.path),
            "inputHash": .string("sha256:" + inputHash), "parameters": .string(parameters),
            "output": .path(item.output), "outputHash": .string("sha256:" + (try FileHash.sha256(item.output))),
        ]
        try append(entry.line + "\n")
    }

    /// Makes the lines durable. They are not synced one by one: a result is durable before its line is appended, so a line
    /// that a power failure takes away costs only that `--resume` computes the result again.
    func sync() throws(CommandError) {
        do throws(Errno) {
            try Errno.check { fsync(descriptor) }
            try Folder.sync(path.folder)
        } catch {
            throw .image(.cannotWrite(path: path.text, errno: error.code))
        }
    }

    /// Appends text with a single write. The file is open with O_APPEND, so the lines of several processes do not mix.
    private func append(_ text: String) throws(CommandError) {
        let bytes = Array(text.utf8)
        if let error = unsafe Descriptor.write(descriptor, bytes.span.bytes) {
            throw .image(.cannotWrite(path: path.text, errno: error.code))
        }
    }
}
