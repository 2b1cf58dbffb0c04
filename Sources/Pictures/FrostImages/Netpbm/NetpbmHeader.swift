import FrostCore

/// The header of a PBM, PGM, PPM (plain or raw), PAM or PFM file, as Netpbm's manual describes it. Frost parses these
/// formats itself, because they consist only of a text header and samples, and because libnetpbm ends the process on
/// errors.
struct NetpbmHeader {
    /// The encoding of the samples in a Netpbm file.
    enum Coding: Equatable {
        /// Samples are decimal numbers in text.
        case text
        /// Each sample is a single digit in text, and 1 is black.
        case digits
        /// Each sample is one bit, and 1 is black. Each row begins at a byte boundary.
        case bits
        /// Each sample has one byte, or two bytes in big-endian order.
        case bytes
        /// Samples are floats, and the bottom row comes first.
        case floats(isLittle: Bool)
    }

    let format: ImageFormat
    let coding: Coding
    let width: Int
    let height: Int
    let channels: ChannelLayout
    /// The sample value that represents full intensity (1.0).
    let maximum: Int

    /// The maximum length of a header in bytes. Only comments could make a header longer.
    private static let longest = 1 << 16

    /// Reads the header, up to the first sample.
    init(_ cursor: inout SourceCursor, limits: ImageLimits) throws(ImageError) {
        let name = cursor.source.name
        var text = HeaderText(name: name)
        guard try text.byte(&cursor) == UInt8(ascii: "P"), let kind = try text.byte(&cursor) else {
            throw text.corrupt("its signature is not valid", cursor.offset)
        }
        switch kind {
        case UInt8(ascii: "1"), UInt8(ascii: "4"): (format, channels) = (.pgm, .grey)
        case UInt8(ascii: "2"), UInt8(ascii: "5"): (format, channels) = (.pgm, .grey)
        case UInt8(ascii: "3"), UInt8(ascii: "6"): (format, channels) = (.ppm, .rgb)
        case UInt8(ascii: "F"): (format, channels) = (.pfm, .rgb)
        case UInt8(ascii: "f"): (format, channels) = (.pfm, .grey)
        case UInt8(ascii: "7"):
            format = .pam
            text.format = .pam
            let fields = try text.fields(&cursor)
            func number(_ key: String, _ allowed: ClosedRange<Int>) throws(ImageError) -> Int {
                guard let text0 = fields[key], let value = Int(text0), allowed.contains(value) else {
                    throw text.corrupt("its header has no valid \(key)", cursor.offset)
                }
                return value
            }
            width = try number("WIDTH", 1...Int(Int32.max))
            height = try number("HEIGHT", 1...Int(Int32.max))
            maximum = try number("MAXVAL", 1...65535)
            let depth = try number("DEPTH", 1...4)
            let kind = fields["TUPLTYPE"] ?? ""
            guard
                ["", "BLACKANDWHITE", "GRAYSCALE", "GRAYSCALE_ALPHA", "BLACKANDWHITE_ALPHA", "RGB", "RGB_ALPHA"]
                    .contains(kind)
            else { throw .unsupported(path: name, format: .pam, reason: "unsupported tuple type \(kind)") }
            channels = ChannelLayout(canonical: depth)
            coding = .bytes
            try limits.check(width: width, height: height, name: name)
            return
        default: throw text.corrupt("its signature is not valid", cursor.offset)
        }
        text.format = format
        try text.checkSpace(&cursor)
        width = try text.number(&cursor, "width", 1...Int(Int32.max))
        height = try text.number(&cursor, "height", 1...Int(Int32.max))
        try limits.check(width: width, height: height, name: name)
        switch kind {
        case UInt8(ascii: "1"): (coding, maximum) = (.digits, 1)
        case UInt8(ascii: "4"): (coding, maximum) = (.bits, 1)
        case UInt8(ascii: "F"), UInt8(ascii: "f"):
            let word = try text.word(&cursor)
            guard let scale = Double(decimal: word), scale != 0 else {
                throw text.corrupt("invalid scale \(word)", cursor.offset)
            }
            (coding, maximum) = (.floats(isLittle: scale < 0), 1)
        default:
            let isText = kind == UInt8(ascii: "2") || kind == UInt8(ascii: "3")
            maximum = try text.number(&cursor, "maximum value", 1...65535)
            coding = isText ? .text : .bytes
        }
        if !isText { try text.skipLineFeed(&cursor) }
    }

