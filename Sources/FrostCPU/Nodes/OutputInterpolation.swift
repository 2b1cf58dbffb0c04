import CFrostKernels
import FrostCore

/// Runs output stages on the rows of the last interpolation, two at a time, as they are made.
///
/// Nothing here counts references while rows are written past the caches, because an atomic counter waits until they
/// have reached the memory. So optionals are tested in place and not unwrapped into a variable.
///
/// Not thread-safe.
///
/// SAFETY: owns its memory; the lists point at rows as wide as the output.
@safe final class OutputInterpolation {
    private let runner: OutputStageRunner
    private let colored: ColoredSamples?
    /// The offsets to make bytes directly, without rows of numbers in between; nil if the stages need numbers.
    private let offsets: PairOffsets?
    /// Whether pixels are written with straight alpha.
    private let divides: Bool
    private let table: UnsafePointer<frost_kernels>
    /// The rows of samples; first and second outputs of pairs are stored apart.
    private let firsts: RowList<UInt16>
    private let seconds: RowList<UInt16>
    private let taps: [UInt16]
    private let output: Range<Int>
    private let channels: Int
    /// Parts of two rows, for the stages.
    private let parts: FixedRows

    /// Pixels of two rows that stay in the L2 cache until the stages have run. With fewer, the calls cost more than the
    /// nearer cache saves.
    private static let partWidth = 4096

    /// - Parameters:
    ///   - colored: for samples whose colour stages have been applied.
    ///   - pairs: lists that are filled before every two rows.
    ///   - taps: along y.
    ///   - output: the columns.
    init(
        _ runner: OutputStageRunner, _ colored: ColoredSamples?, pairs: (RowList<UInt16>, RowList<UInt16>),
        taps: PolyphaseTaps, output: Range<Int>, channels: Int, kernels: KernelSet
    ) {
        self.runner = runner
        self.colored = colored
        offsets = colored.map(\.offsets) ?? runner.plainOffsets
        divides = runner.writer.format.needsPremultiplication
        unsafe table = kernels.table
        (firsts, seconds) = pairs
        self.taps = taps.firstOfPair
        self.output = output
        self.channels = channels
        parts = FixedRows(
            rows: 2, count: offsets == nil ? min(Self.partWidth, output.count + 1) * channels : 0)
    }

    /// Whether the stages show only the effect, so that the rows are complete when they have been written.
    var takesParts: Bool { runner.takesParts }

    /// - Parameters:
    ///   - rows: one or both rows of a pair.
    ///   - above: the first row of the pair.
    func write(_ rows: Range<Int>, above: Int, _ target: TargetRows) {
        var target = unsafe target
        // Bytes that are written twice must not be written past the caches.
        if !runner.takesParts { unsafe target.streams = false }
        guard let offsets else { return unsafe writeParts(rows, above: above, target) }
        let phases = (offsets.phase(above, output.lowerBound), offsets.phase(above + 1, output.lowerBound))
        func row(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
            rows.contains(index) ? unsafe target.row(index).assumingMemoryBound(to: UInt8.self) : nil
        }
        let (n, count, stream) = unsafe (Int32(taps.count), Int32(output.count), Int32(target.streams ? 1 : 0))
        let isOpaque = unsafe colored?.isOpaque.pointee == true
        // Opaque pixels are the same either way.
        if divides && !isOpaque {
            unsafe table.pointee.fixed_interpolate_divided(
                firsts.base, seconds.base, taps, n, row(above), row(above + 1), count, offsets.differences, phases.0,
                phases.1, colored?.limits, stream)
        } else {
            unsafe table.pointee.fixed_interpolate_dithered(
                firsts.base, seconds.base, taps, n, row(above), row(above + 1), count, offsets.base, phases.0,
                phases.1, colored?.limits, isOpaque ? 1 : 0, stream)
        }
    }

    /// Part by part, so that the stages run on numbers in the nearest cache.
    private func writeParts(_ rows: Range<Int>, above: Int, _ target: TargetRows) {
        var first = 0
        while first < output.count {
            let part = first..<min(first + Self.partWidth, output.count)
            unsafe table.pointee.fixed_interpolate_rows(
                firsts.base, seconds.base, taps, Int32(taps.count), parts.row(0), parts.row(1),
                Int32((part.count + 1) / 2), Int32(channels))
            for row in rows {
                let numbers = unsafe parts.row(row - above)
                if let limits = unsafe colored?.limits {
                    unsafe table.pointee.fixed_limit(numbers, limits, Int32(part.count))
                }
                unsafe runner.writeFixed(
                    row, part, numbers, to: target.row(row), streams: target.streams, isColored: colored != nil)
            }
            firsts.advance(part.count / 2 * channels)
            seconds.advance(part.count / 2 * channels)
            first = part.upperBound
        }
    }
}

/// Samples whose colour stages have been applied, except for limits and dither, which follow the interpolation.
///
/// SAFETY: whoever colours the samples outlives the value.
@safe struct ColoredSamples {
    let limits: UnsafePointer<frost_late_limits>
    /// The offsets to make bytes directly, without rows of numbers in between; nil if that is impossible.
    let offsets: PairOffsets?
    /// Whether all samples of the rows that are read now are opaque.
    let isOpaque: UnsafePointer<Bool>
}
