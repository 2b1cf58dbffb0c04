import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// A file can hold pictures besides its own: thumbnails, gain maps, previews of editors. They show what the picture was
/// before Frost changed it, so none of them may reach an output.
@Suite struct HiddenPictureTests {
    private static let hidden = Result { try HiddenPictures() }
    private static let carriers = (try? hidden.get().carriers) ?? []

    @Test("The carriers hold a picture that the scanner finds", arguments: carriers)
    func comparator(_ carrier: HiddenPictures.Carrier) throws {
        let scanner = try Self.hidden.get().scanner
        // JPEG XL and PNG compress profiles, and some texts are compressed.
        let isPacked = carrier.name.hasPrefix("jxl profile") || carrier.name.hasPrefix("png profile")
        #expect(isPacked || !scanner.findings(in: carrier.file).isEmpty)
    }

    @Test("No picture besides its own reaches an output, whatever is kept", arguments: carriers)
    func table(_ carrier: HiddenPictures.Carrier) throws {
        let scanner = try Self.hidden.get().scanner
        let problems = ReadProblems()
        let reader = try ImageReader(bytes: carrier.file, name: "x", problems: problems)
        let image = try reader.readImage()
        // Bytes of an EXIF block that no tag refers to have no name.
        #expect(!problems.leftOut.isEmpty || carrier.name.hasSuffix("no entry at all"), "nothing was named")
        let metadata = image.metadata
        for block in [metadata.exif, metadata.xmp, metadata.iccProfile?.bytes].compactMap({ $0 }) + metadata.comments
            + metadata.texts.map(\.bytes)
        {
            #expect(scanner.findings(in: block, isFile: false) == [])
        }
        let isGrey = image.pixels.format.channels == .grey
        for format in ImageFormat.allCases where format.traits.samples.contains(.u8) && (isGrey || format != .pgm) {
            // By default, only the profile is kept.
            for policy in carrier.name.contains("profile") ? [MetadataPolicy.all, .color] : [.all] {
                // A profile for grey does not fit a format of colours.
                guard !isGrey || metadata.iccProfile == nil || format.traits.channels.contains(.grey) else { continue }
                let file = try ImageFile.encode(image, as: format, options: ImageWriteOptions(keep: policy))
                #expect(scanner.findings(in: file) == [], "\(format) \(policy)")
            }
        }
    }

    @Test("The picture of a carrier is unchanged, but upright")
    func pixels() throws {
        #expect(Self.carriers.count > 300)
        for carrier in Self.carriers where carrier.name.hasPrefix("png EXIF") {
            let image = try ImageFile.read(bytes: carrier.file, name: "x")
            let plain = try Sample.smooth(24, 18, PixelFormat(.rgb))
            #expect(image.pixels.width == 18 && image.pixels.height == 24)
            // The orientation 6 means that the first column of the upright picture is the last row of the stored one.
            #expect(Array(image.pixels.bytes[..<3]) == Array(plain.bytes[(17 * 24 * 3)...].prefix(3)))
        }
    }
}

