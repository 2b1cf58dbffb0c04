import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// Makes files that hold a second picture besides their own, in every way that is known.
struct HiddenPictures {
    /// A file with a hidden picture.
    struct Carrier: CustomTestStringConvertible {
        let name: String
        let file: [UInt8]
        var testDescription: String { name }
    }

    /// The hidden picture, a JPEG.
    let secret: [UInt8]
    /// Finds the hidden picture.
    let scanner: PictureScanner
    private let pixels: PixelBuffer

    init() throws {
        let noise = try TestImage.noise(24, 18, PixelFormat(.rgb))
        let secret = try ImageFile.encode(DecodedImage(pixels: noise), as: .jpeg)
        let scan = secret.indices.dropLast().last { secret[$0] == 0xFF && secret[$0 + 1] == 0xDA } ?? 0
        self.secret = secret
        scanner = PictureScanner(secret: secret, from: scan)
        pixels = try Sample.smooth(24, 18, PixelFormat(.rgb))
    }

    /// All files.
    var carriers: [Carrier] {
        get throws { try metadata + jpeg + png + webp + tiff + boxes }
    }

    /// Encodes the picture with metadata. Writers write what they get.
    private func encoded(_ format: ImageFormat, _ change: (inout ImageMetadata) -> Void = { _ in }) throws -> [UInt8] {
        var metadata = ImageMetadata()
        change(&metadata)
        return try ImageFile.encode(DecodedImage(pixels: pixels, metadata: metadata), as: format)
    }

    // MARK: EXIF, XMP and profiles, in every format that holds them

    private var metadata: [Carrier] {
        get throws {
            var all: [Carrier] = []
            for format in ImageFormat.allCases {
                let kinds = format.traits.metadata
                for isLittle in [true, false] where kinds.contains(.exif) {
                    for (name, block) in TestEXIF.carriers(secret, isLittle: isLittle) {
                        all.append(
                            Carrier(name: "\(format) EXIF \(name)", file: try encoded(format) { $0.exif = block }))
                    }
                }
                for (name, packet) in packets where kinds.contains(.xmp) {
                    all.append(Carrier(name: "\(format) XMP \(name)", file: try encoded(format) { $0.xmp = packet }))
                }
                for (name, profile) in profiles where kinds.contains(.profile) {
                    let file = try encoded(format) { $0.iccProfile = ICCProfile(bytes: profile) }
                    all.append(Carrier(name: "\(format) profile \(name)", file: file))
                }
            }
            return all
        }
    }

    private var packets: [(name: String, packet: [UInt8])] {
        let text = base64(secret)
        let image = "<xmpGImg:image>\(text)</xmpGImg:image>"
        let item = "<rdf:li rdf:parseType=\"Resource\"><xmpGImg:format>JPEG</xmpGImg:format>\(image)</rdf:li>"
        let properties: [(String, String)] = [
            ("thumbnails", "<xmp:Thumbnails><rdf:Alt>\(item)</rdf:Alt></xmp:Thumbnails>"),
            ("page thumbnails", "<xmpTPg:PageImage><rdf:Seq>\(item)</rdf:Seq></xmpTPg:PageImage>"),
            ("inside a title", "<dc:title><rdf:Alt>\(item)</rdf:Alt></dc:title>"),
            ("a picture by Google", "<GImage:Mime>image/jpeg</GImage:Mime><GImage:Data>\(text)</GImage:Data>"),
            ("a depth map", "<GDepth:Data>\(text)</GDepth:Data>"),
            ("a description", "<dc:description>\(text)</dc:description>"),
            ("a description in CDATA", "<dc:description><![CDATA[\(text)]]></dc:description>"),
            ("a description in digits", "<dc:description>\(hexadecimal(secret))</dc:description>"),
            ("a literal", "<dc:source rdf:parseType=\"Literal\"><b>\(text)</b></dc:source>"),
            ("an attribute", "<dc:source dc:format=\"\(text)\"/>"),
            ("an unknown schema", "<own:data>\(text)</own:data>"),
            ("a maker's note", "<exif:MakerNote>\(text)</exif:MakerNote>"),
        ]
        let schemas = [
            ("dc", "http://purl.org/dc/elements/1.1/"), ("exif", "http://ns.adobe.com/exif/1.0/"),
            ("GDepth", "http://ns.google.com/photos/1.0/depthmap/"),
            ("GImage", "http://ns.google.com/photos/1.0/image/"),
            ("own", "http://example.com/"), ("xmp", "http://ns.adobe.com/xap/1.0/"),
            ("xmpGImg", "http://ns.adobe.com/xap/1.0/g/img/"), ("xmpTPg", "http://ns.adobe.com/xap/1.0/t/pg/"),
        ]
        return properties.map { ($0, TestMetadata.xmp($1, schemas: schemas)) }
    }

