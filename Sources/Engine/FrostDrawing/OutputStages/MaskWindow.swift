package import FrostCore

/// The part of a mask image that a region needs, and the numbers with which the shader maps pixels to this part.
package struct MaskWindow: Hashable, Sendable {
    let x: MaskAxis
    let y: MaskAxis
    /// The part of the mask image that is uploaded, in the mask's own pixels.
    package var window: Rect { Rect(columns: x.window, rows: y.window) }

    package init(_ mask: MaskImage, region: Rect, extent: Rect) {
        x = MaskAxis(mask.width, region.columns, extent.columns)
        y = MaskAxis(mask.height, region.rows, extent.rows)
    }

    /// Returns the texture's bytes. The red, green and blue channels hold 24 bits of each mask value, because every device
    /// has 8-bit RGBA textures.
    package func bytes(_ mask: MaskImage) -> [UInt8] {
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

/// Maps pixels to positions in the mask along one axis. Pixel n of the region lies at `start + n * step` in the mask. Both
/// numbers are multiples of 2^-32 mask pixels, and `start` is computed from the image's first pixel. All tiles therefore
/// compute the same positions, with an error below 2^-17 of a pixel at the far end of the largest texture.
struct MaskAxis: Hashable, Sendable {
    /// The whole pixels of `start` and of `step`, the mask's size in pixels, and the first mask pixel in the texture.
    let whole: SIMD4<Int32>
    /// The fractions of `start` and `step` in 16-bit halves: the upper halves of `start` and of `step` in units of 2^-16,
    /// then the lower halves of `step` and of `start` in units of 2^-32.
    let parts: SIMD4<UInt32>
    /// The mask pixels that the texture contains along this axis.
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
        // The product overflows only if the region lies so far outside the mask that all of its positions are clamped to
        // the mask's first pixel, or all to its last pixel.
        let fixedStart = overflow ? (offset < 0 ? Int.min / 2 : Int.max / 2) : first &+ product
        // The limits keep the shader's sums within 32 bits, even for the largest pixel coordinate.
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
