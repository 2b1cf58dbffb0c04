import FrostCore

/// The headers of a BMP file: the sizes, the kind of the pixels, the palette, and where the pixels are. Reads the header of
/// OS/2 (BITMAPCOREHEADER, and that of version 2), and those of Windows up to BITMAPV5HEADER.
struct BMPHeader {
    /// How the pixels are stored.
    enum Coding: Equatable {
        /// The number of a colour of the palette for each pixel.
        case indices
        /// The same, with repeated numbers stored once: RLE8, and RLE4.
        case runs
        /// The samples of each pixel, as the masks state.
        case samples([Channel])
    }

    /// The bits of a pixel that hold a sample.
    struct Channel: Equatable {
        let mask: UInt32

        /// The number of bits that follow the sample, and the largest sample.
        var shift: UInt32 { UInt32(mask.trailingZeroBitCount) }
        var maximum: UInt32 { mask >> min(shift, 31) }
        /// Whether the bits of the mask follow one another.
        var isValid: Bool { mask == 0 || maximum & (maximum &+ 1) == 0 }
    }

    let width, height: Int
    /// Whether the first row of the file is that at the top. Usually it is that at the bottom.
    let isTopDown: Bool
    /// The number of bits of a pixel. Runs have that of a palette's number.
    let bits: Int
    let coding: Coding
    /// The colours of the palette: red, green and blue.
    let palette: [[UInt8]]
    /// The number of the byte at which the pixels begin.
    let pixels: Int
    /// The number of pixels in a metre; nil if the file does not state it.
    let density: PixelDensity?
    /// Whether the file states that its colours are sRGB.
    let isSRGB: Bool
    /// Where the ICC profile is; nil if there is none.
    let profile: Range<Int>?
    /// Whether the file names another file that has the profile.
    let linksProfile: Bool
    /// The position after the profile or the name of its file; 0 without one.
    let profileEnd: Int

    /// The number of bytes of a row of the file. Rows end at a multiple of four bytes.
    var stride: Int { (width * bits + 31) / 32 * 4 }

    static let (fileHeaderSize, longestHeader) = (14, 124)
    /// The numbers of bytes of the known headers. The first is that of OS/2, whose sizes have 16 bits. Those of 16 and 64
    /// bytes are OS/2's as well.
    private static let sizes = [12, 16, 40, 52, 56, 64, 108, 124]

