import CZlib

extension PNGText {
    /// The keywords of texts that are kept: those of the PNG specification, and the dates that ImageMagick writes. Other
    /// texts may hold whole files, as "Raw profile type exif" does.
    private static let keywords: Set = [
        "Author", "Collection", "Comment", "Copyright", "Creation Time", "Description", "Disclaimer", "Software",
        "Source", "Title", "Warning", "date:create", "date:modify", "date:timestamp",
    ]
    private static let xmpKeyword = Array("XML:com.adobe.xmp".utf8)
    /// The largest number of bytes of a text after decompression.
    private static let longestText = 1 << 20

    /// Returns a chunk that contains the same text or time and nothing else; nil if the chunk is not kept. The new chunk is
    /// not compressed.
    ///
    /// - Parameter leaveOut: receives the name of the chunk if it is left out, or a part of it.
    func rebuilt(leaveOut: (String) -> Void) -> PNGText? {
        guard let (result, isWhole) = rebuilt else {
            leaveOut(title)
            return nil
        }
        if !isWhole { leaveOut("\(title) in part") }
        return result
    }

    private var rebuilt: (PNGText, isWhole: Bool)? {
        if chunk == "tIME" { return bytes.count == 7 ? (self, true) : nil }
        guard let parts, Self.keywords.contains(String(decoding: parts.keyword, as: UTF8.self)),
            PlainText.isPlain(parts.text)
        else { return nil }
        // The language and the translated keyword of iTXt are left out.
        let isInternational = chunk == "iTXt"
        let content = parts.keyword + (isInternational ? [0, 0, 0, 0, 0] : [0]) + parts.text
        return (PNGText(chunk: isInternational ? "iTXt" : "tEXt", bytes: content), parts.isWhole)
    }

    /// Whether the chunk holds an XMP packet.
    var isXMP: Bool { chunk == "iTXt" && bytes.starts(with: Self.xmpKeyword + [0]) }

    /// The content of a chunk that holds an XMP packet; empty if it is malformed.
    var xmp: [UInt8] { parts?.text ?? [] }

    /// Whether the text is compressed.
    var isCompressed: Bool {
        let flag = bytes.drop { $0 != 0 }.dropFirst().first ?? 0
        return chunk == "zTXt" || chunk == "iTXt" && flag != 0
    }

    /// The name of the chunk for messages, for example "PNG text 'Raw profile type exif'".
    var title: String {
        chunk == "tIME" ? "chunk tIME" : "PNG text '\(PlainText.printable(bytes.prefix { $0 != 0 }))'"
    }

    /// The keyword and the decompressed text, and whether the chunk contains nothing else; nil if the chunk is malformed.
    private var parts: (keyword: [UInt8], text: [UInt8], isWhole: Bool)? {
        let keyword = Array(bytes.prefix { $0 != 0 })
        var rest = bytes.dropFirst(keyword.count + 1)
        guard keyword.count < bytes.count else { return nil }
        var (isCompressed, isWhole) = (chunk == "zTXt", true)
        if chunk == "iTXt" {
            guard let flag = rest.first else { return nil }
            isCompressed = flag != 0
            // The method of compression, the language and the translated keyword follow the flag.
            rest = rest.dropFirst(2)
            for _ in 0..<2 {
                guard let end = rest.firstIndex(of: 0) else { return nil }
                if end > rest.startIndex { isWhole = false }
                rest = rest[(end + 1)...]
            }
        } else if isCompressed {
            rest = rest.dropFirst()
        }
        guard isCompressed else { return (keyword, Array(rest), isWhole) }
        return Self.decompressed(rest).map { (keyword, $0.text, isWhole && $0.used == rest.count) }
    }

    /// Returns the content of a zlib stream and the number of its bytes; nil if it is damaged or too long.
    private static func decompressed(_ bytes: ArraySlice<UInt8>) -> (text: [UInt8], used: Int)? {
        // Deflate needs at least two bits for 258 bytes.
        let room = min(longestText, bytes.count * 1032)
        var (status, used) = (Z_OK, uLong(bytes.count))
        // SAFETY: zlib reads and writes only within the given sizes, and only during the call.
        let text = unsafe [UInt8](unsafeUninitializedCapacity: room) { out, count in
            var size = uLongf(room)
            status = unsafe bytes.withUnsafeBufferPointer {
                unsafe uncompress2(out.baseAddress, &size, $0.baseAddress, &used)
            }
            count = status == Z_OK ? Int(size) : 0
        }
        return status == Z_OK ? (text, Int(used)) : nil
    }
}
