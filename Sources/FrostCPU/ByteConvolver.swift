import CFrostKernels
import FrostCore

/// A direct filter of an 8-bit image along both axes, in 16-bit integers: 128ths of a step, weights in 65536ths.
///
/// Each product is cut off, by half of a 128th on average, which is added back. With radius r the error of floats grows
/// by at most (r + 2) / 256 + 1/56 of a step an axis, the second from the rounded weights.
@safe final class ByteConvolver: FlowNode {
    /// Beyond this the error of the cut products would need a budget of its own.
    static let maximumRadius = 10

    private let schedule: RowSchedule
    private let source: ByteRows?
    private let target: ByteTarget
    private let kernels: KernelSet
    private let channels: Int
    private let input: Range<Int>
    private let output: Range<Int>
    private let bufferStart: Int
    private let edges: EdgeCells
    private let tapsX: [UInt16]
    private let tapsY: [UInt16]
    private let arriving: RowStorage
    private let row: UInt16Row
    private let ring: UInt16Row
    private let blank: UInt16Row
    private var shifted: [UnsafePointer<UInt16>?]
    private var rows: [UnsafePointer<UInt16>?]
    private var next: Int
    private let cancellation: Cancellation?

    /// - Parameters:
    ///   - x: the pass along x, which comes first.
    ///   - input: the columns that arrive, or are read from `source`.
    ///   - output: the columns of the result.
    /// - Returns: nil for taps that are too many, negative or too large for 16 bits.
    init?(
        x: Pass, schedule: RowSchedule, source: ByteRows?, input: Range<Int>, output: Range<Int>, channels: Int,
        target: ByteTarget, kernels: KernelSet, cancellation: Cancellation?
    ) {
        guard let tapsX = Self.weights(x.operation.taps), let tapsY = Self.weights(schedule.taps.even) else {
            return nil
        }
        self.tapsX = tapsX
        self.tapsY = tapsY
        self.schedule = schedule
        unsafe self.source = source
        unsafe self.target = target
        self.kernels = kernels
        self.channels = channels
        self.input = input
        self.output = output
        self.cancellation = cancellation
        let reach = x.operation.reach(of: output)
        edges = EdgeCells(reach, beyond: input, edge: x.edge)
        bufferStart = min(reach.lowerBound, input.lowerBound)
        let all = (max(reach.upperBound, input.upperBound) - bufferStart) * channels
        arriving = RowStorage(rows: 1, floats: all)
        row = UInt16Row(rows: 1, count: all)
        ring = UInt16Row(rows: schedule.capacity, count: output.count * channels)
        blank = UInt16Row(rows: 1, count: output.count * channels)
        // What the pass along x makes of transparent black: the half that is added back.
        for i in 0..<output.count * channels { unsafe blank.row(0)[i] = UInt16(tapsX.count / 2) }
        let origin = unsafe row.row(0) - bufferStart * channels
        unsafe shifted = (0..<2 * tapsX.count - 1).map { t in
            unsafe UnsafePointer(origin + (reach.lowerBound + t) * channels)
        }
        unsafe rows = unsafe [UnsafePointer<UInt16>?](repeating: nil, count: 2 * tapsY.count - 1)
        next = schedule.output.lowerBound
    }

    /// The taps from the centre outwards in 65536ths, their sum exactly 1.
    private static func weights(_ taps: [Float]) -> [UInt16]? {
        let radius = taps.count / 2
        guard taps.count & 1 == 1, radius <= maximumRadius, taps.allSatisfy({ $0 >= 0 && $0 < 1 }) else { return nil }
        var weights = taps[radius...].map { Int(($0 * 65536).rounded()) }
        weights[0] = 65536 - 2 * weights.dropFirst().reduce(0, +)
        let exact = weights.compactMap { UInt16(exactly: $0) }
        return exact.count == weights.count ? exact : nil
    }

    func inputRow(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe arriving.row(0) }

    func accept(
        _ index: Int, target next: (Int) -> UnsafeMutablePointer<Float>, emit: (Int) throws(CPUError) -> Void
    ) throws(CPUError) {
        let table = unsafe kernels.table.pointee
        let origin = unsafe row.row(0) - bufferStart * channels
        let samples = Int32(input.count * channels)
        if let source = unsafe source {
            guard let bytes = unsafe source.row(index) else { return }
            unsafe table.scale_u8(bytes, origin + input.lowerBound * channels, samples)
        } else {
            unsafe table.quantize(arriving.row(0), 128, origin + input.lowerBound * channels, samples)
        }
        unsafe edges.fill(origin, channels: channels)
        let width = Int32(output.count * channels)
        unsafe shifted.withUnsafeBufferPointer { rows in
            unsafe tapsX.withUnsafeBufferPointer { taps in
                unsafe table.convolve_u16(
                    rows.baseAddress, taps.baseAddress, Int32(taps.count - 1), ring.row(schedule.place(index)), width)
            }
        }
        while schedule.isReady(self.next, after: index) {
            if cancellation?.isCancelled == true { throw .cancelled }
            let i = self.next
            for t in 0..<2 * tapsY.count - 1 {
                unsafe rows[t] = UnsafePointer(
                    schedule.row(t, of: i).map { unsafe ring.row(schedule.place($0)) } ?? blank.row(0))
            }
            unsafe rows.withUnsafeBufferPointer { rows in
                unsafe tapsY.withUnsafeBufferPointer { taps in
                    unsafe table.convolve_to_u8(
                        rows.baseAddress, taps.baseAddress, Int32(taps.count - 1), target.row(i), width)
                }
            }
            self.next += 1
            try emit(i)
        }
    }
}
