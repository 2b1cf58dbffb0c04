import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests TIFF files that use the features of the format that other programs use.
@Suite(.enabled(if: ImageFormat.tiff.isBuilt, "built without TIFF")) struct TIFFTests {
    private func read(_ page: TestTIFF, isLittle: Bool = true) throws -> DecodedImage {
        try ImageFile.read(bytes: TestTIFF.file([page], isLittle: isLittle), name: "x")
    }

    private func refusal(_ page: TestTIFF, firstFrame: Bool = false) -> ImageError? {
        imageError {
            _ = try ImageFile.read(
                bytes: TestTIFF.file([page]), name: "x", options: ImageReadOptions(firstFrame: firstFrame))
        }
    }

    @Test(
        "Samples of 1 to 16 bits are scaled to 8 or 16, whether 0 is black or white",
        arguments: [true, false])
    func depths(isLittle: Bool) throws {
        // The first row has the bits 1, 0, 1, and the second row has the bits 0, 1, 1.
        var page = TestTIFF(width: 3, height: 2, bits: 1, pieces: [[0b1010_0000, 0b0110_0000]])
        #expect(try read(page, isLittle: isLittle).pixels.bytes == [255, 0, 255, 0, 255, 255])
        page.photometric = 0
        #expect(try read(page, isLittle: isLittle).pixels.bytes == [0, 255, 0, 255, 0, 0])
        page = TestTIFF(width: 3, height: 1, bits: 4, pieces: [[0x0F, 0x70]])
        #expect(try read(page, isLittle: isLittle).pixels.bytes == [0, 255, 119])
        page = TestTIFF(width: 2, height: 1, bits: 12, pieces: [[0xFF, 0xF8, 0x00]])
        #expect(try samples(of: read(page, isLittle: isLittle).pixels) == [65535, 32776])
        let wide: [UInt8] = isLittle ? [0x34, 0x12] : [0x12, 0x34]
        page = TestTIFF(width: 1, height: 1, bits: 16, pieces: [wide])
        #expect(try samples(of: read(page, isLittle: isLittle).pixels) == [0x1234])
    }

    @Test("A palette's colours come out with the bits they have")
    func palettes() throws {
        var page = TestTIFF(width: 2, height: 1, bits: 1, photometric: 3, pieces: [[0b0100_0000]])
        page.more = [(TestTIFF.colorMap, 3, [0x1111, 0xFFFF, 0x2222, 0, 0x3333, 0x8080])]
        #expect(try read(page).pixels.bytes == [0x11, 0x22, 0x33, 255, 0, 128])
        page.more = [(TestTIFF.colorMap, 3, [0x1112, 0xFFFF, 0x2222, 0, 0x3333, 0x8080])]
        #expect(try samples(of: read(page).pixels) == [0x1112, 0x2222, 0x3333, 65535, 0, 0x8080])
        // Old programs wrote 8-bit colour map entries.
        page.more = [(TestTIFF.colorMap, 3, [17, 255, 34, 0, 51, 128])]
        #expect(try read(page).pixels.bytes == [17, 34, 51, 255, 0, 128])
    }

    @Test("Strips, tiles and planes hold the same picture")
    func stripsTilesAndPlanes() throws {
        let (width, height) = (37, 29)
        let expected = try TestImage.noise(width, height, PixelFormat(.rgb)).bytes
        func rows(_ rows: Range<Int>, _ channels: [Int] = [0, 1, 2], _ columns: Range<Int>? = nil) -> [UInt8] {
            rows.flatMap { y in
                (columns ?? 0..<width).flatMap { x in
                    channels.map { c in x < width && y < height ? expected[(y * width + x) * 3 + c] : 0 }
                }
            }
        }
        func tiles(_ channels: [Int]) -> [[UInt8]] {
            [0, 16].flatMap { y in [0, 16, 32].map { x in rows(y..<y + 16, channels, x..<x + 16) } }
        }
        let bands = [0..<10, 10..<20, 20..<29]
        var page = TestTIFF(width: width, height: height, samples: 3, photometric: 2, pieces: [rows(0..<height)])
        #expect(try read(page).pixels.bytes == expected)
        page.pieces = bands.map { rows($0) }
        page.rowsPerStrip = 10
        #expect(try read(page).pixels.bytes == expected)
        page.more = [(TestTIFF.planar, 3, [2])]
        page.pieces = (0..<3).flatMap { c in bands.map { rows($0, [c]) } }
        #expect(try read(page).pixels.bytes == expected)
        page.tile = (16, 16)
        page.pieces = (0..<3).flatMap { tiles([$0]) }
        #expect(try read(page).pixels.bytes == expected)
        page.more = []
        page.pieces = tiles([0, 1, 2])
        #expect(try read(page).pixels.bytes == expected)
    }

    // By default libtiff decodes such strips with libdeflate, which decodes nothing of the last strip here.
    @Test("A strip of Deflate data may have more data than pixels", arguments: [1, 3])
    func excess(planes: Int) throws {
        let (width, height, perStrip) = (5, 7, 3)
        let expected = try TestImage.noise(width, height, PixelFormat(.rgb)).bytes
        let samples = 3 / planes
        var page = TestTIFF(width: width, height: height, samples: 3, photometric: 2, pieces: [])
        page.rowsPerStrip = perStrip
        page.more = [(TestTIFF.compression, 3, [8]), (TestTIFF.planar, 3, [planes == 3 ? 2 : 1])]
        for plane in 0..<planes {
            for first in stride(from: 0, to: height, by: perStrip) {
                let pixels = first * width..<min(first + perStrip, height) * width
                let strip = pixels.flatMap { i in (0..<samples).map { expected[i * 3 + plane + $0] } }
                let excess = perStrip * width * samples - strip.count
                page.pieces.append(zlibStored(strip + [UInt8](repeating: 200, count: excess)))
            }
        }
        #expect(try read(page).pixels.bytes == expected)
    }

    @Test("Premultiplied colour is divided by alpha, so that colour times alpha is the number in the file")
    func alpha() throws {
        let stored: [UInt8] = [0, 0, 0, 0, 10, 20, 30, 40, 255, 128, 0, 255, 9, 9, 9, 9, 1, 2, 3, 200]
        var page = TestTIFF(width: 5, height: 1, samples: 4, photometric: 2, pieces: [stored])
        page.more = [(TestTIFF.extraSamples, 3, [1])]
        let found = try read(page).pixels
        #expect(found.format.channels == .rgba && found.format.alpha == .straight)
        for i in 0..<20 where i % 4 < 3 {
            let alpha = Double(found.bytes[i / 4 * 4 + 3]) / 255
            #expect((Double(found.bytes[i]) * alpha).rounded() == Double(stored[i]))
        }
        for kind in [0, 2] {
            page.more = [(TestTIFF.extraSamples, 3, [kind])]
            #expect(try read(page).pixels.bytes == stored)
        }
    }

    @Test("CMYK and floats are read and written unchanged")
    func inksAndFloats() throws {
        let inks: [UInt8] = [0, 1, 2, 3, 255, 254, 253, 252]
        let page = TestTIFF(width: 2, height: 1, samples: 4, photometric: 5, pieces: [inks])
        let found = try read(page)
        #expect(found.metadata.colorModel == .cmyk && found.pixels.bytes == inks.map { ~$0 })
        let format = ImageFormat.tiff
        #expect(try ImageFile.read(bytes: ImageFile.encode(found, as: format), name: "x") == found)

        let values: [Float] = [0, -1.5, 3e30, 0.25]
        let bytes = values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) } }
        var floats = TestTIFF(width: 4, height: 1, bits: 32, pieces: [bytes])
        floats.more = [(TestTIFF.sampleFormat, 3, [3])]
        let light = try read(floats)
        #expect(light.pixels.format.sample == .f32 && light.pixels.bytes == bytes)
        #expect(try ImageFile.read(bytes: ImageFile.encode(light, as: format), name: "x") == light)
    }

    @Test("The orientation is applied to the pixels", arguments: 1...8)
    func orientation(_ value: Int) throws {
        // One list per orientation. The list gives, for each position of the upright picture, the index of the pixel in the
        // stored picture of 2x3 pixels.
        let seen = [
            [0, 1, 2, 3, 4, 5], [1, 0, 3, 2, 5, 4], [5, 4, 3, 2, 1, 0], [4, 5, 2, 3, 0, 1], [0, 2, 4, 1, 3, 5],
            [4, 2, 0, 5, 3, 1], [5, 3, 1, 4, 2, 0], [1, 3, 5, 0, 2, 4],
        ]
        var page = TestTIFF(width: 2, height: 3, pieces: [[10, 11, 12, 13, 14, 15]])
        page.more = [(TestTIFF.orientation, 3, [value])]
        let found = try read(page).pixels
        #expect(found.width == (value < 5 ? 2 : 3))
        #expect(found.bytes == seen[value - 1].map { UInt8(10 + $0) })
    }

    @Test("Several pages are refused, or the first is read if that is asked for; small copies are not pages")
    func pages() throws {
        let page = TestTIFF(width: 2, height: 1, pieces: [[1, 2]])
        let format = ImageFormat.tiff
        let several = TestTIFF.file([page, TestTIFF(width: 1, height: 1, pieces: [[3]])])
        let error = imageError { _ = try ImageFile.read(bytes: several, name: "x") }
        #expect(error == .animated(path: "x", format: format))
        #expect(error?.description == "x: it is a TIFF with several pages, not a single picture")
        let options = ImageReadOptions(firstFrame: true)
        #expect(try ImageFile.read(bytes: several, name: "x", options: options).pixels.bytes == [1, 2])
        var copy = TestTIFF(width: 1, height: 1, pieces: [[3]])
        copy.more = [(TestTIFF.subfileType, 4, [1])]
        #expect(try ImageFile.read(bytes: TestTIFF.file([page, copy]), name: "x").pixels.bytes == [1, 2])
        #expect(refusal(copy)?.kind == .unreadable)
        // This list of small copies has no end: its last entry points back to its second entry.
        var endless = TestTIFF.file([page] + [TestTIFF](repeating: copy, count: 100))
        let second = TestTIFF.file([page, copy]).count
        endless.replaceSubrange(endless.count - 4..<endless.count, with: bigEndian(second, 4).reversed())
        #expect(imageError { _ = try ImageFile.read(bytes: endless, name: "x") }?.kind == .unreadable)
    }

    @Test("Features that would be lost are refused by name")
    func unsupported() throws {
        let plain = TestTIFF(width: 2, height: 1, samples: 3, photometric: 2, pieces: [[1, 2, 3, 4, 5, 6]])
        func refused(_ reason: String, _ change: (inout TestTIFF) -> Void) {
            var page = plain
            change(&page)
            guard case .unsupported(_, _, let found) = refusal(page) else {
                Issue.record("\(reason): \(String(describing: refusal(page)))")
                return
            }
            #expect(found.contains(reason), "\(found)")
        }
        refused("CIE L*a*b*") { $0.photometric = 8 }
        refused("Y'CbCr") { $0.photometric = 6 }
        refused("signed") { $0.more = [(TestTIFF.sampleFormat, 3, [2, 2, 2])] }
        refused("16-bit floats") {
            $0.bits = 16
            $0.pieces = [[UInt8](repeating: 0, count: 12)]
            $0.more = [(TestTIFF.sampleFormat, 3, [3, 3, 3])]
        }
        refused("32-bit samples") {
            $0.bits = 32
            $0.pieces = [[UInt8](repeating: 0, count: 24)]
        }
        refused("5 samples") {
            $0.samples = 5
            $0.pieces = [[UInt8](repeating: 0, count: 10)]
            $0.more = [(TestTIFF.extraSamples, 3, [0, 0])]
        }
        refused("inks that are not CMYK") {
            $0.samples = 4
            $0.photometric = 5
            $0.pieces = [[UInt8](repeating: 0, count: 8)]
            $0.more = [(332, 3, [2])]
        }
        refused("compression 34712") { $0.more = [(TestTIFF.compression, 3, [34712])] }
    }

    @Test("Impossible sizes are refused before memory is allocated")
    func bombs() {
        let pixel = TestTIFF(width: 10, height: 10, pieces: [[UInt8](repeating: 0, count: 100)])
        var page = pixel
        (page.width, page.height) = (60000, 60000)
        #expect(refusal(page)?.kind == .overLimit)
        (page.width, page.height) = (32000, 32000)
        #expect(refusal(page)?.kind == .unreadable)
        page = pixel
        page.tile = (32768, 32768)
        page.more = [(TestTIFF.compression, 3, [8])]
        #expect(refusal(page)?.kind == .overLimit)
        // This number of bits per sample is not supported.
        page = pixel
        page.bits = 60000
        #expect(refusal(page)?.kind == .unreadable)
        var cut = TestTIFF.file([pixel])
        cut.removeSubrange(50..<108)
        #expect(imageError { _ = try ImageFile.read(bytes: cut, name: "x") }?.kind == .unreadable)
    }
}
