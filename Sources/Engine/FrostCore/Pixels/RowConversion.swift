/// Converts between the caller's samples and the working numbers of filters. Working numbers are premultiplied Floats.
/// They have the scale of the sample type: 0...255 for 8 bits, 0...65535 for 16 bits, 0...1 for floats. Their channels
/// are interleaved in the order grey, (alpha) or red, green, blue, (alpha).
///
/// Integer samples are read without scaling. A number that is written as an integer is clamped to the type's range and
/// rounded to the nearest integer. Floats are not clamped; floats of 16 bits are rounded. For straight alpha, colour is
/// divided by the *written* alpha. If a reader multiplies the written colour by the written alpha again, the product
/// differs from the premultiplied colour by at most half a step. The reason is that the quotient was rounded by at most
/// half a step, and alpha is at most 1.
public struct RowConversion: Sendable {
    /// The caller's format.
    public let format: PixelFormat
    /// The channels of a working row: the format's channels in canonical order, and an added alpha channel if
    /// requested.
    public let working: ChannelLayout

    /// Creates a conversion.
    ///
    /// - Parameter addingAlpha: whether the working row has an alpha channel even if the format has none. When pixels
    ///   are read, this alpha is 1.0. When pixels are written, it is dropped.
    public init(format: PixelFormat, addingAlpha: Bool = false) {
        self.format = format
        let canonical = format.channels.canonical
        self.working = addingAlpha ? canonical.addingAlpha : canonical
    }

    /// Reads `count` pixels and writes `count * working.count` floats.
    @unsafe public func load(_ row: UnsafeRawPointer, count: Int, into out: UnsafeMutablePointer<Float>) {
        switch format.sample {
        case .u8: unsafe load(row.assumingMemoryBound(to: UInt8.self), count, out)
        case .u16: unsafe load(row.assumingMemoryBound(to: UInt16.self), count, out)
        case .f16: unsafe load(row.assumingMemoryBound(to: Float16.self), count, out)
        case .f32: unsafe load(row.assumingMemoryBound(to: Float.self), count, out)
        }
    }

    /// Reads `count * working.count` floats and writes `count` pixels.
    @unsafe public func store(_ values: UnsafePointer<Float>, count: Int, into row: UnsafeMutableRawPointer) {
        switch format.sample {
        case .u8: unsafe store(values, count, row.assumingMemoryBound(to: UInt8.self))
        case .u16: unsafe store(values, count, row.assumingMemoryBound(to: UInt16.self))
        case .f16: unsafe store(values, count, row.assumingMemoryBound(to: Float16.self))
        case .f32: unsafe store(values, count, row.assumingMemoryBound(to: Float.self))
        }
    }

    // SAFETY (both directions): the caller guarantees that input and output have room for `count` pixels. Every index
    // below is less than `count` times the number of channels of the input or output that it refers to.

    @inline(__always)
    private func load<Sample: WorkingSample>(
        _ row: UnsafePointer<Sample>, _ count: Int, _ out: UnsafeMutablePointer<Float>
    ) {
        func copy() { for i in 0..<count * working.count { unsafe out[i] = row[i].number } }
        let premultiply = format.needsPremultiplication
        switch format.channels {
        case .grey: unsafe working.hasAlpha ? Self.load(.grey, premultiply: false, row, count, out) : copy()
        case .rgb: unsafe working.hasAlpha ? Self.load(.rgb, premultiply: false, row, count, out) : copy()
        case .greyAlpha: unsafe premultiply ? Self.load(.greyAlpha, premultiply: true, row, count, out) : copy()
        case .rgba: unsafe premultiply ? Self.load(.rgba, premultiply: true, row, count, out) : copy()
        case .bgra: unsafe Self.load(.bgra, premultiply: premultiply, row, count, out)
        }
    }

    /// Reads pixels that must be changed: they get an alpha channel, are premultiplied, or change their channel order.
    /// The compiler inlines this loop with a constant layout.
    @inline(__always)
    private static func load<Sample: WorkingSample>(
        _ layout: ChannelLayout, premultiply: Bool, _ row: UnsafePointer<Sample>, _ count: Int,
        _ out: UnsafeMutablePointer<Float>
    ) {
        let (order, step, isGrey, hasAlpha) = (layout.order, layout.count, layout.isGrey, layout.hasAlpha)
        let width = isGrey ? 2 : 4
        for i in 0..<count {
            let (pixel, number) = (step * i, width * i)
            // Alpha is the last sample of every layout.
            let alpha = unsafe hasAlpha ? row[pixel + step - 1].number : Sample.maximum
            let factor = premultiply ? alpha * Sample.reciprocalMaximum : 1
            unsafe out[number] = row[pixel + order.red].number * factor
            if !isGrey {
                unsafe out[number + 1] = row[pixel + order.green].number * factor
                unsafe out[number + 2] = row[pixel + order.blue].number * factor
            }
            unsafe out[number + width - 1] = alpha
        }
    }

