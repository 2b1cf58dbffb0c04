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
    /// The memory of the rows; nil if a row does not fit into a block, and the rows are in messages.
    private let shared: SharedRows?
    /// The rows of the last message.
    private var rows: [UInt8] = []
    /// The number of blocks or messages that have arrived, and of the rows of the last one that were not returned.
    private var blocks = 0
    private var rowsHere = 0
    /// The number of rows of the last block or message that were returned.
    private var used = 0
    private var rowsLeft: Int

    /// Starts the process and reads the head of the picture.
    init(
        _ source: ByteSource, _ format: ImageFormat, _ options: ImageReadOptions, _ problems: ReadProblems,
        _ time: TimeLimit, in sandbox: DecoderSandbox
    ) throws(ImageError) {
        let name = source.name
        let process: CodecProcess
        let shared: SharedRows
        do throws(Errno) { shared = try SharedRowsPool.shared.take(blockSize: SharedRows.usualSize) } catch {
            throw .cannotIsolate(path: name, reason: error.message)
        }
        do throws(CodecStarter.Unavailable) {
            process = try source.handOver { (descriptor, head) throws(CodecStarter.Unavailable) in
                var request = DecoderRequest(
                    format: format, head: head, limits: options.limits,
                    memory: options.limits.maximumMemory ?? ImageLimits.availableMemory(),
                    firstFrame: options.firstFrame, failOn: options.failOn, part: options.part)
                request.isolation = sandbox.isolation
                return try CodecStarter.start(
                    sandbox.program, .decode, format, input: descriptor,
                    request: WireCoder.bytes(of: request, DecoderRequest.code), rows: shared)
            } failing: {
                CodecStarter.Unavailable(reason: $0.message)
            }
        } catch {
            throw .cannotIsolate(path: name, reason: error.reason)
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
        let isShared = SharedRows.rows(layout, in: shared.blockSize) > 0
        let buffers = isShared ? SharedRows.blocks * shared.blockSize : 2 * layout.rowByteCount
        memory = DecodingMemory(decoder: min(head.memory, 1 << 62) + min(buffers, 2 * layout.byteCount))
        self.name = name
        self.layout = layout
        self.messages = messages
        self.shared = isShared ? shared : nil
        rowsLeft = layout.height
    }

    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        let size = layout.rowByteCount
        if rowsHere == 0 { try nextRows() }
        let start = used * size
        used += 1
        rowsHere -= 1
        rowsLeft -= 1
        guard let shared else {
            // SAFETY: an array of bytes contains no padding, so every byte is initialised.
            row.copyRow(unsafe rows.span.bytes.extracting(start..<start + size))
            return
        }
        shared.with(blocks - 1, start..<start + size) { row.copyRow($0.bytes) }
        // The process may fill the block again.
        if rowsHere == 0 { messages.process.confirmBlock() }
    }

    /// Waits for the next rows.
    private mutating func nextRows() throws(ImageError) {
        let size = layout.rowByteCount
        if let shared {
            let count = ProcessMessage.rows(in: try messages.next(.block, rows: 0))
            let most = min(rowsLeft, SharedRows.rows(layout, in: shared.blockSize))
            guard let count, (1...most).contains(count) else { throw messages.damage }
            rowsHere = count
        } else {
            rows = try messages.next(.rows, rows: size)
            guard rows.count == size else { throw messages.damage }
            rowsHere = 1
        }
        blocks += 1
        used = 0
    }
}
