import FrostCore
import Synchronization

/// Averages along both axes, one after the other, in Double: what the definitions of blurs are carried out with.
enum ExactSeparable {
    /// - Parameters:
    ///   - x: along x, in their order, not empty: each reads what the one before it gave. y: likewise.
    ///   - channels: what is computed, and returned.
    /// - Throws: ``CPUError/cancelled``, or ``CPUError/pixels(_:)`` if the source is not sized as the extent.
    @unsafe static func render(
        x: [AxisAverage], y: [AxisAverage], source: PixelSource, extent: Rect, channels: ChannelLayout, threads: Int,
        cancellation: Cancellation?
    ) throws(CPUError) -> ExactImage {
        var values = try unsafe values(source, extent: extent, channels: channels)
        let count = channels.count
        var (width, height) = (extent.width, extent.height)
        for average in y {
            let samples = width * count
            values = try average.apply(
                to: values, lanes: samples, stride: samples, offset: { $0 }, outStride: samples, outOffset: { $0 },
                threads: threads, cancellation: cancellation)
            height = average.output.count
        }
        for average in x {
            let (from, to) = (width * count, average.output.count * count)
            values = try average.apply(
                to: values, lanes: height * count, stride: count, offset: { $0 / count * from + $0 % count },
                outStride: count, outOffset: { $0 / count * to + $0 % count }, threads: threads,
                cancellation: cancellation)
            width = average.output.count
        }
        return ExactImage(width: width, height: height, channels: channels, values: values)
    }

    /// An image's samples, as ``ExactImage/values``.
    ///
    /// - Throws: ``CPUError/pixels(_:)`` if the source is not sized as the extent.
    @unsafe static func values(
        _ source: PixelSource, extent: Rect, channels: ChannelLayout
    ) throws(CPUError) -> [Double] {
        let layout = unsafe source.layout
        guard layout.width == extent.width, layout.height == extent.height else {
            throw .pixels(
                .mismatch(
                    property: "size of the source", first: "\(layout.width)x\(layout.height)",
                    second: "\(extent.width)x\(extent.height)"))
        }
        let rows = unsafe SampleRows(source).expanded(to: channels)
        var values: [Double] = []
        values.reserveCapacity(layout.width * layout.height * channels.count)
        for y in 0..<layout.height { values += rows[y] }
        return values
    }
}

/// An average along one axis: which samples make up each output sample, with which weights.
struct AxisAverage {
    /// Centred on the output sample.
    let taps: [Double]
    /// What lies outside of the input.
    let edge: EdgeMode
    /// The samples that are there.
    let input: Range<Int>
    let output: Range<Int>

    /// The weights of output `i`, over consecutive source samples from `first` on. Where the kernel leaves the image
    /// its tails are folded onto the samples that the edge mode puts there: so a sigma far larger than the image
    /// costs no more than the image.
    func weights(_ i: Int) -> (first: Int, weights: [Double]) {
        let radius = taps.count / 2
        if i - radius >= input.lowerBound, i + radius < input.upperBound { return (i - radius, taps) }
        var folded = [Double](repeating: 0, count: input.count)
        for (t, weight) in taps.enumerated() {
            if let source = edge.map(i - radius + t, into: input) { folded[source - input.lowerBound] += weight }
        }
        return (input.lowerBound, folded)
    }

    /// Filters every lane of `values`: sample p of lane l lies at `offset(l) + p * stride`.
    func apply(
        to values: [Double], lanes: Int, stride: Int, offset: @escaping @Sendable (Int) -> Int, outStride: Int,
        outOffset: @escaping @Sendable (Int) -> Int, threads: Int, cancellation: Cancellation?
    ) throws(CPUError) -> [Double] {
        let width = Self.laneWidth
        let tiles = (lanes + width - 1) / width
        let result = SharedDoubles(count: lanes * output.count)
        let next = TileCounter()
        Workers.shared.run(max(1, min(threads, tiles))) { _ in
            var tile = [SIMD16<Double>](repeating: .zero, count: input.count)
            while true {
                let index = next.take()
                guard index < tiles, cancellation?.isCancelled != true else { return }
                let used = min(width, lanes - index * width)
                for lane in 0..<used {
                    let from = offset(index * width + lane)
                    for p in 0..<input.count { tile[p][lane] = values[from + p * stride] }
                }
                for i in output {
                    if i & 63 == 0, cancellation?.isCancelled == true { return }
                    let (first, weights) = self.weights(i)
                    var sum = SIMD16<Double>.zero
                    for (t, weight) in weights.enumerated() { sum += tile[first - input.lowerBound + t] * weight }
                    for lane in 0..<used {
                        let to = outOffset(index * width + lane) + (i - output.lowerBound) * outStride
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
final class TileCounter: Sendable {
    private let next = Atomic<Int>(0)
    func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
}

/// Memory that several threads fill, each its own elements.
///
/// SAFETY: `set` checks the index; callers write disjoint elements, and read only when all threads are done.
@safe final class SharedDoubles: @unchecked Sendable {
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