    /// The smallest sample type that holds every sample value of the file.
    var sample: SampleType {
        if case .floats = coding { return .f32 }
        return maximum > 255 ? .u16 : .u8
    }

    /// Whether samples are text.
    var isText: Bool {
        switch coding {
        case .text, .digits: true
        case .bits, .bytes, .floats: false
        }
    }

    /// The number of bytes of one row in the file. If the samples are text, this is the minimum number.
    var rowByteCount: Int {
        let samples = width * channels.count
        switch coding {
        case .text: return 2 * samples - 1
        case .digits: return samples
        case .bits: return (samples + 7) / 8
        case .bytes: return samples * (maximum > 255 ? 2 : 1)
        case .floats: return samples * 4
        }
    }

    /// Reads the words and lines of a Netpbm header.
    struct HeaderText {
        let name: String
        var format = ImageFormat.pgm
        private var taken = 0
        private var last: UInt8 = 0
        /// Whether a line of the header ends with a carriage return and a line feed.
        private var hasWindowsLines = false

        init(name: String) { self.name = name }

        func corrupt(_ reason: String, _ offset: Int) -> ImageError {
            .corrupt(path: name, format: format, reason: reason, offset: UInt64(offset))
        }

        mutating func byte(_ cursor: inout SourceCursor) throws(ImageError) -> UInt8? {
            taken += 1
            guard taken <= NetpbmHeader.longest else {
                throw corrupt("its header exceeds \(NetpbmHeader.longest) bytes", cursor.offset)
            }
            let byte = try cursor.byte()
            if byte == 10, last == 13 { hasWindowsLines = true }
            last = byte ?? 0
            return byte
        }

        /// Checks that the signature is followed by white space or a comment.
        mutating func checkSpace(_ cursor: inout SourceCursor) throws(ImageError) {
            guard let next = try cursor.peek(), next == 32 || (9...13).contains(next) || next == UInt8(ascii: "#")
            else {
                throw corrupt("its signature is not valid", cursor.offset)
            }
        }

        /// Skips the line feed before the samples if all lines of the header end with two bytes. Otherwise, one byte ends the
        /// header.
        mutating func skipLineFeed(_ cursor: inout SourceCursor) throws(ImageError) {
            if last == 13, hasWindowsLines, try cursor.peek() == 10 { _ = try cursor.byte() }
        }

        /// Reads the next word and the single whitespace character after the word.
        mutating func word(_ cursor: inout SourceCursor) throws(ImageError) -> String {
            var letters: [UInt8] = []
            while true {
                guard let byte = try byte(&cursor) else {
                    throw corrupt("the file ends before the end of its header", cursor.offset)
                }
                if byte == UInt8(ascii: "#"), letters.isEmpty {
                    while let next = try self.byte(&cursor), next != 10, next != 13 {}
                } else if byte == 32 || (9...13).contains(byte) {
                    if !letters.isEmpty { return String(decoding: letters, as: UTF8.self) }
                } else {
                    letters.append(byte)
                    guard letters.count <= 32 else { throw corrupt("its header has an invalid number", cursor.offset) }
                }
            }
        }

        mutating func number(
            _ cursor: inout SourceCursor, _ what: String, _ allowed: ClosedRange<Int>
        ) throws(ImageError) -> Int {
            let word = try word(&cursor)
            guard let value = Int(word), allowed.contains(value) else {
                throw corrupt("invalid \(what) \(word)", cursor.offset)
            }
            return value
        }

        /// Reads the lines of a PAM header, which each consist of a key and a value, up to ENDHDR.
        mutating func fields(_ cursor: inout SourceCursor) throws(ImageError) -> [String: String] {
            var fields: [String: String] = [:]
            var line: [UInt8] = []
            while true {
                guard let byte = try byte(&cursor) else {
                    throw corrupt("the file ends before the end of its header", cursor.offset)
                }
                guard byte == 10 else {
                    line.append(byte)
                    continue
                }
                let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
                line = []
                guard let key = words.first, !key.hasPrefix("#") else { continue }
                if key == "ENDHDR" { return fields }
                fields[String(key)] = words.dropFirst().joined(separator: " ")
            }
        }
    }
}
