import FrostCore
import FrostThreads
import Glibc

/// The memory of rows whose processes have ended, for the next processes. For new memory the kernel clears and maps every page, which
/// costs more than all else that a process costs.
///
/// Memory is used again only when its process has ended, and is cleared before. So no process sees the rows of another picture.
///
/// Thread-safety: may be used from any thread.
final class SharedRowsPool: Sendable {
    /// The pool of the process.
    static let shared = SharedRowsPool()

    private struct Entry {
        let rows: SharedRows
        /// The socket by which the starter says how the process ended.
        let control: Int32
        let generation = ForkGeneration.current
    }

    /// The number of memories that are kept: those of two processes for each of eight threads.
    static let capacity = 16
    private let entries = Lock<[Entry]>([])

    /// Returns memory for rows. It is cleared, or new.
    ///
    /// - Parameter blockSize: the size of a block in bytes. Memory with blocks of the usual size is used again.
    func take(blockSize: Int) throws(Errno) -> SharedRows {
        guard blockSize == SharedRows.usualSize, let rows = ended() else { return try SharedRows(blockSize: blockSize) }
        rows.clear()
        return rows
    }

    /// Takes the memory of a process that is about to end, and the process's control, which belongs to the pool from now on.
    func keep(_ rows: SharedRows, _ control: Int32) {
        guard rows.blockSize == SharedRows.usualSize else {
            close(control)
            return
        }
        // The starter kills the process if it still runs.
        shutdown(control, Int32(SHUT_WR))
        let old = entries.withLock { entries -> Entry? in
            entries.append(Entry(rows: rows, control: control))
            return entries.count > Self.capacity ? entries.removeFirst() : nil
        }
        if let old { close(old.control) }
    }

    /// Removes the memory of a process that has ended.
    private func ended() -> SharedRows? {
        entries.withLock { entries in
            for index in entries.indices.reversed() {
                let entry = entries[index]
                // After a fork, this memory and the message belong to the parent process.
                guard entry.generation.isCurrent else {
                    entries.remove(at: index)
                    close(entry.control)
                    continue
                }
                guard CodecProcess.canRead(entry.control, 0) else { continue }
                entries.remove(at: index)
                var bytes = [UInt8](repeating: 0, count: CodecEnd.byteCount)
                let got = Descriptor.read(entry.control, into: &bytes)
                close(entry.control)
                guard case .success(CodecEnd.byteCount) = got else { continue }
                switch CodecEnd(bytes) {
                case .ended, .notForked: return entry.rows
                case .unknown: continue
                }
            }
            return nil
        }
    }
}
