import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests that the format of an input is recognised by the file's first bytes, and that the format of an output follows the
/// suffix of its name.
@Suite struct FormatTests {
    @Test("Each suffix names one format, in either case")
    func suffixes() {
        for format in ImageFormat.allCases {
            for suffix in format.traits.suffixes {
                #expect(ImageFormat(suffixOf: "a/b.c/d.\(suffix)") == format)
                #expect(ImageFormat(suffixOf: suffix.uppercased() + "." + suffix.uppercased()) == format)
            }
        }
        for path in ["", "png", ".png", "a.png/b", "a.", "a.pngx", "/"] { #expect(ImageFormat(suffixOf: path) == nil) }
        let all = ImageFormat.allCases.flatMap(\.traits.suffixes)
        #expect(Set(all).count == all.count)
    }

    static let foreign: [(String, [UInt8], String)] = [
        ("a.png", [0, 0, 1, 0], "it is an ICO; supported: "),
        ("a.jp2", [0, 0, 0, 12] + Array("jP  ".utf8), "it is a JPEG 2000"),
        ("a.psd", Array("8BPS".utf8), "it is a Photoshop file"),
        ("a.png", [], "the file is empty"), ("a.png", Array("hello".utf8), "unknown file type"),
        ("a.png", [0x89, 0x50, 0x4E, 0x47, 0x0A, 0, 0], "line endings were changed"),
    ]

    @Test("A file of a format that cannot be read is named in the error", arguments: foreign)
    func foreignFile(_ name: String, _ bytes: [UInt8], _ reason: String) {
        let error = imageError { _ = try ImageFile.read(bytes: bytes, name: name) }
        #expect(error?.kind == .unreadable)
        #expect(error?.description.hasPrefix("\(name): not a supported picture: ") == true)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("A file's format follows from its suffix; an unknown suffix is refused, and the file stays untouched")
    func writing() throws {
        let scratch = try Scratch()
        let image = DecodedImage(pixels: try TestImage.noise(5, 4, PixelFormat(.rgb)))
        try ImageFile.write(image, path: scratch.file("a.png"))
        #expect(try ImageFile.read(path: scratch.file("a.png")).pixels == image.pixels)
        scratch.write([1], to: "b.gif")
        #expect(
            imageError { try ImageFile.write(image, path: scratch.file("b.gif")) }
                == .unknownSuffix(path: scratch.file("b.gif")))
        #expect(scratch.read("b.gif") == [1])
    }

    @Test("What a format cannot hold is refused, or dropped if the options allow it")
    func floats() throws {
        let layout = try PixelLayout(width: 4, height: 1, format: PixelFormat(.grey, .f32))
        let values: [Float] = [0.5, -1, 2, .nan]
        let bytes = values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) } }
        let image = DecodedImage(pixels: try PixelBuffer(layout: layout, bytes: bytes))
        #expect(
            imageError { _ = try ImageFile.encode(image, as: .png) }
                == .cannotHold(path: "image", format: .png, what: "floats", remedy: "--depth 16 reduces them"))
        for (depth, expected) in [(8, [128, 0, 255, 0]), (16, [32768, 0, 65535, 0])] {
            let file = try ImageFile.encode(image, as: .png, options: ImageWriteOptions(depth: depth))
            #expect(try samples(of: ImageFile.read(bytes: file, name: "x").pixels) == expected)
        }
    }

    @Test("16 bits are rounded to 8 if that is asked for, and 8 bits stay")
    func depth() throws {
        let wide = DecodedImage(pixels: try TestImage.noise(61, 7, PixelFormat(.rgba, .u16)))
        let file = try ImageFile.encode(wide, as: .png, options: ImageWriteOptions(depth: 8))
        let found = try ImageFile.read(bytes: file, name: "x").pixels
        #expect(found.format.sample == .u8 && found.format.channels == .rgba)
        #expect(samples(of: found) == samples(of: wide.pixels).map { Int((Double($0) / 257).rounded()) })
        let narrow = DecodedImage(pixels: try TestImage.noise(9, 7, PixelFormat(.bgra)))
        #expect(
            try ImageFile.encode(narrow, as: .png, options: ImageWriteOptions(depth: 16))
                == ImageFile.encode(narrow, as: .png))
    }
}
