import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU

/// Calls a kernel of every instruction set, with the kernel's rows in every placement, and compares the results with the
/// expected values.
@safe struct KernelCheck {
    /// A description of the current case, for failure messages.
    var context = ""
    var placements: [Placement]
    private let memory = KernelMemory()

    init(placements: [Placement] = Placement.all) { self.placements = placements }

    /// Expects a kernel to write exactly these bits. For rows of bytes, it also expects the memory around the row to stay
    /// unchanged.
    ///
    /// - Parameter call: calls the kernel. It receives the kernel table, memory for the input rows, and the row to write to.
    func expect<Value: KernelValue>(
        _ expected: [Value], _ kernel: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ call: (frost_kernels, KernelMemory, UnsafeMutablePointer<Value>) -> Void
    ) {
        for kernels in KernelSet.all {
            for placement in placements {
                memory.begin(placement)
                let out: (row: UnsafeMutablePointer<Value>, memory: GuardedMemory) = unsafe memory.blank(expected.count)
                unsafe call(kernels.table.pointee, memory, out.row)
                let place = "\(kernel) of \(kernels.name), \(context), \(placement)"
                for (x, value) in expected.enumerated() where unsafe out.row[x].bits != value.bits {
                    Issue.record(
                        "\(place): \(unsafe out.row[x]) instead of \(value) at \(x)", sourceLocation: sourceLocation)
                    return
                }
                if Value.slack == 0,
                    unsafe !out.memory.isUntouched(except: out.row, count: expected.count, filling: Value.filling)
                {
                    Issue.record("\(place): wrote beyond the row", sourceLocation: sourceLocation)
                    return
                }
            }
        }
    }

    /// Expects a kernel to write the bits of the baseline kernel, with every instruction set and in every placement.
    ///
    /// - Parameter count: the number of values that the kernel writes.
    func agree<Value: KernelValue>(
        _ count: Int, _ kernel: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ call: (frost_kernels, KernelMemory, UnsafeMutablePointer<Value>) -> Void
    ) {
        unsafe expect(baseline(count, call), kernel, sourceLocation: sourceLocation, call)
    }

    /// Expects a kernel that changes a row in place to write the bits of the baseline kernel.
    func agree<Value: KernelValue>(
        on row: [Value], _ kernel: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ call: (frost_kernels, KernelMemory, UnsafeMutablePointer<Value>) -> Void
    ) {
        unsafe agree(row.count, kernel, sourceLocation: sourceLocation) {
            (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<Value>) in
            unsafe out.update(from: row, count: row.count)
            unsafe call(table, memory, out)
        }
    }

    /// Returns the values that the baseline kernel writes.
    func baseline<Value: KernelValue>(
        _ count: Int, _ call: (frost_kernels, KernelMemory, UnsafeMutablePointer<Value>) -> Void
    ) -> [Value] {
        memory.begin(placements[0])
        let row: UnsafeMutablePointer<Value> = unsafe memory.blank(count).row
        unsafe call(KernelSet.all[0].table.pointee, memory, row)
        return unsafe Array(UnsafeBufferPointer(start: row, count: count))
    }
}

/// A generator of random values for kernels. Extreme values occur often.
struct KernelValues {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func between(_ low: Float, _ high: Float) -> Float { Float.random(in: low...high, using: &random) }

    mutating func rows<Value>(_ count: Int, _ row: (inout Self) -> [Value]) -> [[Value]] {
        (0..<count).map { _ in row(&self) }
    }

    private mutating func row<Value>(_ count: Int, extremes: [Value], _ value: (inout Self) -> Value) -> [Value] {
        (0..<count).map { _ in
            Int.random(in: 0..<4, using: &random) == 0
                ? extremes[Int.random(in: extremes.indices, using: &random)] : value(&self)
        }
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        row(count, extremes: [0, 255, 1, 254, 127, 128]) { UInt8.random(in: 0...255, using: &$0.random) }
    }

    mutating func integers(_ count: Int, upTo limit: UInt16) -> [UInt16] {
        row(count, extremes: [0, limit, 1, limit - 1]) { UInt16.random(in: 0...limit, using: &$0.random) }
    }

    mutating func floats(_ count: Int) -> [Float] {
        row(count, extremes: [0, -0.0, 255, 0x1p-133, -3, 65504]) { $0.between(-1, 256) }
    }

    /// Returns random floats that include values a byte cannot hold: NaN, infinities, and numbers halfway between two
    /// integers.
    mutating func wildFloats(_ count: Int) -> [Float] {
        row(
            count,
            extremes: [
                .nan, -.nan, .infinity, -.infinity, 0, -0.0, 255, 254.5, 255.5, 0.5, 1.5, 2.5, -0.5, 0.49999997,
                Float(0.5).nextUp, 0x1p-133, -1e30, 1e30, .greatestFiniteMagnitude,
            ]
        ) { $0.between(-1, 256) }
    }

    /// Returns random weights whose sum is about 1; some of them are negative. About one call in four returns a weight of 1
    /// and otherwise zeros.
    mutating func weights(_ count: Int) -> [Float] {
        if Int.random(in: 0..<4, using: &random) == 0 { return (0..<count).map { $0 == 0 ? 1 : 0 } }
        let weights = (0..<count).map { _ in between(-0.25, 1) }
        let sum = weights.reduce(0, +)
        return abs(sum) < 0.1 ? weights : weights.map { $0 / sum }
    }

    /// Returns random weights in units of 1/65536, whose sum is at most 1. The weights range from nearly equal to very
    /// different: a single weight may have almost the whole sum.
    mutating func integerWeights(_ count: Int) -> [UInt16] {
        var left = 65536
        return (0..<count).map { _ in
            let weight = Int.random(in: 0...min(left, 65535), using: &random)
            left -= weight
            return UInt16(weight)
        }.shuffled(using: &random)
    }
}
