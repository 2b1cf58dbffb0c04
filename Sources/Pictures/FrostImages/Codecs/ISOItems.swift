#if AVIF || HEIC
    /// The items of an ISO file of pictures, AVIF or HEIC: the picture, the tiles and the alpha that belong to it, and everything else that a file can hold
    /// beside it: thumbnails, depths, gain maps, further pictures and texts. Frost uses only the picture, EXIF and XMP. The names
    /// of all others are for messages. A file whose boxes are malformed has no items here; the libraries refuse most of these.
    struct ISOItems {
        private struct Item {
            var id: Int
            var type: String
            /// The type of the content of an item of the type "mime".
            var content = ""
        }

        private var primary: Int?
        private var items: [Item] = []
        /// The references between items, by the names of their boxes.
        private var references: [(kind: String, from: Int, to: [Int])] = []

        /// The largest number of items that are looked at.
        private static let maximumCount = 1024

        init(_ file: [UInt8]) {
            for box in Self.boxes(file[...]) where box.name == "meta" && box.content.count >= 4 {
                for part in Self.boxes(box.content.dropFirst(4)) {
                    var bytes = Fields(part.content)
                    let version = bytes.number(1) ?? 0
                    _ = bytes.number(3)
                    switch part.name {
                    case "pitm": primary = bytes.number(version == 0 ? 2 : 4)
                    case "iinf":
                        _ = bytes.number(version == 0 ? 2 : 4)
                        for entry in Self.boxes(bytes.rest).prefix(Self.maximumCount) where entry.name == "infe" {
                            if let item = Self.item(entry.content) { items.append(item) }
                        }
                    case "iref":
                        for entry in Self.boxes(bytes.rest).prefix(Self.maximumCount) {
                            var fields = Fields(entry.content)
                            let size = version == 0 ? 2 : 4
                            guard let from = fields.number(size), let count = fields.number(2) else { continue }
                            let to = (0..<count).compactMap { _ in fields.number(size) }
                            references.append((entry.name, from, to))
                        }
                    default: break
                    }
                }
                // Only the first box counts.
                break
            }
        }

        /// The names of the items that are not used.
        ///
        /// - Parameter hasAlpha: whether one of the auxiliary items is the alpha of the picture.
        func leftOut(hasAlpha: Bool) -> [String] {
            guard let primary else { return [] }
            var used: Set<Int> = [primary]
            let auxiliary = references.filter { $0.kind == "auxl" && $0.to.contains(primary) }.map(\.from)
            // The libraries take the first one that is alpha. If there are others, one of them is named all the same.
            if hasAlpha, let alpha = auxiliary.first { used.insert(alpha) }
            for _ in 0..<2 {
                // The tiles of a picture, and those of its alpha.
                for reference in references where reference.kind == "dimg" && used.contains(reference.from) {
                    used.formUnion(reference.to)
                }
            }
            let isGainMap = Set(items.filter { $0.type == "tmap" }.map(\.id))
            return items.compactMap { item in
                if used.contains(item.id) || item.type == "Exif" { return nil }
                if item.type == "mime", item.content == "application/rdf+xml" { return nil }
                let name = PlainText.printable(item.type.utf8)
                if isGainMap.contains(item.id) { return "item \(name) (gain map)" }
                let kinds = references.filter { $0.from == item.id }.map(\.kind)
                if kinds.contains("thmb") { return "item \(name) (thumbnail)" }
                if kinds.contains("auxl") { return "item \(name) (auxiliary picture)" }
                return "item \(name)" + (item.type == "mime" ? " (\(PlainText.printable(item.content.utf8)))" : "")
            }
        }

        private static func item(_ entry: ArraySlice<UInt8>) -> Item? {
            var fields = Fields(entry)
            guard let version = fields.number(1), version >= 2, fields.number(3) != nil,
                let id = fields.number(version == 2 ? 2 : 4), fields.number(2) != nil, let type = fields.text(4)
            else { return nil }
            var item = Item(id: id, type: type)
            // The name of the item precedes the type of its content.
            if type == "mime" {
                let texts = fields.rest.split(separator: 0, omittingEmptySubsequences: false)
                item.content = texts.count > 1 ? String(decoding: texts[1], as: UTF8.self) : ""
            }
            return item
        }

        /// The boxes that lie one after the other in bytes.
        private static func boxes(_ bytes: ArraySlice<UInt8>) -> [(name: String, content: ArraySlice<UInt8>)] {
            var result: [(name: String, content: ArraySlice<UInt8>)] = []
            var rest = bytes
            while result.count < maximumCount {
                var fields = Fields(rest)
                guard var size = fields.number(4), let name = fields.text(4) else { break }
                var head = 8
                if size == 1 {
                    guard let high = fields.number(4), let low = fields.number(4), high < 1 << 16 else { break }
                    (size, head) = (high << 32 | low, 16)
                }
                if size == 0 { size = rest.count }
                guard size >= head, size <= rest.count else { break }
                result.append((name, rest.dropFirst(head).prefix(size - head)))
                rest = rest.dropFirst(size)
            }
            return result
        }

        /// Reads numbers and texts from bytes.
        private struct Fields {
            private(set) var rest: ArraySlice<UInt8>

            init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

            mutating func number(_ size: Int) -> Int? { take(size)?.reduce(0) { $0 << 8 | Int($1) } }

            mutating func text(_ size: Int) -> String? { take(size).map { String(decoding: $0, as: UTF8.self) } }

            private mutating func take(_ size: Int) -> ArraySlice<UInt8>? {
                guard rest.count >= size else { return nil }
                defer { rest = rest.dropFirst(size) }
                return rest.prefix(size)
            }
        }
    }
#endif
