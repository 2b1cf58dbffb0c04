import FrostCore
@testable import FrostImages

/// What the process of a sandbox sends, which hostile data may have taken over.
enum FuzzSandbox {
    private static let limits = ImageLimits()

    /// The first byte chooses what the rest is read as.
    static func run(_ bytes: [UInt8]) {
        let rest = Array(bytes.dropFirst())
        switch bytes.first {
        case 0: readHead(rest)
        case 1: readError(rest)
        case 2:
            guard rest.count >= ProcessMessage.headerByteCount else { return }
            guard let (_, count) = ProcessMessage.header(rest, rows: 1 << 18) else { return }
            require((0...ProcessMessage.maximumByteCount).contains(count), "a message of \(count) bytes")
        default: return
        }
    }

    /// Reads the head of a picture, and writes a small picture with its format and metadata.
    private static func readHead(_ bytes: [UInt8]) {
        var coder = WireCoder(reading: bytes)
        var head = DecodedHead.blank
        DecodedHead.code(&coder, &head)
        guard coder.isComplete else { return }
        let written = WireCoder.bytes(of: head, DecodedHead.code)
        var again = WireCoder(reading: written)
        var second = DecodedHead.blank
        DecodedHead.code(&again, &second)
        require(again.isComplete && second == head, "a head that is not read as it was written")
        do throws(ImageError) {
            try limits.check(width: head.width, height: head.height, name: "fuzz")
            let layout = try PixelLayout(reading: head.width, head.height, head.format, name: "fuzz")
            require(SharedRows.rows(layout, in: SharedRows.blockSize(layout)) >= 1, "a block without a row")
            let small = try PixelLayout(reading: 3, 2, head.format, name: "fuzz")
            let image = DecodedImage(pixels: PixelBuffer(layout: small), metadata: head.metadata)
            for format in [ImageFormat.png, .jpeg, .webp, .tiff, .pam] {
                do throws(ImageError) {
                    _ = try ImageFile.encode(image, as: format, options: ImageWriteOptions())
                } catch {
                    require(!"\(error)".isEmpty)
                }
            }
        } catch { require(!"\(error)".isEmpty) }
    }

    private static func readError(_ bytes: [UInt8]) {
        var coder = WireCoder(reading: bytes)
        var error = WireError.blank
        WireError.code(&coder, &error)
        guard coder.isComplete else { return }
        // The text as the command prints it.
        let text = "\(error.error("fuzz", .png, limit: .seconds(1)))".shownLine
        require(!text.isEmpty)
        require(
            !text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "a text controls a terminal")
    }
}
