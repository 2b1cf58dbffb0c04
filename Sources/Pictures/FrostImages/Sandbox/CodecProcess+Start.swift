import FrostCore
import Glibc

extension CodecProcess {
    /// The descriptor that holds the request in the process. The input is descriptor 0, and the output descriptor 1.
    static let requestDescriptor: Int32 = 3

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - program: the path of the command `frost`.
    ///   - word: the only word of its command line, which says what it does.
    ///   - input: the descriptor of the picture's file or pixels. The process gets a duplicate.
    ///   - request: the bytes of a ``DecoderRequest`` or an ``EncoderRequest``.
    static func start(
        _ program: FilePath, _ word: String, input: Int32, request: [UInt8]
    ) throws(Errno) -> CodecProcess {
        // All descriptors get numbers above those that the process uses, so that no duplicate overwrites another one.
        let lowest = requestDescriptor + 1
        func above(_ descriptor: Int32) throws(Errno) -> Int32 {
            try Errno.check { fcntl(descriptor, F_DUPFD_CLOEXEC, lowest) }
        }
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        let source = try above(input)
        opened.append(source)
        let memory = try Descriptor.inMemory(request)
        opened.append(memory)
        let message = try above(memory)
        opened.append(message)
        let ends = try Descriptor.pipe(size: 1 << 20)
        let output: Int32
        do throws(Errno) {
            opened.append(ends.write)
            output = try above(ends.write)
            opened.append(output)
            // The environment may hold secrets, so the process gets none of it but the path of libraries.
            let libraries = Environment.value("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\($0)"] } ?? []
            let process = try ChildProcess.start(
                program, ["frost", word], variables: ["SWIFT_BACKTRACE=enable=no"] + libraries,
                descriptors: [(source, 0), (output, 1), (message, requestDescriptor)])
            return CodecProcess(identifier: process, output: ends.read)
        } catch {
            close(ends.read)
            throw error
        }
    }
}