    /// Reads the header.
    ///
    /// - Parameter file: the bytes of the file up to the end of the longest palette, or all bytes of a shorter file.
    init(_ file: [UInt8], limits: ImageLimits, name: String) throws(ImageError) {
        func corrupt(_ reason: String) -> ImageError {
            .corrupt(path: name, format: .bmp, reason: reason, offset: nil)
        }
        let start = Self.fileHeaderSize
        guard file.count >= start + 4 else { throw Self.headerEnd(file, name) }
        let size = file.number(start, 4)
        guard Self.sizes.contains(size) else { throw corrupt("invalid header of \(size) bytes") }
        guard file.count >= start + size else { throw Self.headerEnd(file, name) }
        let isOld = size == 12
        func field(_ at: Int, _ count: Int) -> Int { at + count <= size ? file.number(start + at, count) : 0 }
        func signed(_ at: Int) -> Int { Int(Int32(truncatingIfNeeded: field(at, 4))) }
        width = isOld ? field(4, 2) : signed(4)
        let rows = isOld ? field(6, 2) : signed(8)
        (height, isTopDown) = (abs(rows), rows < 0)
        guard width > 0, height > 0 else { throw corrupt("invalid size \(width)x\(rows)") }
        try limits.check(width: width, height: height, name: name)
        let planes = field(isOld ? 8 : 12, 2)
        guard planes == 1 else { throw corrupt("invalid number of planes \(planes)") }
        bits = field(isOld ? 10 : 14, 2)
        guard [1, 2, 4, 8, 16, 24, 32].contains(bits) else { throw corrupt("invalid number of bits \(bits)") }
        let compression = isOld ? 0 : field(16, 4)
        // OS/2 gives other meanings to the numbers of compressions.
        let isOS2 = size == 16 || size == 64
        // The masks are a part of the longer headers, and follow that of 40 bytes.
        let hasMasks = !isOS2 && (compression == 3 || compression == 6)
        var end = start + size
        var masks: [UInt32] = []
        if hasMasks {
            let count = size >= 56 || compression == 6 ? 4 : 3
            if size == 40 { end += 4 * count }
            guard file.count >= start + 40 + 4 * count else { throw Self.headerEnd(file, name) }
            masks = (0..<count).map { UInt32(file.number(start + 40 + 4 * $0, 4)) }
        }
        coding = try Self.coding(compression, isOS2: isOS2, bits: bits, masks, name)
        pixels = file.number(10, 4) == 0 ? end : file.number(10, 4)
        guard pixels >= end else { throw corrupt("its pixels begin within its header") }
        // Palettes of OS/2 have three bytes for each colour, and those of Windows four.
        let entry = isOld ? 3 : 4
        let stated = field(32, 4)
        let colors = bits > 8 ? 0 : min(stated == 0 ? 1 << bits : stated, 1 << bits, (pixels - end) / entry)
        guard file.count >= end + colors * entry else { throw Self.headerEnd(file, name) }
        palette = (0..<colors).map { index in
            let at = end + index * entry
            return [file[at + 2], file[at + 1], file[at]]
        }
        guard bits > 8 || colors > 0 else { throw corrupt("it has no palette") }
        let (x, y) = (signed(24), signed(28))
        density = x > 0 && y > 0 ? PixelDensity(x: UInt32(x), y: UInt32(y), unit: .perMetre) : nil
        // The names of colour spaces, as numbers: "sRGB" and "Win ", which is sRGB too, "MBED" and "LINK".
        let space = size >= 108 ? field(56, 4) : 0
        isSRGB = space == 0x7352_4742 || space == 0x5769_6E20
        let (place, length) = (field(112, 4), field(116, 4))
        let data = size == 124 && length > 0 ? start + place..<start + place + length : nil
        profile = space == 0x4D42_4544 ? data : nil
        linksProfile = space == 0x4C49_4E4B
        profileEnd = (profile != nil || linksProfile ? data?.upperBound : nil) ?? 0
    }

    private static func coding(
        _ compression: Int, isOS2: Bool, bits: Int, _ masks: [UInt32], _ name: String
    ) throws(ImageError) -> Coding {
        func refused(_ what: String) -> ImageError {
            .unsupported(path: name, format: .bmp, reason: "unsupported BMP: \(what)")
        }
        switch (compression, bits) {
        case (0, ...8): return .indices
        // Without masks, a pixel of 16 bits has five for each sample, and one of 32 bits has eight, and no alpha.
        case (0, 16): return .samples([0x7C00, 0x3E0, 0x1F].map(Channel.init))
        case (0, 24), (0, 32): return .samples([0xFF0000, 0xFF00, 0xFF].map(Channel.init))
        case (1, 8), (2, 4): return .runs
        case (3, 16) where !isOS2, (3, 32) where !isOS2, (6, 16) where !isOS2, (6, 32) where !isOS2:
            var channels = masks.map(Channel.init)
            if channels.last?.mask == 0, channels.count == 4 { channels.removeLast() }
            let color = channels.prefix(3).map(\.mask)
            guard channels.allSatisfy(\.isValid), color.contains(where: { $0 != 0 }),
                bits == 32 || masks.allSatisfy({ $0 <= UInt16.max })
            else {
                let text = masks.map { "0x" + String($0, radix: 16, uppercase: true) }.joined(separator: ", ")
                throw .corrupt(path: name, format: .bmp, reason: "invalid masks \(text)", offset: nil)
            }
            return .samples(channels)
        case (3, 1) where isOS2: throw refused("it is compressed with Huffman's code")
        case (4, 24) where isOS2: throw refused("it has runs of 24 bits")
        case (4, _): throw refused("it contains a JPEG")
        case (5, _): throw refused("it contains a PNG")
        case (11...13, _): throw refused("it has CMYK pixels")
        default:
            throw .corrupt(
                path: name, format: .bmp, reason: "invalid compression \(compression) of \(bits) bits", offset: nil)
        }
    }

    private static func headerEnd(_ file: [UInt8], _ name: String) -> ImageError {
        .truncated(
            path: name, format: .bmp, reason: "the file ends before the end of its header", offset: UInt64(file.count))
    }
}
