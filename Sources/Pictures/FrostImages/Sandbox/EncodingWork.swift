import FrostCore
import FrostThreads
import Glibc

/// What all processes that encode do.
enum EncodingWork {
    /// The size of the stacks of threads, in bytes. The system counts whole stacks as memory of the process, and the usual ones have
    /// 8 MiB. libaom needs 1 MiB.
    private static let stackSize = 2 << 20

    /// Isolates the process and encodes. If either fails, sends the reason.
    ///
    /// - Parameters:
    ///   - memory: the memory that the encoder may take, in bytes.
    ///   - threads: the threads that the options ask for. Libraries make one for each processor.
    ///   - seconds: the time that the encoder may take on all processors.
    /// - Returns: the exit code of the process.
    static func run(
        memory: Int, threads: Int, seconds: UInt64, _ isolation: Isolation, _ isolate: Isolate,
        encode: () throws(ImageError) -> Void
    ) -> Int32 {
        // If nobody reads the file that the process writes, that is an error like others.
        signal(SIGPIPE, SIG_IGN)
        guard Thread.setStackSize(stackSize) else { return send(.refusal, Array("pthread_setattr_default_np".utf8)) }
        let stacks = max(threads, Processors.byDefault) * stackSize
        let memory = UInt64(memory + stacks + SharedInput.programMemory)
        if let reason = isolate(memory, seconds * UInt64(Processors.byDefault), isolation) {
            return send(.refusal, Array(reason.utf8))
        }
        do throws(ImageError) { try encode() } catch {
            return send(.failure, WireCoder.bytes(of: WireError(error), WireError.code))
        }
        return 0
    }

    /// Sends a message. Returns the exit code of the process, which is 1 if the program that reads messages has ended.
    private static func send(_ kind: ProcessMessage, _ bytes: [UInt8]) -> Int32 {
        (try? kind.write(bytes, to: STDOUT_FILENO)) == nil ? 1 : 0
    }
}
