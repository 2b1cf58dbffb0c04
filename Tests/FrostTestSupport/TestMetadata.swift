/// Metadata for tests, as readers store them. So they come back unchanged.
public enum TestMetadata {
    /// An EXIF block that states the upright orientation.
    public static let exif: [UInt8] =
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]

    /// An XMP packet with a description and a title.
    public static let xmp = xmp(
        "<dc:description>A &lt;lake&gt;</dc:description><dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">Calm</rdf:li>"
            + "</rdf:Alt></dc:title>")

    /// Returns an XMP packet.
    ///
    /// - Parameters:
    ///   - properties: the elements of the properties.
    ///   - schemas: the prefixes and the namespaces of their schemas, in alphabetical order.
    public static func xmp(
        _ properties: String, schemas: [(prefix: String, space: String)] = [("dc", "http://purl.org/dc/elements/1.1/")]
    ) -> [UInt8] {
        let spaces = schemas.map { " xmlns:\($0.prefix)=\"\($0.space)\"" }.joined()
        return Array(
            ("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
                + "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\"\(spaces)>\(properties)"
                + "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>").utf8)
    }
}
