import FrostCore

/// Writes raw PGM, raw PPM, PAM and PFM files row by row. PFM stores the bottom row first, so the encoder keeps PFM
/// rows until the end.
struct NetpbmEncoder: FormatEncoder, ~Copyable {
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
        let maximum = Int(sample.maximum)
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
        let (size, isFloat) = (layout.format.sample.size, layout.format.sample.isFloat)
        if size == 1 { return output.write(row.extracting(0..<layout.rowByteCount)) }
        // The rows are little-endian. Floats stay so, and integers are stored with the high byte first.
        // SAFETY: the bytes are copied within the closure.
        var bytes = unsafe row.withUnsafeBytes { unsafe Array($0[..<layout.rowByteCount]) }
        if isFloat { return rows.append(bytes) }
        for i in stride(from: 0, to: bytes.count, by: size) { bytes[i..<i + size].reverse() }
        output.append(bytes)
    }

    mutating func end() {
        for row in rows.reversed() { output.append(row) }
    }
}
