import FrostCore
import FrostImages
import FrostTestSupport

/// Small test files of every format, written by the library itself.
enum Sample {
    /// Creates a smooth picture. Lossy formats change such a picture only a little.
    static func smooth(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> PixelBuffer {
        let layout = try PixelLayout(width: width, height: height, format: format)
        let channels = format.channels.count
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                for c in 0..<channels {
                    let value = UInt8((x * (5 + c) + y * (7 - c) + 40 * c) * 200 / ((width + height) * 9 + 120))
                    // Both bytes of a 16-bit sample have the same value.
                    bytes += [UInt8](repeating: value, count: format.sample.size)
                }
            }
        }
        return try PixelBuffer(layout: layout, bytes: bytes)
    }

    /// Returns complete files that are so small that tests can cut them at every byte. They have metadata if the format
    /// supports metadata.
    static func files(_ format: ImageFormat) throws -> [[UInt8]] {
        var metadata = ImageMetadata()
        if format.traits.metadata.contains(.exif) { metadata.exif = exif(orientation: 1) }
        if format.traits.metadata.contains(.comments) { metadata.comments = [Array("hello".utf8)] }
        let samples = format.traits.samples
        func file(
            _ channels: ChannelLayout, _ sample: SampleType, _ options: ImageWriteOptions = ImageWriteOptions()
        ) throws -> [UInt8] {
            let pixels = try TestImage.noise(9, 7, PixelFormat(channels, sample.isFloat ? .u8 : sample))
            // AVIF holds at most 12 bits per sample.
            var options = options
            if format == .avif { options.depth = 12 }
            return try ImageFile.encode(DecodedImage(pixels: pixels, metadata: metadata), as: format, options: options)
        }
        var files: [[UInt8]] = []
        for channels in format.traits.channels where channels != .bgra {
            for sample in samples { files.append(try file(channels, sample)) }
        }
        if format == .jpeg {
            files.append(try file(.rgb, .u8, ImageWriteOptions(jpeg: JPEGWriteOptions(isProgressive: true))))
            files.append(try ImageFile.encode(cmyk(), as: .jpeg))
        }
        if format == .webp {
            files.append(try file(.rgba, .u8, ImageWriteOptions(webp: WebPWriteOptions(isLossless: true))))
        }
        return files
    }

    /// Creates a CMYK picture.
    static func cmyk(_ width: Int = 20, _ height: Int = 12) throws -> DecodedImage {
        var metadata = ImageMetadata()
        metadata.colorModel = .cmyk
        return DecodedImage(
            pixels: try smooth(width, height, PixelFormat(.rgba, alpha: .premultiplied)), metadata: metadata)
    }

    /// Creates an EXIF block that states an orientation. The block can have either byte order. All bytes of its thumbnail
    /// are 0xAA.
    static func exif(orientation: UInt8, isLittle: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            let bytes = bigEndian(value, size)
            return isLittle ? bytes.reversed() : bytes
        }
        func entry(_ tag: Int, _ type: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(1, 4) + value
        }
        let start: [UInt8] = isLittle ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
        let first =
            number(2, 2) + entry(0x0100, 4, number(7, 4)) + entry(0x0112, 3, number(Int(orientation), 2) + [0, 0])
        let second = number(2, 2) + entry(0x0201, 4, number(68, 4)) + entry(0x0202, 4, number(4, 4)) + number(0, 4)
        return start + number(8, 4) + first + number(38, 4) + second + [UInt8](repeating: 0xAA, count: 4)
    }
}
