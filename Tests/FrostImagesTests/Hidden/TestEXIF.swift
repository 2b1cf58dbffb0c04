import FrostTestSupport

/// Builds EXIF blocks in either byte order, also such as no program should write.
struct TestEXIF {
    typealias Entry = (tag: Int, type: Int, count: Int, value: [UInt8])

    let isLittle: Bool
    private(set) var bytes: [UInt8]

    init(isLittle: Bool) {
        self.isLittle = isLittle
        bytes = isLittle ? [0x49, 0x49, 42, 0, 0, 0, 0, 0] : [0x4D, 0x4D, 0, 42, 0, 0, 0, 0]
    }

    /// Returns a number in the byte order of the block.
    func number(_ value: Int, _ size: Int) -> [UInt8] {
        let bytes = bigEndian(value, size)
        return isLittle ? bytes.reversed() : bytes
    }

    /// Adds bytes at an even offset, and returns the offset.
    mutating func add(_ content: [UInt8]) -> Int {
        if bytes.count % 2 == 1 { bytes.append(0) }
        bytes += content
        return bytes.count - content.count
    }

    /// An entry of one 32-bit number.
    func long(_ tag: Int, _ value: Int) -> Entry { (tag, 4, 1, number(value, 4)) }

    /// An entry of one 16-bit number.
    func short(_ tag: Int, _ value: Int) -> Entry { (tag, 3, 1, number(value, 2)) }

    /// An entry of bytes (type 7) or of a text (type 2).
    func bytes(_ tag: Int, _ content: [UInt8], type: Int = 7) -> Entry { (tag, type, content.count, content) }

    /// Adds a directory and the values that do not fit into it. Returns its offset.
    mutating func directory(_ entries: [Entry], next: Int = 0) -> Int {
        let fields = entries.sorted { $0.tag < $1.tag }.map { entry in
            let head = number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
            if entry.value.count <= 4 {
                return head + entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            }
            return head + number(add(entry.value), 4)
        }
        return add(number(fields.count, 2) + fields.joined() + number(next, 4))
    }

    /// Sets the first directory, and returns the block.
    mutating func block(_ first: [Entry], next: Int = 0) -> [UInt8] {
        let at = directory(first, next: next)
        bytes.replaceSubrange(4..<8, with: number(at, 4))
        return bytes
    }
}

extension TestEXIF {
    /// Returns blocks that each hold a picture in another way.
    static func carriers(_ secret: [UInt8], isLittle: Bool) -> [(name: String, block: [UInt8])] {
        func block(_ make: (inout TestEXIF) -> [UInt8]) -> [UInt8] {
            var exif = TestEXIF(isLittle: isLittle)
            return make(&exif)
        }
        func thumbnail(_ exif: inout TestEXIF) -> [Entry] {
            let at = exif.add(secret)
            return [exif.short(0x0103, 6), exif.long(0x0201, at), exif.long(0x0202, secret.count)]
        }
        func strips(_ exif: inout TestEXIF, _ offsets: Int, _ counts: Int) -> [Entry] {
            let at = exif.add(secret)
            return [
                exif.short(0x0100, 16), exif.short(0x0101, 12), exif.short(0x0103, 1), exif.short(0x0106, 2),
                exif.long(offsets, at), exif.long(counts, secret.count),
            ]
        }
        return [
            ("directory 0", block { $0.block([$0.short(0x0112, 6)] + thumbnail(&$0)) }),
            (
                "directory 1",
                block {
                    let next = $0.directory(thumbnail(&$0))
                    return $0.block([$0.short(0x0112, 6)], next: next)
                }
            ),
            (
                "directory 2",
                block {
                    let last = $0.directory(thumbnail(&$0))
                    let next = $0.directory([$0.short(0x0112, 1)], next: last)
                    return $0.block([$0.short(0x0112, 6)], next: next)
                }
            ),
            (
                "a further directory",
                block {
                    let sub = $0.directory(thumbnail(&$0))
                    return $0.block([$0.short(0x0112, 6), $0.long(0x014A, sub)])
                }
            ),
            (
                "the EXIF directory",
                block {
                    let sub = $0.directory(thumbnail(&$0))
                    return $0.block([$0.short(0x0112, 6), $0.long(0x8769, sub)])
                }
            ),
            (
                "the EXIF directory's successor",
                block {
                    let next = $0.directory(thumbnail(&$0))
                    let sub = $0.directory([$0.short(0xA001, 1)], next: next)
                    return $0.block([$0.short(0x0112, 6), $0.long(0x8769, sub)])
                }
            ),
            (
                "the GPS directory",
                block {
                    let sub = $0.directory(thumbnail(&$0))
                    return $0.block([$0.short(0x0112, 6), $0.long(0x8825, sub)])
                }
            ),
            (
                "the interoperability directory",
                block {
                    let inner = $0.directory(thumbnail(&$0))
                    let sub = $0.directory([$0.long(0xA005, inner)])
                    return $0.block([$0.short(0x0112, 6), $0.long(0x8769, sub)])
                }
            ),
            (
                "strips",
                block {
                    let next = $0.directory(strips(&$0, 0x0111, 0x0117))
                    return $0.block([$0.short(0x0112, 6)], next: next)
                }
            ),
            ("strips of directory 0", block { $0.block([$0.short(0x0112, 6)] + strips(&$0, 0x0111, 0x0117)) }),
            (
                "tiles",
                block {
                    let next = $0.directory(strips(&$0, 0x0144, 0x0145))
                    return $0.block([$0.short(0x0112, 6)], next: next)
                }
            ),
            (
                "a thumbnail without a length",
                block {
                    let next = $0.directory([$0.long(0x0201, $0.add(secret))])
                    return $0.block([$0.short(0x0112, 6)], next: next)
                }
            ),
            (
                "a maker's note",
                block {
                    let sub = $0.directory([$0.bytes(0x927C, Array("Maker\0\0\0".utf8) + secret)])
                    return $0.block([$0.short(0x0112, 6), $0.long(0x8769, sub)])
                }
            ),
            (
                "a user comment",
                block {
                    let sub = $0.directory([$0.bytes(0x9286, [UInt8](repeating: 0, count: 8) + secret)])
                    return $0.block([$0.short(0x0112, 6), $0.long(0x8769, sub)])
                }
            ),
            ("a private tag", block { $0.block([$0.short(0x0112, 6), $0.bytes(0xFDE8, secret)]) }),
            ("a description", block { $0.block([$0.short(0x0112, 6), $0.bytes(0x010E, secret, type: 2)]) }),
            ("a maker", block { $0.block([$0.short(0x0112, 6), $0.bytes(0x010F, secret)]) }),
            ("a number", block { $0.block([$0.short(0x0112, 6), $0.bytes(0x0128, secret, type: 1)]) }),
            (
                "a description in base64",
                block { $0.block([$0.short(0x0112, 6), $0.bytes(0x010E, Array(base64(secret).utf8) + [0], type: 2)]) }
            ),
            (
                "no entry at all",
                block {
                    _ = $0.add(secret)
                    return $0.block([$0.short(0x0112, 6)])
                }
            ),
        ]
    }
}
