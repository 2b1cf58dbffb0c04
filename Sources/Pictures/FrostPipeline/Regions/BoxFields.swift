import Frost

/// The names of the fields of boxes: the columns of a table, or the members of objects. Capitals count as small letters.
enum BoxFields {
    static let names = ["file", "name", "image", "input", "filename", "file_name", "path"]
    static let frames = ["frame", "frame_id", "frame_number"]

    /// The fields of a box's four numbers.
    enum Form {
        /// The left and upper edge, the width and the height.
        case size
        /// The left and upper edge, and the right and lower edge.
        case corners
    }
    static let forms: [(fields: [String], form: Form)] = [
        (["x", "y", "w", "h"], .size), (["x", "y", "width", "height"], .size),
        (["left", "top", "width", "height"], .size), (["x1", "y1", "x2", "y2"], .corners),
        (["x0", "y0", "x1", "y1"], .corners), (["xmin", "ymin", "xmax", "ymax"], .corners),
        (["left", "top", "right", "bottom"], .corners),
    ]

    static let expected =
        forms.map { $0.fields.joined(separator: ",") }.joined(separator: " or ")

    /// Returns the frame that a text states; nil if it is empty.
    static func frame(_ text: String, _ line: Int) throws(BoxLineError) -> Int? {
        if text.isEmpty { return nil }
        // Tables that other programs write may have all numbers as fractions.
        guard let number = Double(decimal: text), number >= 0, number <= 0x1p53, number == number.rounded() else {
            throw BoxLineError(line: line, reason: "\(text.shownName) is not the number of a frame, counted from 0")
        }
        return Int(number)
    }

    /// Returns the pixels that a box touches.
    ///
    /// - Parameter numbers: the four numbers as text.
    static func rect(_ numbers: [String], _ form: Form, _ line: Int) throws(BoxLineError) -> Rect {
        let limit = Double(RectPlace.limit)
        let values = try numbers.map { (text) throws(BoxLineError) in
            guard let value = Double(decimal: text), abs(value) <= limit else {
                throw BoxLineError(
                    line: line, reason: "\(text.isEmpty ? "an empty field" : text.shownName) is not a length in pixels")
            }
            return value
        }
        let (left, top) = (values[0], values[1])
        let (right, bottom) =
            switch form {
            case .size: (left + values[2], top + values[3])
            case .corners: (values[2], values[3])
            }
        guard left < right, top < bottom else {
            throw BoxLineError(
                line: line, reason: "the box \(numbers.joined(separator: ",")) has no width or no height")
        }
        let (x, y) = (Int(left.rounded(.down)), Int(top.rounded(.down)))
        return Rect(x: x, y: y, width: Int(right.rounded(.up)) - x, height: Int(bottom.rounded(.up)) - y)
    }
}

/// A file of boxes with an object in the format JSON on each line. It has the fields of a table, or the member xywh or xyxy with an
/// array of four numbers or of such arrays.
enum BoxObjects {
    static func boxes(_ bytes: ArraySlice<UInt8>) throws(BoxLineError) -> [BoxFile.Box] {
        var boxes: [BoxFile.Box] = []
        for (index, bytes) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = index + 1
            if bytes.allSatisfy(BoxTable.isSpace) { continue }
            let fields = try fields(FileName.decode(bytes)[...], line)
            let name = BoxFields.names.lazy.compactMap { fields[$0] }.first.map { FilePath($0) }
            let frame =
                try BoxFields.frames.lazy.compactMap { fields[$0] }.first.map { (text) throws(BoxLineError) in
                    try BoxFields.frame(text, line)
                } ?? nil
            for rect in try rects(fields, line) {
                boxes.append(BoxFile.Box(line: line, name: name, frame: frame, rect: rect))
            }
        }
        return boxes
    }

    /// The names of the members that are read.
    private static let known = Set(
        BoxFields.names + BoxFields.frames + BoxFields.forms.flatMap(\.fields) + arrays.map(\.name))
    private static let arrays: [(name: String, form: BoxFields.Form)] = [("xywh", .size), ("xyxy", .corners)]

    /// Returns the known members of a line by their names in small letters, without those that are null.
    private static func fields(_ text: Substring, _ line: Int) throws(BoxLineError) -> [String: String] {
        guard let members = FlatJSON.list(text) else {
            throw BoxLineError(line: line, reason: "the line is not a JSON object")
        }
        var fields: [String: String] = [:]
        for (name, value) in members.map({ ($0.name.lowercased(), $0.value) }) where known.contains(name) {
            let text: String
            switch value {
            case .word("null"): continue
            case .text(let value), .word(let value): text = value
            case .nested(let value):
                guard arrays.contains(where: { $0.name == name }) else {
                    throw BoxLineError(line: line, reason: "\(name) must be a text or a number")
                }
                text = value
            }
            guard fields.updateValue(text, forKey: name) == nil else {
                throw BoxLineError(line: line, reason: "the member \(name) stands twice")
            }
        }
        return fields
    }

    /// Returns the boxes of a line. A line with an empty array has one without a rectangle.
    private static func rects(_ fields: [String: String], _ line: Int) throws(BoxLineError) -> [Rect?] {
        let arrays = arrays.filter { fields[$0.name] != nil }
        let forms = BoxFields.forms.filter { $0.fields.allSatisfy { fields[$0] != nil } }
        guard arrays.count + forms.count <= 1 else {
            throw BoxLineError(line: line, reason: "the line has the numbers of a box twice; leave out one form")
        }
        if let (name, form) = arrays.first {
            let lists = try lists(fields[name] ?? "", name, line)
            return lists.isEmpty
                ? [nil]
                : try lists.map { (numbers) throws(BoxLineError) in try BoxFields.rect(numbers, form, line) }
        }
        if let (names, form) = forms.first {
            return [try BoxFields.rect(names.map { fields[$0] ?? "" }, form, line)]
        }
        throw BoxLineError(
            line: line, reason: "no numbers of a box; expected \(BoxFields.expected), or an array xywh or xyxy")
    }

    /// Returns the lists of four numbers in an array.
    private static func lists(_ text: String, _ name: String, _ line: Int) throws(BoxLineError) -> [[String]] {
        let text = text.filter { $0 != " " && $0 != "\t" }
        func failure() -> BoxLineError {
            BoxLineError(line: line, reason: "\(name) must be an array of four numbers, or of such arrays")
        }
        guard text.hasPrefix("["), text.hasSuffix("]") else { throw failure() }
        if text == "[]" { return [] }
        let inner = text.hasPrefix("[[") ? text.dropFirst(2).dropLast(2) : text.dropFirst().dropLast()
        var lists: [[String]] = []
        var rest = Substring(inner)
        while true {
            let end = rest.firstIndex(of: "]") ?? rest.endIndex
            let numbers = rest[..<end].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard numbers.count == 4, !rest[..<end].contains("[") else { throw failure() }
            lists.append(numbers)
            guard end < rest.endIndex else { return lists }
            guard rest[end...].hasPrefix("],[") else { throw failure() }
            rest = rest[end...].dropFirst(3)
        }
    }
}
