import Glibc

/// Searches files for pictures beside their own. It shares no code with the library.
public struct PictureScanner: Sendable {
    /// The first bytes of picture files.
    private static let signatures: [(name: String, bytes: [UInt8])] = [
        ("JPEG", [0xFF, 0xD8, 0xFF]), ("PNG", [0x89, 0x50, 0x4E, 0x47]), ("GIF", Array("GIF8".utf8)),
        ("WebP", Array("WEBPVP8".utf8)), ("AVIF", Array("ftypavif".utf8)), ("JPEG XL", Array("JXL \r\n".utf8)),
        ("QOI", Array("qoif".utf8)), ("Photoshop", Array("8BPS".utf8)), ("HEIF", Array("ftyphe".utf8)),
        ("base64 of a JPEG", Array("/9j/".utf8)), ("base64 of a PNG", Array("iVBORw0KGgo".utf8)),
        ("digits of a JPEG", Array("ffd8ff".utf8)), ("digits of a PNG", Array("89504e47".utf8)),
    ]
    /// Parts of the picture that must not be found, and their texts in base64 and in digits.
    private let parts: [[UInt8]]
    private let texts: [[UInt8]]

    /// Creates a scanner for a hidden picture.
    ///
    /// - Parameters:
    ///   - secret: the bytes of the hidden picture.
    ///   - start: the first byte that other pictures do not share. The tables of JPEGs are often the same.
    public init(secret: [UInt8], from start: Int = 0) {
        // The parts are longer than the numbers that an EXIF tag may have. Base64 begins anew every three bytes.
        parts = stride(from: 0, to: secret.count - 60, by: 60).filter { $0 >= start }.map {
            Array(secret[$0..<$0 + 60])
        }
        texts = parts.flatMap { [base64($0), hexadecimal($0)] }.map { $0.utf8.filter { $0 != 10 } }
    }

    /// Returns what was found in a file, apart from the file's own signature.
    ///
    /// - Parameter isFile: whether the bytes are a picture file; false if they are a part of it.
    public func findings(in file: [UInt8], isFile: Bool = true) -> [String] {
        // The signatures of the file itself begin within its first 12 bytes.
        let body = isFile ? Array(file.dropFirst(13)) : file
        var found = Self.signatures.filter { !occurrences(of: $0.bytes, in: body).isEmpty }.map { "a \($0.name)" }
        let flat = file.filter { $0 != 10 }
        if parts.contains(where: { !occurrences(of: $0, in: file).isEmpty }) { found.append("bytes of the secret") }
        if texts.contains(where: { !occurrences(of: $0, in: flat).isEmpty }) { found.append("a text of the secret") }
        for start in occurrences(of: [0x49, 0x49, 42, 0], in: body) + occurrences(of: [0x4D, 0x4D, 0, 42], in: body) {
            found += directories(in: Array(body[start...]))
        }
        return found
    }

    private func occurrences(of part: [UInt8], in file: [UInt8]) -> [Int] {
        guard let letter = part.first else { return [] }
        // SAFETY: memchr and memcmp read only within the given sizes.
        return unsafe file.withUnsafeBytes { file in
            unsafe part.withUnsafeBytes { part in
                guard let base = file.baseAddress, let first = part.baseAddress else { return [] }
                var (found, at): ([Int], Int) = ([], 0)
                while at + part.count <= file.count,
                    let place = unsafe memchr(base + at, Int32(letter), file.count - part.count + 1 - at)
                {
                    if unsafe memcmp(place, first, part.count) == 0 {
                        unsafe found.append(UnsafeRawPointer(place) - base)
                    }
                    at = unsafe UnsafeRawPointer(place) - base + 1
                }
                return found
            }
        }
    }

    /// Follows all directories of a TIFF structure, and returns the entries that refer to pictures.
    private func directories(in block: [UInt8]) -> [String] {
        let isLittle = block[0] == 0x49
        func number(_ at: Int, _ size: Int) -> Int {
            guard at + size <= block.count else { return 0 }
            let digits = block[at..<at + size]
            return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
        }
        var (found, seen): ([String], Set<Int>) = ([], [0])
        var open = [number(4, 4)]
        while let directory = open.popLast() {
            guard seen.insert(directory).inserted else { continue }
            let count = number(directory, 2)
            for i in 0..<min(count, 200) {
                let entry = directory + 2 + 12 * i
                let tag = number(entry, 2)
                if [0x0111, 0x0144, 0x014A, 0x0201, 0x927C, 0xFDE8].contains(tag) { found.append("EXIF tag \(tag)") }
                if [0x8769, 0x8825, 0x014A, 0xA005].contains(tag) { open.append(number(entry + 8, 4)) }
            }
            let next = number(directory + 2 + 12 * count, 4)
            if next > 0 {
                found.append("a further EXIF directory")
                open.append(next)
            }
        }
        return found
    }
}

/// Returns bytes in base64, in lines of 76 characters.
public func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let part = bytes[start...].prefix(3)
        let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
        for i in 0..<4 { text.append(i <= part.count ? letters[bits >> (18 - 6 * i) & 63] : "=") }
        if text.count % 77 == 76 { text.append("\n") }
    }
    return text
}

/// Returns bytes in hexadecimal digits, in lines of 72.
public func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    var text = ""
    for (i, byte) in bytes.enumerated() {
        text.append(digits[Int(byte) >> 4])
        text.append(digits[Int(byte) & 15])
        if i % 36 == 35 { text.append("\n") }
    }
    return text
}
