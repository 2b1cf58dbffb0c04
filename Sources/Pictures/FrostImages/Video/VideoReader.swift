public import FrostCore

/// Reads a video stream frame by frame. The stream is in Y4M format, consists of raw frames, or is the NUT stream of a
/// program that Frost has started.
///
/// SAFETY: a reader may move between threads, but only one thread at a time may use it.
@safe public final class VideoReader: @unchecked Sendable {
    /// The path of the file. For an input without a path, this is its name in error messages.
    public let name: String
    /// The format of the frames.
    public let format: VideoFormat
    /// The bytes before the first frame: the first line of a Y4M stream with its line feed; empty for raw frames.
    public private(set) var header: [UInt8]
    /// The bytes after the last frame. They are known when ``next()`` has returned nil.
    public private(set) var trailer: [UInt8] = []
    /// The number of frames read so far.
    public private(set) var framesRead = 0

    /// How the stream marks the beginning of a frame.
    private enum Framing {
        case raw, y4m
        case nut(NUTFraming)
    }
    private var framing: Framing
    private var cursor: SourceCursor
    private let title: String
    /// The format that the headers state in place of that of the stream.
    private var stated: VideoFormat?

    /// Opens a video file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - raw: the format of raw frames; nil for a Y4M stream.
    ///   - limits: the limits on the size of a frame.
    public convenience init(path: FilePath, raw: VideoFormat? = nil, limits: ImageLimits) throws(ImageError) {
        try self.init(ByteSource(path: path), raw, limits)
    }

    /// Reads from a descriptor. The caller keeps ownership of the descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor.
    ///   - name: the name of the input, for error messages.
    ///   - raw: the format of raw frames; nil for a Y4M stream.
    ///   - limits: the limits on the size of a frame.
    public convenience init(
        descriptor: Int32, name: String, raw: VideoFormat? = nil, limits: ImageLimits
    ) throws(ImageError) {
        try self.init(ByteSource(descriptor: descriptor, name: name), raw, limits)
    }

    /// Reads a NUT stream of raw video from a descriptor. The caller keeps ownership of the descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor.
    ///   - name: the name of the input, for error messages.
    ///   - coding: the meaning of the samples, which must be that of the stream's pixel format.
    ///   - limits: the limits on the size of a frame.
    package convenience init(
        descriptor: Int32, name: String, nut coding: VideoFormat.Coding, limits: ImageLimits
    ) throws(ImageError) {
        try self.init(ByteSource(descriptor: descriptor, name: name), nut: coding, limits)
    }

    /// Reads a stream whose bytes are in memory.
    convenience init(bytes: [UInt8], name: String, raw: VideoFormat? = nil, limits: ImageLimits) throws(ImageError) {
        try self.init(ByteSource(bytes: bytes, name: name), raw, limits)
    }

    /// Reads a NUT stream whose bytes are in memory.
    convenience init(bytes: [UInt8], name: String, nut coding: VideoFormat.Coding, limits: ImageLimits)
        throws(ImageError)
    {
        try self.init(ByteSource(bytes: bytes, name: name), nut: coding, limits)
    }

    private init(_ source: ByteSource, _ raw: VideoFormat?, _ limits: ImageLimits) throws(ImageError) {
        var cursor = SourceCursor(source)
        if let raw {
            try limits.check(width: raw.width, height: raw.height, name: source.name)
            (format, header, framing) = (raw, [], .raw)
            title = "a stream of \(raw.width)x\(raw.height) frames"
        } else {
            try limits.checkY4M(name: source.name)
            let y4m = try Y4MHeader(&cursor, limits: limits)
            (format, header, framing) = (y4m.format, y4m.line + [UInt8(ascii: "\n")], .y4m)
            title = Y4MHeader.title
        }
        name = source.name
        self.cursor = cursor
    }

    private init(_ source: ByteSource, nut coding: VideoFormat.Coding, _ limits: ImageLimits) throws(ImageError) {
        var cursor = SourceCursor(source)
        var taken: [UInt8] = []
        let nut = try NUTFraming(&cursor, into: &taken)
        try limits.check(width: nut.width, height: nut.height, name: source.name)
        do throws(PixelError) {
            format = try VideoFormat(width: nut.width, height: nut.height, coding)
        } catch {
            throw .outOfMemory(path: source.name, bytes: Int.max)
        }
        (name, header, framing, title) = (source.name, taken, .nut(nut), NUTFraming.title)
        self.cursor = cursor
    }

