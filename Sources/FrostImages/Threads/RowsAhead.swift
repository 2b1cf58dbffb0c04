import Dispatch
import FrostCore
import Synchronization

/// Reads a picture's rows on a thread of its own, a little ahead of whoever takes them, so that decoding takes no time
/// of theirs.
///
/// Rows are handed over in blocks of about a quarter of a megabyte, of which a few are in memory.
///
/// SAFETY: only one thread at a time touches the reader: the one that reads ahead, or the taker where there is none.
@safe public final class RowsAhead: @unchecked Sendable {
    /// Rows one after the other, without padding.
    public struct Block: Sendable {
        /// How many rows there are.
        public let rows: Int
        /// Their bytes.
        public let bytes: [UInt8]
    }

    /// Blocks that may be in memory, one that is being taken apart.
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
    /// Raised once for each block that there is room for: a semaphore must not end below the value it began with.
    private let room = DispatchSemaphore(value: 0)
    /// Rows that the taker has had.
    private var rowsTaken = 0

    /// - Parameters:
    ///   - reader: of which no row has been read.
    ///   - isThreaded: false to read only when a block is asked for, by whoever asks.
    public init(_ reader: consuming ImageReader, isThreaded: Bool = true) {
        height = reader.layout.height
        rowByteCount = reader.layout.rowByteCount
        rowsPerBlock = max(1, (1 << 18) / rowByteCount)
        // A picture of one block is there as soon without.
        self.isThreaded = isThreaded && height > rowsPerBlock
        self.reader = reader
        guard self.isThreaded else { return }
        for _ in 0..<Self.blocks { room.signal() }
        // A queue of its own has a thread of its own, and may wait in it.
        DispatchQueue(label: "frost.rows").async { self.readAll() }
    }

    /// How long reading has taken, without waiting for a taker.
    public var busy: Duration { state.withLock { $0.busy } }

    /// Takes the next rows; nil after the last.
    ///
    /// Used by one thread at a time.
    ///
    /// - Throws: what the reader threw. Rows before those that cannot be read have come then.
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

    /// Has no more rows read. To be called where not all are taken, or the thread waits for ever.
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
        // SAFETY: each row is within the memory and written whole, or not counted.
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
