import CWebP
import FrostCore

/// Reads a lossy or lossless WebP file as 8-bit RGB or RGBA. libwebp needs the whole file in memory, so the reader
/// loads the file completely before it returns the first row.
///
/// Thread-safety: a reader may move between threads, but only one thread at a time may use it.
struct WebPReader: WholeReader, ~Copyable, Sendable {
    let name: String
    let layout: PixelLayout
    let metadata: ImageMetadata
    let memory: DecodingMemory
    var rowsRead = 0

    private let frame: WebPContainer.Frame
    private let isAnimated: Bool
    private let failsOnTruncation: Bool
    private let orientation: Orientation
    private let stored: PixelLayout
    var whole: PixelBuffer?

    /// The number of bytes that are examined first. These bytes contain the RIFF header and the header of the first
    /// chunk.
    private static let headerSize = 32

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        let name = source.name
        let head = try Array(source.peek(Self.headerSize).prefix(Self.headerSize))
        func corrupt(_ reason: String, _ offset: Int) -> ImageError {
            .corrupt(path: name, format: .webp, reason: reason, offset: UInt64(offset))
        }
        // The smallest WebP files are shorter than `headerSize`.
        guard head.count > 20 else { throw corrupt("the file ends before the end of its header", head.count) }
        var features = WebPBitstreamFeatures()
        // SAFETY: libwebp reads `head.count` bytes during the call.
        let status = unsafe WebPGetFeatures(head, head.count, &features)
        let (width, height) = (Int(features.width), Int(features.height))
        guard status == VP8_STATUS_OK, width > 0, height > 0 else { throw corrupt("its header is not valid", 12) }
        try options.limits.check(width: width, height: height, name: name)
        try options.limits.check(width: width, height: height, of: source)
        let isAnimated = features.has_animation != 0
        guard !isAnimated || options.firstFrame else { throw .animated(path: name, format: .webp) }
        // Whether the first frame of an animation covers the picture is not known yet.
        var format = PixelFormat(features.has_alpha != 0 || isAnimated ? .rgba : .rgb)
        let decoded = try PixelLayout(reading: width, height, format, name: name)
        // Nothing but the header has been read so far. The orientation is not known yet, so the memory of a rotated
        // picture is checked again below.
        let decoder = Self.decoderBytes(features)
        let minimum = DecodingMemory.whole(decoder: decoder, decoded).byRows
        try options.limits.check(memory: minimum, name: name)
        var chunks = WebPChunks(source, pixels: width * height, decodingBytes: minimum, options.limits)
        let file = try chunks.readAll()
        if !chunks.isComplete {
            let reason = "the file ends early"
            if options.failOn.refuses(.truncation) {
                throw .truncated(path: name, format: .webp, reason: reason, offset: UInt64(chunks.bytesRead))
            }
            problems.add("\(reason); missing pixels are grey, and metadata are lost")
        }

        let isShort = !chunks.isComplete && !isAnimated
        let container = isShort ? .unreadable : try WebPContainer(file, isAnimated: isAnimated, name: name)
        let (metadata, orientation) = container.metadata(chunks, of: source, problems)
        if features.has_alpha == 0, let frame = container.firstFrame, frame.covers(width, height) {
            format.channels = .rgb
        }
        format.colorSpace = metadata.colorSpace
        let stored = try PixelLayout(reading: width, height, format, name: name)
        let memory = DecodingMemory.whole(decoder: decoder + WebPChunks.copies * file.count, stored, orientation)
        try options.limits.check(memory: memory.byRows, name: name)
        layout = try orientation.turned(stored, name: name)
        self.memory = memory
        self.stored = stored
        self.name = name
        self.metadata = metadata
        self.orientation = orientation
        frame = container.firstFrame ?? WebPContainer.Frame(bytes: file, x: 0, y: 0)
        self.isAnimated = isAnimated
        failsOnTruncation = options.failOn.refuses(.truncation)
    }

    mutating func readPixels() throws(ImageError) -> PixelBuffer {
        try Memory.check(memory.byRows, for: name)
        let (frame, name, stored, isAnimated) = (frame, name, stored, isAnimated)
        let failsOnTruncation = failsOnTruncation
        // SAFETY: libwebp fills every row, or its status reports a failure and the closure throws.
        let pixels = try unsafe PixelBuffer(layout: stored) { bytes throws(ImageError) in
            var config = unsafe WebPDecoderConfig()
            guard unsafe WebPInitDecoderConfig(&config) != 0 else {
                throw .outOfMemory(path: name, bytes: stored.byteCount)
            }
            unsafe config.options.use_threads = 1
            // The first frame of an animation may cover only a part of the picture. The other pixels become
            // transparent.
            let first = frame.y * stored.rowByteCount + frame.x * stored.format.bytesPerPixel
            // libwebp does not write the rows that a truncated file lacks, so all rows are filled with grey first.
            if !failsOnTruncation { unsafe MissingPixels.fill(bytes, stored.format) }
            if isAnimated {
                unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
                guard unsafe WebPGetFeatures(frame.bytes, frame.bytes.count, &config.input) == VP8_STATUS_OK,
                    unsafe frame.x + Int(config.input.width) <= stored.width,
                    unsafe frame.y + Int(config.input.height) <= stored.height
                else {
                    throw .corrupt(path: name, format: .webp, reason: "its first frame is not valid", offset: nil)
                }
            }
            unsafe config.output.colorspace = stored.format.channels.hasAlpha ? MODE_RGBA : MODE_RGB
            unsafe config.output.is_external_memory = 1
            unsafe config.output.u.RGBA = WebPRGBABuffer(
                rgba: bytes.baseAddress?.advanced(by: first).assumingMemoryBound(to: UInt8.self),
                stride: Int32(stored.rowByteCount), size: bytes.count - first)
            switch unsafe WebPDecode(frame.bytes, frame.bytes.count, &config) {
            case VP8_STATUS_OK: break
            case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory(path: name, bytes: stored.byteCount)
            case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
                if failsOnTruncation {
                    throw .truncated(path: name, format: .webp, reason: "the picture ends early", offset: nil)
                }
                // The incremental decoder writes the rows that are present in the file.
                guard let decoder = unsafe WebPIDecode(nil, 0, &config) else {
                    throw .outOfMemory(path: name, bytes: stored.byteCount)
                }
                _ = unsafe WebPIUpdate(decoder, frame.bytes, frame.bytes.count)
                unsafe WebPIDelete(decoder)
            default: throw .corrupt(path: name, format: .webp, reason: "its picture is not valid", offset: nil)
            }
        }
        return orientation.upright(pixels, layout)
    }

    /// Returns the memory that libwebp takes to decode a picture, besides the pixels: four bytes per pixel of a
    /// lossless picture, and the alpha plane and its filter of a lossy one. An animation may have frames of both kinds.
    private static func decoderBytes(_ features: WebPBitstreamFeatures) -> Int {
        let isLossy = features.format == 1
        return Int(features.width) * Int(features.height) * (isLossy ? (features.has_alpha != 0 ? 2 : 0) : 4)
    }
}
