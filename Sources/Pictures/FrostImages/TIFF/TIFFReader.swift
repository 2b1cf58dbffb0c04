#if TIFF
    import CTIFF
    import FrostCore

    /// Reads the first page of a TIFF file row by row. It supports grey and RGB with or without alpha, palettes, and
    /// CMYK. Samples are integers of up to 16 bits or of 32 bits, or floats. The pixels may be stored in strips or in tiles,
    /// with any compression that this build of libtiff can decode.
    ///
    /// A regular file is read in place; a pipe is first read into memory. A page that must be rotated is read
    /// completely before the first row is returned.
    struct TIFFReader: FormatReader, ~Copyable, Sendable {
        let name: String
        let layout: PixelLayout
        let metadata: ImageMetadata
        let memory: DecodingMemory
        private let time: TimeLimit?
        private(set) var rowsRead = 0

        private let handle: TIFFReadHandle
        private let pixels: TIFFPixels
        private let orientation: Orientation
        /// The layout of the pixels in the file, before rotation.
        private let stored: PixelLayout
        /// Memory for the rows of the file that make up one row of the picture: one row of each plane, one after the
        /// other.
        private var line: [UInt8]
        private var storedRow = 0
        /// The upright picture, if the file had to be read as a whole; otherwise nil.
        private var whole: PixelBuffer?

        /// The maximum size, in bytes, of an ICC profile or an XMP packet. No genuine file contains a larger one.
        private static let longestMetadata = 16 << 20

        static func load(name: String) throws(ImageError) { _ = try TIFFLibrary.isLoaded.toRead(name, .tiff) }

        init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
            // All fields of a noncopyable value must be set together, so nothing may throw between the assignments.
            let name = source.name
            let file = try source.wholeFile(options.limits)
            let handle = try TIFFReadHandle(file, name: name)
            let page = try unsafe handle.open()
            if let inner = unsafe ImageFormat(compressionOfTIFF: page.compression) {
                try options.limits.check(inner, "\(inner.traits.title) pictures", inside: .tiff, name: name)
            }
            let (width, height) = unsafe (Int(page.width), Int(page.height))
            guard width > 0, height > 0 else {
                throw .corrupt(path: name, format: .tiff, reason: "invalid size \(width)x\(height)", offset: nil)
            }
            try options.limits.check(width: width, height: height, name: name)
            guard unsafe !page.has_pages || options.firstFrame else { throw .animated(path: name, format: .tiff) }
            guard unsafe max(page.profile.size, page.xmp.size) <= Self.longestMetadata else {
                throw .tooComplex(path: name, reason: "its metadata exceed \(Self.longestMetadata) bytes")
            }
            let pixels = try unsafe TIFFPixels(page, name: name)
            let orientation = unsafe Orientation(rawValue: Int(page.orientation)) ?? .upright
            let metadata = unsafe ImageMetadata(page, pixels, orientation, problems)
            var format = pixels.format
            format.colorSpace = metadata.colorSpace
            let stored = try PixelLayout(reading: width, height, format, name: name)
            let layout = try orientation.turned(stored, name: name)
            // libtiff keeps a row of tiles or a strip in memory, and reads the compressed bytes of a strip at once.
            let decoder = unsafe Int(clamping: page.band_bytes) + (source.size == nil ? file.size : 0)
            let memory =
                orientation == .upright
                ? DecodingMemory(decoder: decoder) : .whole(decoder: decoder, stored, orientation)
            try options.limits.check(memory: memory.byRows, name: name)
            try handle.start()
            try options.limits.check(width: width, height: height, of: source)
            self.memory = memory
            time = source.time
            self.layout = layout
            line = [UInt8](repeating: 0, count: pixels.isPlain ? 0 : pixels.planes * pixels.rowByteCount)
            self.name = name
            self.handle = handle
            self.pixels = pixels
            self.orientation = orientation
            self.stored = stored
            self.metadata = metadata
        }

        mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
            if orientation == .upright {
                try readStoredRow(into: &row)
            } else {
                let pixels: PixelBuffer
                if let whole { pixels = whole } else { pixels = try readPixels() }
                pixels.copyRow(rowsRead, into: &row)
                whole = rowsRead + 1 == layout.height ? nil : pixels
            }
            rowsRead += 1
        }

        mutating func readPixels() throws(ImageError) -> PixelBuffer {
            try Memory.check(stored.byteCount * (orientation == .upright ? 1 : 2), for: name)
            let pixels = try PixelBuffer(rows: stored) { (row) throws(ImageError) in try readStoredRow(into: &row) }
            return orientation.upright(pixels, layout)
        }

        private mutating func readStoredRow(into row: inout MutableRawSpan) throws(ImageError) {
            try time?.check(name: name)
            let y = storedRow
            storedRow += 1
            if pixels.isPlain {
                // SAFETY: the row has room for the number of bytes that libtiff states for a row.
                try unsafe row.withUnsafeMutableBytes { out throws(ImageError) in
                    guard let start = out.baseAddress else { return }
                    try unsafe handle.readRow(y, plane: 0, into: start)
                }
                return
            }
            let (planes, count) = (pixels.planes, pixels.rowByteCount)
            var line: [UInt8] = []
            swap(&line, &self.line)
            var bytes = line.mutableSpan
            // SAFETY: `line` has room for the number of bytes that libtiff states for a row, in each plane.
            try unsafe bytes.withUnsafeMutableBufferPointer { out throws(ImageError) in
                guard let start = out.baseAddress else { return }
                for plane in 0..<planes {
                    try unsafe handle.readRow(y, plane: plane, into: start + plane * count)
                }
            }
            pixels.convert(line, into: &row)
            swap(&line, &self.line)
        }
    }

    extension ImageMetadata {
        /// Collects the metadata of a TIFF page.
        fileprivate init(
            _ page: frost_tiff_layout, _ pixels: TIFFPixels, _ orientation: Orientation, _ problems: ReadProblems
        ) {
            self.init()
            colorModel = pixels.model
            if let profile = unsafe page.profile.array {
                take(ICCProfile(bytes: profile), for: pixels.format.channels, problems)
            }
            if let packet = unsafe page.xmp.array { take(xmp: packet, problems) }
            if unsafe page.has_more { problems.leaveOut("further pages") }
            // SAFETY: the shim has stored `left_out_count` tags.
            let tags = unsafe withUnsafeBytes(of: page.left_out) { unsafe Array($0.bindMemory(to: UInt16.self)) }
            for tag in unsafe tags.prefix(Int(page.left_out_count)) {
                problems.leaveOut("TIFF tag \(EXIFTag.text(Int(tag)))")
            }
            if unsafe page.has_density { pixelDensity = unsafe orientation.turned(PixelDensity(page.density)) }
        }
    }

    extension ImageFormat {
        /// Creates the format whose decoder libtiff calls for a compression. Returns nil if it calls the decoder of no format.
        fileprivate init?(compressionOfTIFF compression: UInt16) {
            switch compression {
            // The JPEG of 1992, and that of today.
            case 6, 7: self = .jpeg
            case 50001: self = .webp
            case 50002: self = .jxl
            default: return nil
            }
        }
    }

    extension frost_tiff_bytes {
        /// A copy of libtiff's bytes; nil if there are none.
        fileprivate var array: [UInt8]? {
            // SAFETY: libtiff's buffer holds `size` bytes.
            unsafe start.map { unsafe Array(UnsafeBufferPointer(start: $0, count: Int(size))) }
        }
    }

    extension PixelDensity {
        /// Converts a TIFF density. Returns nil if the file states only that the pixels are square.
        fileprivate init?(_ density: frost_tiff_density) {
            let factor = density.unit == 2 ? Self.inchesPerMetre : density.unit == 3 ? 100 : 1
            let numbers = [density.x, density.y].map { (Double($0) * factor).rounded() }
            // A density without a unit is only the ratio of two numbers. Frost rounds these numbers to integers.
            guard numbers.allSatisfy({ $0 >= 1 && $0 < 0x1p32 }) else { return nil }
            let (x, y) = (UInt32(numbers[0]), UInt32(numbers[1]))
            switch density.unit {
            case 2, 3: self.init(x: x, y: y, unit: .perMetre)
            case 1 where x != y: self.init(x: x, y: y, unit: .unknown)
            default: return nil
            }
        }

        /// The density for TIFF. It is converted to pixels per inch, the usual unit, unless its unit is unknown. Frost
        /// stores whole pixels per metre, so a whole number of pixels per inch may have become inexact. A result that
        /// is close enough to an integer to come from this rounding is therefore rounded to the integer.
        var tiff: frost_tiff_density {
            func number(_ value: UInt32) -> Float {
                guard unit == .perMetre else { return Float(value) }
                let exact = Double(value) / Self.inchesPerMetre
                return Float(abs(exact - exact.rounded()) <= 0.5 / Self.inchesPerMetre ? exact.rounded() : exact)
            }
            return frost_tiff_density(unit: unit == .perMetre ? 2 : 1, x: number(x), y: number(y))
        }
    }
#endif
