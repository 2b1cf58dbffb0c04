import FrostCore

/// Converts rows of pixels to a layout that a file format can store. A conversion that loses nothing needs no option:
/// for example, grey becomes RGB, and samples of 8 or 16 bits become floats. A conversion that drops alpha or bits
/// needs an option; without this option, the initialiser throws.
struct RowFit: Sendable {
    /// The layout that ``convert(_:into:)`` produces.
    let output: PixelLayout
    /// Whether the format can store rows without a conversion.
    let isIdentity: Bool

    private let input: PixelLayout
    private let background: SIMD4<Float>?

    /// Chooses the output layout for a format.
    ///
    /// - Throws: ``ImageError/cannotHold(path:format:what:remedy:)``.
    init(
        _ input: PixelLayout, _ model: ColorModel, to format: ImageFormat, options: ImageWriteOptions, name: String
    ) throws(ImageError) {
        let traits = format.traits
        for side in [input.width, input.height] where side > traits.maximumSide {
            throw .cannotHold(
                path: name, format: format, what: "a side of \(side) pixels",
                remedy: "the maximum is \(traits.maximumSide)")
        }
        var result = input.format
        if model == .cmyk {
            guard traits.holdsCMYK, input.format.sample == .u8 else {
                throw .cannotHold(path: name, format: format, what: "CMYK", remedy: "convert the pixels to RGB first")
            }
        } else {
            guard !input.format.channels.hasAlpha || input.format.alpha == .straight else {
                throw .cannotHold(
                    path: name, format: format, what: "\(input.format) pixels",
                    remedy: "convert them to straight alpha first")
            }
            result.channels = try Self.channels(input.format.channels, format, options, name)
            result.sample = try Self.sample(input.format.sample, format, options, name)
        }
        self.input = input
        isIdentity = result == input.format
        if options.keep == .none { result.colorSpace = .unspecified }
        output = try PixelLayout(reading: input.width, input.height, result, name: name)
        background = options.background.map { SIMD4(Float($0.red), Float($0.green), Float($0.blue), 1) }
    }

    /// Prepares a conversion to given pixels, which may drop alpha and bits.
    ///
    /// - Parameters:
    ///   - output: a layout of the same size, without padding. If it has alpha, every pixel becomes opaque.
    ///   - background: the colour behind transparent pixels; nil means black.
    init(_ input: PixelLayout, as output: PixelLayout, over background: Color?) {
        self.input = input
        self.output = output
        isIdentity = false
        self.background = background.map { SIMD4(Float($0.red), Float($0.green), Float($0.blue), 1) } ?? [0, 0, 0, 1]
    }

    private static func channels(
        _ wanted: ChannelLayout, _ format: ImageFormat, _ options: ImageWriteOptions, _ name: String
    ) throws(ImageError) -> ChannelLayout {
        let held = format.traits.channels
        var wanted = wanted
        if wanted.hasAlpha, options.background == nil, !held.contains(where: \.hasAlpha) {
            throw .cannotHold(
                path: name, format: format, what: "transparency",
                remedy: "use --background COLOR, for example white")
        }
        if wanted.hasAlpha, let background = options.background {
            let isGrey = background.red == background.green && background.green == background.blue
            wanted = wanted.isGrey && isGrey ? .grey : .rgb
        }
        for candidate in [wanted, wanted.canonical, wanted.addingColor.canonical, wanted.addingAlpha, .rgba]
        where held.contains(candidate) && (candidate.hasAlpha || !wanted.hasAlpha)
            && (!candidate.isGrey || wanted.isGrey)
        {
            return candidate
        }
        throw .cannotHold(path: name, format: format, what: "colour", remedy: "it holds only grey")
    }

    private static func sample(
        _ wanted: SampleType, _ format: ImageFormat, _ options: ImageWriteOptions, _ name: String
    ) throws(ImageError) -> SampleType {
        let held = format.traits.samples
        var wanted = wanted
        if let depth = options.depth {
            let reduced: SampleType = depth == 8 ? .u8 : .u16
            if reduced.size < wanted.size { wanted = reduced }
        }
        if let fits = held.first(where: { $0.size >= wanted.size && ($0.isFloat || !wanted.isFloat) }) { return fits }
        throw .cannotHold(
            path: name, format: format, what: wanted.isFloat ? "floats" : "\(wanted.size * 8) bits per sample",
            remedy: format.depthRemedy)
    }

