import CCommand
import FrostCore
import FrostImages

/// The processes in which `--sandbox` decodes a picture, and in which a picture is encoded with limited memory. They run this
/// program.
package enum CodecPrograms {
    /// Starts these processes, or does the work of one, and returns the exit code of the program, if these words ask for that;
    /// otherwise nil. Call it before all other work.
    package static func run(_ words: [String]) -> Int32? {
        guard words == [CodecStarter.word] else { return nil }
        return StarterWorker.run {
            // If it fails, it fails again in each process, which then says why.
            _ = frost_sandbox_prepare()
        } isolate: { memory, seconds, isolation in
            switch isolation {
            case .none:
                // The kernel counts the whole stack of each thread.
                frost_set_stack_size(AddressSpace.stackSize)
                return unsafe reason(frost_limit(memory, seconds))
            case .possible, .full:
                return unsafe reason(frost_sandbox_enter(memory, seconds, isolation == .full))
            }
        }
    }

    /// Returns why a call failed; nil if it succeeded.
    ///
    /// - Parameter call: the name of the call that failed, or null.
    @unsafe private static func reason(_ call: UnsafePointer<CChar>?) -> String? {
        // SAFETY: the C functions return null or a constant string.
        guard let call = unsafe call else { return nil }
        let error = Errno.last
        return unsafe "\(String(cString: call)): \(error.message)"
    }
}
