import CWebP
import FrostCore

/// Decodes the frames of an animated WebP with libwebpdemux, which draws each onto the ones before. A still WebP is an
/// animation of one frame.
struct WebPFrames: FrameSource, ~Copyable, @unchecked Sendable {
    // The value is Sendable because it cannot be copied and nothing else uses its decoder.
    let head: FrameHead
    private let decoder: WebPAnimationDecoder
    private let name: String
    /// The largest number of bytes of the header.
    private static let headerSize = 32

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        let name = source.name
        let bytes = try Array(source.peek(Self.headerSize).prefix(Self.headerSize))
        var features = WebPBitstreamFeatures()
        // SAFETY: libwebp reads `bytes.count` bytes during the call.
        guard bytes.count > 20, unsafe WebPGetFeatures(bytes, bytes.count, &features) == VP8_STATUS_OK,
            features.width > 0, features.height > 0
        else { throw .corrupt(path: name, format: .webp, reason: "its header is not valid", offset: nil) }
        let (width, height) = (Int(features.width), Int(features.height))
        try options.limits.check(width: width, height: height, name: name)
        try options.limits.check(width: width, height: height, of: source)
        // libwebp keeps two pictures, and the decoder of a frame one more.
        let decoding = width * height * 12
        var chunks = WebPChunks(source, pixels: width * height, decodingBytes: decoding, options.limits)
        chunks.keepsAllFrames = true
        let file = try chunks.readAll()
        guard chunks.isComplete else {
            throw .truncated(
                path: name, format: .webp, reason: "the file ends early", offset: UInt64(chunks.bytesRead))
        }
        let isAnimated = features.has_animation != 0
        let container = try WebPContainer(file, isAnimated: isAnimated, name: name)
        let (metadata, orientation) = container.metadata(chunks, of: source, problems)
        let layout = try PixelLayout(
            reading: width, height, PixelFormat(.rgba, colorSpace: metadata.colorSpace), name: name)
        try Memory.check(decoding, for: name)
        let decoder = try WebPAnimationDecoder(file, layout, name: name)
        head = FrameHead(
            layout: layout, orientation: orientation, metadata: metadata, timing: decoder.timing,
            memory: decoding + WebPChunks.copies * file.count)
        self.decoder = decoder
        self.name = name
    }

    mutating func next() throws(ImageError) -> PixelBuffer { try decoder.next() }
}

/// Owns libwebp's decoder of animations, and the file that it reads.
@safe private final class WebPAnimationDecoder {
    let timing: AnimationTiming
    private let decoder: OpaquePointer
    private let file: UnsafeMutableBufferPointer<UInt8>
    private let layout: PixelLayout
    private let name: String

    init(_ bytes: [UInt8], _ layout: PixelLayout, name: String) throws(ImageError) {
        // SAFETY: the copy of the file is freed with this object, after the decoder that reads it. libwebp writes the numbers
        // that it returns.
        let file = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe file.initialize(from: bytes)
        var data = unsafe WebPData(bytes: file.baseAddress, size: file.count)
        var options = WebPAnimDecoderOptions()
        var info = WebPAnimInfo()
        guard unsafe WebPAnimDecoderOptionsInit(&options) != 0 else {
            unsafe file.deallocate()
            throw .corrupt(path: name, format: .webp, reason: "libwebp has an incompatible version", offset: nil)
        }
        options.color_mode = MODE_RGBA
        options.use_threads = 0
        guard let decoder = unsafe WebPAnimDecoderNew(&data, &options) else {
            unsafe file.deallocate()
            throw .corrupt(path: name, format: .webp, reason: "its frames are not valid", offset: nil)
        }
        var durations: [Int] = []
        var iterator = unsafe WebPIterator()
        let hasInfo = unsafe WebPAnimDecoderGetInfo(decoder, &info) != 0
        if unsafe WebPDemuxGetFrame(WebPAnimDecoderGetDemuxer(decoder), 1, &iterator) != 0 {
            repeat { unsafe durations.append(Int(iterator.duration)) } while unsafe WebPDemuxNextFrame(&iterator) != 0
            unsafe WebPDemuxReleaseIterator(&iterator)
        }
        guard hasInfo, (Int(info.canvas_width), Int(info.canvas_height)) == (layout.width, layout.height),
            durations.count == Int(info.frame_count), !durations.isEmpty
        else {
            unsafe WebPAnimDecoderDelete(decoder)
            unsafe file.deallocate()
            throw .corrupt(path: name, format: .webp, reason: "its frames do not match its header", offset: nil)
        }
        timing = AnimationTiming(durations: durations, plays: Int(info.loop_count))
        unsafe self.decoder = unsafe decoder
        unsafe self.file = unsafe file
        self.layout = layout
        self.name = name
    }

    deinit {
        // SAFETY: this object holds the only references.
        unsafe WebPAnimDecoderDelete(decoder)
        unsafe file.deallocate()
    }

    func next() throws(ImageError) -> PixelBuffer {
        var pixels: UnsafeMutablePointer<UInt8>?
        var time: Int32 = 0
        guard unsafe WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0, let pixels = unsafe pixels else {
            throw .corrupt(path: name, format: .webp, reason: "a frame is not valid", offset: nil)
        }
        // SAFETY: libwebp's picture has four bytes for each pixel, and stays until the next call.
        return unsafe PixelBuffer(layout: layout) { out in
            unsafe out.copyMemory(from: UnsafeRawBufferPointer(start: pixels, count: out.count))
        }
    }
}
