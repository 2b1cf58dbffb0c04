import FrostCore
import Glibc

/// Reads a picture that a process of a ``DecoderSandbox`` decodes. Everything that the process sends is checked, because
/// the picture may have taken it over.
struct SandboxedReader: RowReader, ~Copyable {
    let name: String
    let layout: PixelLayout
    let metadata: ImageMetadata
    let memory: DecodingMemory

    private let messages: ProcessMessages
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
        let process: CodecProcess
        do throws(Errno) {
            process = try source.handOver { (descriptor, head) throws(Errno) in
                let request = DecoderRequest(
                    format: format, head: head, limits: options.limits,
                    memory: options.limits.maximumMemory ?? ImageLimits.availableMemory(),
                    firstFrame: options.firstFrame, failOn: options.failOn, part: options.part)
                return try CodecProcess.start(
                    sandbox.program, DecoderSandbox.word, input: descriptor,
                    request: WireCoder.bytes(of: request, DecoderRequest.code))
            }
        } catch {
            throw .cannotIsolate(path: name, reason: "\(sandbox.program.shownName): \(error.message)")
        }
        let messages = ProcessMessages(
            process: process, name: name, format: format, isStream: source.size == nil,
            maximumTime: options.limits.maximumTime, time: time, problems: problems)
        let bytes = try messages.next(.head, rows: 0)
        var coder = WireCoder(reading: bytes)
        var head = DecodedHead.blank
        DecodedHead.code(&coder, &head)
        guard coder.isComplete else { throw messages.damage }
        // The frames of an animation lie one below the other.
        let frames = options.part == .frames ? head.metadata.timing?.durations.count ?? 0 : 1
        guard frames > 0, head.height % frames == 0 else { throw messages.damage }
        try options.limits.check(width: head.width, height: head.height / frames, name: name)
        let layout = try PixelLayout(reading: head.width, head.height, head.format, name: name)
        metadata = head.metadata
        let message = ProcessMessage.rows(layout) * layout.rowByteCount
        memory = DecodingMemory(decoder: min(head.memory, 1 << 62) + 2 * message)
        self.name = name
        self.layout = layout
        self.messages = messages
        rowsLeft = layout.height
    }

    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        let size = layout.rowByteCount
        if used == rows.count {
            let count = min(rowsLeft, ProcessMessage.rows(layout))
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