    /// Profiles that hold the picture in places that no reader of colours looks at.
    private var profiles: [(name: String, bytes: [UInt8])] {
        let plain = TestProfile.bytes()
        let count = plain[128..<132].reduce(0) { $0 << 8 | Int($1) }
        let padded = secret + [UInt8](repeating: 0, count: -secret.count & 3)
        /// Moves all elements by 12 bytes, to make room for an entry of a tag at the end of the table.
        func adding(_ entry: [UInt8], _ content: [UInt8]) -> [UInt8] {
            var head = Array(plain[..<(132 + 12 * count)])
            for i in 0..<count {
                let at = 136 + 12 * i
                let moved = head[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } + 12
                head.replaceSubrange(at..<at + 4, with: bigEndian(moved, 4))
            }
            head.replaceSubrange(128..<132, with: bigEndian(count + 1, 4))
            let result = head + entry + plain[(132 + 12 * count)...] + content
            return bigEndian(result.count, 4) + result[4...]
        }
        func entry(_ name: String, _ size: Int) -> [UInt8] {
            Array(name.utf8) + bigEndian(plain.count + 12, 4) + bigEndian(size, 4)
        }
        let data = Array("data\0\0\0\0\0\0\0\u{1}".utf8) + padded
        let curve = Array("curv\0\0\0\0\0\0\0\0".utf8) + padded
        let text = Array("text\0\0\0\0a\0\0\0".utf8) + padded
        return [
            ("private tag", adding(entry("abcd", data.count), data)),
            ("known tag of an unknown type", adding(entry("gamt", data.count), data)),
            ("bytes after a curve", adding(entry("kTRC", curve.count), curve)),
            ("bytes after a text", adding(entry("dmnd", text.count), text)),
            ("bytes without a tag", adding(entry("dmnd", 12), Array("text\0\0\0\0a\0\0\0".utf8) + padded)),
        ]
    }

    // MARK: Segments, chunks, tags and boxes

