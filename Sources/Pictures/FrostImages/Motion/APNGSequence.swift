import FrostCore

/// Writes an animated PNG file, as the third edition of the PNG specification defines it.
///
/// Each frame after the first stores only the smallest rectangle that contains all changed pixels. It replaces the
/// pixels of this rectangle, so every frame comes back exactly.
struct APNGSequence: SequenceEncoder, ~Copyable {
    /// The content of a frame's chunks.
    private struct EncodedFrame: Sendable {
        let rect: Rect
        /// The parts of the zlib stream. Each becomes a chunk.
        let parts: [[UInt8]]
    }

    private let name: String
    private let sequence: SequenceDescription
    private let timing: APNGTiming
    private let fit: RowFit
    private let png: PNGWriteOptions
    private let encoder: PNGWriteHandle
    private var sink: StreamSink?
    private var tasks: FrameTasks<EncodedFrame>
    private var previous: PixelBuffer?
    private var framesStored = 0
    /// The number of the next chunk of the animation.
    private var sequenceNumber: UInt32 = 0

    init(_ target: SequenceTarget, _ sequence: SequenceDescription, _ file: AtomicFile.Options) throws(ImageError) {
        let (name, options) = (target.name(), sequence.options)
        let fit = try RowFit(sequence.layout, .light, to: .png, options: options.picture, name: name)
        try sequence.checkProfile(for: fit.output.format, name: name)
        let encoder = try PNGWriteHandle(name: name)
        try encoder.start(layout: fit.output, metadata: sequence.metadata, options: options.picture.png, name: name)
        try encoder.writeChunk(
            "acTL", [UInt32(sequence.frames), UInt32(options.plays)].flatMap(\.bigEndianBytes), name: name)
        var sink = try target.open(file)
        try encoder.drain(into: &sink)
        self.name = name
        self.sequence = sequence
        timing = APNGTiming(sequence)
        self.fit = fit
        png = options.picture.png
        self.encoder = encoder
        self.sink = consume sink
        tasks = FrameTasks(sequence)
    }

    mutating func write(_ frame: PixelBuffer) throws(ImageError) {
        if let encoded = try tasks.nextIfFull() { try store(encoded) }
        let (fit, png, name, last) = (fit, png, name, previous)
        previous = frame
        tasks.add { () throws(ImageError) in
            // A frame of an animated PNG has at least one pixel, so an unchanged frame stores its first pixel.
            let rect =
                last.map { frame.changes(from: $0) ?? Rect(x: 0, y: 0, width: 1, height: 1) } ?? frame.layout.extent
            guard let parts = try PNGStrip.stream(of: fit.convert(frame), in: rect, png, name: name) else {
                throw .outOfMemory(path: name, bytes: 0)
            }
            return EncodedFrame(rect: rect, parts: parts)
        }
    }

    mutating func finish() throws(ImageError) {
        while let encoded = try tasks.next() { try store(encoded) }
        try encoder.end(name: name)
        try drain()
        try sink.take()?.commit()
    }

    private mutating func store(_ frame: EncodedFrame) throws(ImageError) {
        let (rect, delay) = (frame.rect, timing.delay(of: framesStored))
        let sizes = [rect.width, rect.height, rect.x, rect.y].flatMap { UInt32($0).bigEndianBytes }
        // The last two bytes state that the frame replaces the pixels of its rectangle, and that it stays afterwards.
        let control = sizes + delay.numerator.bigEndianBytes + delay.denominator.bigEndianBytes + [0, 0]
        try encoder.writeChunk("fcTL", nextNumber() + control, name: name)
        for part in frame.parts {
            if framesStored == 0 {
                try encoder.writeChunk("IDAT", part, name: name)
            } else {
                try encoder.writeChunk("fdAT", nextNumber() + part, name: name)
            }
            try drain()
        }
        framesStored += 1
    }

    private mutating func nextNumber() -> [UInt8] {
        defer { sequenceNumber += 1 }
        return sequenceNumber.bigEndianBytes
    }

    private mutating func drain() throws(ImageError) {
        guard var open = sink.take() else { return }
        try encoder.drain(into: &open)
        sink = consume open
    }
}

