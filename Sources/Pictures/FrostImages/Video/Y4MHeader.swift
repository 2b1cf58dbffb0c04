import FrostCore

/// The first line of a YUV4MPEG2 stream, as mjpegtools' manual page yuv4mpeg(5) describes it, with ffmpeg's extensions.
/// Frost parses the line itself, because it is plain text and because mjpegtools' library supports only 8 bits.
struct Y4MHeader {
    /// The header line as it appears in the stream, without its line feed.
    let line: [UInt8]
    let format: VideoFormat

    static let magic = Array("YUV4MPEG2 ".utf8)
    static let title = "a Y4M stream"
    /// The maximum length of the header line in bytes. No genuine header is longer.
    static let longest = 4096

    /// Reads the header line and checks the frame size against the limits.
    init(_ cursor: inout SourceCursor, limits: ImageLimits) throws(ImageError) {
        let name = cursor.source.name
        func broken(_ reason: String) -> ImageError {
            .badStream(path: name, expected: Self.title, reason: reason)
        }
        let head = try cursor.source.peek(FileSignature.byteCount)
        guard head.starts(with: Self.magic) else {
            let what = FileSignature(head).description ?? "it does not begin with YUV4MPEG2"
            throw broken(head.isEmpty ? "it is empty" : what)
        }
        guard let line = try cursor.line(atMost: Self.longest) else {
            throw broken("its header does not end within \(Self.longest) bytes")
        }
        self.line = line
        var (width, height, coding, range): (Int?, Int?, YUVCoding?, String?)
        let words = line.split(separator: UInt8(ascii: " ")).dropFirst().map { String(decoding: $0, as: UTF8.self) }
        for word in words {
            let value = String(word.dropFirst())
            switch word.first {
            case "W": width = Int(value)
            case "H": height = Int(value)
            case "I":
                guard value == "p" || value == "?" else {
                    throw broken(
                        "its frames are interlaced (\(word)); deinterlace them first, for example with ffmpeg's -vf bwdif"
                    )
                }
            case "C":
                guard let known = Self.coding(value) else { throw broken("unsupported colour format \(word)") }
                coding = known
            case "X" where value.hasPrefix("COLORRANGE="): range = String(value.dropFirst("COLORRANGE=".count))
            // The other parameters (frame rate, pixel aspect ratio and comments) do not affect a blur.
            default: break
            }
        }
        guard let width, let height, width > 0, height > 0 else {
            throw broken("its header has no valid width and height")
        }
        try limits.check(width: width, height: height, name: name)
        // If the header has no parameter C, this default of yuv4mpeg(5) applies: 4:2:0 with centred chroma.
        var known = coding ?? YUVCoding(shiftX: 1, shiftY: 1, siting: .center)
        known.isFullRange = range == "FULL"
        known.matrix = .usual(width: width, height: height)
        do throws(PixelError) { format = try VideoFormat(width: width, height: height, yuv: known) } catch {
            throw .outOfMemory(path: name, bytes: Int.max)
        }
    }

    /// Returns a header line with another size.
    static func line(_ line: [UInt8], for format: VideoFormat) -> [UInt8] {
        let space = UInt8(ascii: " ")
        let words = line.split(separator: space, omittingEmptySubsequences: false).enumerated().map { index, word in
            let isLast = word.last == UInt8(ascii: "\n")
            switch index == 0 ? nil : word.first {
            case UInt8(ascii: "W"): return Array("W\(format.width)\(isLast ? "\n" : "")".utf8)
            case UInt8(ascii: "H"): return Array("H\(format.height)\(isLast ? "\n" : "")".utf8)
            default: return Array(word)
            }
        }
        return Array(words.joined(separator: [space]))
    }

    /// Returns the colour coding that the value of parameter C names, or nil if Frost does not support it.
    private static func coding(_ name: String) -> YUVCoding? {
        switch name {
        case "420jpeg", "420": return YUVCoding(shiftX: 1, shiftY: 1, siting: .center)
        case "420mpeg2": return YUVCoding(shiftX: 1, shiftY: 1)
        case "420paldv": return YUVCoding(shiftX: 1, shiftY: 1, siting: .topLeft)
        case "411": return YUVCoding(shiftX: 2)
        case "422": return YUVCoding(shiftX: 1)
        case "444": return YUVCoding()
        case "444alpha": return YUVCoding(hasAlpha: true)
        case "mono": return YUVCoding(isGrey: true)
        default: break
        }
        let deep: [(prefix: String, coding: YUVCoding)] = [
            ("420p", YUVCoding(shiftX: 1, shiftY: 1)), ("422p", YUVCoding(shiftX: 1)), ("444p", YUVCoding()),
            ("mono", YUVCoding(isGrey: true)),
        ]
        guard let known = deep.first(where: { name.hasPrefix($0.prefix) }),
            let depth = Int(name.dropFirst(known.prefix.count)), (9...16).contains(depth)
        else { return nil }
        var coding = known.coding
        coding.depth = depth
        return coding
    }
}

extension SourceCursor {
    /// Returns the bytes before the next line feed, and consumes these bytes and the line feed. Returns nil if the next
    /// `count` bytes contain no line feed.
    mutating func line(atMost count: Int) throws(ImageError) -> [UInt8]? {
        var line: [UInt8] = []
        while line.count < count, let byte = try byte() {
            if byte == UInt8(ascii: "\n") { return line }
            line.append(byte)
        }
        return nil
    }
}
