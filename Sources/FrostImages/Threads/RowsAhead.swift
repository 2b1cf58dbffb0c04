import Dispatch
import FrostCore
import Synchronization

/// Reads a picture's rows on a thread of its own, a little ahead of the consumer, so that decoding and consuming
/// overlap.
///
/// Rows are returned in blocks of about a quarter of a megabyte. A few blocks are in memory.
///
/// SAFETY: only one thread at a time uses the reader: the reading thread, or the consumer if there is none.
@safe public final class RowsAhead: @unchecked Sendable {
    /// Rows one after the other, without padding.
    public struct Block: Sendable {
        /// How many rows there are.
        public let rows: Int
        /// Their bytes.
        public let bytes: [UInt8]
    }

    /// The maximum number of blocks in memory, including the one that is being consumed.
    private static let blocks = 4

    private var reader: ImageReader
    private let height: Int
    private let rowByteCount: Int
    private let rowsPerBlock: Int
    private let isThreaded: Bool

    private struct State {
        var ready: [Result<Block, ImageError>] = []
        var isStopped = false
        var busy = Duration.zero
    }
    private let state = Mutex(State())
    private let readyCount = DispatchSemaphore(value: 0)
    /// Signalled for each free block: a semaphore must not be destroyed below its initial value, so it starts at 0.
    private let room = DispatchSemaphore(value: 0)
    /// Rows that the consumer has taken.
    private var rowsTaken = 0

    /// - Parameters:
    /// - reader: no row may have been read from it.
    /// - isThreaded: false to read each block on the consumer's thread, when it is asked for.
    public init(_ reader: consuming ImageReader, isThreaded: Bool = true) {
        height = reader.layout.height
        rowByteCount = reader.layout.rowByteCount
        rowsPerBlock = max(1, (1 << 18) / rowByteCount)
        // A picture of one block gains nothing from a thread.
        self.isThreaded = isThreaded && height > rowsPerBlock
        self.reader = reader
        guard self.isThreaded else { return }
        for _ in 0..<Self.blocks { room.signal() }
        // A queue of its own has its own thread, and may block it.
        DispatchQueue(label: "frost.rows").async { self.readAll() }
    }

    /// The time spent on reading, without waiting for the consumer.
    public var busy: Duration { state.withLock { $0.busy } }

    /// Returns the next rows; nil after the last.
    ///
    /// Thread-safety: one thread may call it at a time.
    ///
    /// - Throws: the reader's error, after all rows that could be read have been returned.
    public func next() throws(ImageError) -> Block? {
        guard rowsTaken < height else { return nil }
        let result: Result<Block, ImageError>
        if isThreaded {
            readyCount.wait()
            result = state.withLock { $0.ready.removeFirst() }
            room.signal()
        } else {
            result = read(rowsTaken)
        }
        let block = try result.get()
        rowsTaken += block.rows
        return block
    }

    /// Stops reading. Must be called if not all rows are taken; otherwise the reading thread waits forever.
    public func stop() {
        state.withLock { $0.isStopped = true }
        room.signal()
    }

    private func readAll() {
        var rowsRead = 0
        while rowsRead < height {
            room.wait()
            if state.withLock({ $0.isStopped }) { return }
            let result = read(rowsRead)
            state.withLock { $0.ready.append(result) }
            readyCount.signal()
            guard case .success(let block) = result else { return }
            rowsRead += block.rows
        }
    }

    private func read(_ rowsRead: Int) -> Result<Block, ImageError> {
        let clock = ContinuousClock()
        let start = clock.now
        defer { state.withLock { $0.busy += clock.now - start } }
        let rows = min(rowsPerBlock, height - rowsRead)
        var failure: ImageError?
        // SAFETY: each row stays within the memory, and only rows that are fully written are counted.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: rows * rowByteCount) { memory, count in
            do throws(ImageError) {
                while count < rows * rowByteCount {
                    let place = UnsafeMutableRawBufferPointer(memory.extracting(count..<count + rowByteCount))
                    var row = unsafe place.mutableBytes
                    try reader.readRow(into: &row)
                    count += rowByteCount
                }
            } catch {
                failure = error
            }
        }
        if let failure { return .failure(failure) }
        return .success(Block(rows: rows, bytes: bytes))
    }
}
