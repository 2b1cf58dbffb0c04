import FrostCore

/// Reads a GIF with a single frame, or the first frame of an animation, as RGB, or as RGBA if it has transparent pixels.
/// Frost implements the format itself: its compression takes a page, and the memory of what it decodes stays safe.
struct GIFReader: WholeReader, ~Copyable, @unchecked Sendable {
    // The reader is Sendable because nothing else uses its source.
    let name: String
    let layout: PixelLayout
    let metadata = ImageMetadata()
    let memory: DecodingMemory
    var rowsRead = 0
    var whole: PixelBuffer?

    private var frames: GIFFrames

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        let frames = try GIFFrames(source: source, options, problems: problems)
        guard frames.file.frames.count == 1 || options.firstFrame else {
            throw .animated(path: source.name, format: .gif)
        }
        let canvas = frames.head.layout
        let channels: ChannelLayout = frames.file.isFirstOpaque ? .rgb : .rgba
        let layout = try PixelLayout(reading: canvas.width, canvas.height, PixelFormat(channels), name: source.name)
        let memory = DecodingMemory.whole(decoder: frames.head.memory, layout)
        try options.limits.check(memory: memory.byRows, name: source.name)
        name = source.name
        self.layout = layout
        self.memory = memory
        self.frames = frames
    }

    mutating func readPixels() throws(ImageError) -> PixelBuffer {
        try Memory.check(memory.byRows, for: name)
        let frame = try frames.next()
        guard !layout.format.channels.hasAlpha else { return frame }
        // SAFETY: the loop writes all pixels.
        return unsafe PixelBuffer(layout: layout) { out in
            unsafe frame.withUnsafeBytes { bytes in
                for i in 0..<layout.width * layout.height {
                    for c in 0..<3 { unsafe out[3 * i + c] = bytes[4 * i + c] }
                }
            }
        }
    }
}

/// Decodes the frames of a GIF.
struct GIFFrames: FrameSource, @unchecked Sendable {
    // The value is Sendable because one thread at a time uses it, and nothing else uses its source.
    let head: FrameHead
    let file: GIFFile
    private let source: ByteSource
    private var canvas: FrameCanvas
    private var framesRead = 0
    private let failOn: FailOn
    private let problems: ReadProblems

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        let name = source.name
        let file = try GIFFile(source.readWhole(options.limits), options.limits, problems, name: name)
        if let fault = file.fault, options.failOn.refuses(.truncation) { throw file.truncated(fault) }
        if file.lacksEnd {
            let reason = "the mark of its end is missing"
            if options.failOn.refuses(.warning) { throw file.corrupt(reason) }
            problems.add(reason)
        }
        try options.limits.check(width: file.width, height: file.height, of: source)
        let layout = try PixelLayout(
            reading: file.width, file.height, PixelFormat(.rgba, colorSpace: .unspecified), name: name)
        // The indices and the pixels of a frame, in addition to the picture on which it is drawn.
        let largest = file.frames.reduce(0) { max($0, $1.width * $1.height) }
        let memory = file.bytes.count + FrameCanvas.memory(layout) + 5 * largest
        try options.limits.check(memory: memory, name: name)
        try Memory.check(memory, for: name)
        head = FrameHead(
            layout: layout, metadata: ImageMetadata(),
            timing: AnimationTiming(durations: file.frames.map(\.duration), plays: file.plays), memory: memory)
        self.file = file
        self.source = source
        canvas = FrameCanvas(layout)
        failOn = options.failOn
        self.problems = problems
    }

    mutating func next() throws(ImageError) -> PixelBuffer {
        let frame = file.frames[min(framesRead, file.frames.count - 1)]
        framesRead += 1
        let layout = try PixelLayout(
            reading: frame.width, frame.height, head.layout.format, name: source.name)
        let (failOn, problems) = (failOn, problems)
        let pixels = try file.pixels(of: frame, layout, source) { (error) throws(ImageError) in
            try problems.accept(error, failOn)
        }
        canvas.draw(pixels, x: frame.x, y: frame.y, isBlended: true, frame.disposal)
        return canvas.pixels
    }
}

extension GIFFile {
    /// Whether the first frame covers the picture, and has no transparent pixels.
    fileprivate var isFirstOpaque: Bool {
        let first = frames[0]
        return first.transparent == nil && first.x == 0 && first.y == 0 && first.width >= width
            && first.height >= height
    }
}
