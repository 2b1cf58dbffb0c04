/// For each channel, the index of the sample that holds it, counted from the pixel's first sample. All conversions
/// between layouts use these indices.
package struct ChannelOrder: Sendable, Hashable {
    /// The indices of the colour channels. In a grey layout the three indices are equal, because one sample stands for
    /// all three colours.
    package let red, green, blue: Int
    /// The index of the alpha channel; nil if pixels have no alpha and are opaque.
    package let alpha: Int?

    /// The indices of the colour samples: one for grey, else red, green and blue.
    package var colors: [Int] { red == green ? [red] : [red, green, blue] }
}

extension ChannelLayout {
    package var order: ChannelOrder {
        switch self {
        case .grey: ChannelOrder(red: 0, green: 0, blue: 0, alpha: nil)
        case .greyAlpha: ChannelOrder(red: 0, green: 0, blue: 0, alpha: 1)
        case .rgb: ChannelOrder(red: 0, green: 1, blue: 2, alpha: nil)
        case .rgba: ChannelOrder(red: 0, green: 1, blue: 2, alpha: 3)
        case .bgra: ChannelOrder(red: 2, green: 1, blue: 0, alpha: 3)
        }
    }

    /// Creates the layout of `count` channels in canonical order.
    package init(canonical count: Int) { self = [.grey, .greyAlpha, .rgb, .rgba][count - 1] }

    /// Converts 8-bit pixels of this layout to RGBA, sample by sample. Colours are not multiplied by alpha.
    ///
    /// - Parameter opaque: the value of a sample that stands for 1.0. If this layout has no alpha, `opaque` becomes the
    ///   alpha of every pixel.
    @unsafe package func expand(
        _ pixels: UnsafePointer<UInt8>, count: Int, opaque: UInt8, into rgba: UnsafeMutablePointer<UInt8>
    ) {
        switch self {
        case .rgb:
            let quads = count / 4
            unsafe Self.expandQuads(pixels, quads, opaque, rgba)
            unsafe expanded(pixels + 12 * quads, count - 4 * quads, opaque, rgba + 16 * quads)
        case .grey, .greyAlpha, .rgba, .bgra: unsafe expanded(pixels, count, opaque, rgba)
        }
    }

    /// Expands `count` times four RGB pixels, which are three words. The compiler does not vectorise steps of three bytes, and
    /// words take two thirds of the time.
    private static func expandQuads(
        _ pixels: UnsafePointer<UInt8>, _ count: Int, _ opaque: UInt8, _ rgba: UnsafeMutablePointer<UInt8>
    ) {
        let (from, to) = unsafe (UnsafeRawPointer(pixels), UnsafeMutableRawPointer(rgba))
        let alpha = UInt32(opaque) << 24
        for i in 0..<count {
            func word(_ index: Int) -> UInt32 {
                unsafe UInt32(littleEndian: from.loadUnaligned(fromByteOffset: 12 * i + 4 * index, as: UInt32.self))
            }
            func store(_ colors: UInt32, _ index: Int) {
                let pixel = (colors & 0xff_ffff | alpha).littleEndian
                unsafe to.storeBytes(of: pixel, toByteOffset: 16 * i + 4 * index, as: UInt32.self)
            }
            let (a, b, c) = (word(0), word(1), word(2))
            store(a, 0)
            store(a >> 24 | b << 8, 1)
            store(b >> 16 | c << 16, 2)
            store(c >> 8, 3)
        }
    }

    /// Converts Float pixels of this layout to RGBA, sample by sample. Colours are not multiplied by alpha.
    ///
    /// - Parameter opaque: the value of a sample that stands for 1.0. If this layout has no alpha, `opaque` becomes the
    ///   alpha of every pixel.
    @unsafe package func expand(
        _ pixels: UnsafePointer<Float>, count: Int, opaque: Float, into rgba: UnsafeMutablePointer<Float>
    ) {
        unsafe expanded(pixels, count, opaque, rgba)
    }

