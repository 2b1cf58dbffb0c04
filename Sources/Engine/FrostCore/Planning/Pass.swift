/// An image between two passes: a window of a grid in which each sample covers `2^levelX` by `2^levelY` source pixels.
///
/// Sample `i` of level k covers source pixels `i * 2^k ..< (i + 1) * 2^k`. Pixels are counted from the absolute origin,
/// never from the corner of a crop. So two plans over the same picture compute the same samples, whatever their regions
/// are.
public struct Slot: Sendable, Hashable {
    /// The stored samples, in the grid's coordinates. Coordinates before the absolute origin are negative.
    public var window: Rect
    /// The number of decimations along x: each sample covers `2^levelX` columns of the source.
    public var levelX: Int
    /// The number of decimations along y: each sample covers `2^levelY` rows of the source.
    public var levelY: Int
    /// Whether the slot's values may lie outside 0...1. This is the case if a filter with negative taps computes them.
    /// Such a slot needs a signed format.
    public var isSigned: Bool

    /// Creates a slot from its parts.
    public init(window: Rect, levelX: Int, levelY: Int, isSigned: Bool) {
        self.window = window
        self.levelX = levelX
        self.levelY = levelY
        self.isSigned = isSigned
    }

    /// Returns the number of decimations along an axis.
    package func level(along axis: Axis) -> Int {
        switch axis {
        case .x: levelX
        case .y: levelY
        }
    }
}

/// The place from which a pass reads or to which it writes.
public enum Place: Sendable, Hashable {
    /// The caller's image. Its pixels are converted to premultiplied, normalised values when they are read.
    case source
    /// An intermediate image. The number is its index in ``Passes/slots``.
    case slot(Int)
    /// The result. Its values are quantised when they are written, and divided by alpha if the caller's format is
    /// straight.
    case output
}

/// One separable filter along one axis. In formulas, the indices of `in` and `out` are absolute sample numbers along
/// ``axis``. The position along the other axis is the same in `in` and `out`.
public struct Pass: Sendable, Hashable {
    /// A filter along one axis, with its taps.
    public enum Operation: Sendable, Hashable {
        /// Decimation, which halves the resolution: `out[i] = sum over t of taps[t] * in[2i + t - h]` with
        /// h = floor(n/2) - 1. If the number n of taps is even, the output lies between the inputs 2i and 2i + 1. If it is odd,
        /// the output lies on the input 2i + 1.
        case decimate(taps: [Float])
        /// Convolution at the same resolution: `out[i] = sum over t of taps[t] * in[i + t - r]`. The number of taps is
        /// n = 2r + 1.
        case convolve(taps: [Float])
        /// Interpolation, which doubles the resolution. It is the transpose of ``decimate(taps:)`` with the same
        /// binomial filter: `out[i] = 2 * sum over j of taps[i - 2j + h] * in[j]`, over every j for which the tap exists. If n
        /// is even, each output has n/2 taps, and the taps for odd i are the mirror image of the taps for even i.
        case interpolate(taps: [Float])
    }

    /// The axis along which the pass filters.
    public var axis: Axis
    /// The filter and its taps.
    public var operation: Operation
    /// The place from which the pass reads.
    public var from: Place
    /// The place to which the pass writes.
    public var to: Place
    /// The edge mode for indices outside the input along ``axis``. The first pass of each axis has the caller's edge
    /// mode, because its input along the axis is the image itself. All passes of a box blur have the caller's edge
    /// mode. A pass that reads a reflected level has the level's rule, which `EdgeRule.decimated(_:)` derives. All other
    /// passes have ``EdgeMode/clamp``. The input of such a pass contains every sample that the pass needs, or all samples
    /// beyond an end of the input equal its last sample.
    public var edge: EdgeRule

    /// Creates a pass with an edge mode from its parts.
    public init(axis: Axis, operation: Operation, from: Place, to: Place, edge: EdgeMode) {
        self.init(axis: axis, operation: operation, from: from, to: to, edge: EdgeRule(edge))
    }

    /// Creates a pass from its parts.
    public init(axis: Axis, operation: Operation, from: Place, to: Place, edge: EdgeRule) {
        self.axis = axis
        self.operation = operation
        self.from = from
        self.to = to
        self.edge = edge
    }
}

extension Pass.Operation {
    /// The operation's name in descriptions: "decimate", "convolve" or "interpolate".
    public var name: String {
        switch self {
        case .decimate: "decimate"
        case .convolve: "convolve"
        case .interpolate: "interpolate"
        }
    }

    /// Returns the input samples that are read to compute the output samples `samples`, also with the weight 0. The edge mode
    /// is not applied: the result may lie outside the input.
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
            // With h = floor(n/2) - 1, output i reads input j if i - 2j + h <= n - 1, so j begins at
            // ceil((i + h + 1 - n) / 2), and there are ceil(n / 2) inputs. If n is odd, every second output reads the last one
            // with the weight 0. An arithmetic shift rounds down.
            let start = taps.count / 2 + 1 - taps.count
            return (first + start) >> 1..<((last + start) >> 1) + (taps.count + 1) / 2
        }
    }

    /// The filter's taps, in the order of the formula in ``Pass/Operation``.
    public var taps: [Float] {
        switch self {
        case .decimate(let taps), .convolve(let taps), .interpolate(let taps): taps
        }
    }
}

extension Pass {
    /// Returns the part of the input's samples that is needed to compute the output samples `output`. The edge mode
    /// gives the same values whether it extends this part or all of the input's samples, `samples`.
    public func input(for output: Range<Int>, of samples: Range<Int>) -> Range<Int> {
        edge.window(of: operation.reach(of: output), in: samples)
    }
}