    private var jpeg: [Carrier] {
        get throws {
            let plain = try encoded(.jpeg)
            func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
                [0xFF, marker] + bigEndian(content.count + 2, 2) + content
            }
            let segments: [(String, UInt8, [UInt8])] = [
                ("JFXX", 0xE0, Array("JFXX\0".utf8) + [0x10] + secret),
                (
                    "JFIF thumbnail", 0xE0,
                    Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 16, 12] + secret.suffix(576)
                ),
                (
                    "extended XMP", 0xE1,
                    Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 65, count: 40)
                        + base64(secret).utf8
                ),
                ("second EXIF", 0xE1, Array("Exif\0\0".utf8) + TestEXIF.carriers(secret, isLittle: true)[1].block),
                ("MPF", 0xE2, Array("MPF\0".utf8) + secret), ("FPXR", 0xE2, Array("FPXR\0".utf8) + secret),
                ("gain map", 0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + secret),
                ("JUMBF", 0xEB, Array("JP\0\0".utf8) + secret), ("Ducky", 0xEC, Array("Ducky".utf8) + secret),
                (
                    "APP13", 0xED,
                    Array("Photoshop 3.0\08BIM".utf8) + [4, 12, 0, 0] + bigEndian(secret.count, 4) + secret
                ),
                ("APP15", 0xEF, secret), ("comment", 0xFE, secret),
                ("comment in base64", 0xFE, Array(base64(secret).utf8)),
            ]
            let inserted = segments.map { name, marker, content in
                Carrier(name: "jpeg \(name)", file: Array(plain[..<2]) + segment(marker, content) + plain[2...])
            }
            return inserted + [Carrier(name: "jpeg after EOI", file: plain + secret)]
        }
    }

    private var png: [Carrier] {
        get throws {
            let plain = try encoded(.png)
            let exif = TestEXIF.carriers(secret, isLittle: true)[1].block
            let raw = Array("\nexif\n\(exif.count)\n".utf8) + hexadecimal(exif).utf8
            let xmp = packets[0].packet
            let chunks: [(String, String, [UInt8])] = [
                ("raw profile", "tEXt", Array("Raw profile type exif\0".utf8) + raw),
                ("compressed raw profile", "zTXt", Array("Raw profile type APP1\0\0".utf8) + zlibStored(raw)),
                ("comment in base64", "tEXt", Array("Comment\0".utf8) + base64(secret).utf8),
                ("compressed comment", "zTXt", Array("Comment\0\0".utf8) + zlibStored(secret)),
                ("bytes after a compressed comment", "zTXt", Array("Comment\0\0".utf8) + zlibStored([65]) + secret),
                ("compressed XMP", "iTXt", Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + zlibStored(xmp)),
                ("language of a text", "iTXt", Array("Title\0\0\0".utf8) + base64(secret).utf8 + Array("\0\0a".utf8)),
                ("unknown text", "iTXt", Array("thumbnail\0\0\0\0\0".utf8) + base64(secret).utf8),
                ("time", "tIME", secret), ("private chunk", "prVt", secret), ("thumbnail chunk", "tHUM", secret),
                ("manifest", "caBX", secret), ("suggested palette", "sPLT", Array("a\0\u{8}".utf8) + secret),
            ]
            var all = chunks.map { name, type, content in
                Carrier(name: "png \(name)", file: Array(plain[..<33]) + TestPNG.chunk(type, content) + plain[33...])
            }
            let end = plain.count - 12
            for (name, type) in [("late private chunk", "prVt"), ("late EXIF", "eXIf"), ("late text", "tEXt")] {
                let file = Array(plain[..<end]) + TestPNG.chunk(type, type == "eXIf" ? exif : secret) + plain[end...]
                all.append(Carrier(name: "png \(name)", file: file))
            }
            return all + [Carrier(name: "png after IEND", file: plain + secret)]
        }
    }

    private var webp: [Carrier] {
        get throws {
            let plain = try encoded(.webp) { $0.xmp = TestMetadata.xmp }
            let chunk =
                Array("thmb".utf8) + bigEndian(secret.count, 4).reversed() + secret + (secret.count % 2 == 1 ? [0] : [])
            let whole = plain + chunk
            let size = Array(bigEndian(whole.count - 8, 4).reversed())
            return [
                Carrier(name: "webp chunk", file: Array(whole[..<4]) + size + whole[8...]),
                Carrier(name: "webp after the end", file: plain + secret),
            ]
        }
    }

    private var tiff: [Carrier] {
        guard ImageFormat.tiff.isBuilt else { return [] }
        let values = secret.map { Int($0) }
        func page(_ more: [(tag: Int, type: Int, values: [Int])]) -> TestTIFF {
            TestTIFF(width: 4, height: 2, pieces: [[UInt8](repeating: 128, count: 8)], more: more)
        }
        // TestTIFF has 32-bit numbers, whose low bytes are those of the secret, and it has no bytes.
        let words = stride(from: 0, to: secret.count - 3, by: 4).map { i in
            (0..<4).reduce(0) { $0 | values[i + $1] << (8 * $1) }
        }
        var all = [33723, 34377, 37724, 34665, 330, 65000, 50341].map { tag in
            Carrier(name: "tiff tag \(tag)", file: TestTIFF.file([page([(tag, 4, words)])]))
        }
        var copy = page([(TestTIFF.subfileType, 4, [1])])
        copy.pieces = [secret]
        (copy.width, copy.height) = (secret.count, 1)
        all.append(Carrier(name: "tiff reduced copy", file: TestTIFF.file([page([]), copy])))
        return all
    }

    private var boxes: [Carrier] {
        get throws {
            var all: [Carrier] = []
            for format in [ImageFormat.avif, .jxl] where format.isBuilt {
                let plain = try encoded(format) { $0.exif = TestMetadata.exif }
                for name in ["free", "skip", "uuid", "jumb"] {
                    let box = bigEndian(secret.count + 8, 4) + Array(name.utf8) + secret
                    all.append(Carrier(name: "\(format) box \(name)", file: plain + box))
                }
            }
            return all
        }
    }
}
