import CWebP
import FrostCore

/// Writes a WebP file. libwebp can encode only a whole picture, so the encoder keeps the rows until the end.
struct WebPEncoder: FormatEncoder, ~Copyable {
    private let output: EncodedBytes
    private let layout: PixelLayout
    private let metadata: ImageMetadata
    private let options: WebPWriteOptions
    private var pixels: [UInt8] = []

    static func memory(for layout: PixelLayout, _ options: ImageWriteOptions) -> Int {
        // These numbers of bytes per pixel were measured with pictures of noise, at quality 100, where lossy files are longest.
        // libwebp compresses alpha as it does a lossless picture.
        let hasAlpha = layout.format.channels.hasAlpha
        let perPixel = options.webp.isLossless ? 50 : hasAlpha ? 68 : 36
        return layout.width * layout.height * perPixel
    }

    init(
        _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
        to output: EncodedBytes
    ) {
        self.output = output
        self.layout = layout
        self.metadata = metadata
        self.options = options.webp
        pixels.reserveCapacity(layout.byteCount)
    }

    mutating func writeRow(_ row: RawSpan) {
        // SAFETY: bytes are trivial values, and the call copies them.
        unsafe row.extracting(0..<layout.rowByteCount).withUnsafeBytes { bytes in
            unsafe pixels.append(contentsOf: bytes)
        }
    }

    mutating func end() throws(ImageError) {
        let picture = try encode()
        pixels = []
        let profile = metadata.iccProfile?.bytes ?? layout.format.colorSpace.iccBytes
        guard let file = WebPContainer.wrap(picture, metadata, profile: profile) else {
            throw .cannotEncode(path: output.name, reason: "libwebpmux refused its metadata")
        }
        output.append(file)
    }

    private func encode() throws(ImageError) -> [UInt8] {
        var picture = unsafe WebPPicture()
        guard var config = WebPConfig(options), unsafe WebPPictureInit(&picture) != 0 else {
            throw .cannotEncode(path: output.name, reason: "libwebp has an incompatible version")
        }
        unsafe picture.use_argb = options.isLossless ? 1 : 0
        var memory = unsafe WebPMemoryWriter()
        // SAFETY: on every exit, this function frees the memory that libwebp has allocated, and the memory writer
        // outlives the picture.
        defer {
            unsafe WebPPictureFree(&picture)
            unsafe WebPMemoryWriterClear(&memory)
        }
        let isDone = unsafe withUnsafeMutablePointer(to: &memory) { memory in
            unsafe WebPMemoryWriterInit(memory)
            unsafe picture.writer = unsafe WebPMemoryWrite
            unsafe picture.custom_ptr = UnsafeMutableRawPointer(memory)
            let isImported = unsafe pixels.withUnsafeBufferPointer { bytes in
                unsafe picture.load(bytes.baseAddress, layout)
            }
            guard isImported else { return false }
            if unsafe WebPEncode(&config, &picture) != 0 { return true }
            // libwebp fails if the system refuses it a thread.
            config.thread_level = 0
            unsafe WebPMemoryWriterClear(memory)
            return unsafe WebPEncode(&config, &picture) != 0
        }
        guard isDone else {
            // libwebp sets no code if its first allocations fail.
            if unsafe picture.error_code == VP8_ENC_OK || picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY {
                throw .outOfMemory(path: output.name, bytes: layout.byteCount)
            }
            throw .cannotEncode(
                path: output.name, reason: "libwebp failed with code \(unsafe picture.error_code.rawValue)")
        }
        let encoded = unsafe UnsafeBufferPointer(start: memory.mem, count: memory.size)
        guard unsafe !options.isLossless || Self.isValid(encoded) else {
            throw .outOfMemory(path: output.name, bytes: layout.byteCount)
        }
        return unsafe Array(encoded)
    }

    /// Decodes a file, and returns whether libwebp finds it valid. The lossless encoder of libwebp 1.2.4 reports success if
    /// it could not enlarge the memory of its output, although the file is then damaged. Decoding takes 3 % as long as
    /// encoding.
    private static func isValid(_ file: UnsafeBufferPointer<UInt8>) -> Bool {
        var config = unsafe WebPDecoderConfig()
        guard unsafe WebPInitDecoderConfig(&config) != 0 else { return false }
        // The pixels are not needed, so libwebp scales them to one.
        unsafe (config.options.use_scaling, config.options.scaled_width, config.options.scaled_height) = (1, 1, 1)
        // SAFETY: libwebp reads the bytes of the file during the call, and its output is freed.
        defer { unsafe WebPFreeDecBuffer(&config.output) }
        return unsafe WebPDecode(file.baseAddress, file.count, &config) == VP8_STATUS_OK
    }
}

extension WebPConfig {
    /// Creates libwebp's settings for a picture or for the frames of an animation. Returns nil if libwebp has an
    /// incompatible version.
    init?(_ options: WebPWriteOptions) {
        self.init()
        guard unsafe WebPConfigInit(&self) != 0 else { return nil }
        lossless = options.isLossless ? 1 : 0
        exact = 1
        thread_level = 1
        // For lossless files, libwebp's `quality` is the effort of the compression. libwebp's default effort is 75.
        quality = options.isLossless ? 75 : Float(options.quality)
    }
}

extension WebPPicture {
    /// Copies pixels of 8-bit RGB or RGBA into the picture. Set `use_argb` before this call. Returns false if memory
    /// runs out.
    @unsafe mutating func load(_ pixels: UnsafePointer<UInt8>?, _ layout: PixelLayout) -> Bool {
        unsafe (width, height) = (Int32(layout.width), Int32(layout.height))
        let stride = Int32(layout.bytesPerRow)
        // SAFETY: the caller guarantees that the pixels have this layout.
        return unsafe layout.format.channels.hasAlpha
            ? WebPPictureImportRGBA(&self, pixels, stride) != 0 : WebPPictureImportRGB(&self, pixels, stride) != 0
    }
}
