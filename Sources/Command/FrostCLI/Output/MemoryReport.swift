import CCommand
import FrostThreads
import Glibc
import Synchronization

/// The end of the program if memory is missing where no error can be thrown: for an object or an array of Swift's, or a lock. The
/// program then removes unfinished files, says why, and ends with the exit code for limits.
package enum MemoryReport {
    private static let isJSON = Atomic<Bool>(false)
    private static let canAbandonFiles = Atomic<Bool>(false)
    /// The thread that ends the program; 0 for none.
    private static let ending = Atomic<UInt>(0)

    /// Call this as the first work of the program.
    package static func install() {
        MissingMemory.end { bytes in
            let code = ExitCode.overLimit.rawValue
            let thread = UInt(pthread_self())
            let earlier = MemoryReport.ending.compareExchange(
                expected: 0, desired: thread, ordering: .sequentiallyConsistent)
            // The lines below are not meant to allocate. If one does, the process ends without a message.
            if earlier.original == thread { _exit(code) }
            // Another thread is about to end the process.
            while !earlier.exchanged { pause() }
            if MemoryReport.canAbandonFiles.load(ordering: .sequentiallyConsistent) {
                Interruption.abandonFiles()
                StatusLine.erase()
            }
            frost_report_missing_memory(bytes, code, MemoryReport.isJSON.load(ordering: .relaxed))
            _exit(code)
        }
    }

    /// States that ``Interruption`` knows the unfinished files, and whether errors are also printed as JSON.
    static func begin(json: Bool) {
        isJSON.store(json, ordering: .relaxed)
        canAbandonFiles.store(true, ordering: .sequentiallyConsistent)
    }
}