    /// Converts a row of the input layout. `row` must have the length of a row of ``output``.
    func convert(_ source: RawSpan, into row: inout [UInt8]) {
        let from = input.format.channels
        let to = output.format.channels
        for x in 0..<input.width {
            var pixel = Self.pixel(source, x * from.count, from, input.format.sample)
            if let background, from.hasAlpha {
                pixel = background + (pixel - background) * pixel.w
                pixel.w = 1
            }
            store(pixel, &row, x * to.count, to)
        }
    }

    /// Converts a whole image of the input layout.
    func convert(_ image: PixelBuffer) -> PixelBuffer {
        guard !isIdentity else { return image }
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        let source = unsafe image.bytes.span.bytes
        // Opaque RGBA pixels of 8 bits keep their bytes. This saves most of the time for frames of an animation.
        let isKept =
            input.format.channels == .rgba && input.format.sample == .u8 && output.format.channels == .rgba
            && output.format.sample == .u8
        var row = [UInt8](repeating: 0, count: output.rowByteCount)
        return unsafe PixelBuffer(layout: output) { (out) throws(Never) in
            for y in 0..<input.height {
                let start = y * input.bytesPerRow
                let from = source.extracting(start..<start + input.rowByteCount)
                // SAFETY: both sides have the bytes of one row of the output.
                let to = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: out[y * output.bytesPerRow..<y * output.bytesPerRow + output.rowByteCount])
                if isKept, input.format.isOpaque(from) {
                    unsafe from.withUnsafeBytes { unsafe to.copyMemory(from: $0) }
                } else {
                    convert(from, into: &row)
                    unsafe row.withUnsafeBytes { unsafe to.copyMemory(from: $0) }
                }
            }
        }
    }

    /// Returns red, green, blue and alpha of the pixel whose first sample has index `at`. Integer samples are scaled to
    /// 0...1.
    @inline(__always)
    private static func pixel(
        _ row: RawSpan, _ at: Int, _ channels: ChannelLayout, _ type: SampleType
    ) -> SIMD4<Float> {
        // SAFETY: every bit pattern is a valid number, and the span checks its bounds.
        func sample(_ i: Int) -> Float {
            switch type {
            case .u8: Float(unsafe row.unsafeLoad(fromByteOffset: at + i, as: UInt8.self)) / 255
            case .u16: Float(unsafe row.unsafeLoadUnaligned(fromByteOffset: 2 * (at + i), as: UInt16.self)) / 65535
            case .f16: Float(unsafe row.unsafeLoadUnaligned(fromByteOffset: 2 * (at + i), as: Float16.self))
            case .f32: unsafe row.unsafeLoadUnaligned(fromByteOffset: 4 * (at + i), as: Float.self)
            }
        }
        let order = channels.order
        let alpha = if let place = order.alpha { sample(place) } else { Float(1) }
        return SIMD4(sample(order.red), sample(order.green), sample(order.blue), alpha)
    }

    @inline(__always)
    private func store(_ pixel: SIMD4<Float>, _ row: inout [UInt8], _ at: Int, _ channels: ChannelLayout) {
        let order = channels.order
        store(pixel.x, &row, at + order.red)
        if !channels.isGrey {
            store(pixel.y, &row, at + order.green)
            store(pixel.z, &row, at + order.blue)
        }
        if let alpha = order.alpha { store(pixel.w, &row, at + alpha) }
    }

    /// Stores a sample in the output type. For integer types it rounds to the nearest value, clamps values outside
    /// 0...1 and stores NaN as 0.
    @inline(__always)
    private func store(_ value: Float, _ row: inout [UInt8], _ at: Int) {
        let unit = value > 0 ? min(value, 1) : 0
        switch output.format.sample {
        case .u8: row[at] = UInt8((unit * 255).rounded())
        case .u16: store(bits: UInt16((unit * 65535).rounded()), &row, 2 * at)
        case .f16: store(bits: Float16(value).bitPattern, &row, 2 * at)
        case .f32: store(bits: value.bitPattern, &row, 4 * at)
        }
    }

    /// Stores a value with the least significant byte first, which is the byte order of the supported machines.
    @inline(__always)
    private func store<Bits: FixedWidthInteger>(bits: Bits, _ row: inout [UInt8], _ at: Int) {
        let little = bits.littleEndian
        for i in 0..<Bits.bitWidth / 8 { row[at + i] = UInt8(truncatingIfNeeded: little >> (8 * i)) }
    }
}