/// What is not a picture stays.
@Suite struct KeptMetadataTests {
    private func exif(_ bytes: [UInt8]) throws -> (rebuilt: [UInt8]?, leftOut: [String]) {
        var names: [String] = []
        return (try #require(EXIF(bytes)).rebuilt { names.append($0) }, names)
    }

    @Test("Known tags of EXIF keep their values, and a rebuilt block does not change again", arguments: [true, false])
    func knownTags(_ isLittle: Bool) throws {
        var made = TestEXIF(isLittle: isLittle)
        let rational = made.number(1, 4) + made.number(250, 4)
        let gps = made.directory([
            made.bytes(1, Array("N\0".utf8), type: 2), (2, 5, 3, rational + rational + rational),
            made.bytes(0x1D, Array("2026:01:02\0".utf8), type: 2),
        ])
        let photo = made.directory([
            (0x829A, 5, 1, rational), made.short(0x8827, 400), made.bytes(0x9000, Array("0232".utf8)),
            made.bytes(0x9286, Array("ASCII\0\0\0by hand".utf8)),
            made.bytes(0x9003, Array("2026:01:02 03:04:05\0".utf8), type: 2),
        ])
        let block = made.block([
            made.bytes(0x010E, Array("A lake\0".utf8), type: 2), made.bytes(0x010F, Array("Maker\0".utf8), type: 2),
            made.short(0x0112, 6), made.long(0x8769, photo), made.long(0x8825, gps),
            made.bytes(0x8298, Array("A\0B\0".utf8), type: 2),
        ])
        let (rebuilt, leftOut) = try exif(block)
        let bytes = try #require(rebuilt)
        #expect(leftOut == [] && EXIF(bytes)?.orientation == .upright)
        // AVIF and WebP files of some programs have the prefix that belongs to JPEG.
        var metadata = ImageMetadata()
        #expect(metadata.take(exif: Array("Exif\0\0".utf8) + block, ReadProblems()) == EXIF(block)?.orientation)
        #expect(metadata.exif == rebuilt)
        for part in ["A lake\0", "Maker\0", "A\0B\0", "0232", "by hand", "2026:01:02\0", "2026:01:02 03:04:05\0"] {
            #expect(bytes.indices.contains { bytes[$0...].starts(with: part.utf8) }, "\(part)")
        }
        #expect(bytes.indices.filter { bytes[$0...].starts(with: rational) }.count == 4)
        #expect(try exif(bytes).rebuilt == bytes)
    }

    @Test("The densities are those of the upright picture", arguments: 1...8)
    func densities(_ value: Int) throws {
        var made = TestEXIF(isLittle: true)
        let tags = [0x011A, 0x011B, 0xA20E, 0xA20F]
        let entries = tags.enumerated().map { made.short($1, $0 + 3) }
        let photo = made.directory(Array(entries[2...]))
        let block = made.block([made.short(0x0112, value), entries[0], entries[1], made.long(0x8769, photo)])
        let bytes = try #require(exif(block).rebuilt)
        for (tag, number) in zip(tags, value >= 5 ? [4, 3, 6, 5] : [3, 4, 5, 6]) {
            let entry = made.number(tag, 2) + made.number(3, 2) + made.number(1, 4) + made.number(number, 4)
            #expect(bytes.indices.contains { bytes[$0...].starts(with: entry) }, "\(tag)")
        }
    }

    @Test("Any block gives a block that does not change again, whatever its bytes")
    func randomBlocks() throws {
        var random = SeededGenerator(seed: 45)
        let pictures = try HiddenPictures()
        let (secret, scanner) = (pictures.secret, pictures.scanner)
        for (_, block) in TestEXIF.carriers(secret, isLittle: true) {
            for _ in 0..<100 {
                var bytes = block
                for _ in 0..<3 {
                    bytes[Int.random(in: 8..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                guard let rebuilt = try exif(bytes).rebuilt else { continue }
                #expect(scanner.findings(in: rebuilt, isFile: false) == [])
                #expect(try exif(rebuilt).rebuilt == rebuilt)
            }
        }
    }

    @Test("Known properties of XMP stay, an orientation becomes upright, and a rebuilt packet does not change again")
    func xmp() throws {
        var names: [String] = []
        func rebuilt(_ text: String) -> String? {
            names = []
            return XMP.rebuilt(Array(text.utf8)) { names.append($0) }.map { String(decoding: $0, as: UTF8.self) }
        }
        let text = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <r:Description r:about="" xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation="6" t:Make='A &quot;&#x42;&quot;'
              xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/" h:Version="1.0"/>
            <!-- a comment -->
            <r:Description xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:e="http://ns.adobe.com/exif/1.0/">
            <d:subject><r:Bag><r:li>lake &amp; sky</r:li><r:li xml:lang="de">See</r:li></r:Bag></d:subject>
            <e:Flash r:parseType="Resource"><e:Fired>False</e:Fired></e:Flash>
            </r:Description></r:RDF></x:xmpmeta>
            """
        let packet = try #require(rebuilt(text))
        #expect(names == ["XMP property h:Version"])
        for part in [
            "<tiff:Orientation>1</tiff:Orientation>", "<tiff:Make>A &quot;B&quot;</tiff:Make>",
            "<dc:subject><rdf:Bag><rdf:li>lake &amp; sky</rdf:li><rdf:li xml:lang=\"de\">See</rdf:li></rdf:Bag></dc:subject>",
            "<exif:Flash rdf:parseType=\"Resource\"><exif:Fired>False</exif:Fired></exif:Flash>",
        ] {
            #expect(packet.contains(part), "\(part)")
        }
        #expect(rebuilt(packet) == packet && names == [])
        #expect(TestMetadata.xmp == Array(rebuilt(String(decoding: TestMetadata.xmp, as: UTF8.self))!.utf8))
        for broken in ["", "<a>", "<a></b>", "<!DOCTYPE a><a/>", "<a b=c/>", "<a>&b;</a>", "<a/>"] {
            #expect(rebuilt(broken) == nil && names == ["XMP that cannot be read"], "\(broken)")
        }
    }

    @Test("Texts of PNG with known keywords stay, without compression")
    func texts() throws {
        let plain = try Sample.files(.png)[0]
        func read(_ chunk: String, _ content: [UInt8]) throws -> [PNGText] {
            let file = Array(plain[..<33]) + TestPNG.chunk(chunk, content) + plain[33...]
            return try ImageFile.read(bytes: file, name: "x").metadata.texts
        }
        let title = PNGText(chunk: "tEXt", bytes: Array("Title\0A lake".utf8))
        #expect(try read("tEXt", title.bytes) == [title])
        #expect(try read("zTXt", Array("Title\0\0".utf8) + zlibStored(Array("A lake".utf8))) == [title])
        let long = PNGText(chunk: "iTXt", bytes: Array("Author\0\0\0\0\0Zoë".utf8))
        #expect(try read("iTXt", long.bytes) == [long])
        #expect(try read("iTXt", Array("Author\0\u{1}\0en\0x\0".utf8) + zlibStored(Array("Zoë".utf8))) == [long])
        let time: [UInt8] = [7, 0xEA, 1, 2, 3, 4, 5]
        #expect(try read("tIME", time) == [PNGText(chunk: "tIME", bytes: time)])
        #expect(try read("zTXt", Array("Title\0\0damaged".utf8)) == [])
        // A file of many texts that are large after decompression takes little time.
        let many = TestPNG.chunk("zTXt", Array("Title\0\0".utf8) + zlibStored(Array("A lake".utf8)))
        let file = Array(plain[..<33]) + (0..<100).flatMap { _ in many } + plain[33...]
        #expect(try ImageFile.read(bytes: file, name: "x").metadata.texts.count == 32)
    }

    @Test("The orientation of a PNG is applied to all kinds of pixels", arguments: 1...8)
    func orientations(_ value: Int) throws {
        let formats = [PixelFormat(.grey), PixelFormat(.rgba), PixelFormat(.rgb, .u16)]
        for format in formats {
            let stored = try TestImage.noise(7, 5, format)
            var metadata = ImageMetadata()
            metadata.exif = Sample.exif(orientation: UInt8(value))
            metadata.pixelDensity = PixelDensity(x: 3000, y: 6000, unit: .perMetre)
            let image = DecodedImage(pixels: stored, metadata: metadata)
            let found = try PNG.read(bytes: PNG.encode(image), name: "x")
            // JPEG's reader has the same transform, which its tests compare with a definition.
            let orientation = try #require(Orientation(rawValue: value))
            let layout = try orientation.turned(stored.layout, name: "x")
            #expect(found.pixels.bytes == orientation.upright(stored, layout).bytes)
            #expect(found.pixels.width == (value >= 5 ? 5 : 7))
            #expect(found.metadata.pixelDensity?.x == (value >= 5 ? 6000 : 3000))
            #expect(found.metadata.pixelDensity?.y == (value >= 5 ? 3000 : 6000))
            #expect(found.metadata.exif.flatMap { EXIF($0) }?.orientation == .upright)
            // Row by row.
            var reader = try ImageReader(bytes: PNG.encode(image), name: "x")
            #expect(try reader.readRows(reader.layout.height) == found.pixels.bytes)
        }
    }
}
