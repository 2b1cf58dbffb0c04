import CWebP
import FrostCore

/// Writes an animated WebP file with libwebp's WebPAnimEncoder, which stores the changes between frames.
///
/// libwebp merges equal frames, and it writes a still picture if all frames are equal. If the file is lossy, it also merges
/// frames that differ from the last stored frame by at most a few steps; at quality 100 it merges only equal ones.
/// The times of all other frames stay exact. libwebp does not keep the colours of fully transparent pixels.
struct WebPSequence: SequenceEncoder, ~Copyable {
    private let encoder: WebPAnimationEncoder
    private let sequence: SequenceDescription
    private let fit: RowFit
    private var sink: StreamSink?
    /// The frame that is being encoded; nil before the first frame.
    private var pending: PendingResult<ImageError?>?
    private var framesAdded = 0
    private var memory: SequenceGuard

    init(_ target: SequenceTarget, _ sequence: SequenceDescription, _ file: AtomicFile.Options) throws(ImageError) {
        let name = target.name()
        let fit = try RowFit(sequence.layout, .light, to: .webp, options: sequence.options.picture, name: name)
        // libwebp keeps three canvases of four bytes per pixel.
        try Memory.check(sequence.layout.width * sequence.layout.height * 12, for: name)
        guard sequence.start(of: sequence.frames) <= Int(Int32.max) else {
            throw .cannotEncode(path: name, reason: "its duration exceeds WebP's limit of 2^31 - 1 ms")
        }
        try sequence.checkProfile(for: fit.output.format, name: name)
        let encoder = try WebPAnimationEncoder(fit.output, sequence.metadata, sequence.options, name: name)
        sink = try target.open(file)
        memory = SequenceGuard(sequence.options.limit, .encodedFrames, name: name)
        self.encoder = encoder
        self.sequence = sequence
        self.fit = fit
    }

    mutating func write(_ frame: PixelBuffer) throws(ImageError) {
        try wait()
        try memory.check()
        let (encoder, fit, start) = (encoder, fit, sequence.start(of: framesAdded))
        @Sendable func encode() -> ImageError? {
            do throws(ImageError) {
                try encoder.add(fit.convert(frame), start: start)
                return nil
            } catch {
                return error
            }
        }
        pending = sequence.options.threads == 1 ? .done(encode) : .start(encode)
        framesAdded += 1
    }

