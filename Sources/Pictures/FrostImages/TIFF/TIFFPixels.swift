#if TIFF
    import CTIFF
    import FrostCore

    /// Describes the samples of a TIFF page, and converts the rows of the page to rows of pixels. If the conversion
    /// would lose information, the initialiser throws an error that names the reason.
    struct TIFFPixels: Sendable {
        /// The format of the converted pixels.
        let format: PixelFormat
        let model: ColorModel
        /// The number of planes. A row of the picture consists of one row of each plane in the file.
        let planes: Int
        let rowByteCount: Int
        /// Whether the rows of the file can be used without a conversion.
        let isPlain: Bool

        private let width: Int
        private let samples: Int
        private let bits: Int
        /// The colours of the palette, with 16 bits per channel; empty if the page has no palette.
        private let colors: [SIMD3<UInt16>]
        /// Whether the file inverts samples: 0 is white in a grey picture, or no ink in a CMYK picture.
        private let isInverted: Bool
        private let isPremultiplied: Bool
        private let numbers: Numbers

        /// What the bits of a sample mean.
        private enum Numbers { case unsigned, signed, floats }

        /// Values of TIFF's PhotometricInterpretation tag.
        private enum Photometric {
            static let whiteIsZero = 0, blackIsZero = 1, rgb = 2, palette = 3, inks = 5
            static let names = [
                4: "a mask", 6: "Y'CbCr of this kind", 8: "CIE L*a*b*", 9: "ICC L*a*b*", 10: "ITU L*a*b*",
                32803: "camera raw data", 32844: "LogL", 32845: "LogLuv", 34892: "camera raw data",
            ]
        }
        private static let (premultiplied, cmyk) = (1, 1)

        init(_ page: frost_tiff_layout, name: String) throws(ImageError) {
            func unsupported(_ what: String) -> ImageError {
                .unsupported(path: name, format: .tiff, reason: "unsupported TIFF: \(what)")
            }
            let photometric = unsafe Int(page.photometric)
            width = unsafe Int(page.width)
            samples = unsafe Int(page.samples)
            bits = unsafe Int(page.bits)
            planes = unsafe page.is_planar ? samples : 1
            rowByteCount = unsafe Int(clamping: page.row_bytes)

            let compression = unsafe page.compression
            guard frost_tiff_decodes(compression), unsafe compression != 6 || page.is_converted else {
                throw unsupported("compression \(compression)")
            }
            guard unsafe !page.is_reduced else {
                throw unsupported("camera raw data, or a reduced image as the first page")
            }
            let known = [Photometric.whiteIsZero, Photometric.blackIsZero, Photometric.rgb, Photometric.palette]
            guard known.contains(photometric) || photometric == Photometric.inks else {
                throw unsupported(Photometric.names[photometric] ?? "photometric interpretation \(photometric)")
            }
            switch unsafe page.sample_format {
            case 1, 4: numbers = .unsigned
            case 2: numbers = .signed
            case 3: numbers = .floats
            default: throw unsupported("complex numbers")
            }
            let isFloat = numbers == .floats
            let isKnown: Bool = isFloat ? [16, 32, 64].contains(bits) : (1...16).contains(bits) || bits == 32
            guard isKnown else {
                throw unsupported("\(bits)-bit \(isFloat ? "floats" : "samples")")
            }
            let isInk = photometric == Photometric.inks
            let isPalette = photometric == Photometric.palette
            let isGrey = photometric <= Photometric.blackIsZero
            let colorants = isInk ? 4 : photometric == Photometric.rgb ? 3 : 1
            let extraSamples = samples - colorants
            guard extraSamples == 0 || extraSamples == 1 && !isInk else {
                throw unsupported("\(samples) samples per pixel\(isInk ? ", more inks than CMYK" : "")")
            }
            guard unsafe !isInk || Int(page.ink_set) == Self.cmyk else { throw unsupported("inks that are not CMYK") }
            guard !isInk || numbers == .unsigned && (bits == 8 || bits == 16) else {
                throw unsupported("CMYK with \(bits) bits")
            }
            guard !isPalette || numbers == .unsigned else { throw unsupported("a palette with signed numbers") }
            guard !isPalette && photometric != Photometric.whiteIsZero || !isFloat else {
                throw unsupported("floats with this photometric interpretation")
            }
            let samplesOfRow: Int = width * (planes == 1 ? samples : 1)
            guard (samplesOfRow * bits + 7) / 8 == rowByteCount else {
                throw unsupported("rows of \(rowByteCount) bytes")
            }

            var colors: [SIMD3<UInt16>] = []
            if isPalette {
                guard bits <= 16 else { throw unsupported("a palette with \(bits) bits") }
                // SAFETY: each channel of libtiff's palette has an entry for every value of a sample.
                guard let red = unsafe page.palette.0, let green = unsafe page.palette.1,
                    let blue = unsafe page.palette.2
                else { throw .corrupt(path: name, format: .tiff, reason: "its palette is missing", offset: nil) }
                colors = (0..<1 << bits).map { i in unsafe SIMD3(red[i], green[i], blue[i]) }
                // Old programs wrote palettes with 8-bit values, which are scaled to 16 bits here.
                if colors.allSatisfy({ $0.max() < 256 }) { colors = colors.map { $0 &* 257 } }
            }
            self.colors = colors
            isInverted = photometric == Photometric.whiteIsZero || isInk
            // The colours of a palette are straight.
            isPremultiplied = unsafe extraSamples == 1 && !isPalette && Int(page.extra) == Self.premultiplied
            model = isInk ? .cmyk : .light

            let sample: SampleType
            if isPalette {
                // The palette fits in 8 bits if, in every 16-bit value, the low byte equals the high byte or is 0.
                let isNarrow = colors.allSatisfy { (color: SIMD3<UInt16>) -> Bool in
                    let (high, low) = (color &>> 8, color & 255)
                    return (0..<3).allSatisfy { low[$0] == 0 || low[$0] == high[$0] }
                }
                sample = isNarrow ? .u8 : .u16
            } else {
                sample = isFloat || bits == 32 ? .f32 : bits <= 8 ? .u8 : .u16
            }
            let channels: ChannelLayout =
                isInk ? .rgba : isGrey ? (extraSamples == 1 ? .greyAlpha : .grey) : extraSamples == 1 ? .rgba : .rgb
            format = PixelFormat(channels, sample, alpha: isInk ? .premultiplied : .straight)
            let isStored: Bool = bits == sample.size * 8 && numbers == (sample == .f32 ? .floats : .unsigned)
            isPlain = isStored && planes == 1 && !isPalette && !isInverted && !isPremultiplied
        }

        /// Makes a row of pixels from one row of each plane in the file. `source` holds these rows, one after the
        /// other.
        func convert(_ source: [UInt8], into row: inout MutableRawSpan) {
            if format.sample.isFloat { return convertFloats(source, into: &row) }
            if colors.isEmpty { return convertNumbers(source, into: &row) }
            // Colours have 16 bits.
            let (unused, count) = (16 - 8 * format.sample.size, format.channels.count)
            for x in 0..<width {
                let color = colors[number(source, x, 0)]
                for c in 0..<3 { store(Int(color[c]) >> unused, count * x + c, &row) }
                guard count == 4 else { continue }
                let alpha = scaled(number(source, x, 1), (1 << bits) - 1, Int(format.sample.maximum))
                store(alpha, count * x + 3, &row)
            }
        }

        private func convertNumbers(_ source: [UInt8], into row: inout MutableRawSpan) {
            let full = (1 << bits) - 1
            // The smallest of signed numbers is black.
            let zero = numbers == .signed ? 1 << (bits - 1) : 0
            let maximum = Int(format.sample.maximum)
            for x in 0..<width {
                let alpha = isPremultiplied ? scaled(number(source, x, samples - 1) ^ zero, full, maximum) : 0
                for c in 0..<samples {
                    var value = scaled(number(source, x, c) ^ zero, full, maximum)
                    let isColor = !format.channels.hasAlpha || model == .cmyk || c < samples - 1
                    if isInverted, isColor { value = maximum - value }
                    if isPremultiplied, isColor {
                        value = alpha == 0 ? 0 : min((value * maximum + alpha / 2) / alpha, maximum)
                    }
                    store(value, samples * x + c, &row)
                }
            }
        }

        private func convertFloats(_ source: [UInt8], into row: inout MutableRawSpan) {
            for x in 0..<width {
                let alpha = isPremultiplied ? float(source, x, samples - 1) : 1
                for c in 0..<samples {
                    var value = float(source, x, c)
                    if isInverted, c < samples - (format.channels.hasAlpha ? 1 : 0) { value = 1 - value }
                    if isPremultiplied, c < samples - 1 { value = alpha == 0 ? 0 : value / alpha }
                    // SAFETY: every bit pattern is a valid number, and the span checks its bounds.
                    row.storeBytes(of: value.bitPattern, toByteOffset: 4 * (samples * x + c), as: UInt32.self)
                }
            }
        }

        private func scaled(_ value: Int, _ full: Int, _ maximum: Int) -> Int {
            full == maximum ? value : (value * maximum + full / 2) / full
        }

        @inline(__always)
        private func store(_ value: Int, _ i: Int, _ row: inout MutableRawSpan) {
            // SAFETY: every bit pattern is a valid number, and the span checks its bounds.
            if format.sample.isEightBit {
                row.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: i, as: UInt8.self)
            } else {
                row.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * i, as: UInt16.self)
            }
        }

        /// Returns the value of a sample. 16-bit samples have the byte order of the machine. Smaller samples are
        /// packed, with the highest bit first.
        @inline(__always)
        private func number(_ source: [UInt8], _ x: Int, _ c: Int) -> Int {
            let (start, i) = place(x, c)
            switch bits {
            case 8: return Int(source[start + i])
            case 16:
                let (first, second) = (UInt16(source[start + 2 * i]), UInt16(source[start + 2 * i + 1]))
                return Int(UInt16(littleEndian: first | second << 8))
            default:
                var value = 0
                for bit in i * bits..<(i + 1) * bits {
                    value = value << 1 | Int(source[start + bit / 8] >> (7 - bit % 8) & 1)
                }
                return value
            }
        }

        private func float(_ source: [UInt8], _ x: Int, _ c: Int) -> Float {
            let (start, i) = place(x, c)
            let size = bits / 8
            // Samples have the byte order of the machine.
            let digits = (0..<size).reduce(UInt64(0)) { $0 | UInt64(source[start + size * i + $1]) << (8 * UInt64($1)) }
            switch (numbers, bits) {
            case (.floats, 16): return Float(Float16(bitPattern: UInt16(truncatingIfNeeded: digits)))
            case (.floats, 64): return Float(Double(bitPattern: digits))
            case (.floats, _): return Float(bitPattern: UInt32(truncatingIfNeeded: digits))
            // The largest number is 1. Double holds all of these numbers.
            case (.unsigned, _): return Float(Double(digits) / Double(UInt32.max))
            case (.signed, _): return Float(Double(Int32(truncatingIfNeeded: digits)) / Double(Int32.max))
            }
        }

        /// Returns the offset of a sample's plane, and the index of the sample within that plane.
        @inline(__always)
        private func place(_ x: Int, _ c: Int) -> (Int, Int) {
            planes == 1 ? (0, x * samples + c) : (c * rowByteCount, x)
        }
    }
#endif
