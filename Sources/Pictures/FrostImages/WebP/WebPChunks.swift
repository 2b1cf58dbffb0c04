import FrostCore

/// Reads the chunks of a WebP file as they arrive, and keeps only those that Frost needs: the picture, or the first
/// frame of an animation, and the metadata. It judges each chunk by its header, before it reads the content. So a file
/// or a pipe of any length takes little memory.
struct WebPChunks: ~Copyable {
    /// Whether the input has all the bytes that its header announces. False until ``readAll()`` has returned.
    private(set) var isComplete = false
    /// The number of bytes read so far.
    private(set) var bytesRead = 0

    /// The names of some chunks that were not kept, apart from the frames of an animation.
    private(set) var leftOut: Set<String> = []

    private let source: ByteSource
    private let limits: ImageLimits
    /// The memory that decoding takes, without the file.
    private let decodingBytes: Int
    /// The number of bytes of the whole file, as its header states.
    private var size = 0
    /// The kept part of the file.
    private var kept: [UInt8] = []
    private var metadataBytes = 0
    private var pictureBytes = 0
    private var chunkCount = 0
    private var hasFrame = false
    /// Whether the frames of an animation are kept. Otherwise only the first one is.
    var keepsAllFrames = false

    /// The maximum number of bytes that the encoded picture may take. A genuine picture takes at most about as many
    /// bytes as its pixels, and then a quarter of this number.
    private let maximumPictureBytes: Int
    /// The maximum number of bytes of all metadata together.
    private static let maximumMetadataBytes = 16 << 20
    /// The maximum number of chunks, without the frames of an animation.
    private static let maximumChunks = 1024
    /// The number of times that the file is in memory while its container is parsed.
    static let copies = 2
    private static let riffHeaderSize = 12
    private static let chunkHeaderSize = 8

    /// Creates a reader of chunks.
    ///
    /// - Parameters:
    ///   - source: the input, from which nothing has been consumed.
    ///   - pixels: the number of pixels of the picture.
    ///   - decodingBytes: the memory that decoding takes, without the file.
    ///   - limits: the memory limit applies to the sum of `decodingBytes` and the kept chunks.
    init(_ source: ByteSource, pixels: Int, decodingBytes: Int, _ limits: ImageLimits) {
        self.source = source
        self.limits = limits
        self.decodingBytes = decodingBytes
        maximumPictureBytes = 16 * pixels + 1 << 20
    }

    /// Reads the whole input.
    ///
    /// - Returns: a WebP file that consists of the chunks that were kept. If the input ends early, the last chunk is
    ///   cut.
    mutating func readAll() throws(ImageError) -> [UInt8] {
        let header = try take(Self.riffHeaderSize)
        guard header.count == Self.riffHeaderSize else { return kept + header }
        size = Self.chunkHeaderSize + Self.littleEndian(header[4..<8])
        kept = header
        while bytesRead < size {
            let chunk = try take(min(Self.chunkHeaderSize, size - bytesRead))
            guard chunk.count == Self.chunkHeaderSize else {
                kept += chunk
                break
            }
            // Each chunk is padded to an even number of bytes.
            let content = Self.littleEndian(chunk[4...])
            let count = min(content + content % 2, size - bytesRead)
            if try keeps(String(decoding: chunk[..<4], as: UTF8.self), content) {
                kept += chunk
                kept += try take(count)
            } else {
                try skip(count)
            }
        }
        isComplete = bytesRead >= size
        // The size in the header becomes that of the kept chunks. In a file that ends early it stays larger than the
        // content, so that libwebp also regards the file as incomplete.
        if isComplete {
            let count = kept.count - Self.chunkHeaderSize
            for i in 0..<4 { kept[4 + i] = UInt8(truncatingIfNeeded: count >> (8 * i)) }
        }
        return kept
    }

    /// Returns whether a chunk is needed.
    ///
    /// - Throws: ``ImageError/tooComplex(path:reason:)`` if the file has too many chunks, too much metadata, or far
    ///   more data than its pixels need.
    private mutating func keeps(_ name: String, _ count: Int) throws(ImageError) -> Bool {
        switch name {
        case "VP8X", "ANIM", "VP8 ", "VP8L", "ALPH", "ANMF":
            if name == "ANMF" {
                guard !hasFrame || keepsAllFrames else { return false }
                hasFrame = true
                // Each frame may have as many bytes as a picture.
                pictureBytes = 0
            }
            pictureBytes += count
            guard pictureBytes <= maximumPictureBytes else {
                throw .tooComplex(path: source.name, reason: "it has far more data than its pixels need")
            }
        case "ICCP", "EXIF", "XMP ":
            metadataBytes += count
            guard metadataBytes <= Self.maximumMetadataBytes else {
                throw .tooComplex(
                    path: source.name, reason: "its metadata exceed \(Self.maximumMetadataBytes) bytes")
            }
        default:
            try countChunk()
            if leftOut.count < 32 { leftOut.insert(PlainText.printable(name.utf8)) }
            return false
        }
        if name != "ANMF" { try countChunk() }
        try limits.check(memory: decodingBytes + Self.copies * (kept.count + count), name: source.name)
        return true
    }

    private mutating func countChunk() throws(ImageError) {
        chunkCount += 1
        guard chunkCount <= Self.maximumChunks else {
            throw .tooComplex(path: source.name, reason: "it has over \(Self.maximumChunks) chunks")
        }
    }

    /// Reads up to `count` bytes, fewer only at the end of the input.
    private mutating func take(_ count: Int) throws(ImageError) -> [UInt8] {
        let bytes = try source.readAll(atMost: count)
        bytesRead += bytes.count
        return bytes
    }

    private mutating func skip(_ count: Int) throws(ImageError) {
        var rest = count
        while rest > 0 {
            let bytes = try take(min(rest, 1 << 16))
            if bytes.isEmpty { return }
            rest -= bytes.count
        }
    }

    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
