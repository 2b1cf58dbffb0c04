/// An image between two passes: a window of a grid whose samples each stand for `2^levelX` by `2^levelY` source pixels.
///
/// Sample `i` of level k covers source pixels `i * 2^k ..< (i + 1) * 2^k`, counted from the absolute origin, never from a
/// crop: so two plans over the same picture compute the same samples, whatever their region.
public struct Slot: Sendable, Hashable {
    /// The samples that are stored, in the grid's own coordinates; negative ones lie before the image.
    public var window: Rect
    public var levelX: Int
    public var levelY: Int
    /// Whether values may lie outside 0...1, because a kernel with negative taps wrote them: such a slot needs a signed
    /// format.
    public var isSigned: Bool

    public init(window: Rect, levelX: Int, levelY: Int, isSigned: Bool) {
        self.window = window
        self.levelX = levelX
        self.levelY = levelY
        self.isSigned = isSigned
    }
}

/// Where a pass reads or writes.
public enum Place: Sendable, Hashable {
    /// The caller's image: converted to premultiplied, normalised values when read.
    case source
    /// An intermediate, by its index in ``Plan/slots``.
    case slot(Int)
    /// The result: quantised, and divided by alpha where the caller's format is straight, when written.
    case output
}

/// One separable filter over one axis. In formulas `in` and `out` are indexed by absolute sample along `axis`; the
/// other axis is carried over unchanged.
public struct Pass: Sendable, Hashable {
    public enum Operation: Sendable, Hashable {
        /// Halves the resolution: `out[i] = sum over t of taps[t] * in[2i + t - (n/2 - 1)]`, n even.
        case decimate(taps: [Float])
        /// Same resolution: `out[i] = sum over t of taps[t] * in[i + t - r]`, n = 2r + 1.
        case convolve(taps: [Float])
        /// Doubles the resolution with the same binomial filter as ``decimate(taps:)``, as its transpose:
        /// `out[i] = 2 * sum over j of taps[i - 2j + (n/2 - 1)] * in[j]`, wherever the tap exists. These are n/2 taps
        /// for even i and their mirror image for odd i.
        case interpolate(taps: [Float])
    }

    public var axis: Axis
    public var operation: Operation
    public var from: Place
    public var to: Place
    /// How an index outside the input along `axis` is read. The caller's edge mode in the first pass of each axis,
    /// whose input is the image's own extent there. Later passes have ``EdgeMode/clamp``: their input either holds every
    /// sample that is needed or ends in samples that repeat without end.
    public var edge: EdgeMode

    public init(axis: Axis, operation: Operation, from: Place, to: Place, edge: EdgeMode) {
        self.axis = axis
        self.operation = operation
        self.from = from
        self.to = to
        self.edge = edge
    }
}

extension Pass.Operation {
    /// The input samples that the output samples `samples` read, before any edge rule.
    public func reach(of samples: Range<Int>) -> Range<Int> {
        guard !samples.isEmpty else { return samples }
        let first = samples.lowerBound
        let last = samples.upperBound - 1
        switch self {
        case .convolve(let taps):
            let radius = taps.count / 2
            return first - radius..<last + radius + 1
        case .decimate(let taps):
            let before = taps.count / 2 - 1
            return 2 * first - before..<2 * last - before + taps.count
        case .interpolate(let taps):
            // The taps of output i are 0 <= i - 2j + h <= 2h + 1 with h = n/2 - 1,
            // so ceil((i - h - 1) / 2) <= j <= floor((i + h) / 2). An arithmetic shift rounds down.
            let half = taps.count / 2 - 1
            return (first - half) >> 1..<((last + half) >> 1) + 1
        }
    }

    public var taps: [Float] {
        switch self {
        case .decimate(let taps), .convolve(let taps), .interpolate(let taps): taps
        }
    }
}

extension Pass {
    /// The part of the input's samples that `output` needs. The edge rule gives the same for the part as for all samples.
    public func input(for output: Range<Int>, of samples: Range<Int>) -> Range<Int> {
        edge.window(of: operation.reach(of: output), in: samples)
    }
}
