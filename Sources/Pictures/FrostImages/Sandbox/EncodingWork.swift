import FrostCore
import Glibc

/// What all processes that encode do.
enum EncodingWork {
    /// Isolates the process and encodes. If either fails, sends the reason.
    ///
    /// - Parameters:
    ///   - memory: the memory that the encoder may take, in bytes.
    ///   - seconds: the time that the encoder may take on all processors.
    /// - Returns: the exit code of the process.
    static func run(
        memory: Int, seconds: UInt64, _ isolation: Isolation, _ isolate: Isolate, encode: () throws(ImageError) -> Void
    ) -> Int32 {
        let memory = UInt64(memory + SharedInput.programMemory)
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
