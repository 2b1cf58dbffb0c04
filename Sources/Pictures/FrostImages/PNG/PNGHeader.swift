/// The first 33 bytes of a PNG file: its signature and its IHDR chunk. Frost parses them itself instead of calling
/// libpng, so that it can refuse an image before it reads or allocates anything else.
struct PNGHeader: Sendable, Hashable {
    /// The samples that a pixel consists of in a PNG file. The raw value is the colour type in IHDR.
    enum ColorType: UInt8, Sendable, Hashable, CaseIterable {
        /// A grey sample.
        case grey = 0
        /// Red, green and blue samples.
        case rgb = 2
        /// An index into a palette of RGB colours.
        case palette = 3
        /// A grey sample and an alpha sample.
        case greyAlpha = 4
        /// Red, green, blue and alpha samples.
        case rgba = 6

        /// The bit depths that PNG allows for this colour type.
        var bitDepths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .greyAlpha, .rgba: [8, 16]
            }
        }

        /// The number of samples per pixel. A palette index counts as one sample.
        var samples: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    /// The number of columns.
    let width: Int
    /// The number of rows.
    let height: Int
    /// The number of bits per stored sample.
    let bitDepth: Int
    /// The samples that a pixel consists of in the file.
    let colorType: ColorType
    /// Whether the rows are stored in the seven passes of Adam7. Such an image can only be read as a whole.
    let isInterlaced: Bool

    /// The number of bytes of the signature and IHDR together.
    static let byteCount = 33

    /// Parses and checks the signature and IHDR.
    ///
    /// - Parameter bytes: the first ``byteCount`` bytes of the file, or all bytes of a shorter file.
    init(parsing bytes: [UInt8], limits: ImageLimits, name: String) throws(ImageError) {
        try Self.checkSignature(bytes, name: name)
        func corrupt(_ reason: String) -> ImageError {
            .corrupt(path: name, format: .png, reason: reason, offset: UInt64(bytes.count))
        }
        guard bytes.count >= Self.byteCount else { throw corrupt("the file ends before the end of its header") }

        guard bytes[12..<16].elementsEqual("IHDR".utf8), bytes.word(8) == 13 else {
            throw corrupt("the first chunk is not IHDR")
        }
        guard bytes.word(29) == CRC32.of(bytes[12..<29]) else { throw corrupt("CRC mismatch in IHDR") }
        width = bytes.word(16)
        height = bytes.word(20)
        guard width > 0, height > 0 else { throw corrupt("invalid size \(width)x\(height) in IHDR") }
        try limits.check(width: width, height: height, name: name)
        bitDepth = Int(bytes[24])
        guard let type = ColorType(rawValue: bytes[25]), type.bitDepths.contains(bitDepth) else {
            throw corrupt("invalid colour type \(bytes[25]) with \(bitDepth) bits in IHDR")
        }
        colorType = type
        guard bytes[26] == 0, bytes[27] == 0, bytes[28] < 2 else {
            throw corrupt("invalid compression \(bytes[26]), filter \(bytes[27]) or interlace \(bytes[28]) in IHDR")
        }
        isInterlaced = bytes[28] == 1
    }

    /// Refuses a header that announces more pixels than the file can contain, before memory is allocated for them.
    /// Deflate needs at least two bits for 258 bytes, so a byte of the file yields at most 1032 bytes of pixels.
    func checkPlausible(fileSize: Int, name: String) throws(ImageError) {
        // The comparison uses floating point, because the integers may overflow. Rounding does not matter, because the
        // two sides differ by far in every relevant case.
        let needed = Double(width) * Double(height) * Double(bitDepth * colorType.samples) / 8
        guard needed <= Double(fileSize) * 1032 + 1032 else {
            throw .truncated(
                path: name, format: .png, reason: "too short for \(width)x\(height) pixels, truncated",
                offset: UInt64(fileSize))
        }
    }

    private static func checkSignature(_ bytes: [UInt8], name: String) throws(ImageError) {
        let signature = FileSignature.png
        if !bytes.isEmpty, bytes.starts(with: signature.prefix(bytes.count)) { return }
        let reason =
            bytes.isEmpty
            ? "the file is empty" : FileSignature(bytes).description ?? "it does not begin with PNG's signature"
        throw .unrecognised(path: name, expected: .png, reason: reason)
    }
}
