public import FrostCore
import FrostThreads

/// Reads the rows of a picture on a dedicated thread, a little ahead of the consumer, so that rows are decoded while
/// the consumer processes earlier rows. If the system refuses the thread, the consumer reads the rows itself.
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
    /// Whether a dedicated thread reads. It is set once, before the first call of ``next()``.
    private var isThreaded = false

    private struct Blocks {
        var ready: [Result<Block, ImageError>] = []
        /// The number of blocks that are being read, are ready or are being consumed.
        var blocks = 0
        var isStopped = false
        var busy = Duration.zero
    }
    private let state = Monitor(Blocks())
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
        self.reader = reader
        // A picture that consists of a single block gains nothing from a reading thread.
        guard isThreaded, height > rowsPerBlock else { return }
        do throws(ThreadError) {
            try Thread.start("frost-rows") { [self] in readAll() }.detach()
            self.isThreaded = true
        } catch {
            // The consumer reads the rows.
        }
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
            result = state.wait { $0.ready.isEmpty ? nil : $0.ready.removeFirst() }
            state.update { $0.blocks -= 1 }
        } else {
            result = read(rowsTaken)
        }
        let block = try result.get()
        rowsTaken += block.rows
        return block
    }

    /// Stops reading. Call this if you do not take all rows. Without this call, the reading thread would wait forever.
    public func stop() { state.update { $0.isStopped = true } }

    private func readAll() {
        var rowsRead = 0
        while rowsRead < height {
            let isStopped = state.wait { state -> Bool? in
                if state.isStopped { return true }
                guard state.blocks < Self.blocks else { return nil }
                state.blocks += 1
                return false
            }
            if isStopped { return }
            let result = read(rowsRead)
            state.update { $0.ready.append(result) }
            guard case .success(let block) = result else { return }
            rowsRead += block.rows
        }
    }

    private func read(_ rowsRead: Int) -> Result<Block, ImageError> {
        let clock = ContinuousClock()
        let start = clock.now
        defer { state.withLock { $0.busy += clock.now - start } }
        let rows = min(rowsPerBlock, height - rowsRead)
        do throws(ImageError) { return .success(Block(rows: rows, bytes: try reader.readRows(rows))) } catch {
            return .failure(error)
        }
    }
}
