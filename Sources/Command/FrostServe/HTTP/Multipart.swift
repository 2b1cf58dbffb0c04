import CCommand
import Frost
package import FrostCLI
import FrostImages

/// The content of a form (multipart/form-data, RFC 7578): files, and options as text fields.
package struct Multipart {
    /// The files by the names of their fields.
    package private(set) var files: [String: [UInt8]] = [:]
    /// The text fields in their order.
    package private(set) var options: [RequestOption] = []

    /// The largest number of fields, and of the bytes of a field's header and of a text.
    private static let limit = (fields: 100, header: 4096, text: 4096)

    /// Returns the boundary that a Content-Type names.
    ///
    /// - Returns: nil if the type is not multipart/form-data, or has no valid boundary.
    package static func boundary(_ contentType: String) -> String? {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = parameters(of: contentType)["boundary"], (1...70).contains(boundary.utf8.count)
        else { return nil }
        return boundary
    }

    /// Parses a body.
    ///
    /// - Parameter names: the names of the files that the form may have.
    /// - Throws: ``Refusal`` if the body is not such a form, or has another file.
    package init(_ body: [UInt8], boundary: String, files names: [String]) throws(Refusal) {
        let mark = Array("--\(boundary)".utf8)
        guard var place = Self.find(mark, in: body, from: 0), place == 0 || body[place - 1] == 0x0A else {
            throw Self.damage("the boundary does not occur")
        }
        let delimiter = [0x0D, 0x0A] + mark
        for _ in 0...Self.limit.fields {
            place += mark.count
            if body[place...].starts(with: [0x2D, 0x2D]) { return }
            guard let start = Self.lineEnd(body, place), let end = Self.find(delimiter, in: body, from: start - 2)
            else {
                throw Self.damage("the last field is not complete")
            }
            try add(body, start, end, names)
            place = end + 2
        }
        throw Self.damage("more than \(Self.limit.fields) fields")
    }

    /// Adds a field.
    ///
    /// - Parameters:
    ///   - start: where its header begins.
    ///   - end: where the delimiter behind it begins; at least `start - 2`.
    ///   - names: the names of the files that the form may have.
    private mutating func add(_ body: [UInt8], _ start: Int, _ end: Int, _ names: [String]) throws(Refusal) {
        guard end >= start, let gap = Self.find([13, 10, 13, 10], in: body, from: start - 2), gap + 4 <= end,
            gap - start <= Self.limit.header
        else { throw Self.damage("a field has no header") }
        let lines = String(decoding: body[min(start, gap)..<gap], as: UTF8.self).split(separator: "\r\n")
        let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }
        let parameters = disposition.map { Self.parameters(of: String($0)) } ?? [:]
        guard let name = parameters["name"] else { throw Self.damage("a field has no name") }
        let content = body[gap + 4..<end]
        if parameters["filename"] != nil || names.contains(name) {
            guard names.contains(name) else {
                throw Refusal(
                    400, "bad-form",
                    "unknown file \(name.shownName); a form has \(ImageFormat.list(names, "and"))")
            }
            guard files.updateValue(Array(content), forKey: name) == nil else {
                throw Self.damage("two fields have the name \(name)")
            }
        } else {
            guard content.count <= Self.limit.text, let text = String(validating: content, as: UTF8.self) else {
                throw Self.damage("the field \(name) is not a short text")
            }
            options.append(RequestOption(name, text))
        }
    }

    /// Returns the place behind a line feed, if nothing but spaces comes before it.
    private static func lineEnd(_ body: [UInt8], _ place: Int) -> Int? {
        let rest = body[place...].drop { $0 == 0x20 || $0 == 0x09 }
        return rest.starts(with: [0x0D, 0x0A]) ? rest.startIndex + 2 : nil
    }

    /// Searches the body for a part, from `start` on. Returns the place where the part begins; nil if it does not occur.
    private static func find(_ part: [UInt8], in body: [UInt8], from start: Int) -> Int? {
        guard start >= 0, start <= body.count else { return nil }
        // SAFETY: both ranges lie within their arrays. The result is null or a place in the body.
        return unsafe body.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress else { return nil }
            return unsafe frost_find(base + start, body.count - start, part, part.count).map { unsafe $0 - base }
        }
    }

    /// Returns the parameters of a header field, with names in small letters: `name="picture"; filename=a.png`.
    private static func parameters(of field: String) -> [String: String] {
        var result: [String: String] = [:]
        var rest = field.unicodeScalars.drop { $0 != ";" }
        while rest.popFirst() != nil {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            let name = String(rest.prefix { $0 != "=" && $0 != ";" }).lowercased()
            rest = rest.drop { $0 != "=" && $0 != ";" }
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            var value = String.UnicodeScalarView()
            if rest.first == "\"" {
                rest.removeFirst()
                while let scalar = rest.popFirst(), scalar != "\"" {
                    value.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
                }
                rest = rest.drop { $0 != ";" }
            } else {
                value.append(contentsOf: rest.prefix { $0 != ";" && $0 != " " })
                rest = rest.drop { $0 != ";" }
            }
            if result[name] == nil { result[name] = String(value) }
        }
        return result
    }

    private static func damage(_ reason: String) -> Refusal {
        Refusal(400, "bad-form", "the form is damaged: \(reason)")
    }
}
