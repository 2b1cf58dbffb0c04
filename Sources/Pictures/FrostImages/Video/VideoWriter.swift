import FrostCore

/// Writes a video stream frame by frame.
public struct VideoWriter<Sink: ByteSink & ~Copyable>: ~Copyable {
    private var sink: Sink

    /// Creates a writer and writes the bytes before the first frame.
    ///
    /// - Parameters:
    ///   - sink: the destination of the file's bytes.
    ///   - header: the bytes of ``VideoReader/header``.
    public init(to sink: consuming Sink, header: [UInt8]) throws(ImageError) {
        self.sink = sink
        try write(header)
    }

    /// Writes a whole frame.
    public mutating func write(_ frame: VideoFrame) throws(ImageError) {
        try write(frame.header)
        for plane in frame.planes { try write(plane.bytes) }
    }

    /// Writes the bytes after the last frame. Returns the sink, which then holds the whole stream.
    ///
    /// - Parameter trailer: the bytes of ``VideoReader/trailer``.
    public consuming func finish(trailer: [UInt8] = []) throws(ImageError) -> Sink {
        try write(trailer)
        return sink
    }

    private mutating func write(_ bytes: [UInt8]) throws(ImageError) {
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        if !bytes.isEmpty { try sink.write(unsafe bytes.span.bytes) }
    }
}