    mutating func finish() throws(ImageError) {
        try wait()
        try memory.check()
        guard var open = sink.take() else { return }
        var failure: ImageError?
        let isTransparent = encoder.isTransparent
        try encoder.finish(end: sequence.start(of: sequence.frames)) { bytes in
            do throws(ImageError) {
                let marked = isTransparent ? Self.markingAlpha(bytes) : []
                // SAFETY: an array of bytes contains no padding, so every byte is initialised.
                try open.write(unsafe marked.span.bytes)
                try open.write(bytes.extracting(marked.count..<bytes.byteCount))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try open.commit()
    }

    /// Returns the start of a file, up to the flags of its VP8X chunk, with the flag that the animation has alpha. libwebp sets it only
    /// if the pixels of a stored frame have alpha. A frame can also be transparent because it shows the background beside a smaller
    /// rectangle; readers such as Pillow draw black there without the flag.
    private static func markingAlpha(_ file: RawSpan) -> [UInt8] {
        let flags = 20
        guard file.byteCount > flags else { return [] }
        // SAFETY: every byte is a valid value.
        var start = (0...flags).map { unsafe file.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        guard start[12..<16].elementsEqual("VP8X".utf8) else { return [] }
        start[flags] |= 0x10
        return start
    }

    /// Waits for the frame that is being encoded.
    private mutating func wait() throws(ImageError) {
        defer { pending = nil }
        if let failure = pending?.wait() { throw failure }
    }
}

/// Owns libwebp's encoder of animations.
///
/// SAFETY: only one thread at a time may use the encoder. ``WebPSequence`` waits for each call before it starts the
/// next.
@safe private final class WebPAnimationEncoder: @unchecked Sendable {
    /// Nil after the file has been put together.
    private var encoder: OpaquePointer?
    private let name: String
    private let metadata: ImageMetadata
    private let profile: [UInt8]?
    private var config: WebPConfig
    /// Whether a frame has pixels that are not opaque.
    private(set) var isTransparent = false

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - layout: the layout of the frames: RGB or RGBA of 8 bits.
    ///   - metadata: the metadata to write.
    init(
        _ layout: PixelLayout, _ metadata: ImageMetadata, _ options: SequenceOptions, name: String
    ) throws(ImageError) {
        var settings = WebPAnimEncoderOptions()
        guard let config = WebPConfig(options.picture.webp), unsafe WebPAnimEncoderOptionsInit(&settings) != 0 else {
            throw .cannotEncode(path: name, reason: "libwebp has an incompatible version")
        }
        settings.anim_params.loop_count = Int32(options.plays)
        settings.minimize_size = options.minimizesSize ? 1 : 0
        if let keyFrames = options.keyFrames {
            (settings.kmin, settings.kmax) = (Int32(keyFrames.minimum), Int32(keyFrames.maximum))
        }
        guard let encoder = unsafe WebPAnimEncoderNew(Int32(layout.width), Int32(layout.height), &settings) else {
            throw .outOfMemory(path: name, bytes: layout.width * layout.height * 12)
        }
        unsafe self.encoder = unsafe encoder
        self.name = name
        self.config = config
        // libwebp fails if the system refuses it a thread, and cannot encode the frame again. Frames are encoded beside
        // the work on the next frame anyway.
        self.config.thread_level = 0
        self.metadata = metadata
        profile = metadata.iccProfile?.bytes ?? layout.format.colorSpace.iccBytes
    }

    deinit {
        // SAFETY: this object holds the only reference to the encoder.
        unsafe WebPAnimEncoderDelete(encoder)
    }

    /// Encodes a frame. `start` is the time at which it begins, in milliseconds.
    func add(_ frame: PixelBuffer, start: Int) throws(ImageError) {
        if !isTransparent { isTransparent = !frame.isOpaque }
        var picture = unsafe WebPPicture()
        guard unsafe WebPPictureInit(&picture) != 0 else {
            throw .cannotEncode(path: name, reason: "libwebp has an incompatible version")
        }
        // SAFETY: on every exit, this function frees the memory that libwebp has allocated for the picture.
        defer { unsafe WebPPictureFree(&picture) }
        unsafe picture.use_argb = 1
        let isImported = unsafe frame.withUnsafeBytes { bytes in
            unsafe picture.load(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), frame.layout)
        }
        guard isImported else { throw .outOfMemory(path: name, bytes: frame.width * frame.height * 4) }
        guard unsafe WebPAnimEncoderAdd(encoder, &picture, Int32(start), &config) != 0 else { throw failure }
    }

    /// Passes the file to a function. At most two copies of it are in memory at a time.
    ///
    /// - Parameter end: the time at which the last frame ends, in milliseconds.
    func finish(end: Int, _ body: (RawSpan) -> Void) throws(ImageError) {
        let file = try assembled(end: end)
        guard WebPContainer.withWrapped(file, metadata, profile: profile, body) != nil else {
            throw .cannotEncode(path: name, reason: "libwebpmux refused its metadata")
        }
    }

    /// Puts the file together without its metadata, and frees the encoder.
    private func assembled(end: Int) throws(ImageError) -> [UInt8] {
        var data = unsafe WebPData()
        // SAFETY: libwebp allocates the bytes of `data`, which are copied and then freed.
        defer { unsafe WebPDataClear(&data) }
        guard unsafe WebPAnimEncoderAdd(encoder, nil, Int32(end), nil) != 0,
            unsafe WebPAnimEncoderAssemble(encoder, &data) != 0
        else { throw failure }
        // SAFETY: this object holds the only reference to the encoder, and uses it no more.
        unsafe WebPAnimEncoderDelete(encoder)
        unsafe encoder = nil
        return unsafe Array(UnsafeBufferPointer(start: data.bytes, count: data.size))
    }

    private var failure: ImageError {
        // SAFETY: the text belongs to the encoder, ends with a zero byte and is copied.
        let reason = unsafe WebPAnimEncoderGetError(encoder).map { unsafe String(cString: $0) } ?? ""
        return .cannotEncode(path: name, reason: reason.isEmpty ? "libwebp failed" : "libwebp: \(reason)")
    }
}
