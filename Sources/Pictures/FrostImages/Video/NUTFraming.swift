import FrostCore

/// The structure of a NUT stream whose only stream is raw video, as ffmpeg writes it. The format is described in
/// <https://git.ffmpeg.org/gitweb/nut.git/blob_plain/HEAD:/docs/nut.txt>.
///
/// Frost reads no more than it needs to find the samples of each frame. It keeps all other bytes, so timestamps, the time
/// base, the frame rate and the pixel shape do not change. The checksums of NUT cover headers only, so they remain true.
/// ``header(_:for:)`` and ``frameHeader(for:)`` are other bytes for frames of another size, with the same timestamps.
struct NUTFraming {
    /// The size of the frames, which is 0 before the header of the stream was read.
    private(set) var width = 0
    private(set) var height = 0
    /// The parts of the headers that name the size: the packet, its content, and the size.
    private(set) var sizeParts: (packet: Range<Int>, content: Int, size: Range<Int>) = (0..<0, 0, 0..<0)
    /// The number of time bases.
    private(set) var timeBases = 0
    /// The number of low bits of a timestamp that may stand for the whole.
    private(set) var timeShift = 0
    /// The timestamp of the last frame.
    private(set) var time = 0
    /// The packets of information before the last frame.
    private var information: [UInt8] = []

    /// The meaning of the first byte of a frame.
    private struct FrameCode {
        var flags = Flags.invalid
        var timeStep = 0
        var sizeFactor = 0
        var sizeRest = 0
        var reserved = 0
        var beginning = 0
    }
    private var codes: [FrameCode] = []
    /// Bytes with which frames may begin without containing them, by their number. Number 0 has no bytes.
    private var beginnings: [[UInt8]] = [[]]
    private let name: String

    private struct Flags: OptionSet {
        let rawValue: Int
        static let key = Flags(rawValue: 1)
        static let codedTime = Flags(rawValue: 8)
        static let stream = Flags(rawValue: 16)
        static let codedSize = Flags(rawValue: 32)
        static let checksum = Flags(rawValue: 64)
        static let reserved = Flags(rawValue: 128)
        static let sideData = Flags(rawValue: 256)
        static let beginning = Flags(rawValue: 1024)
        static let matchTime = Flags(rawValue: 2048)
        static let coded = Flags(rawValue: 4096)
        static let invalid = Flags(rawValue: 8192)
    }

    static let title = "a NUT stream of raw video"
    private static let magic = Array("nut/multimedia container\0".utf8)
    /// The first byte of packets that are not frames.
    private static let mark = UInt8(ascii: "N")
    private static let mainStart: UInt64 = 0x4E4D_7A56_1F5F_04AD
    private static let streamStart: UInt64 = 0x4E53_1140_5BF2_F9DB
    private static let syncStart: UInt64 = 0x4E4B_E4AD_EECA_4569
    private static let informationStart: UInt64 = 0x4E49_AB68_B596_BA78
    /// The maximum length of a packet that is not a frame.
    private static let longest = 1 << 24

    /// Reads the headers of the stream.
    ///
    /// - Parameter taken: the array to which the bytes of the headers are appended.
    init(_ cursor: inout SourceCursor, into taken: inout [UInt8]) throws(ImageError) {
        name = cursor.source.name
        taken += try cursor.bytes(Self.magic.count)
        guard taken == Self.magic else { throw broken("it does not begin as one") }
        while codes.isEmpty || width == 0 {
            guard try take(&cursor, &taken) == Self.mark else { throw broken("its headers are incomplete") }
            try readPacket(&cursor, &taken)
        }
    }

    /// Reads up to the samples of the next frame. Returns the number of their bytes, and those of them that the stream does
    /// not contain because the first byte of the frame stands for them; nil at the end of the stream.
    ///
    /// - Parameter taken: the array to which the bytes before the samples are appended.
    mutating func next(
        _ cursor: inout SourceCursor, into taken: inout [UInt8]
    ) throws(ImageError) -> (size: Int, beginning: [UInt8])? {
        information = []
        while let byte = try cursor.byte() {
            taken.append(byte)
            if byte != Self.mark { return try readFrame(codes[Int(byte)], &cursor, &taken) }
            try readPacket(&cursor, &taken)
        }
        return nil
    }

    func broken(_ reason: String) -> ImageError { .badStream(path: name, expected: Self.title, reason: reason) }

    // MARK: Parts

    private func take(_ cursor: inout SourceCursor, _ taken: inout [UInt8]) throws(ImageError) -> UInt8 {
        guard let byte = try cursor.byte() else { throw broken("it ends within a header") }
        taken.append(byte)
        return byte
    }

    private func take(_ count: Int, _ cursor: inout SourceCursor, _ taken: inout [UInt8]) throws(ImageError) -> [UInt8]
    {
        let bytes = try cursor.bytes(count)
        guard bytes.count == count else { throw broken("it ends within a header") }
        taken += bytes
        return bytes
    }

