import CFrostKernels
import Glibc
import Testing

/// The type of the values in a row that kernels read or write.
protocol KernelValue {
    /// The number of values after a row, and before some rows, that a kernel may access.
    static var slack: Int { get }
    /// The byte that fills the memory around a row. Around rows of floats this memory then reads as NaN, and around rows of
    /// 16-bit integers it reads as 65535. Around rows of bytes, the tests detect any change of it.
    static var filling: UInt8 { get }
    var bits: UInt32 { get }
}

extension Float: KernelValue {
    static var slack: Int { Int(FROST_SLACK) }
    static var filling: UInt8 { 0xFF }
    var bits: UInt32 { bitPattern }
}

extension UInt16: KernelValue {
    static var slack: Int { 2 * Int(FROST_SLACK) }
    static var filling: UInt8 { 0xFF }
    var bits: UInt32 { UInt32(self) }
}

extension UInt8: KernelValue {
    static var slack: Int { 0 }
    static var filling: UInt8 { 0xA5 }
    var bits: UInt32 { UInt32(self) }
}

/// The position of rows between two guard pages: next to the front guard or the rear guard, or up to three values away from
/// this guard. The distance differs between the rows of one kernel call.
struct Placement: CustomStringConvertible {
    var atEnd: Bool
    var shift: Int

    static let all = [true, false].flatMap { atEnd in (0...3).map { Placement(atEnd: atEnd, shift: $0) } }

    var description: String { "\(shift) from the \(atEnd ? "end" : "start")" }
}

/// Memory between two guard pages. An access to a guard page ends the process.
///
/// SAFETY: the object owns the mapping, and every row is checked to lie within it.
@safe final class GuardedMemory {
    /// The number of bytes between the two guard pages. It is larger than the longest row of any test.
    static let size = max(8192, guardSize)
    private static let guardSize = max(4096, sysconf(Int32(_SC_PAGESIZE)))

    private let mapping: UnsafeMutableRawPointer
    private let bytes: UnsafeMutableRawBufferPointer

    init() {
        let total = Self.size + 2 * Self.guardSize
        let mapped = unsafe mmap(nil, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { fatalError("mmap failed: \(errno)") }
        unsafe mapping = mapped
        unsafe bytes = UnsafeMutableRawBufferPointer(start: mapped + Self.guardSize, count: Self.size)
        guard unsafe mprotect(bytes.baseAddress, Self.size, PROT_READ | PROT_WRITE) == 0 else {
            fatalError("mprotect failed: \(errno)")
        }
    }

    deinit { unsafe munmap(mapping, Self.size + 2 * Self.guardSize) }

    /// Fills the memory with values that must not affect a row's result, and returns the address for `count` values.
    ///
    /// - Parameters:
    ///   - before: the number of accessible values before the row.
    ///   - behind: the number of accessible values after the row.
    func place<Value: KernelValue>(
        _ count: Int, before: Int, behind: Int, atEnd: Bool, shift: Int
    ) -> UnsafeMutablePointer<Value> {
        let stride = MemoryLayout<Value>.stride
        unsafe bytes.initializeMemory(as: UInt8.self, repeating: Value.filling)
        let start = atEnd ? Self.size - (count + behind + shift) * stride : (before + shift) * stride
        precondition(start >= before * stride && start + (count + behind) * stride <= Self.size)
        // The guards and the memory are whole pages, so the offset of each row is a multiple of its stride.
        return unsafe (mapping + Self.guardSize + start).assumingMemoryBound(to: Value.self)
    }

    /// Returns whether every byte outside the `count` bytes from `row` on still equals `filling`.
    func isUntouched(except row: UnsafeRawPointer, count: Int, filling: UInt8) -> Bool {
        let start = unsafe row - UnsafeRawPointer(mapping + Self.guardSize)
        return unsafe bytes[..<start].allSatisfy { $0 == filling }
            && bytes[(start + count)...].allSatisfy { $0 == filling }
    }
}

/// The rows of one kernel call, each in its own guarded memory. The next calls use the same memory again.
@safe final class KernelMemory {
    private var memories: [GuardedMemory] = []
    private var used = 0
    private var placement = Placement(atEnd: true, shift: 0)

    /// Releases the rows of the previous kernel call and sets the placement for the rows of the next call.
    func begin(_ placement: Placement) {
        used = 0
        self.placement = placement
    }

    /// Copies a row into guarded memory and returns the address of the copy. The slack of the value's type follows the row.
    ///
    /// - Parameter before: true to place slack before the row as well.
    func row<Value: KernelValue>(_ values: [Value], before: Bool = false) -> UnsafeMutablePointer<Value> {
        unsafe place(values, before: before ? Value.slack : 0, behind: Value.slack).row
    }

    func rows<Value: KernelValue>(_ rows: [[Value]]) -> [UnsafePointer<Value>?] {
        unsafe rows.map { unsafe UnsafePointer(row($0)) }
    }

    /// Copies values into guarded memory, without slack around them, and returns the address of the copy.
    func taps<Value: KernelValue>(_ values: [Value]) -> UnsafePointer<Value> {
        unsafe UnsafePointer(place(values, before: 0, behind: 0).row)
    }

    /// Returns a row to write to, and the memory that contains it.
    func blank<Value: KernelValue>(_ count: Int) -> (row: UnsafeMutablePointer<Value>, memory: GuardedMemory) {
        let memory = next()
        let shift = placement.shift * used & 3
        return unsafe (
            memory.place(count, before: 0, behind: Value.slack, atEnd: placement.atEnd, shift: shift), memory
        )
    }

    private func place<Value: KernelValue>(
        _ values: [Value], before: Int, behind: Int
    ) -> (row: UnsafeMutablePointer<Value>, memory: GuardedMemory) {
        let memory = next()
        let row: UnsafeMutablePointer<Value> = unsafe memory.place(
            values.count, before: before, behind: behind, atEnd: placement.atEnd, shift: placement.shift * used & 3)
        unsafe row.update(from: values, count: values.count)
        return unsafe (row, memory)
    }

    private func next() -> GuardedMemory {
        if used == memories.count { memories.append(GuardedMemory()) }
        used += 1
        return memories[used - 1]
    }
}

struct GuardedMemoryTests {
    @Test("guards begin at the byte behind a row of bytes and end at the byte before it")
    func guards() throws {
        // The write system call returns an error for an unreadable address, whereas a direct access would end the process.
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        func isReadable(_ address: UnsafeRawPointer) -> Bool { unsafe write(ends[1], address, 1) == 1 }
        for count in [1, 31, 130] {
            let memory = GuardedMemory()
            let last: UnsafeMutablePointer<UInt8> = unsafe memory.place(
                count, before: 0, behind: 0, atEnd: true, shift: 0)
            #expect(unsafe isReadable(last) && isReadable(last + count - 1))
            #expect(unsafe !isReadable(last + count))
            let first: UnsafeMutablePointer<UInt8> = unsafe memory.place(
                count, before: 0, behind: 0, atEnd: false, shift: 0)
            #expect(unsafe isReadable(first) && !isReadable(first - 1))
            // The check for stray writes detects a single changed byte.
            #expect(unsafe memory.isUntouched(except: first, count: count, filling: UInt8.filling))
            unsafe first[count] = 7
            #expect(unsafe !memory.isUntouched(except: first, count: count, filling: UInt8.filling))
        }
    }
}
