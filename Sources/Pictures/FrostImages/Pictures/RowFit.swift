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
    private let dither: Dithering?
    /// The conversion in integers, if it gives the same bytes.
    private let bytes: ByteRows?

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
            guard traits.holdsCMYK, traits.samples.contains(input.format.sample) else {
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
        dither = output.format.sample.isFloat ? nil : options.dither.map { Dithering($0) }
        bytes = dither == nil ? ByteRows(input.format, to: output.format, over: background) : nil
    }

    /// Prepares a conversion to samples with more bits. Returns nil for floats, and for pixels that `widening` does not name.
    init?(_ input: PixelLayout, widening: ImageReadOptions.Widening) {
        let channels = input.format.channels
        switch widening {
        case .none: return nil
        case .alpha: guard channels.hasAlpha else { return nil }
        case .all: break
        }
        guard !channels.hasAlpha || input.format.alpha == .straight, !input.format.sample.isFloat else { return nil }
        var format = input.format
        format.sample = format.sample.isEightBit ? .u16 : .f32
        guard let output = try? PixelLayout(width: input.width, height: input.height, format: format) else {
            return nil
        }
        self.input = input
        self.output = output
        isIdentity = false
        background = nil
        dither = nil
        bytes = nil
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
        dither = nil
        bytes = ByteRows(input.format, to: output.format, over: self.background)
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
    ///
    /// - Parameter y: the number of the row, on which the offsets of dithering depend.
    func convert(_ source: RawSpan, into row: inout [UInt8], y: Int) {
        precondition(source.byteCount >= input.rowByteCount && row.count >= output.rowByteCount)
        // SAFETY: the rows have the samples of all pixels.
        unsafe source.withUnsafeBytes { from in
            unsafe row.withUnsafeMutableBytes { to in
                guard let from = from.baseAddress, let to = to.baseAddress else { return }
                unsafe convert(from, into: to, y: y)
            }
        }
    }

    /// Converts a whole image of the input layout.
    func convert(_ image: PixelBuffer) -> PixelBuffer {
        guard !isIdentity else { return image }
        // SAFETY: the images have their layouts, and ``output`` has no padding.
        return unsafe image.withUnsafeBytes { from in
            unsafe PixelBuffer(layout: output) { (to) throws(Never) in
                guard let from = from.baseAddress, let to = to.baseAddress else { return }
                for y in 0..<input.height {
                    unsafe convert(from + y * input.bytesPerRow, into: to + y * output.bytesPerRow, y: y)
                }
            }
        }
    }

    /// Converts a row with the samples of all pixels.
    private func convert(_ source: UnsafeRawPointer, into row: UnsafeMutableRawPointer, y: Int) {
        if let bytes {
            return unsafe bytes.convert(
                source.assumingMemoryBound(to: UInt8.self), count: input.width,
                into: row.assumingMemoryBound(to: UInt8.self))
        }
        let stored = unsafe fitted(source, y: y)
        unsafe output.format.sample.store(stored, row)
    }

    /// Returns a row as numbers of steps of the output, computed in floats. This is the definition of every conversion.
    private func fitted(_ source: UnsafeRawPointer, y: Int) -> [Float] {
        let (from, to) = (input.format, output.format)
        let samples = unsafe from.sample.numbers(source, count: input.width * from.channels.count)
        var stored = [Float](repeating: 0, count: input.width * to.channels.count)
        let (order, target, scale) = (from.channels.order, to.channels.order, Float(from.sample.maximum))
        let start = dither?.dither.start(y: y) ?? 0
        for x in 0..<input.width {
            var pixel = Self.pixel(samples, x * from.channels.count, order, scale)
            if let background, from.channels.hasAlpha {
                pixel = background + (pixel - background) * pixel.w
                pixel.w = 1
            }
            if let dither {
                pixel = dithered(pixel, dither.offsets[Int(start &+ UInt32(truncatingIfNeeded: x)) % Dither.period])
            } else if !to.sample.isFloat {
                pixel = steps(pixel)
            }
            Self.store(pixel, &stored, x * to.channels.count, target)
        }
        return stored
    }

    /// Returns red, green, blue and alpha of the pixel whose first sample has index `at`. 1.0 is full scale.
    @inline(__always)
    private static func pixel(_ row: [Float], _ at: Int, _ order: ChannelOrder, _ scale: Float) -> SIMD4<Float> {
        let alpha = if let place = order.alpha { row[at + place] } else { scale }
        return SIMD4(row[at + order.red], row[at + order.green], row[at + order.blue], alpha) / scale
    }

    /// Rounds the colours of a pixel down after an offset has been added, and alpha to nearest; see `Dither`.
    @inline(__always)
    private func dithered(_ pixel: SIMD4<Float>, _ offset: Float) -> SIMD4<Float> {
        (inRange(pixel) + SIMD4(offset, offset, offset, 0.5)).roundedDown
    }

    /// Rounds a pixel to the nearest steps of an integer type. Values outside 0...1 are clamped, and NaN becomes 0.
    @inline(__always)
    private func steps(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
        let exact = inRange(pixel)
        let lower = exact.roundedDown
        return lower.replacing(with: lower + 1, where: exact - lower .>= 0.5)
    }

    /// Returns a pixel in steps of an integer type. Values outside 0...1 are clamped, and NaN becomes 0.
    @inline(__always)
    private func inRange(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
        let positive = pixel.replacing(with: 0, where: .!(pixel .> 0))
        return positive.replacing(with: 1, where: positive .> 1) * Float(output.format.sample.maximum)
    }

    @inline(__always)
    private static func store(_ pixel: SIMD4<Float>, _ row: inout [Float], _ at: Int, _ order: ChannelOrder) {
        row[at + order.red] = pixel.x
        if order.red != order.green { (row[at + order.green], row[at + order.blue]) = (pixel.y, pixel.z) }
        if let alpha = order.alpha { row[at + alpha] = pixel.w }
    }
}

extension SIMD4<Float> {
    /// The numbers, which must be in 0..<2^22, rounded down. The build also serves processors without SSE 4.1, so `rounded(.down)`
    /// would call a function of the C library for each number. The sum with 2^23 is rounded to an integer.
    @inline(__always) fileprivate var roundedDown: Self {
        let nearest = (self + 8_388_608) - 8_388_608
        return nearest.replacing(with: nearest - 1, where: nearest .> self)
    }
}

/// The offsets of dithering as parts of a step.
private struct Dithering: Sendable {
    let dither: Dither
    let offsets: [Float]

    init(_ dither: Dither) {
        self.dither = dither
        offsets = dither.offsets.map { (Float($0) + 0.5) / 64 }
    }
}
