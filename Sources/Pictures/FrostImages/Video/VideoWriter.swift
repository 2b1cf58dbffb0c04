import FrostCore

/// Writes a video stream frame by frame.
public struct VideoWriter<Sink: ByteSink & ~Copyable>: ~Copyable {
    private var sink: Sink
    private let isY4M: Bool

    /// Creates a writer. If the stream is in Y4M format, also writes its first line.
    ///
    /// - Parameters:
    ///   - sink: the destination of the file's bytes.
    ///   - header: the first line of a Y4M stream, without its line feed; nil for raw frames, which have no header.
    public init(to sink: consuming Sink, header: [UInt8]?) throws(ImageError) {
        self.sink = sink
        isY4M = header != nil
        if let header { try write(header + [UInt8(ascii: "\n")]) }
    }

    /// Writes a whole frame.
    public mutating func write(_ frame: VideoFrame) throws(ImageError) {
        if isY4M { try write(VideoReader.mark + frame.parameters + [UInt8(ascii: "\n")]) }
        for plane in frame.planes { try write(plane.bytes) }
    }

    /// Returns the sink, which then holds the whole stream.
    public consuming func finish() -> Sink { sink }

    private mutating func write(_ bytes: [UInt8]) throws(ImageError) {
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        try sink.write(unsafe bytes.span.bytes)
    }
}
