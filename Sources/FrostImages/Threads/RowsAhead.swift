import Dispatch
public import FrostCore
import Synchronization

/// Reads the rows of a picture on a dedicated thread, a little ahead of the consumer, so that rows are decoded while
/// the consumer processes earlier rows.
///
/// Rows are returned in blocks of about a quarter of a megabyte. A few blocks are in memory at a time.
///
/// SAFETY: only one thread at a time uses the reader: the reading thread, or the consumer if there is no reading
/// thread.
@safe public final class RowsAhead: @unchecked Sendable {
    /// A block of consecutive rows without padding.
    public struct Block: Sendable {
        /// The number of rows in the block.
        public let rows: Int
        /// The bytes of the rows.
        public let bytes: [UInt8]
    }

    /// The maximum number of blocks in memory, including the block that is being consumed.
    private static let blocks = 4

    /// The number of bytes of a block, unless a single row is larger.
    private static let blockSize = 1 << 18

    /// Returns the memory, in bytes, that the rows of a picture take here.
    public static func memory(for layout: PixelLayout) -> Int {
        min(layout.byteCount, blocks * max(blockSize, layout.rowByteCount))
    }

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
    /// A semaphore that counts the free blocks. It is created with the value 0 and then signalled once for each block,
    /// because a semaphore must not be destroyed while its value is below the value with which it was created.
    private let room = DispatchSemaphore(value: 0)
    /// The number of rows that the consumer has taken.
    private var rowsTaken = 0

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - reader: a reader from which no row has been read.
    ///   - isThreaded: whether to read on a dedicated thread. If false, each block is read on the consumer's thread
    ///     when the consumer takes the block.
    public init(_ reader: consuming ImageReader, isThreaded: Bool = true) {
        height = reader.layout.height
        rowByteCount = reader.layout.rowByteCount
        rowsPerBlock = max(1, Self.blockSize / rowByteCount)
        // A picture that consists of a single block gains nothing from a reading thread.
        self.isThreaded = isThreaded && height > rowsPerBlock
        self.reader = reader
        guard self.isThreaded else { return }
        for _ in 0..<Self.blocks { room.signal() }
        // A dedicated dispatch queue has its own thread, which reading may block.
        DispatchQueue(label: "frost.rows").async { self.readAll() }
    }

    /// The time that was spent on reading. It does not include the time spent waiting for the consumer.
    public var busy: Duration { state.withLock { $0.busy } }

    /// Returns the next block of rows, or nil after the last block.
    ///
    /// Thread-safety: one thread at a time may call this method.
    ///
    /// - Throws: the error of the reader, after all rows that could be read have been returned.
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

    /// Stops reading. Call this if you do not take all rows. Without this call, the reading thread would wait forever.
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
        // SAFETY: each row stays within the memory, and `count` includes only rows that were written completely.
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
