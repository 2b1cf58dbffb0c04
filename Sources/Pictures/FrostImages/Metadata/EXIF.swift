/// An EXIF block: a TIFF header and directories of tags. Every offset is checked against the size of the block. A
/// malformed entry is treated as missing.
struct EXIF {
    /// The EXIF block without JPEG's "Exif" prefix.
    private let bytes: [UInt8]
    private let isLittle: Bool

    /// Parses an EXIF block.
    ///
    /// - Returns: nil if the bytes do not begin with a TIFF header.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        if bytes.starts(with: [0x49, 0x49, 42, 0]) {
            isLittle = true
        } else if bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
            isLittle = false
        } else {
            return nil
        }
        self.bytes = bytes
    }

    /// The orientation that the block states; upright if the block states no orientation. EXIF prescribes 16 bits for
    /// it; some writers use 32.
    var orientation: Orientation {
        let entry = entries(of: number(4, 4)).first { $0.tag == EXIFTag.orientation }
        guard let entry, entry.count == 1, entry.type == 3 || entry.type == 4 else { return .upright }
        return Orientation(rawValue: number(entry.value)) ?? .upright
    }

    /// An entry of a directory. Its value has the byte order of the block.
    private struct Entry {
        var tag: Int
        var type: Int
        var count: Int
        var value: ArraySlice<UInt8>

        /// Returns the entry with another tag.
        func renamed(_ tag: Int) -> Entry { Entry(tag: tag, type: type, count: count, value: value) }
    }

    /// Returns a new block that contains only the known and harmless tags of this one, or nil if it has no such tag. The new
    /// block states the upright orientation, and the densities of the upright picture. Everything else is left out, because it
    /// may be or contain a picture from before Frost changed it: other tags, makers' notes, other directories, bytes that no tag
    /// refers to.
    ///
    /// - Parameter leaveOut: receives the name of each part that is left out.
    func rebuilt(leaveOut: (String) -> Void) -> [UInt8]? {
        let first = number(4, 4)
        let stored = entries(of: first)
        var main = kept(stored, .main, leaveOut)
        // The offsets of the other two directories depend only on the number of entries and the sizes of the values.
        var others: [(pointer: Int, entries: [Entry])] = []
        for (pointer, directory) in [(EXIFTag.exif, EXIFTag.Directory.exif), (EXIFTag.gps, .gps)] {
            guard let link = stored.first(where: { $0.tag == pointer }), link.type == 4, link.count == 1 else {
                continue
            }
            let at = number(link.value)
            if hasSuccessor(at) { leaveOut("EXIF directory that follows \(EXIFTag.text(pointer))") }
            let entries = kept(self.entries(of: at), directory, leaveOut)
            if !entries.isEmpty { others.append((pointer, entries)) }
        }
        if let first, hasSuccessor(first) { leaveOut("EXIF directory 1 (thumbnail)") }
        guard !main.isEmpty || !others.isEmpty else { return nil }
        main += others.map { Entry(tag: $0.pointer, type: 4, count: 1, value: [0, 0, 0, 0]) }
        let header = bytes[..<4] + digits(8, 4)
        var next = header.count + encoded(main, at: header.count).count
        var tail: [UInt8] = []
        for (pointer, entries) in others {
            for i in main.indices where main[i].tag == pointer { main[i].value = digits(next, 4)[...] }
            let directory = encoded(entries, at: next)
            tail += directory
            next += directory.count
        }
        return header + encoded(main, at: header.count) + tail
    }

    /// The entries of a directory that are kept, sorted by their tags.
    private func kept(_ entries: [Entry], _ directory: EXIFTag.Directory, _ leaveOut: (String) -> Void) -> [Entry] {
        var result: [Int: Entry] = [:]
        for entry in entries where result[entry.tag] == nil {
            if directory == .main, entry.tag == EXIFTag.orientation {
                result[entry.tag] = Entry(tag: entry.tag, type: 3, count: 1, value: digits(1, 2)[...])
            } else if directory == .main, entry.tag == EXIFTag.exif || entry.tag == EXIFTag.gps {
                continue
            } else if let content = EXIFTag.content(of: entry.tag, in: directory), accepts(entry, content) {
                result[entry.tag] = entry
            } else {
                leaveOut("EXIF tag \(EXIFTag.text(entry.tag))")
            }
        }
        if orientation.swapsSides {
            for (along, across) in EXIFTag.densities {
                let (x, y) = (result[along], result[across])
                result[along] = y?.renamed(along)
                result[across] = x?.renamed(across)
            }
        }
        return result.values.sorted { $0.tag < $1.tag }
    }

    /// Whether the value of an entry is what the tag prescribes. It then cannot be a picture.
    private func accepts(_ entry: Entry, _ content: EXIFTag.Content) -> Bool {
        switch content {
        case .numbers: return ![2, 7].contains(entry.type) && entry.count <= 6
        case .bytes: return [1, 7].contains(entry.type) && entry.count <= 4
        case .text:
            // Two texts may be separated by a zero byte: the photographer's and the editor's copyright.
            guard entry.type == 2, entry.count <= EXIFTag.longestText else { return false }
            return entry.value.split(separator: 0).allSatisfy { PlainText.isPlain($0) }
        case .comment:
            guard entry.type == 7, (8...EXIFTag.longestText).contains(entry.count) else { return false }
            let (code, text) = (Array(entry.value.prefix(8)), entry.value.dropFirst(8))
            if code == Array("UNICODE\0".utf8) {
                let units = stride(from: text.startIndex, to: text.endIndex - 1, by: 2).map {
                    UInt16(truncatingIfNeeded: number(text[$0..<$0 + 2]))
                }
                return PlainText.isPlain(units)
            }
            guard [Array("ASCII\0\0\0".utf8), [UInt8](repeating: 0, count: 8)].contains(code) else { return false }
            return PlainText.isPlain(text[..<(text.lastIndex { $0 != 0 }.map { $0 + 1 } ?? text.startIndex)])
        }
    }

    /// Returns a directory without a successor, followed by the values that do not fit into it.
    private func encoded(_ entries: [Entry], at start: Int) -> [UInt8] {
        var table = digits(entries.count, 2)
        var values: [UInt8] = []
        let firstValue = start + 2 + 12 * entries.count + 4
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            table += digits(entry.tag, 2) + digits(entry.type, 2) + digits(entry.count, 4)
            if entry.value.count <= 4 {
                table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            } else {
                table += digits(firstValue + values.count, 4)
                values += entry.value
                if values.count % 2 == 1 { values.append(0) }
            }
        }
        return table + digits(0, 4) + values
    }

    // MARK: Parsing

    /// The entries of a directory whose values lie within the block.
    private func entries(of directory: Int?) -> [Entry] {
        guard let directory, let count = number(directory, 2) else { return [] }
        var result: [Entry] = []
        for i in 0..<count {
            let at = directory + 2 + 12 * i
            guard let tag = number(at, 2), let type = number(at + 2, 2), let count = number(at + 4, 4),
                let inline = number(at + 8, 4)
            else { break }
            guard let unit = Self.sizes[type], count > 0, count <= bytes.count else { continue }
            let start = unit * count <= 4 ? at + 8 : inline
            guard start + unit * count <= bytes.count else { continue }
            result.append(Entry(tag: tag, type: type, count: count, value: bytes[start..<start + unit * count]))
        }
        return result
    }

    /// Whether a directory ends with the offset of another one.
    private func hasSuccessor(_ directory: Int) -> Bool {
        guard let count = number(directory, 2), let next = number(directory + 2 + 12 * count, 4) else { return false }
        return next > 0
    }

    /// The sizes of TIFF's types, in bytes.
    private static let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8]

    private func number(_ at: Int, _ size: Int) -> Int? {
        at >= 0 && at + size <= bytes.count ? number(bytes[at..<at + size]) : nil
    }

    private func number(_ digits: ArraySlice<UInt8>) -> Int {
        isLittle ? digits.reversed().reduce(0) { $0 << 8 | Int($1) } : digits.reduce(0) { $0 << 8 | Int($1) }
    }

    private func digits(_ value: Int, _ size: Int) -> [UInt8] {
        let big = (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittle ? big.reversed() : big
    }
}