/// The time for which each frame of an animated PNG is shown. The file stores it as a fraction of two 16-bit numbers.
struct APNGTiming {
    private let rate: FrameRate
    private let times: [Int]?
    /// The number of ticks per second, if the frame rate is not a fraction of 16-bit numbers; otherwise nil.
    private let ticks: Int32?

    init(_ sequence: SequenceDescription) { self.init(sequence.rate, times: sequence.times) }

    init(_ rate: FrameRate, times: [Int]? = nil) {
        (self.rate, self.times) = (rate, times)
        let isExact = max(rate.numerator, rate.denominator) <= UInt16.max
        // A frame of a slow animation lasts many ticks, and their number must fit in 16 bits.
        ticks = isExact ? nil : min(Int32(UInt16.max), Int32(65534 * rate.framesPerSecond))
    }

    /// Returns the duration of a frame in seconds. If the exact duration does not fit, the frame begins and ends at
    /// the ticks next to its exact times, so rounding errors do not add up.
    func delay(of frame: Int) -> (numerator: UInt16, denominator: UInt16) {
        if let times {
            let duration = times[frame + 1] - times[frame]
            // Longer frames are rounded to whole hundredths or to whole seconds.
            for (parts, divisor) in [(1000, 1), (100, 10)] where duration <= divisor * Int(UInt16.max) {
                return (UInt16((duration + divisor / 2) / divisor), UInt16(parts))
            }
            return (UInt16(clamping: (duration + 500) / 1000), 1)
        }
        guard let ticks else { return (UInt16(rate.denominator), UInt16(rate.numerator)) }
        let (start, end) = (frame, frame + 1)
        let count = rate.start(of: end, ticksPerSecond: ticks) - rate.start(of: start, ticksPerSecond: ticks)
        return (UInt16(clamping: count), UInt16(ticks))
    }
}

extension PNGStrip {
    /// Filters and compresses a rectangle of an image. Returns the parts of the zlib stream; nil if memory runs out.
    fileprivate static func stream(
        of image: PixelBuffer, in rect: Rect, _ options: PNGWriteOptions, name: String
    ) throws(ImageError) -> [[UInt8]]? {
        let layout = try PixelLayout(reading: rect.width, rect.height, image.format, name: name)
        let settings = Settings(layout, combinations: Combination.candidates(options))
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        let bytes = unsafe image.bytes.span.bytes
        var (strip, parts, checksum) = (PNGStrip(settings), [[UInt8]](), Adler32())
        for y in rect.rows {
            let start = y * image.layout.bytesPerRow + rect.x * image.format.bytesPerPixel
            strip.append(bytes.extracting(start..<start + layout.rowByteCount))
            let isLast = y == rect.y + rect.height - 1
            guard strip.isFull || isLast else { continue }
            let full = strip
            if !isLast { strip = PNGStrip(settings, below: full) }
            guard let part = full.compressed(isFirst: parts.isEmpty, isLast: isLast) else { return nil }
            checksum.append(part.checksum, count: part.count)
            parts.append(isLast ? part.bytes + checksum.bytes : part.bytes)
        }
        return parts
    }
}

extension PixelBuffer {
    /// Returns the smallest rectangle that contains all pixels whose bytes differ from those of another image of the
    /// same layout. Returns nil if no pixel differs.
    func changes(from other: PixelBuffer) -> Rect? {
        let (row, size) = (layout.rowByteCount, format.bytesPerPixel)
        // The first and the last byte of a row that differ in any row so far. No byte has differed yet.
        var (left, right) = (row, -1)
        var rows: (first: Int, last: Int)?
        // SAFETY: all indices lie within the rows of the layout, which both images have.
        unsafe withUnsafeBytes { new in
            unsafe other.withUnsafeBytes { old in
                for y in 0..<height {
                    let start = y * layout.bytesPerRow
                    guard
                        unsafe !new[start..<start + row].elementsEqual(old[start..<start + row])
                    else { continue }
                    rows = (rows?.first ?? y, y)
                    var x = 0
                    while x < left, unsafe new[start + x] == old[start + x] { x += 1 }
                    left = min(left, x)
                    x = row - 1
                    while x > right, unsafe new[start + x] == old[start + x] { x -= 1 }
                    right = max(right, x)
                }
            }
        }
        guard let rows else { return nil }
        let (first, last) = (left / size, right / size)
        return Rect(x: first, y: rows.first, width: last - first + 1, height: rows.last - rows.first + 1)
    }
}
