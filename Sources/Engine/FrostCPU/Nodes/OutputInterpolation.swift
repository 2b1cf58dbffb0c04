import CFrostKernels
import FrostCore

/// Runs the output stages on rows of the last interpolation while the rows are computed. Two rows are processed at a
/// time.
///
/// Pixels that show only the effect are written by the interpolation itself, if the output stages allow it. Pixels that
/// show only the original are copied without an interpolation.
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
    private let table: UnsafePointer<frost_kernels>
    /// The rows of samples from which two rows of pixels are interpolated, from the next pixel on. Pixels form pairs along
    /// x: `firsts` has the rows of the first pixels of all pairs, `seconds` the rows of the second pixels.
    private let firsts: RowList<UInt16>
    private let seconds: RowList<UInt16>
    private let taps: [UInt16]
    private let output: Range<Int>
    private let channels: Int
    /// Memory for a part of two rows, on which the output stages run.
    private let parts: FixedRows
    /// The rows of the original image. Set before rows are written.
    var originals: Originals?
    /// The parts of the rows that are being written, and what they show.
    private var pieces: [(part: Range<Int>, shown: Pair<OutputStageRunner.Shown>)] = []
    /// The original's rows for the rows that are being written, whether a single kernel can mix them with the effect, and the
    /// values of the mask where it does so.
    private var sources = unsafe Pair<UnsafeRawPointer?>(nil, nil)
    private var mixesBytes = Pair(false, false)
    private let masks: RowStorage

    /// The number of pixels in a part of a row that shows only the effect. Two rows of this length stay in the L2 cache
    /// until the stages have run. Smaller parts would fit into the L1 cache, but the additional calls would cost more time
    /// than this saves.
    static let partWidth = 4096

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
        unsafe table = kernels.table
        (firsts, seconds) = pairs
        self.taps = taps.firstOfPair
        self.output = output
        self.channels = channels
        // Only coloured and premultiplied pixels are always written without an intermediate row of numbers.
        let needsNumbers =
            offsets == nil || !runner.takesParts || colored == nil && runner.writer.format.needsPremultiplication
        parts = FixedRows(rows: 2, count: needsNumbers ? min(Self.partWidth, output.count + 1) * channels : 0)
        masks = RowStorage(rows: 2, floats: runner.takesParts ? 0 : output.count)
    }

    /// Whether a row is complete once it has been written. Otherwise only the effect is written, and the runner completes
    /// the row.
    var completesRows: Bool { runner.completesParts }

    /// Whether ``write(_:above:isOpaque:_:)`` is faster if it is told which samples are opaque.
    var testsOpacity: Bool { colored == nil && offsets != nil && divides }

    /// Whether pixels are written with straight alpha, so that colours are divided by alpha.
    private var divides: Bool { runner.writer.format.needsPremultiplication }

    /// Writes one or both rows of a pair.
    ///
    /// - Parameters:
    ///   - rows: the rows to write.
    ///   - above: the first row of the pair.
    ///   - isOpaque: whether all samples that are read are known to be opaque.
    func write(_ rows: Range<Int>, above: Int, isOpaque: Bool, _ target: TargetRows) {
        let isOpaque = unsafe isOpaque || colored?.isOpaque.pointee == true
        if runner.takesParts || !runner.completesParts {
            var target = unsafe target
            // A pixel that is written twice must not be written around the caches.
            if !runner.takesParts { unsafe target.streams = false }
            return unsafe writeEffect(0..<output.count, of: rows, above: above, isOpaque: isOpaque, target)
        }
        examine(rows, isOpaque: isOpaque)
        for piece in pieces {
            if piece.shown == Pair(.effect, .effect) {
                unsafe writeEffect(piece.part, of: rows, above: above, isOpaque: isOpaque, target)
            } else {
                unsafe writeMixture(piece.part, piece.shown, of: rows, above: above, isOpaque: isOpaque, target)
            }
        }
    }

    /// Finds out what some rows show, and computes the values of the mask. This is done before anything is written, because
    /// it counts references.
    private func examine(_ rows: Range<Int>, isOpaque: Bool) {
        let (first, last) = (rows.lowerBound, rows.upperBound - 1)
        unsafe sources = Pair(runner.original(first, originals), runner.original(last, originals))
        let whole = Pair(runner.shown(0..<output.count, of: first), runner.shown(0..<output.count, of: last))
        unsafe mixesBytes = Pair(
            whole.first == .mixture && runner.mixesBytes(sources.first, isOpaque: isOpaque),
            whole.last == .mixture && runner.mixesBytes(sources.last, isOpaque: isOpaque))
        pieces.removeAll(keepingCapacity: true)
        var column = 0
        while column < output.count {
            let (part, shown) = nextPart(from: column, of: rows, whole)
            pieces.append((part, shown))
            if shown.first == .mixture, mixesBytes.first { unsafe runner.fillMask(masks.row(0), part, of: first) }
            if shown.last == .mixture, mixesBytes.last { unsafe runner.fillMask(masks.row(1), part, of: last) }
            column = part.upperBound
        }
    }

    /// Returns the next part of some rows, and what it shows.
    ///
    /// - Parameter whole: what the whole rows show.
    private func nextPart(
        from first: Int, of rows: Range<Int>, _ whole: Pair<OutputStageRunner.Shown>
    ) -> (part: Range<Int>, shown: Pair<OutputStageRunner.Shown>) {
        if whole.first != .mixture, whole.last != .mixture { return (first..<output.count, whole) }
        func part(_ first: Int) -> Range<Int> { first..<min(first + runner.partWidth, output.count) }
        func shown(_ part: Range<Int>) -> Pair<OutputStageRunner.Shown> {
            if part.count == output.count { return whole }
            return Pair(runner.shown(part, of: rows.lowerBound), runner.shown(part, of: rows.upperBound - 1))
        }
        var made = part(first)
        let kinds = shown(made)
        // Consecutive parts that show only the effect are written together.
        while kinds == Pair(.effect, .effect), made.upperBound < output.count {
            let next = part(made.upperBound)
            guard shown(next) == kinds else { break }
            made = made.lowerBound..<next.upperBound
        }
        return (made, kinds)
    }

    /// Writes a part of some rows that shows only the effect.
    private func writeEffect(
        _ part: Range<Int>, of rows: Range<Int>, above: Int, isOpaque: Bool, _ target: TargetRows
    ) {
        guard let offsets, colored != nil || !divides || isOpaque else {
            return unsafe writeNumbers(part, of: rows, above: above, target)
        }
        let x = output.lowerBound + part.lowerBound
        let phases = (offsets.phase(above, x), offsets.phase(above + 1, x))
        func row(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
            guard rows.contains(index) else { return nil }
            return unsafe target.row(index).assumingMemoryBound(to: UInt8.self) + part.lowerBound * 4
        }
        let (n, count, stream) = unsafe (Int32(taps.count), Int32(part.count), Int32(target.streams ? 1 : 0))
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
        skip(part)
    }

    /// Does the same as ``writeEffect(_:of:above:isOpaque:_:)`` with a row of numbers between the interpolation and the
    /// bytes.
    private func writeNumbers(_ part: Range<Int>, of rows: Range<Int>, above: Int, _ target: TargetRows) {
        var first = part.lowerBound
        while first < part.upperBound {
            let piece = first..<min(first + Self.partWidth, part.upperBound)
            interpolate(piece)
            for row in rows { unsafe writeNumbers(piece, row, parts.row(row - above), target) }
            first = piece.upperBound
        }
    }

    private func writeNumbers(
        _ part: Range<Int>, _ row: Int, _ numbers: UnsafeMutablePointer<UInt16>, _ target: TargetRows
    ) {
        if let limits = unsafe colored?.limits {
            unsafe table.pointee.fixed_limit(numbers, limits, Int32(part.count))
        }
        unsafe runner.writeFixed(
            row, part, numbers, to: target.row(row), streams: target.streams, isColored: colored != nil)
    }

    /// Writes a part of some rows that shows the original at some pixels.
    ///
    /// - Parameter shown: what the part shows.
    private func writeMixture(
        _ part: Range<Int>, _ shown: Pair<OutputStageRunner.Shown>, of rows: Range<Int>, above: Int, isOpaque: Bool,
        _ target: TargetRows
    ) {
        if shown == Pair(.original, .original) {
            skip(part)
        } else if colored == nil {
            interpolate(part)
        } else {
            // The runner mixes uncoloured pixels with the original. Here the effect is written where nothing is mixed.
            let first = shown.first == .original ? rows.lowerBound + 1 : rows.lowerBound
            let last = shown.last == .original ? rows.upperBound - 1 : rows.upperBound
            var plain = unsafe target
            unsafe plain.streams = false
            unsafe writeEffect(part, of: first..<last, above: above, isOpaque: isOpaque, plain)
        }
        for row in rows {
            let (out, numbers, isFirst) = unsafe (target.row(row), parts.row(row - above), row == rows.lowerBound)
            let source = unsafe sources[isFirst: isFirst]
            switch shown[isFirst: isFirst] {
            case .effect: if colored == nil { unsafe writeNumbers(part, row, numbers, target) }
            case .original: unsafe runner.keep(part, source, to: out, streams: target.streams)
            case .mixture:
                if mixesBytes[isFirst: isFirst] {
                    unsafe runner.mixBytes(
                        part, of: row, numbers, masks.row(isFirst ? 0 : 1), source, to: out, streams: target.streams)
                } else {
                    unsafe runner.writeMixture(
                        part, of: row, numbers - part.lowerBound * channels, source, to: out, streams: target.streams)
                }
            }
        }
    }

    /// Interpolates a part of both rows of a pair to numbers.
    private func interpolate(_ part: Range<Int>) {
        unsafe table.pointee.fixed_interpolate_rows(
            firsts.base, seconds.base, taps, Int32(taps.count), parts.row(0), parts.row(1), Int32((part.count + 1) / 2),
            Int32(channels))
        skip(part)
    }

    /// Moves the input rows to the pixel after a part.
    private func skip(_ part: Range<Int>) {
        firsts.advance(part.count / 2 * channels)
        seconds.advance(part.count / 2 * channels)
    }
}

/// A value for the first and one for the last of one or two rows.
private struct Pair<Value> {
    let first: Value
    let last: Value

    init(_ first: Value, _ last: Value) { (self.first, self.last) = (first, last) }

    subscript(isFirst isFirst: Bool) -> Value { isFirst ? first : last }
}

extension Pair: Equatable where Value: Equatable {}

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
