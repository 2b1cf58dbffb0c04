import Frost

/// Pictures of any format and size, the same on every machine: noise over a grid of tiles, with alpha that varies.
struct KitPicture {
    private let noise: PixelHash

    init(seed: UInt32) { noise = PixelHash(seed: seed) }

    /// Returns the part of the picture that has the given size and begins at (x, y).
    func pixels(_ width: Int, _ height: Int, _ format: PixelFormat, x: Int = 0, y: Int = 0) throws -> PixelBuffer {
        let channels = format.channels
        return unsafe PixelBuffer(layout: try PixelLayout(width: width, height: height, format: format)) { bytes in
            for row in 0..<height {
                for column in 0..<width {
                    let alpha = channels.hasAlpha ? value(x + column, y + row, 3) : 1
                    let scale = format.alpha == .premultiplied ? alpha : 1
                    for channel in 0..<channels.count {
                        let isAlpha = channels.hasAlpha && channel == channels.count - 1
                        let number = isAlpha ? alpha : value(x + column, y + row, channel) * scale
                        let index = (row * width + column) * channels.count + channel
                        // SAFETY: the index is below width * height * count, which is the number of samples.
                        unsafe Self.store(number, index, format.sample, bytes)
                    }
                }
            }
        }
    }

    /// A value in 0...1: one part of noise, two parts of tiles with hard edges.
    private func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
        let tile = noise.fraction(x: x / 23 + 7919 * channel, y: y / 17 + 104_729)
        return (noise.fraction(x: x + 4096 * 16 * channel, y: y) + 2 * tile) / 3
    }

    @unsafe private static func store(
        _ number: Double, _ index: Int, _ sample: SampleType, _ bytes: UnsafeMutableRawBufferPointer
    ) {
        guard let base = bytes.baseAddress else { return }
        let value = sample.isFloat ? number : (number * sample.maximum).rounded()
        unsafe sample.store(value, base, at: index)
    }
}

extension SampleRows {
    /// A part of the rows.
    func part(_ rect: Rect) -> SampleRows {
        let count = channels.count
        return SampleRows(width: rect.width, height: rect.height, channels: channels) { y in
            Array(self[rect.y + y][rect.x * count..<(rect.x + rect.width) * count])
        }
    }
}
