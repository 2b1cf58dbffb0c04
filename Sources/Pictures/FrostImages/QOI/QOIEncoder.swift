import FrostCore

/// Writes a QOI file row by row, and chooses the same encoding for each pixel as the reference encoder.
struct QOIEncoder: FormatEncoder, ~Copyable {
    private let output: EncodedBytes
    private let width: Int
    private let channels: Int
    private var last = QOI.start
    private var seen = [QOI.Pixel](repeating: .zero, count: 64)
    private var run = 0

    static func memory(for layout: PixelLayout, _ options: ImageWriteOptions) -> Int { layout.rowByteCount * 2 }

    init(
        _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
        to output: EncodedBytes
    ) {
        self.output = output
        width = layout.width
        channels = layout.format.channels.count
        let isLinear = metadata.statesColor ? metadata.isLinear : layout.format.colorSpace == .linear
        let size = UInt32(layout.width).bigEndianBytes + UInt32(layout.height).bigEndianBytes
        output.append(QOI.magic + size + [UInt8(channels), isLinear ? 1 : 0])
    }

    mutating func writeRow(_ row: RawSpan) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * (channels + 1))
        for x in 0..<width {
            var pixel = QOI.start
            // SAFETY: every byte is a valid value, and the span checks its bounds.
            for i in 0..<channels { pixel[i] = unsafe row.unsafeLoad(fromByteOffset: x * channels + i, as: UInt8.self) }
            if pixel == last {
                run += 1
                if run == 62 { endRun(&bytes) }
                continue
            }
            endRun(&bytes)
            encode(pixel, &bytes)
            last = pixel
        }
        output.append(bytes)
    }

    mutating func end() {
        var bytes: [UInt8] = []
        endRun(&bytes)
        output.append(bytes + QOI.end)
    }

    private mutating func endRun(_ bytes: inout [UInt8]) {
        if run > 0 { bytes.append(0xC0 | UInt8(run - 1)) }
        run = 0
    }

    private mutating func encode(_ pixel: QOI.Pixel, _ bytes: inout [UInt8]) {
        let slot = QOI.slot(pixel)
        if seen[slot] == pixel {
            bytes.append(UInt8(slot))
            return
        }
        seen[slot] = pixel
        guard pixel[3] == last[3] else {
            bytes += [0xFF, pixel[0], pixel[1], pixel[2], pixel[3]]
            return
        }
        let change = pixel &- last
        let small = change &+ 2
        let red = change[0] &- change[1] &+ 8
        let blue = change[2] &- change[1] &+ 8
        if small[0] < 4, small[1] < 4, small[2] < 4 {
            bytes.append(0x40 | small[0] << 4 | small[1] << 2 | small[2])
        } else if change[1] &+ 32 < 64, red < 16, blue < 16 {
            bytes += [0x80 | (change[1] &+ 32), red << 4 | blue]
        } else {
            bytes += [0xFE, pixel[0], pixel[1], pixel[2]]
        }
    }
}