    @inline(__always)
    private func store<Sample: WorkingSample>(
        _ values: UnsafePointer<Float>, _ count: Int, _ row: UnsafeMutablePointer<Sample>
    ) {
        func copy() { for i in 0..<count * working.count { unsafe row[i] = Sample(nearest: values[i]) } }
        let divide = format.needsPremultiplication
        switch format.channels {
        case .grey: unsafe working.hasAlpha ? Self.store(.grey, divide: false, values, count, row) : copy()
        case .rgb: unsafe working.hasAlpha ? Self.store(.rgb, divide: false, values, count, row) : copy()
        case .greyAlpha: unsafe divide ? Self.store(.greyAlpha, divide: true, values, count, row) : copy()
        case .rgba: unsafe divide ? Self.store(.rgba, divide: true, values, count, row) : copy()
        case .bgra: unsafe Self.store(.bgra, divide: divide, values, count, row)
        }
    }

    /// Writes pixels that must be changed: they lose their alpha channel, become straight, or change their channel
    /// order. The compiler inlines this loop with a constant layout.
    @inline(__always)
    private static func store<Sample: WorkingSample>(
        _ layout: ChannelLayout, divide: Bool, _ values: UnsafePointer<Float>, _ count: Int,
        _ row: UnsafeMutablePointer<Sample>
    ) {
        let (order, step, isGrey) = (layout.order, layout.count, layout.isGrey)
        let width = isGrey ? 2 : 4
        for i in 0..<count {
            let (pixel, number) = unsafe (row + step * i, values + width * i)
            var factor: Float = 1
            if let place = order.alpha {
                let alpha = unsafe Sample(nearest: number[width - 1])
                if divide { factor = alpha.straightening }
                unsafe pixel[place] = alpha
            }
            unsafe pixel[order.red] = Sample(nearest: number[0] * factor)
            if !isGrey {
                unsafe pixel[order.green] = Sample(nearest: number[1] * factor)
                unsafe pixel[order.blue] = Sample(nearest: number[2] * factor)
            }
        }
    }
}

/// A type of sample that can be converted to the working numbers of filters, and back.
protocol WorkingSample {
    /// `maximum` is the sample that stands for 1.0. `reciprocalMaximum` is 1 / maximum.
    static var maximum: Float { get }
    static var reciprocalMaximum: Float { get }
    var number: Float { get }
    /// Creates the sample nearest to a working number, within the type's range.
    init(nearest: Float)
}

extension WorkingSample {
    /// The factor that converts premultiplied colour to straight colour for this alpha. The factor is 0 for transparent
    /// pixels, which have no colour.
    @inline(__always) var straightening: Float {
        let value = number
        // The reciprocal of a denormal number is infinite.
        return value >= .leastNormalMagnitude ? Self.maximum / value : 0
    }
}

/// Rounds x, which must be in 0...2^16, to the nearest integer. It avoids a conversion that can trap, because the
/// optimiser cannot vectorise such a conversion. Floats in 2^23...2^24 are integers, so the low bits of the sum are the
/// rounded number.
@inline(__always) private func nearestInteger(_ x: Float) -> UInt32 {
    (x + 8_388_608).bitPattern
}

/// Clamps x to 0...maximum. NaN becomes 0, because its comparison with 0 is false.
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

extension Float16: WorkingSample {
    @inline(__always) static var maximum: Float { 1 }
    @inline(__always) static var reciprocalMaximum: Float { 1 }
    @inline(__always) var number: Float { Float(self) }
    @inline(__always) init(nearest x: Float) { self = Float16(x) }
}

extension Float: WorkingSample {
    @inline(__always) static var maximum: Float { 1 }
    @inline(__always) static var reciprocalMaximum: Float { 1 }
    @inline(__always) var number: Float { self }
    @inline(__always) init(nearest x: Float) { self = x }
}
