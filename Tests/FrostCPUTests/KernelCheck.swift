import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU

/// Calls a kernel of every instruction set, with its rows in every placement.
@safe struct KernelCheck {
    /// What is being tried, for the message.
    var context = ""
    var placements: [Placement]
    private let memory = KernelMemory()

    init(placements: [Placement] = Placement.all) { self.placements = placements }

    /// Expects a kernel to write these bits; to a row of bytes, nothing else.
    ///
    /// - Parameter call: is given the kernels, memory for the rows that are read, and the row to write to.
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
}

/// Random values for kernels, their extremes among them.
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

    /// What bytes cannot hold, too: NaN, infinities, and halves of steps.
    mutating func wildFloats(_ count: Int) -> [Float] {
        row(
            count,
            extremes: [
                .nan, -.nan, .infinity, -.infinity, 0, -0.0, 255, 254.5, 255.5, 0.5, 1.5, 2.5, -0.5, 0.49999997,
                Float(0.5).nextUp, 0x1p-133, -1e30, 1e30, .greatestFiniteMagnitude,
            ]
        ) { $0.between(-1, 256) }
    }

    /// Weights of a sum of about 1, some of them negative; now and then a 1 alone.
    mutating func weights(_ count: Int) -> [Float] {
        if Int.random(in: 0..<4, using: &random) == 0 { return (0..<count).map { $0 == 0 ? 1 : 0 } }
        let weights = (0..<count).map { _ in between(-0.25, 1) }
        let sum = weights.reduce(0, +)
        return abs(sum) < 0.1 ? weights : weights.map { $0 / sum }
    }

    /// Weights in 65536ths of a sum of at most 1, anything from all the same to one that has it all.
    mutating func integerWeights(_ count: Int) -> [UInt16] {
        var left = 65536
        return (0..<count).map { _ in
            let weight = Int.random(in: 0...min(left, 65535), using: &random)
            left -= weight
            return UInt16(weight)
        }.shuffled(using: &random)
    }
}
