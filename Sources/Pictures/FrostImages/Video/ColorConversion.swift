import CZimg
public import FrostCore

/// Uses zimg to convert frames of luma and chroma to pixels, and pixels back to frames. The conversion takes account of
/// the colour matrix, the range of values, the number of bits per sample, and the number and position of the chroma
/// samples.
///
/// From frames to pixels, chroma is interpolated linearly. From pixels to frames, chroma is averaged with the matching
/// weights. Pixels have 8 bits per sample if the stream has 8, and otherwise 16 bits. Streams without chroma become
/// RGBA pixels with equal colour channels. Every result is rounded to the nearest integer.
///
/// SAFETY: a conversion may move between threads, but only one thread at a time may use it.
@safe public final class ColorConversion: @unchecked Sendable {
    /// The layout of the result of ``pixels(of:)``: RGBA, which is opaque if the stream has no alpha.
    public let layout: PixelLayout

    private let format: VideoFormat
    private let coding: YUVCoding
    private let yuv: [AlignedPlane]
    private let rgb: [AlignedPlane]
    private let decoding: ZimgGraph
    private let encoding: ZimgGraph

    /// Prepares the conversion.
    ///
    /// - Parameters:
    ///   - format: the format of the frames.
    ///   - coding: the meaning of the frames' luma and chroma samples.
    ///   - name: the name of the stream, for error messages.
    /// - Throws: ``ImageError/badStream(path:expected:reason:)`` if zimg does not support the conversion, or
    ///   ``ImageError/outOfMemory(path:bytes:)``.
    public init(_ format: VideoFormat, _ coding: YUVCoding, name: String) throws(ImageError) {
        self.format = format
        self.coding = coding
        // The size is rounded up to whole chroma samples. The last column and the last row are repeated to fill the
        // added space.
        let chroma = format.planes[coding.isGrey ? 0 : 1]
        let (width, height) = (chroma.width << coding.shiftX, chroma.height << coding.shiftY)
        let sample: SampleType = coding.depth > 8 ? .u16 : .u8
        layout = try PixelLayout(
            reading: format.width, format.height,
            PixelFormat(.rgba, sample, alpha: coding.hasAlpha ? .straight : .premultiplied), name: name)
        try Memory.check(width * height * 6 * sample.size, for: name)
        yuv = [(width, height), (chroma.width, chroma.height), (chroma.width, chroma.height)].map {
            AlignedPlane($0.0, $0.1, sample)
        }
        rgb = (0..<3).map { _ in AlignedPlane(width, height, sample) }
        var (from, to) = (zimg_image_format(), zimg_image_format())
        unsafe zimg_image_format_default(&from, frost_zimg_version)
        (from.width, from.height) = (UInt32(width), UInt32(height))
        from.pixel_type = sample.isEightBit ? ZIMG_PIXEL_BYTE : ZIMG_PIXEL_WORD
        to = from
        (from.subsample_w, from.subsample_h) = (UInt32(coding.shiftX), UInt32(coding.shiftY))
        from.color_family = ZIMG_COLOR_YUV
        switch coding.matrix {
        case .bt601: from.matrix_coefficients = ZIMG_MATRIX_ST170_M
        case .bt709: from.matrix_coefficients = ZIMG_MATRIX_BT709
        case .bt2020: from.matrix_coefficients = ZIMG_MATRIX_BT2020_NCL
        case .smpte240M: from.matrix_coefficients = ZIMG_MATRIX_ST240_M
        case .fcc: from.matrix_coefficients = ZIMG_MATRIX_FCC
        }
        from.depth = UInt32(coding.depth)
        from.pixel_range = coding.isFullRange ? ZIMG_RANGE_FULL : ZIMG_RANGE_LIMITED
        switch coding.siting {
        case .left: from.chroma_location = ZIMG_CHROMA_LEFT
        case .center: from.chroma_location = ZIMG_CHROMA_CENTER
        case .topLeft: from.chroma_location = ZIMG_CHROMA_TOP_LEFT
        }
        to.color_family = ZIMG_COLOR_RGB
        to.matrix_coefficients = ZIMG_MATRIX_RGB
        to.depth = UInt32(sample.size * 8)
        to.pixel_range = ZIMG_RANGE_FULL
        decoding = try ZimgGraph(from: from, to: to, name: name)
        encoding = try ZimgGraph(from: to, to: from, name: name)
    }

    /// Converts a frame to pixels.
    public func pixels(of frame: VideoFrame) -> PixelBuffer {
        for (index, plane) in yuv.enumerated() {
            if coding.isGrey, index > 0 {
                plane.fill(1 << (coding.depth - 1))
            } else {
                plane.load(frame.planes[index])
            }
        }
        decoding.convert(yuv, to: rgb)
        let alpha = coding.hasAlpha ? frame.planes[3] : nil
        return unsafe PixelBuffer(layout: layout) { (out) throws(Never) in
            guard let out = out.baseAddress else { return }
            if layout.format.sample.isEightBit {
                unsafe interleave(out, UInt8.self, alpha)
            } else {
                unsafe interleave(out, UInt16.self, alpha)
            }
        }
    }

    /// Converts pixels to the planes of a frame.
    ///
    /// - Parameter pixels: pixels in the layout ``layout``. For streams of 8 bits without alpha, 8-bit pixels of any
    ///   channels will do; their alpha is ignored.
    public func planes(of pixels: PixelBuffer) -> [PixelBuffer] {
        _ = load(pixels)
        return encoded(pixels)
    }

