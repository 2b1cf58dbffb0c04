import FrostCore

/// What is known of an animation before its first frame.
struct FrameHead {
    /// The layout of each frame, as it is stored.
    var layout: PixelLayout
    var orientation = Orientation.upright
    var metadata: ImageMetadata
    var timing: AnimationTiming
    /// The memory that decoding takes, without the frame that is returned.
    var memory: Int
}

/// Decodes the frames of an animation, one after the other. Each covers the whole picture.
protocol FrameSource: ~Copyable, Sendable {
    var head: FrameHead { get }

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError)

    /// Decodes the next frame.
    mutating func next() throws(ImageError) -> PixelBuffer
}

/// Reads an animation as the rows of all frames, one frame below the other. So the sandbox, the limits and the time need
/// know nothing of frames. ``ImageMetadata/timing`` has their number.
struct FramesReader<Source: FrameSource & ~Copyable>: RowReader, ~Copyable, @unchecked Sendable {
    // The reader is Sendable because it cannot be copied, and its source is Sendable.
    let name: String
    let layout: PixelLayout
    let metadata: ImageMetadata
    let memory: DecodingMemory

    private var source: Source
    private let frame: PixelLayout
    private let orientation: Orientation
    private var current: PixelBuffer?
    private var rowsRead = 0

    init(source input: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        let name = input.name
        let source = try Source(source: input, options, problems: problems)
        let head = source.head
        let frames = head.timing.durations.count
        guard (1...AnimationTiming.maximumFrames).contains(frames) else {
            throw .tooComplex(path: name, reason: "it has \(frames) frames (at most \(AnimationTiming.maximumFrames))")
        }
        let frame = try head.orientation.turned(head.layout, name: name)
        let layout = try PixelLayout(reading: frame.width, frame.height * frames, frame.format, name: name)
        let copies = head.orientation == .upright ? 1 : 2
        let memory = DecodingMemory(decoder: head.memory + copies * frame.byteCount)
        try options.limits.check(memory: memory.byRows, name: name)
        var metadata = head.metadata
        metadata.timing = head.timing
        self.name = name
        self.layout = layout
        self.metadata = metadata
        self.memory = memory
        self.source = source
        self.frame = frame
        orientation = head.orientation
    }

    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        let y = rowsRead % frame.height
        let pixels: PixelBuffer
        if y > 0, let current {
            pixels = current
        } else {
            // The last frame is freed before the next one takes memory.
            current = nil
            try Memory.check(frame.byteCount, for: name)
            pixels = orientation.upright(try source.next(), frame)
            current = pixels
        }
        pixels.copyRow(y, into: &row)
        rowsRead += 1
    }
}

/// What becomes of the rectangle of a frame before the next frame is drawn.
enum FrameDisposal { case keep, clear, restore }

/// The picture on which the frames of an animation are drawn: RGBA with straight alpha.
struct FrameCanvas {
    private(set) var pixels: PixelBuffer
    /// What was under the last frame, if it is to be restored.
    private var saved: PixelBuffer?
    private var last: (rect: Rect, disposal: FrameDisposal)?

    /// Creates a transparent picture.
    init(_ layout: PixelLayout) {
        // SAFETY: all bytes are set.
        pixels = unsafe PixelBuffer(layout: layout) { unsafe $0.initializeMemory(as: UInt8.self, repeating: 0) }
    }

    /// The memory of a canvas and of what it restores.
    static func memory(_ layout: PixelLayout) -> Int { 2 * layout.byteCount }

    /// Draws a frame.
    ///
    /// - Parameters:
    ///   - frame: RGBA pixels with the samples of the canvas.
    ///   - isBlended: whether transparent pixels show what is under them. Otherwise they replace it.
    mutating func draw(_ frame: PixelBuffer, x: Int, y: Int, isBlended: Bool, _ disposal: FrameDisposal) {
        if let last {
            switch last.disposal {
            case .keep: break
            case .clear: clear(last.rect)
            case .restore: if let saved { pixels = saved }
            }
        }
        saved = disposal == .restore ? pixels : nil
        guard let rect = Rect(x: x, y: y, width: frame.width, height: frame.height).intersection(pixels.layout.extent)
        else { return last = nil }
        last = (rect, disposal)
        if pixels.format.sample.isEightBit {
            draw(UInt8.self, frame, x, y, rect, isBlended)
        } else {
            draw(UInt16.self, frame, x, y, rect, isBlended)
        }
    }

    private mutating func clear(_ rect: Rect) {
        let (stride, size) = (pixels.layout.bytesPerRow, pixels.format.bytesPerPixel)
        // SAFETY: the rectangle lies within the picture.
        unsafe pixels.withUnsafeMutableBytes { bytes in
            for y in rect.rows {
                let start = y * stride + rect.x * size
                for i in start..<start + rect.width * size { unsafe bytes[i] = 0 }
            }
        }
    }

    private mutating func draw<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _: Sample.Type, _ frame: PixelBuffer, _ x: Int, _ y: Int, _ rect: Rect, _ isBlended: Bool
    ) {
        let width = pixels.width
        let maximum = Int(Sample.max)
        // SAFETY: the rectangle lies within both pictures, whose rows have no padding.
        unsafe pixels.withUnsafeMutableBytes { bytes in
            unsafe frame.withUnsafeBytes { source in
                let (to, from) = unsafe (bytes.bindMemory(to: Sample.self), source.bindMemory(to: Sample.self))
                for row in rect.rows {
                    for column in rect.columns {
                        let (a, b) = (4 * (row * width + column), 4 * ((row - y) * frame.width + column - x))
                        let (above, below) = unsafe (Int(from[b + 3]), Int(to[a + 3]))
                        if isBlended, above == 0 { continue }
                        guard isBlended, above < maximum, below > 0 else {
                            for c in 0..<4 { unsafe to[a + c] = from[b + c] }
                            continue
                        }
                        // Straight colours, weighted by their part of the result: in units of maximum squared.
                        let (first, second) = (above * maximum, below * (maximum - above))
                        let sum = first + second
                        for c in 0..<3 {
                            let value = unsafe (Int(from[b + c]) * first + Int(to[a + c]) * second + sum / 2) / sum
                            unsafe to[a + c] = Sample(clamping: value)
                        }
                        unsafe to[a + 3] = Sample(clamping: (sum + maximum / 2) / maximum)
                    }
                }
            }
        }
    }
}

extension PixelBuffer {
    /// Returns grey or RGB pixels, with alpha or without, as RGBA with the same samples.
    func asRGBA(_ layout: PixelLayout) -> PixelBuffer {
        let (count, size) = (format.channels.count, format.sample.size)
        let (hasAlpha, isGrey) = (format.channels.hasAlpha, format.channels.isGrey)
        guard count < 4 else { return self }
        // SAFETY: the closure writes all samples of each pixel. Rows have no padding.
        return unsafe PixelBuffer(layout: layout) { out in
            unsafe withUnsafeBytes { bytes in
                for i in 0..<width * height {
                    for c in 0..<4 {
                        for j in 0..<size {
                            let at = c == 3 ? count - 1 : isGrey ? 0 : c
                            unsafe out[(4 * i + c) * size + j] =
                                c == 3 && !hasAlpha ? 255 : bytes[(count * i + at) * size + j]
                        }
                    }
                }
            }
        }
    }
}
