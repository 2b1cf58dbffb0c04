extension ICCProfile {
    /// Returns a copy that contains only the known tags of the standard ICC.1, or the profile itself if it contains nothing
    /// else. Private tags may hold anything, pictures too, and so may bytes that belong to no tag and fields of the header
    /// that are reserved.
    ///
    /// - Precondition: the profile is well-formed.
    /// - Parameter leaveOut: receives the name of each part that is left out.
    func rebuilt(leaveOut: (String) -> Void) -> ICCProfile {
        var elements: [(name: ArraySlice<UInt8>, place: Range<Int>, bytes: [UInt8])] = []
        var isUsed = [Bool](repeating: false, count: bytes.count)
        var hasUndefinedBytes = bytes[100..<128].contains { $0 != 0 }
        var isChanged = false
        let count = word(128)
        for i in 0..<132 + 12 * count { isUsed[i] = true }
        // A malformed table could name the same bytes many times.
        var room = bytes.count
        for i in 0..<count {
            let entry = 132 + 12 * i
            let place = word(entry + 4)..<word(entry + 4) + word(entry + 8)
            let name = bytes[entry..<entry + 4]
            if !elements.contains(where: { $0.place == place }) { room -= place.count }
            guard ICCElement.tags.contains(letters(entry)), !elements.contains(where: { $0.name == name }), room >= 0,
                let element = ICCElement.rebuilt(Array(bytes[place]))
            else {
                leaveOut("ICC tag \(PlainText.printable(name))")
                isChanged = true
                if room >= 0 { for i in place { isUsed[i] = true } }
                continue
            }
            // Zeros at the end are padding.
            let rest = bytes[place].dropFirst(element.count)
            if !bytes[place].starts(with: element) || rest.contains(where: { $0 != 0 }) { hasUndefinedBytes = true }
            for i in place { isUsed[i] = true }
            elements.append((name, place, element))
        }
        if zip(bytes, isUsed).contains(where: { $0 != 0 && !$1 }) { hasUndefinedBytes = true }
        isChanged = isChanged || hasUndefinedBytes
        guard isChanged else { return self }
        if hasUndefinedBytes { leaveOut("undefined bytes of the ICC profile") }

        var table: [UInt8] = []
        var content: [UInt8] = []
        var places: [Range<Int>: Int] = [:]
        let start = 132 + 12 * elements.count
        for (name, place, element) in elements {
            // Tags may share an element, for example the three curves.
            let at = places[place] ?? start + content.count
            places[place] = at
            table += name + UInt32(at).bigEndianBytes + UInt32(element.count).bigEndianBytes
            guard at == start + content.count else { continue }
            content += element + [UInt8](repeating: 0, count: -element.count & 3)
        }
        // The identifier in the bytes 84 to 99 is a checksum; zeros mean that the profile has no checksum.
        let header = UInt32(start + content.count).bigEndianBytes + bytes[4..<84] + [UInt8](repeating: 0, count: 44)
        return ICCProfile(name: name, bytes: header + UInt32(elements.count).bigEndianBytes + table + content)
    }
}

/// The elements of a profile that Frost keeps: the contents of its tags.
enum ICCElement {
    /// The tags that describe colours, and the texts that name the profile and its owner.
    static let tags: Set = [
        "A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "bTRC", "bXYZ", "bkpt", "chad", "chrm", "cicp", "cprt", "desc",
        "dmdd", "dmnd", "gTRC", "gXYZ", "gamt", "kTRC", "lumi", "meas", "pre0", "pre1", "pre2", "rTRC", "rXYZ", "rig0",
        "rig2", "tech", "view", "vued", "wtpt",
    ]

