/// Between the caller's samples and the numbers that filters work on: Float, in steps of the sample type (0...255 for
/// 8 bits, 0...1 for floats), premultiplied, channels interleaved in the order grey, (alpha) or red, green, blue,
/// (alpha).
///
/// An integer sample is read as it is; a number is clamped to the type's range and rounded to the nearest integer when
/// it is written. Floats are neither clamped nor rounded. On the way back to straight alpha, colour is divided
/// by the alpha that was *written*: a reader that multiplies the two again is then within half a step of the
/// premultiplied colour, because the quotient was rounded by at most half a step and alpha is at most 1.
public struct RowConversion: Sendable {
    /// The caller's format.
    public let format: PixelFormat
    /// The channels of the working row: `format`'s in canonical order, with alpha where it is added.
    public let working: ChannelLayout

    /// - Parameter addingAlpha: the working row has an alpha channel even where the format has none. It is read
    ///   as full and dropped when written.
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
                let alpha = unsafe row[2 * i + 1].number
                unsafe out[2 * i] = row[2 * i].number * (alpha * Sample.reciprocalMaximum)
                unsafe out[2 * i + 1] = alpha
            }
        case (.grey, .greyAlpha):
            for i in 0..<count {
                unsafe out[2 * i] = row[i].number
                unsafe out[2 * i + 1] = Sample.maximum
            }
        case (.rgb, .rgba):
            for i in 0..<count {
                unsafe out[4 * i] = row[3 * i].number
                unsafe out[4 * i + 1] = row[3 * i + 1].number
                unsafe out[4 * i + 2] = row[3 * i + 2].number
                unsafe out[4 * i + 3] = Sample.maximum
            }
        case (.rgba, _) where premultiply, (.bgra, _):
            let red = format.channels == .bgra ? 2 : 0
            for i in 0..<count {
                let alpha = unsafe row[4 * i + 3].number
                let factor = premultiply ? alpha * Sample.reciprocalMaximum : 1
                unsafe out[4 * i] = row[4 * i + red].number * factor
                unsafe out[4 * i + 1] = row[4 * i + 1].number * factor
                unsafe out[4 * i + 2] = row[4 * i + 2 - red].number * factor
                unsafe out[4 * i + 3] = alpha
            }
        default:
            for i in 0..<count * working.count { unsafe out[i] = row[i].number }
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
                let alpha = unsafe Sample(nearest: values[2 * i + 1])
                let factor = alpha.straightening
                unsafe row[2 * i] = Sample(nearest: values[2 * i] * factor)
                unsafe row[2 * i + 1] = alpha
            }
        case (.grey, .greyAlpha):
            for i in 0..<count { unsafe row[i] = Sample(nearest: values[2 * i]) }
        case (.rgb, .rgba):
            for i in 0..<count {
                unsafe row[3 * i] = Sample(nearest: values[4 * i])
                unsafe row[3 * i + 1] = Sample(nearest: values[4 * i + 1])
                unsafe row[3 * i + 2] = Sample(nearest: values[4 * i + 2])
            }
        case (.rgba, _) where divide, (.bgra, _):
            let red = format.channels == .bgra ? 2 : 0
            for i in 0..<count {
                let alpha = unsafe Sample(nearest: values[4 * i + 3])
                let factor = divide ? alpha.straightening : 1
                unsafe row[4 * i + red] = Sample(nearest: values[4 * i] * factor)
                unsafe row[4 * i + 1] = Sample(nearest: values[4 * i + 1] * factor)
                unsafe row[4 * i + 2 - red] = Sample(nearest: values[4 * i + 2] * factor)
                unsafe row[4 * i + 3] = alpha
            }
        default:
            for i in 0..<count * working.count { unsafe row[i] = Sample(nearest: values[i]) }
        }
    }
}

/// A sample as a filter sees it.
protocol WorkingSample {
    /// The value that stands for 1.0, and one over it.
    static var maximum: Float { get }
    static var reciprocalMaximum: Float { get }
    var number: Float { get }
    /// The nearest sample, within the type's range.
    init(nearest: Float)
}

extension WorkingSample {
    /// What premultiplied colour is multiplied with for this alpha: 0 where all is transparent and has no colour.
    @inline(__always) var straightening: Float {
        let value = number
        // One over a denormal number is infinite.
        return value >= .leastNormalMagnitude ? Self.maximum / value : 0
    }
}

/// Rounds 0 <= x <= 2^16 to the nearest integer without a trapping conversion, which the optimiser cannot vectorise:
/// in 2^23...2^24 floats are the integers, so the sum's low bits are the rounded number.
@inline(__always) private func nearestInteger(_ x: Float) -> UInt32 {
    (x + 8_388_608).bitPattern
}

/// NaN becomes 0: both comparisons are false.
@inline(__always) private func clamp(_ x: Float, to maximum: Float) -> Float {
    x > 0 ? (x < maximum ? x : maximum) : 0
}

extension UInt8: WorkingSample {
    @inline(__always) static var maximum: Float { 255 }
    @inline(__always) static var reciprocalMaximum: Float { 1 / 255 }
    @inline(__always) var number: Float { Float(self) }
    @inline(__always) init(nearest x: Float) {
        self = UInt8(truncatingIfNeeded: nearestInteger(clamp(x, to: 255)))
    }
}

extension UInt16: WorkingSample {
    @inline(__always) static var maximum: Float { 65535 }
    @inline(__always) static var reciprocalMaximum: Float { 1 / 65535 }
    @inline(__always) var number: Float { Float(self) }
    @inline(__always) init(nearest x: Float) {
        self = UInt16(truncatingIfNeeded: nearestInteger(clamp(x, to: 65535)))
    }
}

extension Float: WorkingSample {
    @inline(__always) static var maximum: Float { 1 }
    @inline(__always) static var reciprocalMaximum: Float { 1 }
    @inline(__always) var number: Float { self }
    @inline(__always) init(nearest x: Float) { self = x }
}
