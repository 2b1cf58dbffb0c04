import Frost

/// A file of boxes in the format CSV (RFC 4180): a line of column names, then a line for each box. The fields are separated by
/// commas, semicolons or tabs, whichever stands in the first line. Columns that are not known, such as a confidence, are ignored.
enum BoxTable {
    static func boxes(_ bytes: ArraySlice<UInt8>) throws(BoxLineError) -> [BoxFile.Box] {
        let head = bytes.prefix { $0 != 0x0A }
        let comma = UInt8(ascii: ",")
        let separator = [comma, UInt8(ascii: ";"), UInt8(ascii: "\t")].first { head.contains($0) } ?? comma
        var rest = bytes
        var line = 1
        guard let header = try record(&rest, &line, separator) else {
            throw BoxLineError(line: 1, reason: "the file is empty; \(expected)")
        }
        let columns = header.fields.map { FileName.decode($0).lowercased() }
        let forms = BoxFields.forms.compactMap { names, form -> (columns: [Int], form: BoxFields.Form)? in
            let found = names.compactMap { columns.firstIndex(of: $0) }
            return found.count == names.count ? (found, form) : nil
        }
        guard let form = forms.first else {
            throw BoxLineError(line: 1, reason: "the columns have no box; \(expected)")
        }
        guard forms.count == 1 else {
            throw BoxLineError(line: 1, reason: "the columns have the numbers of a box twice; leave out one form")
        }
        let known = Set(BoxFields.names + BoxFields.frames + form.columns.map { columns[$0] })
        if let twice = columns.indices.first(where: {
            known.contains(columns[$0]) && columns[..<$0].contains(columns[$0])
        }) {
            throw BoxLineError(line: 1, reason: "the column \(columns[twice]) stands twice")
        }
        let name = BoxFields.names.lazy.compactMap { columns.firstIndex(of: $0) }.first
        let frame = BoxFields.frames.lazy.compactMap { columns.firstIndex(of: $0) }.first
        var boxes: [BoxFile.Box] = []
        while let (fields, line) = try record(&rest, &line, separator) {
            guard fields.count == columns.count else {
                throw BoxLineError(
                    line: line, reason: "the line has \(fields.count) fields, but the first line has \(columns.count)")
            }
            if let name, fields[name].isEmpty {
                throw BoxLineError(line: line, reason: "the field \(columns[name]) is empty")
            }
            boxes.append(
                BoxFile.Box(
                    line: line, name: name.map { FilePath(bytes: fields[$0]) },
                    frame: try frame.map { (column) throws(BoxLineError) in
                        try BoxFields.frame(FileName.decode(fields[column]), line)
                    } ?? nil,
                    rect: try BoxFields.rect(form.columns.map { FileName.decode(fields[$0]) }, form.form, line)))
        }
        return boxes
    }

    private static let expected = "the first line must name the columns, and among them \(BoxFields.expected)"

    /// Whether a byte is a space at the ends of a field.
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// Takes the fields of the next line that is not empty, without spaces around them. A field in quotation marks may contain
    /// separators and line feeds.
    ///
    /// - Returns: the fields and the number of their line; nil at the end.
    private static func record(
        _ rest: inout ArraySlice<UInt8>, _ line: inout Int, _ separator: UInt8
    ) throws(BoxLineError) -> (fields: [[UInt8]], line: Int)? {
        while let first = rest.first, isSpace(first) && first != separator || first == 0x0A {
            if first == 0x0A { line += 1 }
            rest.removeFirst()
        }
        guard !rest.isEmpty else { return nil }
        let start = line
        var fields: [[UInt8]] = []
        while true {
            fields.append(try field(&rest, &line, separator))
            guard let end = rest.popFirst() else { return (fields, start) }
            if end == 0x0A {
                line += 1
                return (fields, start)
            }
        }
    }

    /// Takes a field. What follows it is the separator, a line feed or the end.
    private static func field(
        _ rest: inout ArraySlice<UInt8>, _ line: inout Int, _ separator: UInt8
    ) throws(BoxLineError) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        while let first = rest.first, isSpace(first), first != separator { rest.removeFirst() }
        guard rest.first == quote else {
            let text = rest.prefix { $0 != separator && $0 != 0x0A }
            rest = rest[text.endIndex...]
            return Array(text[..<(text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? text.startIndex)])
        }
        let start = line
        rest.removeFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == 0x0A { line += 1 }
            guard byte == quote else {
                text.append(byte)
                continue
            }
            if rest.first == quote {
                text.append(quote)
                rest.removeFirst()
                continue
            }
            while let next = rest.first, isSpace(next), next != separator { rest.removeFirst() }
            guard rest.first.map({ $0 == separator || $0 == 0x0A }) ?? true else {
                throw BoxLineError(line: line, reason: "text follows a field in quotation marks")
            }
            return text
        }
        throw BoxLineError(line: start, reason: "a quotation mark is not closed")
    }
}
