import FrostCore
import Glibc

/// Reads a picture that a process of a ``DecoderSandbox`` decodes. Everything that the process sends is checked, because
/// the picture may have taken it over.
struct SandboxedReader: RowReader, ~Copyable {
    let name: String
    let layout: PixelLayout
    let metadata: ImageMetadata
    let memory: DecodingMemory

    private let messages: DecoderMessages
    /// The rows of the last message, and the number of their bytes that were returned.
    private var rows: [UInt8] = []
    private var used = 0
    private var rowsLeft: Int

    /// Starts the process and reads the head of the picture.
    init(
        _ source: ByteSource, _ format: ImageFormat, _ options: ImageReadOptions, _ problems: ReadProblems,
        _ time: TimeLimit, in sandbox: DecoderSandbox
    ) throws(ImageError) {
        let name = source.name
        let process: DecoderProcess
        do throws(Errno) {
            process = try source.handOver { (descriptor, head) throws(Errno) in
                let request = DecoderRequest(
                    format: format, head: head, limits: options.limits,
                    memory: options.limits.maximumMemory ?? ImageLimits.availableMemory(),
                    firstFrame: options.firstFrame, failOn: options.failOn)
                return try sandbox.start(
                    input: descriptor, request: WireCoder.bytes(of: request, DecoderRequest.code))
            }
        } catch {
            throw .cannotIsolate(path: name, reason: "\(sandbox.program.shownName): \(error.message)")
        }
        let messages = DecoderMessages(
            process: process, name: name, format: format, isStream: source.size == nil,
            maximumTime: options.limits.maximumTime, time: time, problems: problems)
        let bytes = try messages.next(.head, rows: 0)
        var coder = WireCoder(reading: bytes)
        var head = DecodedHead.blank
        DecodedHead.code(&coder, &head)
        guard coder.isComplete else { throw messages.damage }
        try options.limits.check(width: head.width, height: head.height, name: name)
        let layout = try PixelLayout(reading: head.width, head.height, head.format, name: name)
        metadata = head.metadata
        let message = DecoderMessage.rows(layout) * layout.rowByteCount
        memory = DecodingMemory(decoder: min(head.memory, 1 << 62) + 2 * message)
        self.name = name
        self.layout = layout
        self.messages = messages
        rowsLeft = layout.height
    }

    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        let size = layout.rowByteCount
        if used == rows.count {
            let count = min(rowsLeft, DecoderMessage.rows(layout))
            rows = try messages.next(.rows, rows: count * size)
            used = 0
            guard !rows.isEmpty, rows.count % size == 0 else { throw messages.damage }
        }
        // SAFETY: both ranges lie within their memory: the caller's row is long enough, and `rows` holds whole rows.
        unsafe row.withUnsafeMutableBytes { target in
            unsafe rows.withUnsafeBytes { source in
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[used..<used + size]))
            }
        }
        used += size
        rowsLeft -= 1
    }
}

/// The messages from the process of a sandbox.
struct DecoderMessages {
    let process: DecoderProcess
    let name: String
    let format: ImageFormat
    /// Whether the process may have to wait for its input. It then measures the time itself, without its waiting.
    let isStream: Bool
    let maximumTime: Duration
    let time: TimeLimit
    let problems: ReadProblems

    /// The error for messages that no decoder sends.
    var damage: ImageError { .decoderEnded(path: name, reason: "sent something else than a picture") }

    /// Returns the bytes of the next message of a kind. Throws the error that the process sends, and keeps the problems.
    ///
    /// - Parameter rows: the largest number of bytes of rows that may come.
    func next(_ wanted: DecoderMessage, rows: Int) throws(ImageError) -> [UInt8] {
        while true {
            guard let start = try read(DecoderMessage.headerByteCount) else { throw ended }
            guard let (kind, count) = DecoderMessage.header(start, rows: rows) else { throw damage }
            guard let bytes = try read(count) else { throw ended }
            switch kind {
            case .problem: problems.add(text(bytes))
            case .leftOut: problems.leaveOut(text(bytes))
            case .failure: throw failure(bytes)
            case .refusal: throw .cannotIsolate(path: name, reason: text(bytes))
            case .head, .rows:
                guard kind == wanted else { throw damage }
                return bytes
            }
        }
    }

    private func read(_ count: Int) throws(ImageError) -> [UInt8]? {
        try process.read(count, time, counts: !isStream, name: name)
    }

    /// The error for an output that ended too early. The process is then about to end; one that has only closed its output
    /// is killed.
    private var ended: ImageError { .decoderEnded(path: name, reason: process.end(after: .seconds(10))) }

    private func failure(_ bytes: [UInt8]) -> ImageError {
        var coder = WireCoder(reading: bytes)
        var error = WireError.blank
        WireError.code(&coder, &error)
        return coder.isComplete ? error.error(name, format, limit: maximumTime) : damage
    }

    /// A text of the process. It may hold any characters, as the texts of readers may that quote a file. Whoever prints it
    /// escapes those that control a terminal.
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix(1000), as: UTF8.self) }
}
