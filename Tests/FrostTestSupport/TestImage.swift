public import FrostCore
import Glibc

/// The pictures that tests blur. A picture gives a straight (not premultiplied) colour for every pixel of the plane. If the
/// same picture is drawn in two formats, the two images differ only by the rounding of their samples.
public enum Picture: String, Sendable, Hashable, CaseIterable {
    /// Independent random samples between 0 and full scale. They have no structure that could hide a mistake.
    case uniformNoise
    /// Independent random samples, each either 0 or full scale. They give the strongest signal at every frequency.
    case binaryNoise
    /// A linear gradient with a different slope in each channel, which reveals swapped channels, flips and shifts.
    case gradient
    /// The middle pixel has full scale in every channel. All other pixels are 0.
    case impulse
    /// Neighbouring pixels alternate between 0 and full scale. This is the highest frequency, and a blur must remove it.
    case checker
    /// An opaque picture with smooth shading, sharp edges and fine texture, like a photograph.
    case photograph
    /// Coloured noise whose alpha is a disc with a soft edge; the pixels outside the disc are transparent.
    case softAlpha
    /// An opaque window with a title bar, buttons, and lines that resemble text. It has flat areas and the sharpest possible
    /// edges.
    case screenshot

    /// Returns the straight (not premultiplied) value of a sample, in 0...1. Channels 0 to 2 are colours, and channel 3 is
    /// alpha.
    func value(_ x: Int, _ y: Int, _ channel: Int, width: Int, height: Int, noise: SeededNoise) -> Double {
        let u = (Double(x) + 0.5) / Double(width)
        let v = (Double(y) + 0.5) / Double(height)
        switch self {
        case .uniformNoise: return noise.value(x, y, channel)
        case .binaryNoise: return noise.bits(x, y, channel) & 1 == 0 ? 0 : 1
        case .gradient: return [u, v, 1 - 0.5 * (u + v), 0.25 + 0.75 * u * v][channel]
        case .impulse: return x == width / 2 && y == height / 2 ? 1 : 0
        case .checker: return channel == 3 || (x + y) & 1 == 0 ? 1 : 0
        case .photograph:
            if channel == 3 { return 1 }
            let phase = Double(channel)
            let shade = 0.5 + 0.3 * sin(3 * u + 5 * v + phase) + 0.1 * cos(11 * u - 7 * v)
            let edge = (u - 0.4) * (u - 0.4) + (v - 0.5) * (v - 0.5) < 0.08 ? 0.2 - 0.15 * phase : 0
            return min(max(shade + edge + 0.1 * (noise.value(x, y, channel) - 0.5), 0), 1)
        case .softAlpha:
            guard channel == 3 else { return noise.value(x, y, channel) }
            let distance = sqrt((u - 0.5) * (u - 0.5) + (v - 0.5) * (v - 0.5))
            return min(max((0.45 - distance) * 5, 0), 1)
        case .screenshot:
            if channel == 3 { return 1 }
            if y < 12 { return [0.0, 0.48, 1][channel] }
            // Lines that resemble text on a white background. Their words consist of strokes that are one or two pixels
            // wide.
            if y % 9 < 6, x % 61 < 49, noise.bits(x / 2 + (y % 3), y / 9, 9) % 5 < 2 { return 0.05 }
            return (x / 40 + y / 36) % 7 == 0 ? [1, 0.23, 0.19][channel] : 1
        }
    }
}

/// Makes images for tests.
public enum TestImage {
    /// The byte that fills the padding between rows, so that tests detect a stray write.
    public static let paddingByte: UInt8 = 0xA5

    /// Draws a picture in a format.
    ///
    /// - Parameters:
    ///   - padding: the size of the padding after each row, in samples, not bytes.
    /// - Throws: `PixelError` if the width or height is not positive.
    public static func make(
        _ picture: Picture, _ width: Int, _ height: Int, _ format: PixelFormat = PixelFormat(.rgba), seed: UInt64 = 1,
        padding: Int = 0
    ) throws -> PixelBuffer {
        let noise = SeededNoise(seed: seed)
        return try make(width, height, format, padding: padding) { x, y, channel in
            picture.value(x, y, channel, width: width, height: height, noise: noise)
        }
    }

