public import FrostCore

/// The exact result of an effect in double precision, not rounded. The results of all backends are compared with it.
public struct ExactImage: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The channels: grey or RGB, with or without alpha.
    public let channels: ChannelLayout
    /// The samples: 1.0 is full scale, colours are premultiplied, channels are interleaved, rows follow each other
    /// without padding.
    public let values: [Double]

    /// The samples row by row, for ``Comparison``.
    public var rows: SampleRows {
        SampleRows(width: width, height: height, channels: channels) { y in
            Array(values[y * width * channels.count..<(y + 1) * width * channels.count])
        }
    }

    /// Rounds the image to the target's samples and writes them. The target has the same size and the same colour
    /// channels as this image. Each sample is rounded to the nearest value; for straight alpha, colours are divided by
    /// the rounded alpha.
    ///
    /// - Parameter threads: the maximum number of threads, 1 to 256.
    /// - Throws: ``ExactError/cancelled``.
    @unsafe public func write(
        to target: PixelTarget, threads: Int = 1, cancellation: Cancellation? = nil
    ) throws(ExactError) {
        // SAFETY: each thread writes rows of its own, and only during this call.
        nonisolated(unsafe) let target = unsafe target
        try ExactRows.forEach(height, threads: threads, cancellation) { y in unsafe writeRow(y, to: target) }
    }

    private func writeRow(_ y: Int, to target: PixelTarget) {
        let format = unsafe target.layout.format
        let count = channels.count
        let outCount = format.channels.count
        let (own, order) = (channels.order, format.channels.order)
        let colors = Array(zip(own.colors, order.colors))
        let maximum = format.sample.maximum
        func quantize(_ value: Double) -> Double {
            switch format.sample.traits.rounding {
            // The comparison is false for NaN, so NaN becomes 0.
            case .steps: value > 0 ? (min(value, 1) * maximum).rounded() : 0
            case .halves: Double(Float16(value))
            case .floats: value
            }
        }
        // SAFETY: the caller guarantees the target's layout, and each sample is one of the row's width * outCount.
        let row = unsafe target.row(y)
        for x in 0..<width {
            let from = (y * width + x) * count
            let exact = own.alpha.map { values[from + $0] } ?? 1
            let alpha = quantize(exact)
            if let place = order.alpha { unsafe format.sample.store(alpha, row, at: x * outCount + place) }
            let factor =
                format.needsPremultiplication
                ? Straightening.factor(alpha / maximum, exact: exact, format.sample) : 1
            for (c, place) in colors {
                unsafe format.sample.store(quantize(values[from + c] * factor), row, at: x * outCount + place)
            }
        }
    }
}