    /// Converts 8-bit RGBA to pixels of this layout, sample by sample. A grey sample gets the value of red. Input and
    /// output may be the same memory.
    @unsafe package func narrow(
        _ rgba: UnsafePointer<UInt8>, count: Int, into pixels: UnsafeMutablePointer<UInt8>
    ) {
        unsafe narrowed(rgba, count, pixels)
    }

    /// Converts Float RGBA to pixels of this layout, sample by sample. A grey sample gets the value of red. Input and
    /// output may be the same memory.
    @unsafe package func narrow(
        _ rgba: UnsafePointer<Float>, count: Int, into pixels: UnsafeMutablePointer<Float>
    ) {
        unsafe narrowed(rgba, count, pixels)
    }

    // The compiler inlines each loop with a constant layout, so that it can vectorise the loop.
    // SAFETY (all four functions): the caller guarantees that input and output have room for `count` pixels. Every index
    // below is less than `count` times the number of channels of the input or output that it refers to.

    @inline(__always)
    private func expanded<Sample: BitwiseCopyable>(
        _ pixels: UnsafePointer<Sample>, _ count: Int, _ opaque: Sample, _ rgba: UnsafeMutablePointer<Sample>
    ) {
        switch self {
        case .grey: unsafe Self.expand(from: .grey, pixels, count, opaque, rgba)
        case .greyAlpha: unsafe Self.expand(from: .greyAlpha, pixels, count, opaque, rgba)
        case .rgb: unsafe Self.expand(from: .rgb, pixels, count, opaque, rgba)
        case .rgba: unsafe rgba.update(from: pixels, count: 4 * count)
        case .bgra: unsafe Self.expand(from: .bgra, pixels, count, opaque, rgba)
        }
    }

    @inline(__always)
    private static func expand<Sample: BitwiseCopyable>(
        from layout: ChannelLayout, _ pixels: UnsafePointer<Sample>, _ count: Int, _ opaque: Sample,
        _ rgba: UnsafeMutablePointer<Sample>
    ) {
        let (order, step) = (layout.order, layout.count)
        for i in 0..<count {
            let (from, to) = unsafe (pixels + step * i, rgba + 4 * i)
            unsafe to[0] = from[order.red]
            unsafe to[1] = from[order.green]
            unsafe to[2] = from[order.blue]
            if let alpha = order.alpha { unsafe to[3] = from[alpha] } else { unsafe to[3] = opaque }
        }
    }

    @inline(__always)
    private func narrowed<Sample: BitwiseCopyable>(
        _ rgba: UnsafePointer<Sample>, _ count: Int, _ pixels: UnsafeMutablePointer<Sample>
    ) {
        switch self {
        case .grey: unsafe Self.narrow(to: .grey, rgba, count, pixels)
        case .greyAlpha: unsafe Self.narrow(to: .greyAlpha, rgba, count, pixels)
        case .rgb: unsafe Self.narrow(to: .rgb, rgba, count, pixels)
        case .rgba: unsafe pixels.update(from: rgba, count: 4 * count)
        case .bgra: unsafe Self.narrow(to: .bgra, rgba, count, pixels)
        }
    }

    @inline(__always)
    private static func narrow<Sample: BitwiseCopyable>(
        to layout: ChannelLayout, _ rgba: UnsafePointer<Sample>, _ count: Int, _ pixels: UnsafeMutablePointer<Sample>
    ) {
        let (order, step) = (layout.order, layout.count)
        for i in 0..<count {
            // Reads a whole pixel before writing it, because input and output may be the same memory.
            let (from, to) = unsafe (rgba + 4 * i, pixels + step * i)
            let (red, green, blue, alpha) = unsafe (from[0], from[1], from[2], from[3])
            unsafe to[order.red] = red
            if order.green != order.red {
                unsafe to[order.green] = green
                unsafe to[order.blue] = blue
            }
            if let place = order.alpha { unsafe to[place] = alpha }
        }
    }
}
