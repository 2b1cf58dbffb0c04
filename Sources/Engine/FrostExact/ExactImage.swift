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
            switch format.sample {
            // The comparison is false for NaN, so NaN becomes 0.
            case .u8, .u16: value > 0 ? (min(value, 1) * maximum).rounded() : 0
            case .f16: Double(Float16(value))
            case .f32: value
            }
        }
        // SAFETY: the caller guarantees the target's layout, and `sample` is less than width * outCount.
        func set(_ row: UnsafeMutableRawPointer, _ sample: Int, _ value: Double) {
            switch format.sample {
            case .u8: unsafe row.storeBytes(of: UInt8(value), toByteOffset: sample, as: UInt8.self)
            case .u16: unsafe row.storeBytes(of: UInt16(value), toByteOffset: 2 * sample, as: UInt16.self)
            case .f16: unsafe row.storeBytes(of: Float16(value), toByteOffset: 2 * sample, as: Float16.self)
            case .f32: unsafe row.storeBytes(of: Float(value), toByteOffset: 4 * sample, as: Float.self)
            }
        }
        let row = unsafe target.row(y)
        for x in 0..<width {
            let from = (y * width + x) * count
            var factor = 1.0
            if let place = order.alpha {
                let alpha = quantize(own.alpha.map { values[from + $0] } ?? 1)
                unsafe set(row, x * outCount + place, alpha)
                if format.alpha == .straight { factor = alpha > 0 ? maximum / alpha : 0 }
            }
            for (c, place) in colors {
                unsafe set(row, x * outCount + place, quantize(values[from + c] * factor))
            }
        }
    }
}
