import CArguments
import CSandbox
import FrostCore
import FrostImages
import Glibc

/// The process in which `--sandbox` decodes a picture. It runs this program.
package enum SandboxedDecoder {
    /// The path of this program.
    static var program: FilePath {
        let link: FilePath = "/proc/self/exe"
        if (try? link.checkAccess(X_OK)) != nil { return link }
        // Without /proc, the path with which the program was started leads to it.
        // SAFETY: the function returns null or a C string that exists until the process ends.
        return unsafe frost_program_path().map { unsafe FilePath(cString: $0) } ?? link
    }

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
