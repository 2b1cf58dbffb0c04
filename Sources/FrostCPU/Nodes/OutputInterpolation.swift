import CFrostKernels
import FrostCore

/// Runs the output stages on rows of the last interpolation while the rows are computed. Two rows are processed at a
/// time.
///
/// While rows are written around the caches, this code must not count references: an atomic reference counter waits until
/// the written bytes have reached the memory. For this reason optionals are tested in place and not unwrapped into a
/// variable.
///
/// Not thread-safe.
///
/// SAFETY: the object owns its memory. The pointers in the lists refer to rows that are as wide as the output.
@safe final class OutputInterpolation {
    private let runner: OutputStageRunner
    private let colored: ColoredSamples?
    /// The rounding offsets with which the interpolation writes bytes directly, without an intermediate row of numbers.
    /// Nil if the output stages need the numbers.
    private let offsets: PairOffsets?
    /// Whether pixels are written with straight alpha, so that colours are divided by alpha.
    private let divides: Bool
    private let table: UnsafePointer<frost_kernels>
    /// The rows of samples from which two rows of pixels are interpolated. Pixels form pairs along x: `firsts` has the
    /// rows of the first pixels of all pairs, `seconds` the rows of the second pixels.
    private let firsts: RowList<UInt16>
    private let seconds: RowList<UInt16>
    private let taps: [UInt16]
    private let output: Range<Int>
    private let channels: Int
    /// Memory for a part of two rows, on which the output stages run.
    private let parts: FixedRows

    /// The number of pixels in a part of a row. Two rows of this length stay in the L2 cache until the stages have run.
    /// Smaller parts would fit into the L1 cache, but the additional calls would cost more time than this saves.
    private static let partWidth = 4096

    /// Creates an object that interpolates rows of samples and runs the output stages on the result.
    ///
    /// - Parameters:
    ///   - colored: the colours' limits and the rounding offsets, if the colour stages have already been applied to the
    ///     samples; otherwise nil.
    ///   - pairs: two lists of input rows, one for each row of an output pair. The caller fills both lists before each
    ///     call that writes a pair.
    ///   - taps: the taps along y.
    ///   - output: the columns of the output.
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

    /// Whether the output stages run in fixed point and use neither the original nor content. A row is then complete
    /// once it has been written.
    var takesParts: Bool { runner.takesParts }

    /// Writes one or both rows of a pair.
    ///
    /// - Parameters:
    ///   - rows: the rows to write.
    ///   - above: the first row of the pair.
    func write(_ rows: Range<Int>, above: Int, _ target: TargetRows) {
        var target = unsafe target
        // A pixel that is written twice must not be written around the caches.
        if !runner.takesParts { unsafe target.streams = false }
        guard let offsets else { return unsafe writeParts(rows, above: above, target) }
        let phases = (offsets.phase(above, output.lowerBound), offsets.phase(above + 1, output.lowerBound))
        func row(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
            rows.contains(index) ? unsafe target.row(index).assumingMemoryBound(to: UInt8.self) : nil
        }
        let (n, count, stream) = unsafe (Int32(taps.count), Int32(output.count), Int32(target.streams ? 1 : 0))
        let isOpaque = unsafe colored?.isOpaque.pointee == true
        // Opaque pixels need no division, so they take the faster kernel. The result is the same.
        if divides && !isOpaque {
            unsafe table.pointee.fixed_interpolate_divided(
                firsts.base, seconds.base, taps, n, row(above), row(above + 1), count, offsets.differences, phases.0,
                phases.1, colored?.limits, 0, stream)
        } else {
            unsafe table.pointee.fixed_interpolate_dithered(
                firsts.base, seconds.base, taps, n, row(above), row(above + 1), count, offsets.base, phases.0,
                phases.1, colored?.limits, isOpaque ? 1 : 0, stream)
        }
    }

    /// Interpolates and writes the rows part by part, so that the output stages run on numbers that are still in a near
    /// cache.
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

/// Data for samples to which the colour stages have been applied before the interpolation. Limits and dither are
/// applied after the interpolation.
///
/// SAFETY: the object that colours the samples outlives the value.
@safe struct ColoredSamples {
    let limits: UnsafePointer<frost_late_limits>
    /// The rounding offsets with which the interpolation writes bytes directly, without an intermediate row of numbers;
    /// nil if the interpolation cannot write bytes directly.
    let offsets: PairOffsets?
    /// Whether all samples of the rows that are currently read are opaque.
    let isOpaque: UnsafePointer<Bool>
}