    /// Creates an image from a function of column, row and channel. Channels 0 to 2 are red, green and blue; grey formats
    /// use channel 0; channel 3 is alpha. The function returns straight values. They are multiplied by alpha if the format
    /// is premultiplied, and integers are rounded to nearest.
    ///
    /// - Throws: `PixelError` if the width or height is not positive.
    public static func make(
        _ width: Int, _ height: Int, _ format: PixelFormat, padding: Int = 0,
        value: (_ x: Int, _ y: Int, _ channel: Int) -> Double
    ) throws -> PixelBuffer {
        var image = try blank(width, height, format, padding: padding)
        let stride = image.layout.bytesPerRow
        let channels = format.channels
        let colors = channels.hasAlpha ? channels.count - 1 : channels.count
        // SAFETY: every write stays within the rows of the layout.
        unsafe image.withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let alpha = channels.hasAlpha ? value(x, y, 3) : 1
                    let place = y * stride + x * format.bytesPerPixel
                    for c in 0..<colors {
                        let stored = channels == .bgra ? 2 - c : c
                        let color = value(x, y, c) * (format.alpha == .premultiplied ? alpha : 1)
                        unsafe Sample.store(color, bytes, place + stored * format.sample.size, format.sample)
                    }
                    if channels.hasAlpha {
                        unsafe Sample.store(alpha, bytes, place + colors * format.sample.size, format.sample)
                    }
                }
            }
        }
        return image
    }

    /// Creates an image with independent random samples. Alpha is random as well, so premultiplied colours may exceed alpha.
    /// Integer samples cover the whole range of their type, and floats lie in 0..<1. The padding between rows is random too.
    ///
    /// - Parameter padding: the size of the padding after each row, in samples, not bytes.
    /// - Throws: `PixelError` if the width or height is not positive.
    public static func noise(
        _ width: Int, _ height: Int, _ format: PixelFormat = PixelFormat(.rgba), seed: UInt64 = 1, padding: Int = 0
    ) throws -> PixelBuffer {
        let stride = width * format.bytesPerPixel + padding * format.sample.size
        let layout = try PixelLayout(width: width, height: height, format: format, bytesPerRow: stride)
        var generator = SeededGenerator(
            seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(width) << 32 &+ UInt64(height))
        let bytes: [UInt8] =
            switch format.sample {
            case .u8, .u16: (0..<layout.byteCount).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 40) }
            case .f32:
                (0..<layout.byteCount / 4).flatMap { _ in
                    let bits = (Float(generator.next() >> 40) / 0x1p24).bitPattern
                    return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
                }
            case .f16:
                (0..<layout.byteCount / 2).flatMap { _ in
                    let bits = Float16(Double(generator.next() >> 53) / 0x1p11).bitPattern
                    return [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
                }
            }
        return try PixelBuffer(layout: layout, bytes: bytes)
    }

    /// Creates an image in which every byte, padding included, is ``paddingByte``. It serves as the target of a blur.
    ///
    /// - Throws: `PixelError` if the width or height is not positive.
    public static func blank(
        _ width: Int, _ height: Int, _ format: PixelFormat, padding: Int = 0
    ) throws -> PixelBuffer {
        let stride = width * format.bytesPerPixel + padding * format.sample.size
        let layout = try PixelLayout(width: width, height: height, format: format, bytesPerRow: stride)
        // The buffer has padding after the last row, too. The layout does not count this padding.
        return try PixelBuffer(layout: layout, bytes: [UInt8](repeating: paddingByte, count: max(0, height * stride)))
    }

    /// Every pixel format. If a channel layout has no alpha, its alpha mode has no meaning, so the layout appears only once
    /// per sample type.
    public static let formats: [PixelFormat] = SampleType.allCases.flatMap { sample in
        ChannelLayout.allCases.flatMap { channels in
            (channels.hasAlpha ? AlphaMode.allCases : [.straight]).map { PixelFormat(channels, sample, alpha: $0) }
        }
    }
}

/// Reads and writes single samples. It shares no code with the library, so that a mistake in the library's conversions
/// cannot cancel out.
enum Sample {
    @unsafe static func store(
        _ value: Double, _ bytes: UnsafeMutableRawBufferPointer, _ offset: Int, _ type: SampleType
    ) {
        let scaled = (min(max(value, 0), 1) * type.maximum).rounded()
        switch type {
        case .u8: unsafe bytes.storeBytes(of: UInt8(scaled), toByteOffset: offset, as: UInt8.self)
        case .u16: unsafe bytes.storeBytes(of: UInt16(scaled), toByteOffset: offset, as: UInt16.self)
        case .f16: unsafe bytes.storeBytes(of: Float16(value), toByteOffset: offset, as: Float16.self)
        case .f32: unsafe bytes.storeBytes(of: Float(value), toByteOffset: offset, as: Float.self)
        }
    }

    @unsafe static func load(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ type: SampleType) -> Double {
        switch type {
        case .u8: unsafe Double(bytes[offset])
        case .u16: unsafe Double(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
        case .f16: unsafe Double(bytes.loadUnaligned(fromByteOffset: offset, as: Float16.self))
        case .f32: unsafe Double(bytes.loadUnaligned(fromByteOffset: offset, as: Float.self))
        }
    }
}
