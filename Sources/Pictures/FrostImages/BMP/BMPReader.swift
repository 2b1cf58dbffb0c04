import FrostCore

/// Reads a BMP file. Frost implements the format itself, because no library that is installed everywhere reads it.
///
/// Usually the bottom row is the first of the file. A file is therefore read at the place of each row. The input of a pipe,
/// and the indices of runs, are in memory as a whole.
struct BMPReader: FormatReader, ~Copyable, @unchecked Sendable {
    // The reader is Sendable because nothing else uses its source.
    let name: String
    let layout: PixelLayout
    let metadata: ImageMetadata
    let memory: DecodingMemory
    private var rowsRead = 0

    private let header: BMPHeader
    private let source: ByteSource
    private let file: WholeFile
    private let failOn: FailOn
    private let problems: ReadProblems
    /// Rows of the file, and the number of the first of them, counted from the top.
    private var block: [UInt8] = []
    private var blockStart = 0
    /// The indices that the runs give; nil before the first row, and for other pictures.
    private var runs: BMPRuns?
    private var reportsEnd = true

    /// The approximate number of bytes that are read at a time.
    private static let blockSize = 1 << 16
    private static let longestProfile = 16 << 20

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        let name = source.name
        let file = try source.wholeFile(options.limits)
        let head = try file.bytes(at: 0, BMPHeader.fileHeaderSize + BMPHeader.longestHeader + 4 * 256, of: source)
        let header = try BMPHeader(head, limits: options.limits, name: name)
        if header.coding != .runs, file.size - header.pixels < header.stride * header.height,
            options.failOn.refuses(.truncation)
        {
            throw .truncated(
                path: name, format: .bmp,
                reason: "the file is too short for \(header.width)x\(header.height) pixels", offset: UInt64(file.size))
        }
        try options.limits.check(width: header.width, height: header.height, of: source)
        if header.coding != .runs {
            let end = max(header.pixels + header.stride * header.height, header.profileEnd)
            problems.leaveOut(after: UInt64(end), of: source)
        }
        // A profile of such a file is one for RGB.
        let isGrey = header.profile == nil && header.palette.allSatisfy { $0[0] == $0[1] && $0[0] == $0[2] }
        var channels: ChannelLayout = isGrey ? .grey : .rgb
        var sample = SampleType.u8
        if case .samples(let all) = header.coding {
            channels = all.count == 4 ? .rgba : .rgb
            if all.contains(where: { $0.maximum > 255 }) { sample = .u16 }
        }
        var metadata = ImageMetadata()
        metadata.pixelDensity = header.density
        if header.isSRGB { metadata.renderingIntent = .perceptual }
        if header.linksProfile { problems.leaveOut("the name of a file with an ICC profile") }
        if let place = header.profile {
            guard place.count <= Self.longestProfile else {
                throw .tooComplex(path: name, reason: "its metadata exceed \(Self.longestProfile) bytes")
            }
            let profile = ICCProfile(bytes: try file.bytes(at: place.lowerBound, place.count, of: source))
            metadata.take(profile, for: channels, problems)
        }
        let layout = try PixelLayout(
            reading: header.width, header.height, PixelFormat(channels, sample, colorSpace: metadata.colorSpace),
            name: name)
        let inMemory = source.size == nil ? file.size : 0
        let indices = header.coding == .runs ? header.width * header.height : 0
        let memory = DecodingMemory(decoder: inMemory + indices + max(Self.blockSize, header.stride))
        try options.limits.check(memory: memory.byRows, name: name)
        self.name = name
        self.layout = layout
        self.metadata = metadata
        self.memory = memory
        self.header = header
        self.source = source
        self.file = file
        failOn = options.failOn
        self.problems = problems
    }

    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        let y = rowsRead
        rowsRead += 1
        switch header.coding {
        case .runs:
            if runs == nil {
                try Memory.check(header.width * header.height, for: name)
                runs = try BMPRuns(header, file, source, failOn, problems)
            }
            guard let runs else { return }
            for (x, index) in runs.row(y).enumerated() { try store(index, x, &row) }
        case .indices:
            let (line, bits) = (try line(y), header.bits)
            for x in 0..<min(header.width, line.count * 8 / bits) {
                let at = x * bits
                try store(Int(line[line.startIndex + at / 8]) >> (8 - bits - at % 8) & (1 << bits - 1), x, &row)
            }
        case .samples(let channels):
            let (line, size) = (try line(y), header.bits / 8)
            // SAFETY: the line holds `size` bytes for each of the pixels, of which the row has at least as many.
            unsafe line.withUnsafeBytes { bytes in
                unsafe Self.store(
                    bytes, min(header.width, line.count / size), size, channels, layout.format.sample, &row)
            }
        }
    }

    /// Stores the colour of an index.
    @inline(__always)
    private func store(_ index: Int, _ x: Int, _ row: inout MutableRawSpan) throws(ImageError) {
        guard index < header.palette.count else {
            throw .corrupt(
                path: name, format: .bmp,
                reason: "colour \(index) is not in its palette of \(header.palette.count)",
                offset: nil)
        }
        let (color, count) = (header.palette[index], layout.format.channels.count)
        for c in 0..<count { row.storeBytes(of: color[c], toByteOffset: x * count + c, as: UInt8.self) }
    }

    /// Stores pixels of 16, 24 or 32 bits as samples of 8 or 16 bits.
    @unsafe private static func store(
        _ bytes: UnsafeRawBufferPointer, _ width: Int, _ size: Int, _ channels: [BMPHeader.Channel],
        _ sample: SampleType, _ row: inout MutableRawSpan
    ) {
        for (c, channel) in channels.enumerated() {
            let (mask, shift, maximum) = (channel.mask, channel.shift, UInt64(channel.maximum))
            let full: UInt64 = sample.isEightBit ? 255 : 65535
            for x in 0..<width {
                var pixel: UInt32 = 0
                for i in 0..<size { unsafe pixel |= UInt32(bytes[x * size + i]) << UInt32(8 * i) }
                var value = UInt64(maximum == 0 ? 0 : (pixel & mask) >> shift)
                if maximum != full, maximum > 0 { value = (value * full + maximum / 2) / maximum }
                let at = x * channels.count + c
                if sample.isEightBit {
                    row.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: at, as: UInt8.self)
                } else {
                    row.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * at, as: UInt16.self)
                }
            }
        }
    }

    /// Returns the bytes of a row, which are fewer if the file ends within it and this is tolerated.
    private mutating func line(_ y: Int) throws(ImageError) -> ArraySlice<UInt8> {
        let stride = header.stride
        if y >= blockStart + block.count / stride || block.isEmpty {
            // The rows of a block have increasing numbers. In the file, they may be in the opposite order.
            let count = min(max(1, Self.blockSize / stride), header.height - y)
            let first = header.isTopDown ? y : header.height - y - count
            block = try file.bytes(at: header.pixels + first * stride, count * stride, of: source)
            if block.count < count * stride {
                let end = ImageError.truncated(
                    path: name, format: .bmp, reason: "the file ends early", offset: UInt64(file.size))
                guard !failOn.refuses(.truncation) else { throw end }
                if reportsEnd { try problems.accept(end, failOn) }
                reportsEnd = false
                // One row at a time then tells which part of it is there.
                let place = header.isTopDown ? y : header.height - 1 - y
                let line = try file.bytes(at: header.pixels + place * stride, stride, of: source)
                block = []
                return line[...]
            }
            blockStart = y
        }
        let inBlock = y - blockStart
        let from = header.isTopDown ? inBlock : block.count / stride - 1 - inBlock
        return block[from * stride..<(from + 1) * stride]
    }
}

extension WholeFile {
    /// Returns the bytes that start at `offset`, or fewer at the end of the file.
    func bytes(at offset: Int, _ count: Int, of source: ByteSource) throws(ImageError) -> [UInt8] {
        guard source.hasTime else { throw source.readFailure }
        var failure: Errno?
        // SAFETY: `read` initialises as many bytes as it returns.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: min(count, max(0, size - offset))) { buffer, done in
            switch unsafe read(at: offset, into: UnsafeMutableRawBufferPointer(buffer)) {
            case .success(let got): done = got
            case .failure(let error): failure = error
            }
        }
        if let failure { throw .cannotRead(path: source.name, errno: failure.code) }
        return bytes
    }
}
