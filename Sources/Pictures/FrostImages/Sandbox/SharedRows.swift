import CFiles
import FrostCore
import Glibc

/// Memory that this program and a ``CodecProcess`` share, in which rows go from one to the other. It has a few blocks, which are used
/// in turn: one side fills the next block, and the other side says when it has taken the rows.
///
/// The process can change the memory at any time, so only pixels are in it, whose values decide nothing.
///
/// Thread-safety: one thread at a time may use it.
@safe final class SharedRows: @unchecked Sendable {
    /// The number of blocks.
    static let blocks = 4
    /// The size of a block in bytes, unless a single row is larger.
    static let usualSize = 1 << 18

    /// The descriptor of the memory; -1 in the process, which has closed it.
    let descriptor: Int32
    /// The size of a block in bytes.
    let blockSize: Int
    private let memory: UnsafeMutableRawPointer

    /// Returns the size of a block for rows that are larger than usual.
    static func blockSize(_ layout: PixelLayout) -> Int { max(usualSize, layout.rowByteCount) }

    /// Returns the number of rows in a block; 0 if a row does not fit.
    static func rows(_ layout: PixelLayout, in blockSize: Int) -> Int { blockSize / layout.rowByteCount }

    /// Creates the memory. The process cannot change its size.
    init(blockSize: Int) throws(Errno) {
        let descriptor = try Descriptor.inMemory(size: Self.blocks * blockSize)
        do throws(Errno) { unsafe memory = try Self.map(descriptor, blockSize) } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.blockSize = blockSize
    }

    /// Maps the memory in the process, and closes its descriptor.
    init(taking descriptor: Int32, blockSize: Int) throws(Errno) {
        defer { close(descriptor) }
        unsafe memory = try Self.map(descriptor, blockSize)
        self.descriptor = -1
        self.blockSize = blockSize
    }

    private static func map(_ descriptor: Int32, _ blockSize: Int) throws(Errno) -> UnsafeMutableRawPointer {
        // SAFETY: the kernel chooses the place. Nobody can make the file shorter than the memory, so all accesses succeed.
        // One call maps all pages. Otherwise, the first access to each would be a fault, which takes longer.
        let flags = MAP_SHARED | MAP_POPULATE
        let memory = unsafe mmap(nil, blocks * blockSize, PROT_READ | PROT_WRITE, flags, descriptor, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { throw Errno.last }
        return unsafe memory
    }

    deinit {
        // SAFETY: the memory was mapped with this size, and no span of it is in use any more.
        unsafe munmap(memory, Self.blocks * blockSize)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sets all bytes to 0.
    func clear() {
        // SAFETY: the memory was mapped with this size.
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.blocks * blockSize)
    }

    /// Calls a function with bytes of a block.
    ///
    /// - Parameters:
    ///   - number: the number of the block, counted from the first one that was used.
    ///   - range: the bytes, below ``blockSize``.
    func with<R, Failure: Error>(
        _ number: Int, _ range: Range<Int>, _ body: (inout MutableRawSpan) throws(Failure) -> R
    ) throws(Failure) -> R {
        precondition(number >= 0 && range.lowerBound >= 0 && range.upperBound <= blockSize, "outside of the block")
        // SAFETY: the range lies within the memory, and all of its bytes are initialised.
        let bytes = unsafe UnsafeMutableRawBufferPointer(
            start: memory + (number % Self.blocks) * blockSize + range.lowerBound, count: range.count)
        var span = unsafe bytes.mutableBytes
        return try body(&span)
    }
}

extension MutableRawSpan {
    /// Copies a row into the first bytes.
    mutating func copyRow(_ row: RawSpan) {
        precondition(row.byteCount <= byteCount, "the row is too short")
        // SAFETY: both ranges lie within their memory, as was checked.
        unsafe withUnsafeMutableBytes { target in
            unsafe row.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
    }
}
