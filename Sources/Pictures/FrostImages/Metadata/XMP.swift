/// Rebuilds XMP packets. A packet is an XML document with properties, each in the namespace of a schema. It may contain
/// thumbnails, further pictures and the histories of documents.
enum XMP {
    /// The largest packet that is read. Genuine packets without pictures have a few kilobytes.
    private static let maximumByteCount = 1 << 20
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let xml = "http://www.w3.org/XML/1998/namespace"
    private static let tiff = "http://ns.adobe.com/tiff/1.0/"

    /// The properties of a schema that are kept.
    private enum Kept {
        case all
        case only(Set<String>)
        case except(Set<String>)

        func contains(_ name: String) -> Bool {
            switch self {
            case .all: true
            case .only(let names): names.contains(name)
            case .except(let names): !names.contains(name)
            }
        }
    }

    /// The schemas that are kept, with their usual prefixes. None of the kept properties holds a picture, refers to another
    /// part of the file, or counts pixels.
    private static let schemas: [String: (prefix: String, kept: Kept)] = [
        "http://purl.org/dc/elements/1.1/": ("dc", .all),
        "http://ns.adobe.com/xap/1.0/": (
            "xmp",
            .only([
                "BaseURL", "CreateDate", "CreatorTool", "Identifier", "Label", "MetadataDate", "ModifyDate", "Nickname",
                "Rating",
            ])
        ),
        "http://ns.adobe.com/xap/1.0/rights/": ("xmpRights", .all),
        "http://ns.adobe.com/xap/1.0/mm/": (
            "xmpMM", .only(["DocumentID", "InstanceID", "OriginalDocumentID", "RenditionClass", "VersionID"])
        ),
        "http://ns.adobe.com/photoshop/1.0/": (
            "photoshop",
            .only([
                "AuthorsPosition", "CaptionWriter", "Category", "City", "Country", "Credit", "DateCreated", "Headline",
                "Instructions", "Source", "State", "SupplementalCategories", "TransmissionReference", "Urgency",
            ])
        ),
        tiff: (
            "tiff",
            .only([
                "Artist", "Copyright", "DateTime", "ImageDescription", "Make", "Model", "Orientation", "ResolutionUnit",
                "Software", "XResolution", "YResolution",
            ])
        ),
        "http://ns.adobe.com/exif/1.0/": (
            "exif",
            .except([
                "CFAPattern", "DeviceSettingDescription", "MakerNote", "NativeDigest", "OECF", "PixelXDimension",
                "PixelYDimension", "SpatialFrequencyResponse", "SubjectArea", "SubjectLocation",
            ])
        ),
        "http://ns.adobe.com/exif/1.0/aux/": ("aux", .all),
        "http://cipa.jp/exif/1.0/": ("exifEX", .all),
        "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": ("Iptc4xmpCore", .all),
        "http://creativecommons.org/ns#": ("cc", .all),
        "http://ns.adobe.com/lightroom/1.0/": ("lr", .only(["hierarchicalSubject", "weightedFlatSubject"])),
    ]

    /// Returns a new packet with the known and harmless properties of a packet, or nil if it has no such property. An orientation
    /// becomes 1, upright, because Frost turns the pixels.
    ///
    /// - Parameter leaveOut: receives the name of each part that is left out.
    static func rebuilt(_ bytes: [UInt8], leaveOut: (String) -> Void) -> [UInt8]? {
        guard bytes.count <= maximumByteCount, let root = XMLParser.root(of: bytes), let description = rdf(in: root)
        else {
            leaveOut("XMP that cannot be read")
            return nil
        }
        var properties: [XMLElement] = []
        for part in description.children where part.name.space == rdf && part.name.local == "Description" {
            // A property may be written as an attribute.
            for (name, value) in part.attributes where name.space != rdf && name.space != xml {
                properties.append(XMLElement(name: name, text: value))
            }
            properties += part.children
        }
        let kept = properties.compactMap { property -> XMLElement? in
            guard property.name.space != rdf else { return nil }
            return filtered(property, leaveOut)
        }
        return kept.isEmpty ? nil : packet(kept)
    }

    /// Finds the element `rdf:RDF`.
    private static func rdf(in element: XMLElement) -> XMLElement? {
        if element.name.space == rdf, element.name.local == "RDF" { return element }
        return element.children.lazy.compactMap { rdf(in: $0) }.first
    }

    /// Returns an element without the parts that are not kept; nil if the element itself is not kept, or if nothing of it
    /// remains.
    private static func filtered(_ element: XMLElement, _ leaveOut: (String) -> Void) -> XMLElement? {
        var result = element
        let isList =
            element.name.space == rdf
            && ["Alt", "Bag", "Description", "Seq", "li", "value"].contains(element.name.local)
        guard isList || isKept(element.name), PlainText.isPlain(element.text.unicodeScalars) else {
            leaveOut("XMP property \(shown(element.name))")
            return nil
        }
        result.attributes = element.attributes.filter { name, value in
            let isSyntax =
                name.space == xml && name.local == "lang"
                || name.space == rdf && (name.local == "parseType" && value == "Resource" || name.local == "resource")
            if (isSyntax || isKept(name)) && PlainText.isPlain(value.unicodeScalars) { return true }
            leaveOut("XMP property \(shown(name))")
            return false
        }
        result.children = element.children.compactMap { filtered($0, leaveOut) }
        if result.children.isEmpty {
            if element.name.space == tiff, element.name.local == "Orientation" { result.text = "1" }
        } else {
            // The space between the children.
            result.text = ""
        }
        let isEmpty = result.children.isEmpty && result.attributes.isEmpty && result.text.allSatisfy(\.isWhitespace)
        return isEmpty ? nil : result
    }

    private static func isKept(_ name: XMLElement.Name) -> Bool {
        // A name could hold bytes, too. The longest genuine ones have about 30 letters.
        name.local.utf8.count <= 64 && schemas[name.space]?.kept.contains(name.local) ?? false
    }

    private static func shown(_ name: XMLElement.Name) -> String {
        PlainText.printable("\(name.prefix):\(name.local)".utf8)
    }

    // MARK: Writing

    private static func packet(_ properties: [XMLElement]) -> [UInt8] {
        var text = "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
        text += "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(rdf)\"><rdf:Description rdf:about=\"\""
        for (space, schema) in schemas.sorted(by: { $0.value.prefix < $1.value.prefix })
        where properties.contains(where: { uses($0, space) }) {
            text += " xmlns:\(schema.prefix)=\"\(space)\""
        }
        text += ">" + properties.map(written).joined()
        text += "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
        return Array(text.utf8)
    }

    private static func uses(_ element: XMLElement, _ space: String) -> Bool {
        element.name.space == space || element.attributes.contains { $0.name.space == space }
            || element.children.contains { uses($0, space) }
    }

    private static func written(_ element: XMLElement) -> String {
        let name = written(element.name)
        let attributes = element.attributes.map { " \(written($0.name))=\"\(XMLElement.escaped($0.value))\"" }.joined()
        let content = XMLElement.escaped(element.text) + element.children.map(written).joined()
        return content.isEmpty ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(content)</\(name)>"
    }

    private static func written(_ name: XMLElement.Name) -> String {
        let prefix = name.space == rdf ? "rdf" : name.space == xml ? "xml" : schemas[name.space]?.prefix ?? ""
        return "\(prefix):\(name.local)"
    }
}
