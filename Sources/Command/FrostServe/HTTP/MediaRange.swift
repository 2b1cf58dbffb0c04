import Frost
package import FrostImages

/// A media type or a range of them, as the header Accept lists them.
struct MediaRange: Equatable {
    let type, subtype: String
    /// The weight, 0 to 1; 0 refuses the type.
    let quality: Double

    /// Returns the ranges of a header. Elements that are not valid are left out.
    static func list(_ header: String) -> [MediaRange] {
        header.split(separator: ",").compactMap { MediaRange(String($0)) }
    }

    private init?(_ element: String) {
        let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        let names = parts.first?.split(separator: "/", omittingEmptySubsequences: false).map(String.init) ?? []
        guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty, names[0] != "*" || names[1] == "*" else {
            return nil
        }
        (type, subtype) = (names[0], names[1])
        guard let weight = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else {
            quality = 1
            return
        }
        guard let value = Double(weight.dropFirst(2)), (0...1).contains(value) else { return nil }
        quality = value
    }

    /// How closely the range matches a type: 2 for its name, 1 for "image/*", 0 for "*/*"; nil if it does not match.
    func match(_ name: String) -> Int? {
        if "\(type)/\(subtype)" == name { return 2 }
        guard subtype == "*" else { return nil }
        return type == "*" ? 0 : name.hasPrefix("\(type)/") ? 1 : nil
    }
}

/// The formats that a client accepts for a result.
package struct AcceptedFormats: Sendable, Equatable {
    /// Formats of the same weight, in the order in which the server prefers them.
    private struct Group: Equatable {
        /// The formats that the header names.
        var named: [ImageFormat] = []
        /// The formats that are accepted only by a range such as "image/*".
        var others: [ImageFormat] = []
    }
    /// The groups, that of the highest weight first.
    private let groups: [Group]

    /// The formats in the order in which the server prefers them, if the client has no preference: those that most programs
    /// read, and that are quick to write, first.
    private static let preference: [ImageFormat] = {
        let first: [ImageFormat] = [.webp, .jpeg, .png, .avif, .jxl, .tiff]
        return first.filter(ImageFormat.allCases.contains) + ImageFormat.allCases.filter { !first.contains($0) }
    }()

    /// - Parameters:
    ///   - accept: the value of the header; nil if the request has none.
    ///   - allowed: the formats that the server writes.
    package init(_ accept: String?, allowed: Set<ImageFormat>) {
        let ranges = MediaRange.list(accept ?? "*/*")
        var groups: [Double: Group] = [:]
        for format in Self.preference where allowed.contains(format) {
            // Of the ranges that match a type, the most specific one decides.
            let matches = ranges.compactMap { range in range.match(format.mediaType).map { ($0, range.quality) } }
            guard let (match, quality) = matches.max(by: { $0.0 < $1.0 }), quality > 0 else { continue }
            if match == 2 {
                groups[quality, default: Group()].named.append(format)
            } else {
                groups[quality, default: Group()].others.append(format)
            }
        }
        self.groups = groups.sorted { $0.key > $1.key }.map(\.value)
    }

    /// Whether the client accepts none of the formats.
    package var isEmpty: Bool { groups.isEmpty }

    /// Returns the format of the result; nil if the client accepts none.
    ///
    /// - Parameters:
    ///   - source: the format that a result has without a choice.
    ///   - holds: whether a format can hold the picture.
    package func choice(source: ImageFormat, holds: (ImageFormat) -> Bool) -> ImageFormat? {
        for group in groups {
            if let format = group.named.first(where: holds) { return format }
            if group.others.contains(source), holds(source) { return source }
            if let format = group.others.first(where: holds) { return format }
        }
        // The error of the writer says what the format cannot hold.
        return groups.first.flatMap { $0.named.first ?? $0.others.first }
    }

    /// A text that is equal if all choices are equal.
    package var key: String {
        groups.map { "\($0.named.map(\.rawValue))\($0.others.map(\.rawValue))" }.joined(separator: ";")
    }
}
