import FrostCore

/// Decodes the frames of an animated PNG. Each frame becomes a PNG of its own, which ``PNGReader`` reads, and is drawn as its
/// header states. A PNG without frames is an animation of one.
struct PNGFrames: FrameSource, @unchecked Sendable {
    // The value is Sendable because one thread at a time uses it, and nothing else uses its source.
    let head: FrameHead
    private let file: [UInt8]
    private let frames: [Frame]
    /// The chunks that the pixels of every frame need: the palette and its alpha.
    private let shared: [UInt8]
    private let name: String
    private let options: ImageReadOptions
    private let problems: ReadProblems
    private var canvas: FrameCanvas
    private var framesRead = 0

    /// A frame, whose pixels are not decoded yet.
    private struct Frame {
        var x = 0, y = 0, width: Int, height: Int
        var duration = 0
        var disposal = FrameDisposal.keep
        var isBlended = false
        /// The content of its chunks.
        var data: [Range<Int>] = []
        /// Whether a damaged chunk ends the content. The pixels that are missing then are found when the frame is decoded.
        var isCut = false

        mutating func add(_ content: Range<Int>) {
            if !isCut { data.append(content) }
        }
    }

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        let name = source.name
        let file = try source.readWhole(options.limits)
        // The first picture tells the metadata and the samples.
        var still = options
        (still.part, still.firstFrame) = (.picture, true)
        let first = try PNGReader(source: ByteSource(bytes: file, name: name), still, problems: problems)
        let (width, height) = (first.header.width, first.header.height)
        let parts = try Self.parse(file, width: width, height: height, options.failOn, problems, name: name)
        let layout = try PixelLayout(
            reading: width, height,
            PixelFormat(.rgba, first.layout.format.sample, colorSpace: first.metadata.colorSpace), name: name)
        // The pixels of a frame as they are stored and as RGBA, and its compressed bytes.
        let memory = 2 * file.count + FrameCanvas.memory(layout) + 3 * layout.byteCount
        try options.limits.check(memory: memory, name: name)
        try Memory.check(memory, for: name)
        head = FrameHead(
            layout: layout, orientation: first.orientation, metadata: first.metadata,
            timing: AnimationTiming(durations: parts.frames.map(\.duration), plays: parts.plays), memory: memory)
        self.file = file
        frames = parts.frames
        shared = parts.shared
        self.name = name
        self.options = still
        self.problems = problems
        canvas = FrameCanvas(layout)
    }

    /// Finds the frames.
    private static func parse(
        _ file: [UInt8], width: Int, height: Int, _ failOn: FailOn, _ problems: ReadProblems, name: String
    ) throws(ImageError) -> (frames: [Frame], plays: Int, shared: [UInt8]) {
        func corrupt(_ reason: String, _ at: Int) -> ImageError {
            .corrupt(path: name, format: .png, reason: reason, offset: UInt64(at))
        }
        /// Reports frames that the file lacks.
        func missing(_ reason: String, _ at: Int) throws(ImageError) {
            guard !failOn.refuses(.damage) else { throw corrupt(reason, at) }
            problems.add("\(reason); frames are missing")
        }
        var (frames, plays, shared, isAnimated): ([Frame], Int, [UInt8], Bool) = ([], 1, [], false)
        // The number of frames that the header states, and the number of the next chunk of a frame.
        var (stated, number) = (0, 0)
        var still = Frame(width: width, height: height)
        var (at, isEnd) = (8, false)
        while !isEnd, at + 12 <= file.count {
            let (size, kind) = (file.word(at), String(decoding: file[at + 4..<at + 8], as: UTF8.self))
            let isPixels = kind == "IDAT" || kind == "fdAT"
            guard size <= file.count - at - 12 else {
                // The beginning of the pixels is there.
                if isPixels { add(at + (kind == "IDAT" ? 8 : 12)..<file.count) }
                break
            }
            let content = at + 8..<at + 8 + size
            // PNGReader checks the other chunks, but it gets these with new checksums.
            if isPixels || ["acTL", "fcTL", "IEND"].contains(kind),
                CRC32.of(file[at + 4..<content.upperBound]) != file.word(content.upperBound)
            {
                let error = corrupt("CRC mismatch in \(kind)", content.upperBound + 4)
                guard isPixels else { throw error }
                try problems.accept(error, failOn)
                if frames.isEmpty { still.isCut = true } else { frames[frames.count - 1].isCut = true }
            }
            if isAnimated, kind == "fcTL" || kind == "fdAT", size >= 4 {
                let found = file.word(content.lowerBound)
                if found != number { try missing("\(kind): has the number \(found) instead of \(number)", at) }
                number = found + 1
            }
            switch kind {
            case "acTL" where size == 8:
                (isAnimated, stated, plays) = (true, file.word(content.lowerBound), file.word(content.lowerBound + 4))
            case "PLTE", "tRNS": shared += file[at..<content.upperBound + 4]
            case "fcTL" where isAnimated:
                guard size == 26 else { throw corrupt("fcTL: invalid", at) }
                guard frames.count < AnimationTiming.maximumFrames else {
                    throw .tooComplex(path: name, reason: "it has over \(AnimationTiming.maximumFrames) frames")
                }
                frames.append(try frame(file, content.lowerBound, width: width, height: height, name: name))
            case "IDAT": add(content)
            case "fdAT" where isAnimated:
                guard size > 4, !frames.isEmpty else { throw corrupt("fdAT: invalid", at) }
                add(content.dropFirst(4))
            case "IEND": isEnd = true
            default: break
            }
            at = content.upperBound + 4
        }
        if !isEnd {
            try problems.accept(
                .truncated(path: name, format: .png, reason: "the file ends early", offset: UInt64(file.count)), failOn)
            // The control of a frame whose pixels are not there.
            if let last = frames.last, last.data.isEmpty, frames.count > 1 { frames.removeLast() }
        }
        // A picture without animation, or an animation without frames.
        if frames.isEmpty { frames = [still] }
        if !isEnd { frames[frames.count - 1].isCut = true }
        guard frames.allSatisfy({ $0.isCut || !$0.data.isEmpty }) else { throw corrupt("a frame has no pixels", at) }
        if isAnimated, isEnd, frames.count != stated {
            try missing("acTL states \(stated) frames, but the file has \(frames.count)", at)
        }
        return (frames, plays, shared)

        func add(_ content: Range<Int>) {
            if frames.isEmpty { still.add(content) } else { frames[frames.count - 1].add(content) }
        }
    }

    private static func frame(
        _ file: [UInt8], _ at: Int, width: Int, height: Int, name: String
    ) throws(ImageError) -> Frame {
        var frame = Frame(width: file.word(at + 4), height: file.word(at + 8))
        (frame.x, frame.y) = (file.word(at + 12), file.word(at + 16))
        guard frame.width > 0, frame.height > 0, frame.x + frame.width <= width, frame.y + frame.height <= height else {
            throw .corrupt(
                path: name, format: .png, reason: "fcTL: a frame is outside of the picture", offset: UInt64(at))
        }
        let (numerator, denominator) = (
            Int(file[at + 20]) << 8 | Int(file[at + 21]), Int(file[at + 22]) << 8 | Int(file[at + 23])
        )
        // A denominator of 0 stands for 100.
        let parts = denominator == 0 ? 100 : denominator
        frame.duration = (numerator * 1000 + parts / 2) / parts
        frame.disposal = file[at + 24] == 1 ? .clear : file[at + 24] == 2 ? .restore : .keep
        frame.isBlended = file[at + 25] == 1
        return frame
    }

    mutating func next() throws(ImageError) -> PixelBuffer {
        let frame = frames[min(framesRead, frames.count - 1)]
        framesRead += 1
        var png = Array(file[..<8])
        let size = [frame.width, frame.height].flatMap { UInt32($0).bigEndianBytes }
        Self.append("IHDR", size + file[24..<29], to: &png)
        png += shared
        for part in frame.data { Self.append("IDAT", Array(file[part]), to: &png) }
        if frame.data.isEmpty { Self.append("IDAT", [], to: &png) }
        Self.append("IEND", [], to: &png)
        let reader = try PNGReader(source: ByteSource(bytes: png, name: name), options, problems: problems)
        let pixels = try reader.readPixels()
        let layout = try PixelLayout(
            reading: frame.width, frame.height, head.layout.format, name: name)
        // Nothing precedes the first frame. To restore the empty canvas clears it.
        canvas.draw(pixels.asRGBA(layout), x: frame.x, y: frame.y, isBlended: frame.isBlended, frame.disposal)
        return canvas.pixels
    }

    private static func append(_ kind: String, _ content: [UInt8], to png: inout [UInt8]) {
        let body = Array(kind.utf8) + content
        png += UInt32(content.count).bigEndianBytes + body + UInt32(CRC32.of(body)).bigEndianBytes
    }
}