    /// Makes all headers state another size, for a result whose frames have this size. Must be called before ``next()``.
    package func state(_ result: VideoFormat) throws(ImageError) {
        guard result != format else { return }
        stated = result
        switch framing {
        case .raw: break
        case .y4m: header = Y4MHeader.line(header, for: result)
        case .nut(let nut): header = try nut.header(header, for: result)
        }
    }

    /// Returns whether a file begins like a Y4M stream. Returns false if the file cannot be read.
    public static func isY4M(path: FilePath) -> Bool {
        (try? ByteSource(path: path).peek(Y4MHeader.magic.count)) == Y4MHeader.magic
    }

    /// Returns the next frame, or nil at the end of the stream.
    ///
    /// - Throws: ``ImageError/badStream(path:expected:reason:)`` if a frame is damaged. The error's reason states the
    ///   number of the frame, counted from 1.
    public func next() throws(ImageError) -> VideoFrame? {
        let start = cursor.offset
        var frame = VideoFrame(planes: [])
        // Samples of the frame that the stream does not contain.
        var known: [UInt8] = []
        switch framing {
        case .raw: break
        case .y4m:
            guard let line = try cursor.line(atMost: Self.longestLine) else {
                if cursor.offset == start { return nil }
                throw broken("does not begin with a complete FRAME line")
            }
            guard line.starts(with: Self.mark), line.count == Self.mark.count || line[Self.mark.count] == 0x20 else {
                throw broken("does not begin with FRAME")
            }
            frame.header = line + [UInt8(ascii: "\n")]
        case .nut(var nut):
            guard let next = try nut.next(&cursor, into: &frame.header) else {
                // These bytes repeat the headers, and state the places of frames of the input's size.
                trailer = stated == nil ? frame.header : []
                return nil
            }
            guard next.size == format.byteCount else {
                throw broken("has \(next.size) bytes instead of \(format.byteCount), so its size changes")
            }
            if let stated { frame.header = try nut.frameHeader(for: stated.byteCount) }
            (known, framing) = (next.beginning, .nut(nut))
        }
        for layout in format.planes {
            try Memory.check(layout.byteCount, for: name)
            let first = Array(known.prefix(layout.byteCount))
            known.removeFirst(first.count)
            let rest = try cursor.bytes(layout.byteCount - first.count)
            let bytes = first.isEmpty ? rest : first + rest
            if bytes.count < layout.byteCount {
                if case .raw = framing, cursor.offset == start, framesRead > 0 { return nil }
                throw broken("ends after \(cursor.offset - start) bytes")
            }
            do throws(PixelError) { frame.planes.append(try PixelBuffer(layout: layout, bytes: bytes)) } catch {
                throw broken("\(error)")
            }
        }
        if case .yuv(let coding) = format.coding, (9...15).contains(coding.depth) {
            let largest = UInt16(1 << coding.depth - 1)
            guard frame.planes.allSatisfy({ $0.isAtMost(largest) }) else {
                throw broken("has samples above \(largest), the maximum for \(coding.depth) bits")
            }
        }
        framesRead += 1
        return frame
    }

    /// The word at the start of every Y4M frame.
    static let mark = Array("FRAME".utf8)
    private static let longestLine = 1024

    private func broken(_ reason: String) -> ImageError {
        .badStream(path: name, expected: title, reason: "frame \(framesRead + 1) \(reason)")
    }
}

extension PixelBuffer {
    /// Returns whether all 16-bit samples are at most `largest`, which must be a power of two minus one.
    fileprivate func isAtMost(_ largest: UInt16) -> Bool {
        unsafe withUnsafeBytes { bytes in
            // SAFETY: the bytes are 16-bit samples, and the memory of an array is aligned for them.
            unsafe bytes.bindMemory(to: UInt16.self).reduce(0) { $0 | $1 } <= largest
        }
    }
}
