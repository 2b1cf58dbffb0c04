import FrostCore
import Glibc

/// The other side of a ``DecoderSandbox``: the work of its process.
enum DecoderWorker {
    /// Reads the request, isolates the process, and sends the picture.
    ///
    /// Call it as the first work of a process, while it has a single thread.
    ///
    /// - Returns: the exit code of the process.
    static func run(_ isolate: Isolate) -> Int32 {
        guard let request = CodecWork.request(DecoderRequest.blank, DecoderRequest.code) else { return 2 }
        do throws(Errno) {
            try serve(request, isolate)
            return 0
        } catch {
            // The program that reads the output has ended.
            return 1
        }
    }

    private static func serve(_ request: DecoderRequest, _ isolate: Isolate) throws(Errno) {
        // An isolated process can neither read the state of the file nor open a library.
        let source: ByteSource
        do throws(ImageError) {
            source = try openSource(request)
            CodecMessages.discard()
            try request.format.codec(for: source.name).load(source.name)
        } catch {
            return try send(error)
        }
        let memory = UInt64(max(0, request.memory)) + reserve
        if let reason = isolate(memory, seconds(request.limits.maximumTime), request.isolation) {
            return try send(.refusal, Array(reason.utf8))
        }
        var reader: ImageReader
        let problems = ReadProblems()
        do throws(ImageError) {
            var options = ImageReadOptions(
                limits: request.limits, firstFrame: request.firstFrame, failOn: request.failOn)
            options.part = request.part
            reader = try ImageReader(source: source, options: options, problems: problems, nil)
        } catch {
            return try send(error)
        }
        let head = DecodedHead(
            width: reader.layout.width, height: reader.layout.height, format: reader.layout.format,
            metadata: reader.metadata, memory: reader.rowMemory)
        try send(.head, WireCoder.bytes(of: head, DecodedHead.code))
        let shared = try SharedRows(taking: CodecWork.rowsDescriptor, blockSize: SharedRows.usualSize)
        let perBlock = SharedRows.rows(reader.layout, in: shared.blockSize)
        let size = reader.layout.rowByteCount
        var (sentProblems, sentNames, blocks) = (0, 0, 0)
        while reader.rowsRead < head.height {
            // The block was used before. The program says when it has taken those rows.
            if blocks >= SharedRows.blocks, perBlock > 0 { try awaitBlock() }
            let count = max(1, min(head.height - reader.rowsRead, perBlock))
            var row: [UInt8] = []
            do throws(ImageError) {
                if perBlock > 0 {
                    for place in 0..<count {
                        try shared.with(blocks, place * size..<(place + 1) * size) { (row) throws(ImageError) in
                            try reader.readRow(into: &row)
                        }
                    }
                } else {
                    row = try reader.readRows(1)
                }
            } catch {
                return try send(error)
            }
            for text in problems.texts.dropFirst(sentProblems) { try send(.problem, Array(text.utf8)) }
            sentProblems = problems.texts.count
            for name in problems.leftOut.dropFirst(sentNames) { try send(.leftOut, Array(name.utf8)) }
            sentNames = problems.leftOut.count
            try perBlock > 0 ? send(.block, ProcessMessage.bytes(ofRows: count)) : send(.rows, row)
            blocks += 1
        }
    }

    /// Waits for the byte that the program sends for each block.
    private static func awaitBlock() throws(Errno) {
        var byte: [UInt8] = [0]
        guard try Descriptor.read(STDOUT_FILENO, into: &byte).get() == 1 else { throw Errno(code: EPIPE) }
    }

    private static func openSource(_ request: DecoderRequest) throws(ImageError) -> ByteSource {
        // The program that sent the request knows the real name.
        let name = "input"
        guard let head = request.head else { return try ByteSource(file: STDIN_FILENO, name: name) }
        return ByteSource(descriptor: STDIN_FILENO, name: name, head: head)
    }

    private static func send(_ error: ImageError) throws(Errno) {
        try send(.failure, WireCoder.bytes(of: WireError(error), WireError.code))
    }

    private static func send(_ kind: ProcessMessage, _ bytes: [UInt8]) throws(Errno) {
        try kind.write(bytes, to: STDOUT_FILENO)
    }

    private static var processors: UInt64 { UInt64(Processors.byDefault) }

    /// The memory of the program itself and of its threads, in addition to that of the decoder.
    private static var reserve: UInt64 { (64 + 16 * processors) << 20 }

    /// The processor time of work that takes a time on all processors. It ends the process even if the program that
    /// started it is gone.
    private static func seconds(_ time: Duration) -> UInt64 {
        time.secondsOfLimit * processors
    }
}
