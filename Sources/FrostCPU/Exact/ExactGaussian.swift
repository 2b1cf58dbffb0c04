public import FrostCore
import Synchronization

/// The definition of the Gaussian blur, carried out in Double: the reference that every backend is checked against,
/// and `--backend exact`.
///
/// Reads the effect, never a plan, and shares no arithmetic with the backends.
public enum ExactGaussian {
    /// Blurs `source`, an image that covers `extent`, and returns `region` of the result.
    ///
    /// - Parameter threads: as for ``CPUExecutor``.
    /// - Throws: ``CPUError/cancelled``, or ``CPUError/pixels(_:)`` if the source is not sized as the extent.
    /// - Complexity: O(pixels * min(sigma, side)): seconds for large images and sigmas.
    @unsafe public static func render(
        _ blur: GaussianBlur, source: PixelSource, extent: Rect, region: Rect, threads: Int,
        cancellation: Cancellation? = nil
    ) throws(CPUError) -> ExactImage {
        let layout = unsafe source.layout
        guard layout.width == extent.width, layout.height == extent.height else {
            throw .pixels(
                .mismatch(
                    property: "size of the source", first: "\(layout.width)x\(layout.height)",
                    second: "\(extent.width)x\(extent.height)"))
        }
        let channels = blur.outputFormat(for: layout.format).channels.canonical
        let rows = unsafe SampleRows(source).expanded(to: channels)
        var values: [Double] = []
        values.reserveCapacity(layout.width * layout.height * channels.count)
        for y in 0..<layout.height { values += rows[y] }

        let count = channels.count
        let vertical = AxisWeights(sigma: blur.effectiveSigma(.y), edge: blur.edge, extent: extent.rows)
        values = try vertical.apply(
            to: values, outputs: region.rows, lanes: extent.width * count, stride: extent.width * count,
            offset: { $0 }, outStride: extent.width * count, outOffset: { $0 }, threads: threads,
            cancellation: cancellation)
        let horizontal = AxisWeights(sigma: blur.effectiveSigma(.x), edge: blur.edge, extent: extent.columns)
        values = try horizontal.apply(
            to: values, outputs: region.columns, lanes: region.height * count, stride: count,
            offset: { $0 / count * extent.width * count + $0 % count }, outStride: count,
            outOffset: { $0 / count * region.width * count + $0 % count }, threads: threads,
            cancellation: cancellation)
        return ExactImage(width: region.width, height: region.height, channels: channels, values: values)
    }
}

/// One axis of the definition: which source samples make up each output sample, with which weights.
private struct AxisWeights {
    let taps: [Double]
    let edge: EdgeMode
    let extent: Range<Int>

    init(sigma: Double, edge: EdgeMode, extent: Range<Int>) {
        taps = sigma > 0 ? SampledGaussian.taps(sigma: sigma) : [1]
        self.edge = edge
        self.extent = extent
    }

    /// The weights of output `i`, over consecutive source samples from `first` on. Where the kernel leaves the image
    /// its tails are folded onto the samples that the edge mode puts there: so a sigma far larger than the image
    /// costs no more than the image.
    func weights(_ i: Int) -> (first: Int, weights: [Double]) {
        let radius = taps.count / 2
        if i - radius >= extent.lowerBound, i + radius < extent.upperBound { return (i - radius, taps) }
        var folded = [Double](repeating: 0, count: extent.count)
        for (t, weight) in taps.enumerated() {
            if let source = edge.map(i - radius + t, into: extent) { folded[source - extent.lowerBound] += weight }
        }
        return (extent.lowerBound, folded)
    }

    /// Filters every lane of `values`: sample p of lane l lies at `offset(l) + p * stride`.
    func apply(
        to values: [Double], outputs: Range<Int>, lanes: Int, stride: Int, offset: @escaping @Sendable (Int) -> Int,
        outStride: Int, outOffset: @escaping @Sendable (Int) -> Int, threads: Int, cancellation: Cancellation?
    ) throws(CPUError) -> [Double] {
        let width = Self.laneWidth
        let tiles = (lanes + width - 1) / width
        let result = SharedDoubles(count: lanes * outputs.count)
        let next = TileCounter()
        Workers.shared.run(max(1, min(threads, tiles))) { _ in
            var tile = [SIMD16<Double>](repeating: .zero, count: extent.count)
            while true {
                let index = next.take()
                guard index < tiles, cancellation?.isCancelled != true else { return }
                let used = min(width, lanes - index * width)
                for lane in 0..<used {
                    let from = offset(index * width + lane)
                    for p in 0..<extent.count { tile[p][lane] = values[from + p * stride] }
                }
                for i in outputs {
                    if i & 63 == 0, cancellation?.isCancelled == true { return }
                    let (first, weights) = self.weights(i)
                    var sum = SIMD16<Double>.zero
                    for (t, weight) in weights.enumerated() { sum += tile[first - extent.lowerBound + t] * weight }
                    for lane in 0..<used {
                        let to = outOffset(index * width + lane) + (i - outputs.lowerBound) * outStride
                        result.set(to, sum[lane])
                    }
                }
            }
        }
        if cancellation?.isCancelled == true { throw .cancelled }
        return result.array
    }

    /// Lanes filtered at once: what fills a vector unit and keeps a tile of 4K samples within the L2 cache.
    private static let laneWidth = 16
}

/// Hands out tiles.
private final class TileCounter: Sendable {
    private let next = Atomic<Int>(0)
    func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
}

/// Memory that several threads fill, each its own elements.
///
/// SAFETY: `set` checks the index; callers write disjoint elements, and read only when all threads are done.
@safe private final class SharedDoubles: @unchecked Sendable {
    private let values: UnsafeMutableBufferPointer<Double>

    init(count: Int) {
        unsafe values = .allocate(capacity: count)
        unsafe values.initialize(repeating: 0)
    }

    deinit { unsafe values.deallocate() }

    func set(_ index: Int, _ value: Double) {
        unsafe precondition(index >= 0 && index < values.count)
        unsafe values[index] = value
    }

    var array: [Double] { unsafe Array(values) }
}
