import FrostCore

/// Evaluates weighted averages in double precision, first along one axis and then along the other. All exact separable
/// blurs are computed in this way.
enum ExactSeparable {
    /// Applies averages along y and then along x.
    ///
    /// - Parameters:
    ///   - x: the averages along x, in order, not empty. Each reads the result of the one before it.
    ///   - y: the averages along y, in order, not empty. Each reads the result of the one before it.
    ///   - channels: the channels of the result.
    /// - Throws: ``ExactError/cancelled``, or ``ExactError/pixels(_:)`` if the source does not have the size of the extent.
    @unsafe static func render(
        x: [AxisAverage], y: [AxisAverage], source: PixelSource, extent: Rect, channels: ChannelLayout, threads: Int,
        cancellation: Cancellation?
    ) throws(ExactError) -> ExactImage {
        let values = try filtered(
            try unsafe values(
                source, extent: extent, channels: channels, threads: threads, cancellation: cancellation), x: x, y: y,
            extent: extent,
            count: channels.count, threads: threads, cancellation: cancellation)
        let width = x.last.map(\.output.count) ?? extent.width
        let height = y.last.map(\.output.count) ?? extent.height
        return ExactImage(width: width, height: height, channels: channels, values: values)
    }

    /// Applies averages along y and then along x to samples.
    ///
    /// - Parameters:
    ///   - values: the samples of an image that covers the extent, with `count` channels.
    /// - Throws: ``ExactError/cancelled``.
    static func filtered(
        _ values: [Double], x: [AxisAverage], y: [AxisAverage], extent: Rect, count: Int, threads: Int,
        cancellation: Cancellation?
    ) throws(ExactError) -> [Double] {
        var values = values
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
        return values
    }

    /// Returns the samples of an image, with the scale and in the order of ``ExactImage/values``.
    ///
    /// - Throws: ``ExactError/cancelled``, or ``ExactError/pixels(_:)`` if the source does not have the size of the extent.
    @unsafe static func values(
        _ source: PixelSource, extent: Rect, channels: ChannelLayout, threads: Int, cancellation: Cancellation?
    ) throws(ExactError) -> [Double] {
        let layout = unsafe source.layout
        guard layout.width == extent.width, layout.height == extent.height else {
            throw .pixels(
                .mismatch(
                    property: "size of the source", first: "\(layout.width)x\(layout.height)",
                    second: "\(extent.width)x\(extent.height)"))
        }
        // SAFETY: the threads only read the source's memory, and only during this call.
        nonisolated(unsafe) let rows = unsafe SampleRows(source).expanded(to: channels)
        return try ExactRows.values(
            rows: layout.height, samples: layout.width * channels.count, threads: threads, cancellation
        ) { y in unsafe rows[y] }
    }
}

/// A weighted average along one axis: the weights of the input samples for each output sample.
struct AxisAverage {
    /// The weights, centred on the output sample.
    let taps: [Double]
    /// The edge mode, which supplies the samples outside the input.
    let edge: EdgeMode
    let input: Range<Int>
    let output: Range<Int>

    /// Returns the weights of output `i` for consecutive input samples from `first` on. If the kernel extends outside
    /// the image, the edge mode reads a sample of the image instead of each sample outside, and the weight outside is
    /// added to the weight of this sample. The size of the image therefore limits the cost, even for a sigma far larger
    /// than the image.
    func weights(_ i: Int) -> (first: Int, weights: [Double]) {
        let radius = taps.count / 2
        if i - radius >= input.lowerBound, i + radius < input.upperBound { return (i - radius, taps) }
        var folded = [Double](repeating: 0, count: input.count)
        for (t, weight) in taps.enumerated() {
            if let source = edge.map(i - radius + t, into: input) { folded[source - input.lowerBound] += weight }
        }
        return (input.lowerBound, folded)
    }

    /// Filters all lanes of `values`. A lane is one channel of a column or of a row. Sample p of lane l lies at
    /// `offset(l) + p * stride`.
    func apply(
        to values: [Double], lanes: Int, stride: Int, offset: @escaping @Sendable (Int) -> Int, outStride: Int,
        outOffset: @escaping @Sendable (Int) -> Int, threads: Int, cancellation: Cancellation?
    ) throws(ExactError) -> [Double] {
        let width = Self.laneWidth
        let tiles = (lanes + width - 1) / width
        return try SharedDoubles.array(count: lanes * output.count) { (result) throws(ExactError) in
            try ExactRows.forEach(tiles, threads: threads, cancellation) { index in
                var tile = [SIMD16<Double>](repeating: .zero, count: input.count)
                let used = min(width, lanes - index * width)
                for lane in 0..<used {
                    let from = offset(index * width + lane)
                    for p in 0..<input.count { tile[p][lane] = values[from + p * stride] }
                }
                for i in output {
                    // An output sample may read all samples of the tile, so a whole tile takes too long.
                    if i & 31 == 0, cancellation?.isCancelled == true { return }
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
    }

    /// The number of lanes that are filtered together. It fills the vector registers, and a tile of 4K samples fits in
    /// the L2 cache.
    private static let laneWidth = 16
}
