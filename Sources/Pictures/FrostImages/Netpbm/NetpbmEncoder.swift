import FrostCore

/// Writes raw PGM, raw PPM, PAM and PFM files row by row. PFM stores the bottom row first, so the encoder keeps PFM
/// rows until the end.
struct NetpbmEncoder: RowEncoder, ~Copyable {
    private let output: EncodedBytes
    private let layout: PixelLayout
    /// The rows of a PFM file, with the top row first.
    private var rows: [[UInt8]] = []

    static func memory(for layout: PixelLayout, _ options: ImageWriteOptions) -> Int {
        // A PFM file stores the last row first, so the rows are kept, and then collected in memory that grows by doubling.
        layout.format.sample == .f32 ? layout.sampleCount * MemoryLayout<Float>.size * 3 : layout.rowByteCount * 2
    }

    init(
        _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
        to output: EncodedBytes
    ) {
        self.output = output
        self.layout = layout
        let (channels, sample) = (layout.format.channels, layout.format.sample)
        let size = "\(layout.width) \(layout.height)"
        let maximum = sample == .u16 ? 65535 : 255
        let header =
            switch format {
            case .pam:
                "P7\nWIDTH \(layout.width)\nHEIGHT \(layout.height)\nDEPTH \(channels.count)\nMAXVAL \(maximum)\n"
                    + "TUPLTYPE \(channels.isGrey ? "GRAYSCALE" : "RGB")\(channels.hasAlpha ? "_ALPHA" : "")\nENDHDR\n"
            case .pfm: "\(channels.isGrey ? "Pf" : "PF")\n\(size)\n-1.0\n"
            default: "\(channels.isGrey ? "P5" : "P6")\n\(size)\n\(maximum)\n"
            }
        output.append(Array(header.utf8))
    }

    mutating func writeRow(_ row: RawSpan) {
        let count = layout.width * layout.format.channels.count
        var bytes = [UInt8](repeating: 0, count: layout.rowByteCount)
        // SAFETY: every bit pattern is a valid number, and the span checks its bounds.
        switch layout.format.sample {
        case .u8:
            output.write(row.extracting(0..<count))
            return
        case .u16:
            for i in 0..<count {
                let value = unsafe row.unsafeLoadUnaligned(fromByteOffset: 2 * i, as: UInt16.self)
                bytes[2 * i] = UInt8(value >> 8)
                bytes[2 * i + 1] = UInt8(truncatingIfNeeded: value)
            }
            output.append(bytes)
        case .f16: preconditionFailure("no file format holds \(layout.format.sample)")
        case .f32:
            for i in 0..<count {
                let value = unsafe row.unsafeLoadUnaligned(fromByteOffset: 4 * i, as: UInt32.self)
                for k in 0..<4 { bytes[4 * i + k] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(k))) }
            }
            rows.append(bytes)
        }
    }

    mutating func end() {
        for row in rows.reversed() { output.append(row) }
    }
}
