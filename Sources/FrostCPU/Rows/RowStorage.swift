import CFrostKernels
import Synchronization

/// Rows of floats, with the slack that kernels need behind each.
///
/// SAFETY: owns its memory; `row` is within it for 0 <= index < rows, which the nodes' arithmetic guarantees.
@safe final class RowStorage {
    /// Floats behind every row that vector loops may touch.
    static let slack = Int(FROST_SLACK)

    private let memory: UnsafeMutableRawBufferPointer
    private let base: UnsafeMutablePointer<Float>
    private let stride: Int

    /// - Parameter zeroed: false if every row is written before it is read.
    init(rows: Int, floats: Int, zeroed: Bool = true) {
        // Rows start at cache lines, an odd number of lines apart. Otherwise the pixels of a column would share a few
        // sets of the cache.
        stride = ((floats + Self.slack + 15) / 16 | 1) * 16
        let bytes = rows * stride * MemoryLayout<Float>.stride
        unsafe memory = MemoryPool.shared.take(bytes)
        unsafe base = memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Float.self)
        if zeroed { unsafe base.initialize(repeating: 0, count: rows * stride) }
    }

    deinit { unsafe MemoryPool.shared.give(memory) }

    func row(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe base + index * stride }
}

/// The rows that a kernel is given: a list that is filled again for each call.
///
/// SAFETY: owns its memory; indices are within 0 ..< count, which the nodes' arithmetic guarantees.
@safe final class RowList<Element> {
    let base: UnsafeMutablePointer<UnsafePointer<Element>?>
    private let count: Int

    init(_ count: Int) {
        self.count = count
        unsafe base = .allocate(capacity: max(count, 1))
        unsafe base.initialize(repeating: nil, count: max(count, 1))
    }

    deinit { unsafe base.deallocate() }

    func set(_ index: Int, _ row: UnsafePointer<Element>) { unsafe base[index] = row }

    /// Moves all rows' beginnings.
    func advance(_ elements: Int) {
        for i in 0..<count { if let row = unsafe base[i] { unsafe base[i] = row + elements } }
    }
}

/// Blocks of memory that were used before, so that a stream of images of one size asks the system for none: fresh pages
/// cost as much to clear as a blur does to compute.
///
/// Thread safety: may be used from any thread.
@safe final class MemoryPool: Sendable {
    static let shared = MemoryPool()

    /// The maximum of memory that is kept: enough for a few 4K blurs.
    private static let limit = 64 << 20

    private struct State: ~Copyable {
        var blocks: [Int: [UInt]] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// A block of at least this many bytes, aligned to cache lines, with anything in it.
    func take(_ bytes: Int) -> UnsafeMutableRawBufferPointer {
        let size = Self.size(bytes)
        let known = state.withLock { state -> UInt? in
            guard let address = state.blocks[size]?.popLast() else { return nil }
            if state.blocks[size]?.isEmpty == true { state.blocks[size] = nil }
            state.bytes -= size
            return address
        }
        if let known, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: known) {
            return unsafe UnsafeMutableRawBufferPointer(start: pointer, count: size)
        }
        return UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    }

    /// Returns a block of ``take(_:)``.
    func give(_ block: UnsafeMutableRawBufferPointer) {
        let size = block.count
        let address = UInt(bitPattern: block.baseAddress)
        let released = state.withLock { state -> [UInt] in
            guard size <= Self.limit else { return [address] }
            // Blocks of other sizes remain from images of another size, so they are freed first.
            var released: [UInt] = []
            while state.bytes + size > Self.limit, let other = state.blocks.first(where: { $0.key != size })?.key {
                if let old = state.blocks[other]?.popLast() {
                    released.append(old)
                    state.bytes -= other
                }
                if state.blocks[other]?.isEmpty == true { state.blocks[other] = nil }
            }
            guard state.bytes + size <= Self.limit else { return released + [address] }
            state.blocks[size, default: []].append(address)
            state.bytes += size
            return released
        }
        for address in released { unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    }

    /// Sizes are rounded up to an eighth of their power of two, so that slightly different images share blocks.
    private static func size(_ bytes: Int) -> Int {
        let bytes = max(bytes, 256)
        let step = max(64, 1 << max(0, Int.bitWidth - bytes.leadingZeroBitCount - 4))
        return (bytes + step - 1) / step * step
    }
}
