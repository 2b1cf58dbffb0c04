/// Converts between the caller's samples and the working numbers of filters. Working numbers are premultiplied Floats.
/// They have the scale of the sample type: 0...255 for 8 bits, 0...65535 for 16 bits, 0...1 for floats. Their channels
/// are interleaved in the order grey, (alpha) or red, green, blue, (alpha).
///
/// Integer samples are read without scaling. A number that is written as an integer is clamped to the type's range and
/// rounded to the nearest integer. Floats are not clamped; floats of 16 bits are rounded. If a reader multiplies written straight
/// colour by the written alpha again, the product differs from the premultiplied colour by at most half a step: see
/// `Straightening`.
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
        unsafe format.sample.run(LoadTask(conversion: self, row: row, count: count, out: out))
    }

    /// Reads `count * working.count` floats and writes `count` pixels.
    @unsafe public func store(_ values: UnsafePointer<Float>, count: Int, into row: UnsafeMutableRawPointer) {
        unsafe format.sample.run(StoreRowTask(conversion: self, values: values, count: count, row: row))
    }

    // SAFETY (both directions): the caller guarantees that input and output have room for `count` pixels. Every index
    // below is less than `count` times the number of channels of the input or output that it refers to.

    @inline(__always)
    fileprivate func load<Sample: WorkingSample>(
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
    fileprivate func store<Sample: WorkingSample>(
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
            let alpha = unsafe Sample(nearest: number[width - 1])
            if let place = order.alpha { unsafe pixel[place] = alpha }
            let factor = unsafe divide ? Straightening.factor(alpha, exact: number[width - 1]) : 1
            unsafe pixel[order.red] = Sample(nearest: number[0] * factor)
            if !isGrey {
                unsafe pixel[order.green] = Sample(nearest: number[1] * factor)
                unsafe pixel[order.blue] = Sample(nearest: number[2] * factor)
            }
        }
    }
}

/// SAFETY (this and the task below): the caller of the conversion guarantees that both rows have room for `count` pixels.
@safe private struct LoadTask: SampleTask {
    let conversion: RowConversion
    let row: UnsafeRawPointer
    let count: Int
    let out: UnsafeMutablePointer<Float>

    func run<Sample: WorkingSample>(_: Sample.Type) {
        unsafe conversion.load(row.assumingMemoryBound(to: Sample.self), count, out)
    }
}

@safe private struct StoreRowTask: SampleTask {
    let conversion: RowConversion
    let values: UnsafePointer<Float>
    let count: Int
    let row: UnsafeMutableRawPointer

    func run<Sample: WorkingSample>(_: Sample.Type) {
        unsafe conversion.store(values, count, row.assumingMemoryBound(to: Sample.self))
    }
}
