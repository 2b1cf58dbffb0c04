import FrostCore

/// The part of a mask's picture that a region needs, and how the shader maps pixels to it.
struct MaskWindow: Hashable {
    let x: MaskAxis
    let y: MaskAxis
    /// In the mask's own pixels.
    var window: Rect { Rect(columns: x.window, rows: y.window) }

    init(_ mask: MaskImage, region: Rect, extent: Rect) {
        x = MaskAxis(mask.width, region.columns, extent.columns)
        y = MaskAxis(mask.height, region.rows, extent.rows)
    }

    /// 24 bits of each value in red, green and blue, since every device has such textures.
    func bytes(_ mask: MaskImage) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * x.window.count * y.window.count)
        for row in y.window {
            for column in x.window {
                let value = UInt32((mask.values[row * mask.width + column] * 16_777_215).rounded())
                bytes.append(UInt8(truncatingIfNeeded: value >> 16))
                bytes.append(UInt8(truncatingIfNeeded: value >> 8))
                bytes.append(UInt8(truncatingIfNeeded: value))
                bytes.append(255)
            }
        }
        return bytes
    }
}

/// One axis: place n lies at `start + n * step` in the mask, in multiples of 2^-32 pixels, counted from the image's
/// first pixel. So all tiles agree, and places are off by less than 2^-17 of a pixel at the far end of the largest
/// texture.
struct MaskAxis: Hashable {
    /// Whole pixels of start and step, the mask's pixels, and the first that is needed.
    let whole: SIMD4<Int32>
    /// The fractions: of start in 65536ths, of step in 65536ths, and the rests of step and of start in 2^-32.
    let parts: SIMD4<UInt32>
    let window: Range<Int>

    init(_ count: Int, _ region: Range<Int>, _ extent: Range<Int>) {
        let step = Double(count) / Double(extent.count)
        let offset = region.lowerBound - extent.lowerBound
        let start = (Double(offset) + 0.5) * step - 0.5
        let end = start + Double(region.count - 1) * step
        let low = Self.within(start - 1, count)
        let high = Self.within(end + 2, count)
        window = low..<high + 1
        let fixedStep = Int((step * 0x1p32).rounded())
        let first = Int(((0.5 * step - 0.5) * 0x1p32).rounded())
        let (product, overflow) = fixedStep.multipliedReportingOverflow(by: offset)
        // That far away every place is the mask's first pixel or its last.
        let fixedStart = overflow ? (offset < 0 ? Int.min / 2 : Int.max / 2) : first &+ product
        // Sums with the shader's largest place stay within its 32 bits.
        whole = SIMD4(
            Int32(min(max(fixedStart >> 32, -1 << 29), 1 << 29)), Int32(min(fixedStep >> 32, 1 << 15)),
            Int32(clamping: count), Int32(clamping: low))
        func sixteenBits(_ value: Int, _ shift: Int) -> UInt32 { UInt32((value >> shift) & 0xFFFF) }
        parts = SIMD4(
            sixteenBits(fixedStart, 16), sixteenBits(fixedStep, 16), sixteenBits(fixedStep, 0),
            sixteenBits(fixedStart, 0))
    }

    private static func within(_ place: Double, _ count: Int) -> Int {
        Int(min(max(place.rounded(.down), 0), Double(count - 1)))
    }
}
