import FrostCore
import Glibc

/// Encodes a picture, or the rows of all frames of an animation, in a process of its own, whose memory the kernel limits.
struct ProcessEncoder: RowEncoder, ~Copyable {
    private let process: EncoderProcess
    private let messages: ProcessMessages
    private let output: EncodedBytes
    private let rowByteCount: Int
    /// Whether the process writes the file itself, to a pipe.
    private let writesToPipe: Bool
    /// The number of all rows.
    private let count: Int
    private let shared: SharedRows
    private let rowsPerBlock: Int
    /// The number of blocks that are filled, and of those that the process has taken.
    private var filled = 0
    private var taken = 0
    /// The number of rows in the block that is being filled, and of those that were written.
    private var rowsHere = 0
    private var rows = 0

    /// Starts the process.
    init(
        _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
        to output: EncodedBytes, in process: EncoderProcess
    ) throws(ImageError) {
        var request = EncoderRequest(
            format: format, head: .encoding(layout, metadata, in: process), options: options,
            seconds: process.time.secondsOfLimit)
        request.isolation = process.isolation
        try self.init(
            layout, count: layout.height, .encode, format,
            request: WireCoder.bytes(of: request, EncoderRequest.code), writingTo: nil, to: output, in: process)
    }

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - layout: the layout of the rows.
    ///   - count: the number of rows.
    ///   - descriptor: the file to which the process writes; nil if it sends the bytes.
    init(
        _ layout: PixelLayout, count: Int, _ work: CodecWork, _ format: ImageFormat, request: [UInt8],
        writingTo descriptor: Int32?, to output: EncodedBytes, in process: EncoderProcess
    ) throws(ImageError) {
        let started: CodecProcess
        let memory: SharedRows
        let size = SharedRows.blockSize(layout)
        do throws(CodecStarter.Unavailable) {
            do throws(Errno) { memory = try SharedRowsPool.shared.take(blockSize: size) } catch {
                throw CodecStarter.Unavailable(reason: error.message)
            }
            started = try CodecStarter.start(
                process.program, work, format, input: descriptor ?? memory.descriptor, request: request, rows: memory)
        } catch {
            throw .encoderEnded(path: output.name, reason: "cannot be started: \(error.reason)", memory: nil)
        }
        messages = ProcessMessages(
            process: started, name: output.name, format: format, isStream: false, maximumTime: process.time,
            time: TimeLimit(process.time), problems: ReadProblems())
        self.process = process
        self.output = output
        // A file has an end to seek to.
        writesToPipe = descriptor.map { lseek($0, 0, SEEK_CUR) < 0 } ?? false
        self.count = count
        shared = memory
        rowByteCount = layout.rowByteCount
        rowsPerBlock = SharedRows.rows(layout, in: memory.blockSize)
    }

    mutating func writeRow(_ row: RawSpan) throws(ImageError) {
        // The block was used before.
        while filled - taken == SharedRows.blocks { _ = try receive() }
        let size = rowByteCount
        shared.with(filled, rowsHere * size..<(rowsHere + 1) * size) { place in
            // SAFETY: the writer checked that the row has as many bytes.
            unsafe row.withUnsafeBytes { row in
                unsafe place.withUnsafeMutableBytes {
                    unsafe $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: row[..<size]))
                }
            }
        }
        rowsHere += 1
        rows += 1
        guard rowsHere == rowsPerBlock || rows == count else { return }
        messages.process.confirmBlock()
        filled += 1
        rowsHere = 0
    }

    mutating func end() throws(ImageError) {
        while taken < filled { _ = try receive() }
    }

    mutating func more() throws(ImageError) -> Bool { try receive() }

    /// Receives a message: a part of the file, or that a block was taken. Returns whether the file has more parts.
    private mutating func receive() throws(ImageError) -> Bool {
        do throws(ImageError) {
            let (kind, bytes) = try messages.next(rows: 0)
            switch kind {
            case .taken where taken < filled:
                taken += 1
                return true
            // The last part is empty, and comes after all rows.
            case .file where !bytes.isEmpty || (taken == filled && rows == count):
                output.append(bytes)
                return !bytes.isEmpty
            case .head, .rows, .block, .taken, .problem, .failure, .refusal, .leftOut, .file: throw messages.damage
            }
        } catch {
            throw named(error)
        }
    }

    /// The error of an encoder for an error of its process.
    private func named(_ error: ImageError) -> ImageError {
        let reason =
            switch error {
            case .decoderEnded(_, let reason), .cannotIsolate(_, let reason): reason
            case .outOfMemory: "ran out of memory"
            // Only a process that writes a file itself, to a pipe, finds that nobody reads it. The program ends for it.
            case .cannotWrite(_, EPIPE) where !writesToPipe: "sent something else than a picture"
            default: ""
            }
        return reason.isEmpty ? error : .encoderEnded(path: output.name, reason: reason, memory: process.memory)
    }
}
