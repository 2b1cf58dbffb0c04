/// Between the caller's samples and the numbers that filters work on: Float, normalised to 1.0, premultiplied,
/// channels interleaved in the order grey, (alpha) or red, green, blue, (alpha).
///
/// An integer sample `v` of maximum `m` is read as `v / m`; `x` is clamped to 0...1 and written as `x * m` rounded to
/// the nearest integer. Floats are neither clamped nor rounded. On the way back to straight alpha, colour is divided
/// by the alpha that was *written*: a reader that multiplies the two again is then within half a step of the
/// premultiplied colour, because the quotient was rounded by at most half a step and alpha is at most 1.
public struct RowConversion: Sendable {
    /// The caller's format.
    public let format: PixelFormat
    /// The channels of the working row: `format`'s in canonical order, with alpha where it is added.
    public let working: ChannelLayout

    /// - Parameter addingAlpha: the working row has an alpha channel even where the format has none. It is read
    ///   as 1 and dropped when written.
    public init(format: PixelFormat, addingAlpha: Bool = false) {
        self.format = format
        let canonical = format.channels.canonical
        self.working = addingAlpha ? canonical.addingAlpha : canonical
    }

    /// Reads `count` pixels into `count * working.count` floats.
    @unsafe public func load(_ row: UnsafeRawPointer, count: Int, into out: UnsafeMutablePointer<Float>) {
        switch format.sample {
        case .u8: unsafe load(row.assumingMemoryBound(to: UInt8.self), count, out)
        case .u16: unsafe load(row.assumingMemoryBound(to: UInt16.self), count, out)
        case .f32: unsafe load(row.assumingMemoryBound(to: Float.self), count, out)
        }
    }

    /// Writes `count` pixels from `count * working.count` floats.
    @unsafe public func store(_ values: UnsafePointer<Float>, count: Int, into row: UnsafeMutableRawPointer) {
        switch format.sample {
        case .u8: unsafe store(values, count, row.assumingMemoryBound(to: UInt8.self))
        case .u16: unsafe store(values, count, row.assumingMemoryBound(to: UInt16.self))
        case .f32: unsafe store(values, count, row.assumingMemoryBound(to: Float.self))
        }
    }

    // SAFETY (both directions): the caller vouches for `count` pixels on either side; every index below is less than
    // `count` times the channel count of its side.

    @inline(__always)
    private func load<Sample: WorkingSample>(
        _ row: UnsafePointer<Sample>, _ count: Int, _ out: UnsafeMutablePointer<Float>
    ) {
        let premultiply = format.needsPremultiplication
        switch (format.channels, working) {
        case (.greyAlpha, _) where premultiply:
            for i in 0..<count {
                let alpha = unsafe row[2 * i + 1].normalized
                unsafe out[2 * i] = row[2 * i].normalized * alpha
                unsafe out[2 * i + 1] = alpha
            }
        case (.grey, .greyAlpha):
            for i in 0..<count {
                unsafe out[2 * i] = row[i].normalized
                unsafe out[2 * i + 1] = 1
            }
        case (.rgb, .rgba):
            for i in 0..<count {
                unsafe out[4 * i] = row[3 * i].normalized
                unsafe out[4 * i + 1] = row[3 * i + 1].normalized
                unsafe out[4 * i + 2] = row[3 * i + 2].normalized
                unsafe out[4 * i + 3] = 1
            }
        case (.rgba, _) where premultiply, (.bgra, _):
            let red = format.channels == .bgra ? 2 : 0
            for i in 0..<count {
                let alpha = unsafe row[4 * i + 3].normalized
                let factor = premultiply ? alpha : 1
                unsafe out[4 * i] = row[4 * i + red].normalized * factor
                unsafe out[4 * i + 1] = row[4 * i + 1].normalized * factor
                unsafe out[4 * i + 2] = row[4 * i + 2 - red].normalized * factor
                unsafe out[4 * i + 3] = alpha
            }
        default:
            for i in 0..<count * working.count { unsafe out[i] = row[i].normalized }
        }
    }

    @inline(__always)
    private func store<Sample: WorkingSample>(
        _ values: UnsafePointer<Float>, _ count: Int, _ row: UnsafeMutablePointer<Sample>
    ) {
        let divide = format.needsPremultiplication
        switch (format.channels, working) {
        case (.greyAlpha, _) where divide:
            for i in 0..<count {
                let alpha = unsafe Sample(normalized: values[2 * i + 1])
                let factor = alpha.reciprocal
                unsafe row[2 * i] = Sample(normalized: values[2 * i] * factor)
                unsafe row[2 * i + 1] = alpha
            }
        case (.grey, .greyAlpha):
            for i in 0..<count { unsafe row[i] = Sample(normalized: values[2 * i]) }
        case (.rgb, .rgba):
            for i in 0..<count {
                unsafe row[3 * i] = Sample(normalized: values[4 * i])
                unsafe row[3 * i + 1] = Sample(normalized: values[4 * i + 1])
                unsafe row[3 * i + 2] = Sample(normalized: values[4 * i + 2])
            }
        case (.rgba, _) where divide, (.bgra, _):
            let red = format.channels == .bgra ? 2 : 0
            for i in 0..<count {
                let alpha = unsafe Sample(normalized: values[4 * i + 3])
                let factor = divide ? alpha.reciprocal : 1
                unsafe row[4 * i + red] = Sample(normalized: values[4 * i] * factor)
                unsafe row[4 * i + 1] = Sample(normalized: values[4 * i + 1] * factor)
                unsafe row[4 * i + 2 - red] = Sample(normalized: values[4 * i + 2] * factor)
                unsafe row[4 * i + 3] = alpha
            }
        default:
            for i in 0..<count * working.count { unsafe row[i] = Sample(normalized: values[i]) }
        }
    }
}

/// A sample as a filter sees it.
protocol WorkingSample {
    /// Scaled so that the type's maximum is 1.
    var normalized: Float { get }
    /// The nearest sample, from a value that integers clamp to 0...1.
    init(normalized: Float)
}

extension WorkingSample {
    /// 1 / normalized; 0 for 0, so that what is fully transparent has no colour.
    @inline(__always) var reciprocal: Float {
        let value = normalized
        return value > 0 ? 1 / value : 0
    }
}

/// Rounds 0 <= x <= 2^16 to the nearest integer without a trapping conversion, which the optimiser cannot vectorise:
/// in 2^23...2^24 floats are the integers, so the sum's low bits are the rounded number.
@inline(__always) private func nearestInteger(_ x: Float) -> UInt32 {
    (x + 8_388_608).bitPattern
}

/// NaN becomes 0: both comparisons are false.
@inline(__always) private func clampToUnit(_ x: Float) -> Float {
    x > 0 ? (x < 1 ? x : 1) : 0
}

extension UInt8: WorkingSample {
    @inline(__always) var normalized: Float { Float(self) * (1 / 255) }
    @inline(__always) init(normalized x: Float) {
        self = UInt8(truncatingIfNeeded: nearestInteger(clampToUnit(x) * 255))
    }
}

extension UInt16: WorkingSample {
    @inline(__always) var normalized: Float { Float(self) * (1 / 65535) }
    @inline(__always) init(normalized x: Float) {
        self = UInt16(truncatingIfNeeded: nearestInteger(clampToUnit(x) * 65535))
    }
}

extension Float: WorkingSample {
    @inline(__always) var normalized: Float { self }
    @inline(__always) init(normalized x: Float) { self = x }
}