    /// Converts 8-bit pixels of any channels to the planes of a frame without alpha; nil if a pixel is not opaque.
    package func planes(ofOpaque pixels: PixelBuffer) -> [PixelBuffer]? { load(pixels) ? encoded(pixels) : nil }

    /// Separates the colours of pixels, and returns whether 8-bit pixels are opaque.
    private func load(_ pixels: PixelBuffer) -> Bool {
        let isEightBit = layout.format.sample.isEightBit && pixels.format.sample.isEightBit && !coding.hasAlpha
        precondition(
            pixels.layout == layout || (isEightBit && pixels.layout.extent == layout.extent),
            "the pixels have another layout")
        return unsafe pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return true }
            if layout.format.sample.isEightBit { return unsafe separateBytes(base, pixels.layout) }
            unsafe separate(base)
            return true
        }
    }

    /// Returns the planes of pixels whose colours are separate.
    private func encoded(_ pixels: PixelBuffer) -> [PixelBuffer] {
        for plane in rgb { plane.extend(from: format.width, format.height) }
        encoding.convert(rgb, to: yuv)
        var planes = zip(format.planes, yuv.prefix(coding.isGrey ? 1 : 3)).map { layout, plane in
            plane.stored(layout)
        }
        if coding.hasAlpha { planes.append(alpha(of: pixels)) }
        return planes
    }

    /// Returns the alpha plane of 8-bit pixels. Streams with alpha always have 8 bits.
    private func alpha(of pixels: PixelBuffer) -> PixelBuffer {
        let layout = format.planes[3]
        return unsafe PixelBuffer(layout: layout) { (out) throws(Never) in
            for i in 0..<layout.byteCount { unsafe out[i] = pixels.bytes[4 * i + 3] }
        }
    }

    // SAFETY: this applies to `interleave` and all functions that separate. The planes have at least as many rows as the
    // picture, and at least as many samples in a row as the picture has columns. All loads and stores stay within the
    // samples of the picture's pixels.

    private func interleave<Sample: FixedWidthInteger>(
        _ pixels: UnsafeMutableRawPointer, _: Sample.Type, _ alpha: PixelBuffer?
    ) {
        for y in 0..<layout.height {
            let out = unsafe (pixels + y * layout.bytesPerRow).assumingMemoryBound(to: Sample.self)
            let red = unsafe rgb[0].row(y, Sample.self)
            let green = unsafe rgb[1].row(y, Sample.self)
            let blue = unsafe rgb[2].row(y, Sample.self)
            for x in 0..<layout.width {
                unsafe out[4 * x] = red[x]
                unsafe out[4 * x + 1] = green[x]
                unsafe out[4 * x + 2] = blue[x]
                unsafe out[4 * x + 3] = .max
            }
            guard let alpha else { continue }
            for x in 0..<layout.width { unsafe out[4 * x + 3] = Sample(alpha.bytes[y * layout.width + x]) }
        }
    }

    private func separateBytes(_ pixels: UnsafeRawPointer, _ source: PixelLayout) -> Bool {
        let channels = source.format.channels
        if channels == .rgba {
            return (0..<source.height).reduce(true) { isOpaque, y in
                unsafe separateWords(pixels + y * source.bytesPerRow, source.width, row: y) && isOpaque
            }
        }
        return unsafe withUnsafeTemporaryAllocation(byteCount: 4 * source.width, alignment: 4) { rgba in
            guard let rgba = rgba.baseAddress else { return true }
            var isOpaque = true
            for y in 0..<source.height {
                unsafe channels.expand(
                    (pixels + y * source.bytesPerRow).assumingMemoryBound(to: UInt8.self), count: source.width,
                    opaque: 255, into: rgba.assumingMemoryBound(to: UInt8.self))
                isOpaque = unsafe separateWords(rgba, source.width, row: y) && isOpaque
            }
            return isOpaque
        }
    }

    /// Separates a row of RGBA, and returns whether it is opaque.
    private func separateWords(_ rgba: UnsafeRawPointer, _ count: Int, row y: Int) -> Bool {
        let red = unsafe rgb[0].row(y, UInt8.self)
        let green = unsafe rgb[1].row(y, UInt8.self)
        let blue = unsafe rgb[2].row(y, UInt8.self)
        var all = UInt32.max
        // Whole pixels are loaded, because the compiler vectorises loops over consecutive integers.
        for x in 0..<count {
            let pixel = unsafe UInt32(littleEndian: rgba.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self))
            unsafe red[x] = UInt8(truncatingIfNeeded: pixel)
            unsafe green[x] = UInt8(truncatingIfNeeded: pixel >> 8)
            unsafe blue[x] = UInt8(truncatingIfNeeded: pixel >> 16)
            all &= pixel
        }
        return all >> 24 == 255
    }

    private func separate(_ pixels: UnsafeRawPointer) {
        for y in 0..<layout.height {
            let from = unsafe (pixels + y * layout.bytesPerRow).assumingMemoryBound(to: UInt16.self)
            let red = unsafe rgb[0].row(y, UInt16.self)
            let green = unsafe rgb[1].row(y, UInt16.self)
            let blue = unsafe rgb[2].row(y, UInt16.self)
            for x in 0..<layout.width {
                unsafe red[x] = from[4 * x]
                unsafe green[x] = from[4 * x + 1]
                unsafe blue[x] = from[4 * x + 2]
            }
        }
    }
}