    /// Returns an element without the bytes that its type does not define, or nil if the type is unknown or the element is
    /// malformed. Undefined bytes at the end are cut off, all others become zero.
    static func rebuilt(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 12 else { return nil }
        func half(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
        func start(_ count: Int) -> [UInt8]? { count <= bytes.count ? Array(bytes[..<count]) : nil }
        switch String(decoding: bytes[..<4], as: UTF8.self) {
        case "XYZ ": return start(20)
        case "sf32": return start(8 + 4 * 9)
        case "chrm": return half(8) <= 16 ? start(12 + 8 * half(8)) : nil
        case "sig ", "cicp": return start(12)
        case "meas", "view": return start(36)
        case "curv", "para": return curveSize(bytes, at: 0).flatMap(start)
        case "text":
            let text = bytes[8...].prefix { $0 != 0 }
            return PlainText.isPlain(text) ? start(min(bytes.count, 9 + text.count)) : nil
        case "desc": return description(bytes)
        case "mluc": return texts(bytes)
        case "mft1", "mft2":
            guard bytes.count >= 52 else { return nil }
            let (inputs, outputs, grid) = (Int(bytes[8]), Int(bytes[9]), Int(bytes[10]))
            let isShort = bytes[3] == 0x31
            guard let points = product([Int](repeating: grid, count: inputs) + [outputs], atMost: bytes.count) else {
                return nil
            }
            return isShort
                ? start(48 + 256 * inputs + points + 256 * outputs)
                : start(52 + 2 * (inputs * half(48) + points + outputs * half(50)))
        case "mAB ", "mBA ": return table(bytes)
        default: return nil
        }
    }

    /// The element of a text in ASCII, which may be repeated in Unicode and in an encoding of the Macintosh.
    private static func description(_ bytes: [UInt8]) -> [UInt8]? {
        let unicode = 12 + bytes.word(8)
        guard unicode <= bytes.count else { return nil }
        let text = bytes[12..<unicode].prefix { $0 != 0 }
        guard PlainText.isPlain(text) else { return nil }
        var known = [0..<12 + text.count]
        // The parts without a text have 8 and 70 bytes.
        var size = unicode + 78
        if unicode + 8 <= bytes.count, isPlain(bytes, from: unicode + 8, size: 2 * bytes.word(unicode + 4)) {
            let mac = unicode + 8 + 2 * bytes.word(unicode + 4)
            known.append(unicode..<mac)
            size = mac + 70
            if mac + 3 <= bytes.count, bytes[mac + 2] <= 67, mac + 3 + Int(bytes[mac + 2]) <= bytes.count {
                let end = mac + 3 + Int(bytes[mac + 2])
                if PlainText.isPlain(bytes[mac + 3..<end].prefix { $0 != 0 }) { known.append(mac..<end) }
            }
        }
        return masked(bytes, known, size: size)
    }

    /// The element of a text in several languages.
    private static func texts(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 16, bytes.word(12) == 12, bytes.word(8) <= (bytes.count - 16) / 12 else { return nil }
        var known = [0..<16 + 12 * bytes.word(8)]
        for i in 0..<bytes.word(8) {
            let (size, at) = (bytes.word(20 + 12 * i), bytes.word(24 + 12 * i))
            guard isPlain(bytes, from: at, size: size) else { return nil }
            known.append(at..<at + size)
        }
        return masked(bytes, known)
    }

    /// Whether bytes are a plain text in UTF-16, possibly with zeros at its end.
    private static func isPlain(_ bytes: [UInt8], from start: Int, size: Int) -> Bool {
        guard size % 2 == 0, start + size <= bytes.count else { return false }
        return PlainText.isPlain(
            stride(from: start, to: start + size, by: 2).map { (at: Int) -> UInt16 in
                UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
            })
    }

    /// The element of a table with its curves and its matrix.
    private static func table(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 32 else { return nil }
        let (inputs, outputs) = (Int(bytes[8]), Int(bytes[9]))
        let isFromDevice = bytes[1] == 0x41
        var known = [0..<32]
        func add(_ at: Int, curves count: Int) -> Bool {
            guard at > 0 else { return true }
            var end = at
            for _ in 0..<count {
                guard let size = curveSize(bytes, at: end) else { return false }
                known.append(end..<end + size)
                end += (size + 3) & ~3
            }
            return true
        }
        guard add(bytes.word(12), curves: isFromDevice ? outputs : inputs),
            add(bytes.word(20), curves: isFromDevice ? outputs : inputs),
            add(bytes.word(28), curves: isFromDevice ? inputs : outputs)
        else { return nil }
        if bytes.word(16) > 0 { known.append(bytes.word(16)..<bytes.word(16) + 48) }
        let colors = bytes.word(24)
        if colors > 0 {
            guard colors + 20 <= bytes.count, inputs <= 16, (1...2).contains(bytes[colors + 16]),
                let points = product(
                    bytes[colors..<colors + inputs].map { Int($0) } + [outputs, Int(bytes[colors + 16])],
                    atMost: bytes.count)
            else { return nil }
            known.append(colors..<colors + 20 + points)
        }
        return masked(bytes, known)
    }

    /// The size of a curve without padding; nil if it does not lie within the bytes.
    private static func curveSize(_ bytes: [UInt8], at: Int) -> Int? {
        guard at + 12 <= bytes.count else { return nil }
        let size: Int
        switch String(decoding: bytes[at..<at + 4], as: UTF8.self) {
        case "curv": size = 12 + 2 * bytes.word(at + 8)
        case "para":
            let parameterCounts = [1, 3, 4, 5, 7]
            guard bytes[at + 8] == 0, bytes[at + 9] < parameterCounts.count else { return nil }
            size = 12 + 4 * parameterCounts[Int(bytes[at + 9])]
        default: return nil
        }
        return at + size <= bytes.count ? size : nil
    }

    /// Replaces all bytes outside of the known ranges by zeros. Returns nil if a range exceeds the bytes.
    ///
    /// - Parameter size: the smallest number of bytes of the result.
    private static func masked(_ bytes: [UInt8], _ known: [Range<Int>], size: Int = 0) -> [UInt8]? {
        let end = known.reduce(0) { max($0, $1.upperBound) }
        guard end <= bytes.count else { return nil }
        var result = [UInt8](repeating: 0, count: max(size, end))
        for range in known { result.replaceSubrange(range, with: bytes[range]) }
        return result
    }

    /// Returns the product of numbers; nil if it is larger than the limit.
    private static func product(_ numbers: [Int], atMost limit: Int) -> Int? {
        var result = 1
        for number in numbers {
            result *= number
            if result > limit { return nil }
        }
        return result
    }
}