    /// Reads a number: seven bits in each byte, of which all but the last have the eighth bit.
    private func number(_ cursor: inout SourceCursor, _ taken: inout [UInt8]) throws(ImageError) -> Int {
        var value = 0
        for _ in 0..<9 {
            let byte = try take(&cursor, &taken)
            value = value << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        throw broken("a number in a header is too large")
    }

    /// Reads the rest of a packet whose first byte was read.
    private mutating func readPacket(_ cursor: inout SourceCursor, _ taken: inout [UInt8]) throws(ImageError) {
        let first = taken.count - 1
        let start = try take(7, &cursor, &taken).reduce(UInt64(Self.mark)) { $0 << 8 | UInt64($1) }
        let length = try number(&cursor, &taken)
        guard length <= Self.longest else { throw broken("a header is longer than \(Self.longest) bytes") }
        if length > 4096 { _ = try take(4, &cursor, &taken) }
        let (content, end) = (taken.count, taken.count + length)
        if start == Self.mainStart, codes.isEmpty { try readMain(&cursor, &taken, end) }
        if start == Self.streamStart, width == 0 {
            sizeParts = (first..<end, content, try readStream(&cursor, &taken))
        }
        // The number is that of the time base, too, if there are several.
        if start == Self.syncStart { time = try number(&cursor, &taken) }
        guard taken.count <= end else { throw broken("a header is shorter than its content") }
        _ = try take(end - taken.count, &cursor, &taken)
        if start == Self.informationStart { information += taken[first...] }
    }

    private mutating func readMain(
        _ cursor: inout SourceCursor, _ taken: inout [UInt8], _ end: Int
    ) throws(ImageError) {
        if try number(&cursor, &taken) > 3 { _ = try number(&cursor, &taken) }
        guard try number(&cursor, &taken) == 1 else { throw broken("it does not have exactly one stream") }
        _ = try number(&cursor, &taken)
        timeBases = try number(&cursor, &taken)
        for _ in 0..<min(timeBases, Self.longest) * 2 { _ = try number(&cursor, &taken) }
        var code = FrameCode()
        while codes.count < 256 {
            code.flags = Flags(rawValue: try number(&cursor, &taken))
            let fields = try number(&cursor, &taken)
            (code.sizeRest, code.reserved) = (0, 0)
            var count: Int?
            for field in 0..<min(fields, Self.longest) {
                let value = try number(&cursor, &taken)
                switch field {
                // Numbers with a sign are 0, 1, -1, 2, -2 and so on.
                case 0: code.timeStep = value % 2 == 0 ? -(value / 2) : value / 2 + 1
                case 1: code.sizeFactor = value
                case 3: code.sizeRest = value
                case 4: code.reserved = value
                case 5: count = value
                case 7: code.beginning = value
                // The others are the stream, and fields of later versions.
                default: break
                }
            }
            let repeats = count ?? code.sizeFactor - code.sizeRest
            guard (1...256).contains(repeats) else { throw broken("its table of frame codes is damaged") }
            for _ in 0..<repeats {
                if codes.count == Int(Self.mark) { codes.append(FrameCode()) }
                codes.append(code)
                code.sizeRest += 1
            }
        }
        guard codes.count == 256 else { throw broken("its table of frame codes is damaged") }
        guard taken.count + 4 < end else { return }
        for _ in 1..<max(1, min(try number(&cursor, &taken), 128)) {
            let length = try number(&cursor, &taken)
            guard length <= 256 else { throw broken("its table of frame beginnings is damaged") }
            beginnings.append(try take(length, &cursor, &taken))
        }
    }

    /// Reads the header of the stream. Returns the place of the size of the frames.
    private mutating func readStream(
        _ cursor: inout SourceCursor, _ taken: inout [UInt8]
    ) throws(ImageError) -> Range<Int> {
        _ = try number(&cursor, &taken)
        guard try number(&cursor, &taken) == 0 else { throw broken("its stream is not video") }
        // The codec's tag, the time base, numbers of the timestamps, and the codec's header.
        _ = try take(min(try number(&cursor, &taken), Self.longest), &cursor, &taken)
        _ = try number(&cursor, &taken)
        timeShift = try number(&cursor, &taken)
        guard timeShift <= 16 else { throw broken("its timestamps have too many bits") }
        for _ in 0..<3 { _ = try number(&cursor, &taken) }
        _ = try take(min(try number(&cursor, &taken), Self.longest), &cursor, &taken)
        let place = taken.count
        width = try number(&cursor, &taken)
        height = try number(&cursor, &taken)
        guard width > 0, height > 0 else { throw broken("its header has no valid width and height") }
        return place..<taken.count
    }

    /// Returns the timestamp for the number of a frame: its low bits, or all of them with a distance.
    private func time(_ number: Int) -> Int {
        let count = 1 << timeShift
        guard number < count else { return number - count }
        let least = time &- (count - 1) / 2
        return (number &- least) & (count - 1) &+ least
    }

    private mutating func readFrame(
        _ code: FrameCode, _ cursor: inout SourceCursor, _ taken: inout [UInt8]
    ) throws(ImageError) -> (size: Int, beginning: [UInt8]) {
        var flags = code.flags
        guard !flags.contains(.invalid) else { throw broken("a frame begins with an invalid code") }
        if flags.contains(.coded) { flags.formSymmetricDifference(Flags(rawValue: try number(&cursor, &taken))) }
        if flags.contains(.stream) { _ = try number(&cursor, &taken) }
        time = flags.contains(.codedTime) ? time(try number(&cursor, &taken)) : time &+ code.timeStep
        var (size, isHuge) = (code.sizeRest, false)
        if flags.contains(.codedSize) {
            (size, isHuge) = try number(&cursor, &taken).multipliedReportingOverflow(by: code.sizeFactor)
            if !isHuge { (size, isHuge) = size.addingReportingOverflow(code.sizeRest) }
        }
        guard !isHuge else { throw broken("a frame is too large") }
        if flags.contains(.matchTime) { _ = try number(&cursor, &taken) }
        var beginning = code.beginning
        let place = taken.count
        if flags.contains(.beginning) { beginning = try number(&cursor, &taken) }
        let reserved = flags.contains(.reserved) ? try number(&cursor, &taken) : code.reserved
        guard reserved <= 256 else { throw broken("a frame has too many reserved fields") }
        for _ in 0..<reserved { _ = try number(&cursor, &taken) }
        if flags.contains(.checksum) { _ = try take(4, &cursor, &taken) }
        guard !flags.contains(.sideData) else { throw broken("a frame has side data") }
        guard beginning < beginnings.count else { throw broken("a frame has an unknown beginning") }
        guard beginning > 0 else { return (size, []) }
        // The result begins with other bytes, so it must contain them. ffmpeg omits bytes of small frames only, which need
        // no checksum.
        guard flags.contains(.beginning), !flags.contains(.checksum) else {
            throw broken("a frame omits its first bytes")
        }
        taken[place] = 0
        return (size, beginnings[beginning])
    }

    // MARK: Another size

    /// Returns the headers of the stream for another size.
    ///
    /// - Parameter taken: the headers that ``init(_:into:)`` has read.
    func header(_ taken: [UInt8], for format: VideoFormat) throws(ImageError) -> [UInt8] {
        guard timeBases == 1 else { throw broken("it has \(timeBases) time bases") }
        let (packet, content, size) = sizeParts
        let start = Array(taken[content..<size.lowerBound])
        // The checksum is at the end.
        let rest = taken[size.upperBound..<max(size.upperBound, packet.upperBound - 4)]
        let stream = start + Self.digits(format.width) + Self.digits(format.height) + rest
        return Array(taken[..<packet.lowerBound]) + Self.packet(Self.streamStart, stream) + taken[packet.upperBound...]
    }

    /// Returns the bytes before the samples of the last frame, if the frame has another size. The frame follows a point at which
    /// a reader may begin, which must be no further away than the headers of the stream state.
    ///
    /// - Parameter size: the number of bytes of the samples.
    func frameHeader(for size: Int) throws(ImageError) -> [UInt8] {
        guard
            let code = codes.firstIndex(where: {
                $0.flags.contains(.coded) && !$0.flags.contains(.invalid) && $0.sizeFactor == 1 && $0.sizeRest == 0
            })
        else { throw broken("its table of frame codes has none for frames of any size") }
        guard (0..<1 << 60).contains(time) else { throw broken("a frame has an invalid timestamp") }
        let flags: Flags = [.key, .coded, .stream, .codedTime, .codedSize, .beginning, .reserved, .checksum]
        var frame = [UInt8(code)] + Self.digits(codes[code].flags.symmetricDifference(flags).rawValue)
        // The stream, the timestamp, the size, and neither a beginning nor reserved fields.
        for number in [0, time &+ 1 << timeShift, size, 0, 0] { frame += Self.digits(number) }
        // The sync point has its timestamp and the distance of an earlier one.
        let sync = Self.packet(Self.syncStart, Self.digits(time) + [0])
        return information + sync + frame + Self.checksum(frame)
    }

    private static func packet(_ start: UInt64, _ content: [UInt8]) -> [UInt8] {
        var head = (0..<8).map { UInt8(truncatingIfNeeded: start >> (56 - 8 * $0)) } + digits(content.count + 4)
        if content.count + 4 > 4096 { head += checksum(head) }
        return head + content + checksum(content)
    }

    /// Returns the bytes of a number, which must not be negative.
    private static func digits(_ number: Int) -> [UInt8] {
        var (rest, bytes) = (number >> 7, [UInt8(number & 0x7F)])
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }

    /// Returns the checksum of NUT: the polynomial of CRC-32, with the highest bit first, and without inversions.
    static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var sum: UInt32 = 0
        for byte in bytes {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
        }
        return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
    }
}
