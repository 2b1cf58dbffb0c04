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
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        // The number is above those that the process uses, so that no duplicate overwrites another one.
        let source = try Errno.check { fcntl(input, F_DUPFD_CLOEXEC, requestDescriptor + 1) }
        opened.append(source)
        let message = try Descriptor.inMemory(request)
        opened.append(message)
        let ends = try Descriptor.pipe(size: 1 << 20)
        opened.append(ends.write)
        do throws(Errno) {
            // The environment may hold secrets, so the process gets none of it but the path of libraries.
            let libraries = Environment.value("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\($0)"] } ?? []
            let process = try ChildProcess.start(
                program, ["frost", word], variables: ["SWIFT_BACKTRACE=enable=no"] + libraries,
                descriptors: [(source, 0), (ends.write, 1), (message, requestDescriptor)])
            return CodecProcess(identifier: process, output: ends.read)
        } catch {
            close(ends.read)
            throw error
        }
    }
}
