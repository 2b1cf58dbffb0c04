import CCommand
import FrostCore
import FrostImages

/// The process in which `--sandbox` decodes a picture. It runs this program.
package enum SandboxedDecoder {
    /// Decodes a picture and returns the exit code of the program, if these words ask for that; otherwise nil. Call it
    /// before all other work.
    package static func run(_ words: [String]) -> Int32? {
        guard words == [DecoderSandbox.word] else { return nil }
        return DecoderWorker.run { memory, seconds in
            // SAFETY: the function returns null or a constant string.
            guard let call = unsafe frost_sandbox_enter(memory, seconds) else { return nil }
            let error = Errno.last
            return unsafe "\(String(cString: call)): \(error.message)"
        }
    }
}
