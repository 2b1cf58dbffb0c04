import FrostCore

/// The common interface of encoders. An encoder appends all of its bytes to an ``EncodedBytes``.
protocol RowEncoder: ~Copyable, Sendable {
    /// Encodes the next row.
    mutating func writeRow(_ row: RawSpan) throws(ImageError)
    /// Encodes the part of the file that follows the pixels, or the first bytes of that part.
    mutating func end() throws(ImageError)
    /// Encodes more of the part that follows the pixels. Returns false if nothing is left.
    mutating func more() throws(ImageError) -> Bool
}

extension RowEncoder where Self: ~Copyable {
    mutating func more() -> Bool { false }
}

/// An encoder of a file format.
protocol FormatEncoder: RowEncoder, ~Copyable {
    /// Estimates the memory, in bytes, that writing a picture takes, without the rows of the caller and without the bytes of
    /// the file that the sink keeps.
    static func memory(for layout: PixelLayout, _ options: ImageWriteOptions) -> Int

    /// Encodes everything that precedes the first pixel.
    init(
        _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
        to output: EncodedBytes
    ) throws(ImageError)
}

extension ImageMetadata {
    /// Throws if the ICC profile does not match the pixels, for example a grey profile for a colour picture.
    func checkProfile(for pixels: PixelFormat, _ format: ImageFormat, name: String) throws(ImageError) {
        guard format.traits.metadata.contains(.profile),
            let fault = iccProfile?.fault(for: pixels.channels, colorModel)
        else { return }
        throw .cannotEncode(path: name, reason: "its colour profile \(fault); --keep none drops it")
    }
}

extension PixelLayout {
    /// The number of samples of the picture.
    var sampleCount: Int { width * height * format.channels.count }

    /// The number of bytes that the samples take in a file.
    func storedByteCount(_ options: ImageWriteOptions) -> Int {
        sampleCount * (options.depth == 8 ? 1 : format.sample.size)
    }
}

/// The bytes that an encoder has produced and that have not yet been written to the sink.
///
/// The class is Sendable because each instance belongs to a single ``ImageWriter``, and an ``ImageWriter`` cannot be
/// copied.
final class EncodedBytes: ByteSink, @unchecked Sendable {
    let name: String
    private var bytes: [UInt8] = []

    init(name: String) { self.name = name }

    func write(_ bytes: RawSpan) {
        // SAFETY: bytes are trivial values, and the call copies them.
        unsafe bytes.withUnsafeBytes { buffer in unsafe self.bytes.append(contentsOf: buffer) }
    }

    func append(_ bytes: [UInt8]) { self.bytes += bytes }

    /// Writes the collected bytes to a sink and removes them from this buffer.
    func drain<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(ImageError) {
        guard !bytes.isEmpty else { return }
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        try sink.write(unsafe taken.span.bytes)
        // The buffer keeps its memory for the next bytes.
        taken.removeAll(keepingCapacity: true)
        bytes = taken
    }
}
