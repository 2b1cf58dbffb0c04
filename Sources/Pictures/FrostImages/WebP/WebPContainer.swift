import CWebP
import FrostCore

/// Uses libwebpmux to read the metadata and the first frame from the container of a WebP file, and to add metadata to
/// an encoded picture.
struct WebPContainer {
    let profile: [UInt8]?
    let exif: [UInt8]?
    let xmp: [UInt8]?
    /// The first frame, if the file is an animation; otherwise nil.
    let firstFrame: Frame?

    /// The encoded picture of a frame, and the position of its upper left corner in the whole picture.
    struct Frame: Sendable {
        let bytes: [UInt8]
        let x: Int
        let y: Int

        /// Whether the frame has no alpha, and covers a picture of a size.
        func covers(_ width: Int, _ height: Int) -> Bool {
            var features = WebPBitstreamFeatures()
            // SAFETY: libwebp reads `bytes.count` bytes during the call.
            return unsafe WebPGetFeatures(bytes, bytes.count, &features) == VP8_STATUS_OK && features.has_alpha == 0
                && (x, y, Int(features.width), Int(features.height)) == (0, 0, width, height)
        }
    }

    /// A container without metadata. It stands for the container of a truncated file, which libwebpmux cannot read.
    static let unreadable = WebPContainer()

    private init() {
        profile = nil
        exif = nil
        xmp = nil
        firstFrame = nil
    }

    init(_ file: [UInt8], isAnimated: Bool, name: String) throws(ImageError) {
        let found: (chunks: [[UInt8]?], frame: Frame?)? = unsafe file.withUnsafeBufferPointer { bytes in
            var data = unsafe WebPData(bytes: bytes.baseAddress, size: bytes.count)
            // SAFETY: the bytes of the file outlive the libwebpmux container, which does not copy them.
            guard let mux = unsafe WebPMuxCreate(&data, 0) else { return nil }
            defer { unsafe WebPMuxDelete(mux) }
            var info = unsafe WebPMuxFrameInfo()
            var frame: Frame?
            if isAnimated {
                guard unsafe WebPMuxGetFrame(mux, 1, &info) == WEBP_MUX_OK else { return nil }
                defer { unsafe WebPDataClear(&info.bitstream) }
                frame = unsafe Frame(
                    bytes: Array(UnsafeBufferPointer(start: info.bitstream.bytes, count: info.bitstream.size)),
                    x: Int(info.x_offset), y: Int(info.y_offset))
            }
            let chunks: [[UInt8]?] = ["ICCP", "EXIF", "XMP "].map { key in
                var chunk = unsafe WebPData()
                guard unsafe WebPMuxGetChunk(mux, key, &chunk) == WEBP_MUX_OK else { return nil }
                return unsafe Array(UnsafeBufferPointer(start: chunk.bytes, count: chunk.size))
            }
            return (chunks, frame)
        }
        guard let found else {
            throw .corrupt(path: name, format: .webp, reason: "its chunks are not valid", offset: nil)
        }
        profile = found.chunks[0]
        exif = found.chunks[1]
        xmp = found.chunks[2]
        firstFrame = found.frame
    }

    /// Adds metadata to a WebP file that holds an encoded picture or animation. Returns nil if libwebpmux rejects the
    /// metadata.
    static func wrap(_ picture: [UInt8], _ metadata: ImageMetadata, profile: [UInt8]?) -> [UInt8]? {
        withWrapped(picture, metadata, profile: profile) { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    /// Adds metadata as ``wrap(_:_:profile:)`` does, and passes the file to a function. At that time the file and the picture are
    /// in memory, and nothing else of their size.
    static func withWrapped<Result>(
        _ picture: [UInt8], _ metadata: ImageMetadata, profile: [UInt8]?, _ body: (RawSpan) -> Result
    ) -> Result? {
        let chunks = [("ICCP", profile), ("EXIF", metadata.exif), ("XMP ", metadata.xmp)]
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        guard chunks.contains(where: { $0.1 != nil }) else { return body(unsafe picture.span.bytes) }
        return unsafe picture.withUnsafeBufferPointer { buffer in
            var data = unsafe WebPData(bytes: buffer.baseAddress, size: buffer.count)
            // SAFETY: libwebpmux does not copy the picture, which outlives it. It copies the metadata, because the last argument
            // of those calls is 1. Its result is freed after the call of the function.
            guard let mux = unsafe WebPMuxCreate(&data, 0) else { return nil }
            defer { unsafe WebPMuxDelete(mux) }
            for case (let key, let bytes?) in chunks {
                let isAdded = unsafe bytes.withUnsafeBufferPointer { buffer in
                    var data = unsafe WebPData(bytes: buffer.baseAddress, size: buffer.count)
                    return unsafe WebPMuxSetChunk(mux, key, &data, 1) == WEBP_MUX_OK
                }
                guard isAdded else { return nil }
            }
            var assembled = unsafe WebPData()
            guard unsafe WebPMuxAssemble(mux, &assembled) == WEBP_MUX_OK else { return nil }
            defer { unsafe WebPDataClear(&assembled) }
            let file = unsafe UnsafeRawBufferPointer(start: assembled.bytes, count: assembled.size)
            return unsafe body(file.bytes)
        }
    }
}

extension WebPContainer {
    /// Returns the metadata and the orientation of the file. Names what is not kept.
    ///
    /// - Parameter chunks: the chunks from which the file was read.
    func metadata(
        _ chunks: borrowing WebPChunks, of source: ByteSource, _ problems: ReadProblems
    ) -> (ImageMetadata, Orientation) {
        var metadata = ImageMetadata()
        if let profile { metadata.take(ICCProfile(bytes: profile), for: .rgb, problems) }
        let orientation = exif.map { metadata.take(exif: $0, problems) } ?? .upright
        if let xmp { metadata.take(xmp: xmp, problems) }
        for name in chunks.leftOut { problems.leaveOut("chunk \(name)") }
        problems.leaveOut(after: UInt64(chunks.bytesRead), of: source)
        return (metadata, orientation)
    }
}
