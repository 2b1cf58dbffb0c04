import FrostCore

/// Reads and changes those entries of an EXIF block that concern the pixels: the orientation and the thumbnail. The
/// block consists of a TIFF header and a list of entries. Every offset is checked against the size of the block. A
/// malformed entry is treated as missing.
struct EXIF {
    /// The EXIF block without JPEG's "Exif" prefix.
    private(set) var bytes: [UInt8]
    private let isLittle: Bool

    private enum Tag {
        static let orientation = 0x0112
        static let thumbnailOffset = 0x0201
        static let thumbnailSize = 0x0202
    }

    /// Parses an EXIF block.
    ///
    /// - Returns: nil if the bytes do not begin with a TIFF header.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        if bytes.starts(with: [0x49, 0x49, 42, 0]) {
            isLittle = true
        } else if bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
            isLittle = false
        } else {
            return nil
        }
        self.bytes = bytes
    }

    /// The orientation that the block states; upright if the block states no orientation.
    var orientation: Orientation {
        guard let place = orientationPlace, let value = number(place.offset, place.size) else { return .upright }
        return Orientation(rawValue: value) ?? .upright
    }

    /// Where the number of the orientation is. EXIF prescribes 16 bits; some writers use 32.
    private var orientationPlace: (offset: Int, size: Int)? {
        guard let at = value(of: Tag.orientation, in: firstDirectory), number(at - 4, 4) == 1 else { return nil }
        switch number(at - 6, 2) {
        case 3: return (at, 2)
        case 4: return (at, 4)
        default: return nil
        }
    }

    /// A copy of the block with the orientation set to upright.
    var upright: EXIF {
        var result = self
        if let place = orientationPlace { result.store(1, place.offset, place.size) }
        return result
    }

    /// A copy of the block without its thumbnail, because the thumbnail shows the picture before Frost changed it.
    var withoutThumbnail: EXIF {
        var result = self
        guard let link = nextDirectory(of: firstDirectory), let second = number(link, 4), second > 0 else {
            return result
        }
        if let at = value(of: Tag.thumbnailOffset, in: second), let start = number(at, 4),
            let size = value(of: Tag.thumbnailSize, in: second).flatMap({ number($0, 4) }),
            start < bytes.count
        {
            for i in start..<min(bytes.count, start + size) { result.bytes[i] = 0 }
        }
        for i in link..<link + 4 { result.bytes[i] = 0 }
        return result
    }

    private var firstDirectory: Int { number(4, 4) ?? 0 }

    /// Returns the offset of an entry's value, or nil if the directory has no such entry.
    private func value(of tag: Int, in directory: Int) -> Int? {
        guard let count = number(directory, 2) else { return nil }
        for i in 0..<count {
            let entry = directory + 2 + 12 * i
            guard let found = number(entry, 2) else { return nil }
            if found == tag { return entry + 12 <= bytes.count ? entry + 8 : nil }
        }
        return nil
    }

    private func nextDirectory(of directory: Int) -> Int? {
        guard let count = number(directory, 2) else { return nil }
        let link = directory + 2 + 12 * count
        return link + 4 <= bytes.count ? link : nil
    }

    private func number(_ at: Int, _ size: Int) -> Int? {
        guard at >= 0, at + size <= bytes.count else { return nil }
        let digits = bytes[at..<at + size]
        return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func store(_ value: UInt8, _ at: Int, _ size: Int) {
        for i in 0..<size { bytes[at + i] = 0 }
        bytes[isLittle ? at : at + size - 1] = value
    }
}

/// The orientation of a picture, in EXIF's numbering: the transform that turns the picture upright.
enum Orientation: Int, CaseIterable {
    case upright = 1
    case mirrored, turnedHalf, flipped, transposed, turnedRight, transversed, turnedLeft

    /// Whether the transform exchanges width and height.
    var swapsSides: Bool { rawValue >= 5 }

    /// Returns the layout of the upright picture.
    func turned(_ stored: PixelLayout, name: String) throws(ImageError) -> PixelLayout {
        try PixelLayout(
            reading: swapsSides ? stored.height : stored.width, swapsSides ? stored.width : stored.height,
            stored.format, name: name)
    }

    /// Returns the picture's pixels, rotated upright.
    ///
    /// - Parameter layout: the layout of the result, from ``turned(_:name:)``.
    func upright(_ picture: PixelBuffer, _ layout: PixelLayout) -> PixelBuffer {
        guard self != .upright else { return picture }
        let (width, height) = (picture.width, picture.height)
        let size = picture.format.bytesPerPixel
        // The first pixel of the result is the pixel of the source at the offset `start`. One pixel to the right in the
        // result means `alongX` bytes further in the source. One row down in the result means `alongY` bytes further in
        // the source.
        let (right, down) = (size, picture.layout.bytesPerRow)
        let (lastX, lastY) = ((width - 1) * right, (height - 1) * down)
        let (start, alongX, alongY) =
            switch self {
            case .upright: (0, right, down)
            case .mirrored: (lastX, -right, down)
            case .turnedHalf: (lastX + lastY, -right, -down)
            case .flipped: (lastY, right, -down)
            case .transposed: (0, down, right)
            case .turnedRight: (lastY, -down, right)
            case .transversed: (lastX + lastY, -down, -right)
            case .turnedLeft: (lastX, down, -right)
            }
        return unsafe PixelBuffer(layout: layout) { out in
            // SAFETY: every step stays within the source picture, and the loops write every pixel of the result.
            unsafe picture.withUnsafeBytes { bytes in
                // If width and height are exchanged, one of the two pictures is accessed column by column. The loops
                // therefore process small tiles, which fit in the cache of the processor.
                let tile = 32
                for top in stride(from: 0, to: layout.height, by: tile) {
                    for left in stride(from: 0, to: layout.width, by: tile) {
                        for y in top..<min(top + tile, layout.height) {
                            for x in left..<min(left + tile, layout.width) {
                                let from = start + x * alongX + y * alongY
                                let to = y * layout.bytesPerRow + x * size
                                for i in 0..<size { unsafe out[to + i] = bytes[from + i] }
                            }
                        }
                    }
                }
            }
        }
    }
}
