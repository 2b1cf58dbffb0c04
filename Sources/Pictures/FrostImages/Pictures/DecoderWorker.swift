import FrostCore
import Glibc

/// The other side of a ``DecoderSandbox``: the work of its process.
package enum DecoderWorker {
    /// Reads the request, isolates the process, and sends the picture.
    ///
    /// Call it as the first work of a program, while the process has a single thread.
    ///
    /// - Parameter isolate: takes away the rights of the process. It gets the memory in bytes and the processor time in
    ///   seconds that the process may use, and returns the reason if it fails.
    /// - Returns: the exit code of the program; nil if the program got no request, for example because a user typed its
    ///   command line.
    package static func run(isolate: (_ memory: UInt64, _ seconds: UInt64) -> String?) -> Int32? {
        var coder = WireCoder(reading: (try? Descriptor.readAll(CodecProcess.requestDescriptor)) ?? [])
        close(CodecProcess.requestDescriptor)
        var request = DecoderRequest.blank
        DecoderRequest.code(&coder, &request)
        guard coder.isComplete else { return nil }
        do throws(Errno) {
            try serve(request, isolate)
            return 0
        } catch {
            // The program that reads the output has ended.
            return 1
        }
    }

    private static func serve(_ request: DecoderRequest, _ isolate: (UInt64, UInt64) -> String?) throws(Errno) {
        // An isolated process can neither read the state of the file nor open a library.
        let source: ByteSource
        do throws(ImageError) {
            source = try openSource(request)
            CodecMessages.discard()
            try request.format.codec(for: source.name).load(source.name)
        } catch {
            return try send(error)
        }
        if let reason = isolate(UInt64(max(0, request.memory)) + reserve, seconds(request.limits.maximumTime)) {
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
        var (sentProblems, sentNames) = (0, 0)
        while reader.rowsRead < head.height {
            let rows: [UInt8]
            do throws(ImageError) {
                rows = try reader.readRows(min(head.height - reader.rowsRead, ProcessMessage.rows(reader.layout)))
            } catch {
                return try send(error)
            }
            for text in problems.texts.dropFirst(sentProblems) { try send(.problem, Array(text.utf8)) }
            sentProblems = problems.texts.count
            for name in problems.leftOut.dropFirst(sentNames) { try send(.leftOut, Array(name.utf8)) }
            sentNames = problems.leftOut.count
            try send(.rows, rows)
        }
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
        (UInt64(max(0, min(time.components.seconds, 1 << 32))) + 1) * processors
    }
}
