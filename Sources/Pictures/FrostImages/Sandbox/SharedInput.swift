import FrostCore
import Glibc

/// The rows that a program sends to a process that encodes them.
struct SharedInput: ~Copyable {
    private let name: String
    private let shared: SharedRows
    private let rowByteCount: Int
    private let rowsPerBlock: Int
    private let count: Int
    private var y = 0

    /// The place of a row.
    struct Row {
        fileprivate let block: Int
        fileprivate let place: Int
        /// Whether the program fills the block again after this row.
        let isLastOfBlock: Bool
    }

    /// - Parameters:
    ///   - layout: the layout of the rows.
    ///   - count: the number of rows.
    init(_ layout: PixelLayout, count: Int, name: String) throws(ImageError) {
        do throws(Errno) {
            shared = try SharedRows(taking: CodecWork.rowsDescriptor, blockSize: SharedRows.blockSize(layout))
        } catch {
            throw .cannotRead(path: name, errno: error.code)
        }
        self.name = name
        self.count = count
        rowByteCount = layout.rowByteCount
        rowsPerBlock = SharedRows.rows(layout, in: shared.blockSize)
    }

    /// Waits for the next row. Returns nil after the last one.
    ///
    /// - Throws: ``ImageError/cannotRead(path:errno:)`` if the program ended before.
    mutating func next() throws(ImageError) -> Row? {
        guard y < count else { return nil }
        let (block, place) = (y / rowsPerBlock, y % rowsPerBlock)
        if place == 0 {
            var byte: [UInt8] = [0]
            let got = Descriptor.read(STDOUT_FILENO, into: &byte)
            guard case .success(1) = got else { throw .cannotRead(path: name, errno: EPIPE) }
        }
        y += 1
        return Row(block: block, place: place, isLastOfBlock: place == rowsPerBlock - 1 || y == count)
    }

    /// Calls a function with the bytes of a row.
    func with(_ row: Row, _ body: (RawSpan) throws(ImageError) -> Void) throws(ImageError) {
        let start = row.place * rowByteCount
        try shared.with(row.block, start..<start + rowByteCount) { (row) throws(ImageError) in try body(row.bytes) }
    }

    /// Says that the rows of a block were taken.
    func confirmBlock() throws(ImageError) {
        do throws(Errno) { try ProcessMessage.taken.write([], to: STDOUT_FILENO) } catch {
            throw .cannotWrite(path: name, errno: error.code)
        }
    }

    /// The writable memory, in bytes, that the program of this process takes, with that of the variables of libraries and of small
    /// allocations. The sixth number of this file counts it in pages.
    static var programMemory: Int {
        let fields = (TextFile.line("/proc/self/statm") ?? "").split(separator: " ")
        let used = fields.count > 5 ? (Int(fields[5]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
        return used + ProcessLimits.reserve
    }
}

/// Sends the bytes of a file in parts.
struct FileParts: ByteSink {
    let name: String
    private static let size = 1 << 18

    init(name: String) { self.name = name }

    mutating func write(_ bytes: RawSpan) throws(ImageError) {
        var rest = bytes
        while rest.byteCount > 0 {
            let part = rest.extracting(first: Self.size)
            // SAFETY: the bytes are copied.
            try send(unsafe part.withUnsafeBytes { unsafe Array($0) })
            rest = rest.extracting(droppingFirst: part.byteCount)
        }
    }

    /// Sends the end of the file.
    func end() throws(ImageError) { try send([]) }

    private func send(_ bytes: [UInt8]) throws(ImageError) {
        do throws(Errno) { try ProcessMessage.file.write(bytes, to: STDOUT_FILENO) } catch {
            throw .cannotWrite(path: name, errno: error.code)
        }
    }
}
