import Frost
import FrostCLI

/// An opaque picture to draw on, in 8-bit RGB.
struct Canvas {
    typealias Ink = SIMD3<UInt8>

    let width: Int
    let height: Int
    private var bytes: [UInt8]

    init(width: Int, height: Int, background: Ink) {
        self.width = width
        self.height = height
        bytes = []
        bytes.reserveCapacity(width * height * 3)
        for _ in 0..<width * height { bytes += [background.x, background.y, background.z] }
    }

    /// Draws a text with dots of `size` pixels. The upper left corner of the text is at (x, y). Dots outside the canvas
    /// are ignored.
    mutating func draw(_ text: String, x: Int, y: Int, size: Int, ink: Ink) {
        for (index, character) in text.enumerated() {
            let left = x + index * BitmapFont.advance * size
            for row in 0..<BitmapFont.height * size {
                for column in 0..<BitmapFont.width * size
                where BitmapFont.isSet(character, x: column / size, y: row / size) {
                    set(left + column, y + row, ink)
                }
            }
        }
    }

    /// Fills a rectangle with a colour.
    mutating func fill(x: Int, y: Int, width: Int, height: Int, ink: Ink) {
        for row in y..<y + height {
            for column in x..<x + width { set(column, row, ink) }
        }
    }

    /// Draws an image of 8-bit premultiplied RGBA over the canvas. The upper left corner of the image is at (x, y).
    mutating func draw(_ image: PixelBuffer, x: Int, y: Int) {
        for row in 0..<min(image.height, height - y) {
            for column in 0..<min(image.width, width - x) {
                let from = row * image.layout.bytesPerRow + column * 4
                let to = ((y + row) * width + x + column) * 3
                let rest = 255 - Int(image.bytes[from + 3])
                for c in 0..<3 {
                    let sum = Int(image.bytes[from + c]) + (Int(bytes[to + c]) * rest + 127) / 255
                    bytes[to + c] = UInt8(min(sum, 255))
                }
            }
        }
    }

    private mutating func set(_ x: Int, _ y: Int, _ ink: Ink) {
        guard x >= 0, x < width, y >= 0, y < height else { return }
        let at = (y * width + x) * 3
        for c in 0..<3 { bytes[at + c] = ink[c] }
    }

    func picture() throws(PixelError) -> PixelBuffer {
        try PixelBuffer(layout: PixelLayout(width: width, height: height, format: PixelFormat(.rgb)), bytes: bytes)
    }
}
