import FrostCore

/// Work that a starter does itself, once for each format, so that the processes it forks need not do it again: the first call of a
/// function of a library, and the first use of a Swift type. It saves each process more than a millisecond.
enum WarmUp {
    /// Encodes and decodes a picture of a few pixels. Its bytes are those of Frost.
    static func run(_ format: ImageFormat) {
        // Encoders of the other formats start threads, and a process with threads cannot be forked as a whole.
        guard format.traits.isWrittenByLibrary, !format.traits.takesUnforeseenMemory else { return }
        guard let layout = try? PixelLayout(width: 16, height: 16, format: .rgb8) else { return }
        var options = ImageWriteOptions()
        options.png.threads = 1
        let image = DecodedImage(pixels: PixelBuffer(layout: layout))
        guard let bytes = try? ImageFile.encode(image, as: format, options: options) else { return }
        _ = try? ImageReader(bytes: bytes, name: "input").readImage()
        var limits = ImageLimits()
        limits.maximumMemory = 1
        let reading = DecoderRequest(
            format: format, head: nil, limits: limits, memory: 1, firstFrame: false, failOn: .error, part: .picture)
        var coder = WireCoder(reading: WireCoder.bytes(of: reading, DecoderRequest.code))
        var read = DecoderRequest.blank
        DecoderRequest.code(&coder, &read)
        let head = DecodedHead(width: 16, height: 16, format: .rgb8, metadata: ImageMetadata(), memory: 1)
        let writing = EncoderRequest(format: format, head: head, options: options, seconds: 1)
        coder = WireCoder(reading: WireCoder.bytes(of: writing, EncoderRequest.code))
        var written = EncoderRequest.blank
        EncoderRequest.code(&coder, &written)
        if let count = ProcessMessage.rows(in: ProcessMessage.bytes(ofRows: 1)) {
            _ = ProcessMessage.header([UInt8](repeating: 0, count: ProcessMessage.headerByteCount), rows: count)
        }
    }
}
