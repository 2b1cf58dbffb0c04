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

    /// The bytes of numbers, the lowest first.
    private func little(_ numbers: [UInt64], _ size: Int) -> [UInt8] {
        numbers.flatMap { number in (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) } }
    }

    private func floats(of image: DecodedImage) -> [Float] {
        let bytes = image.pixels.bytes
        return stride(from: 0, to: bytes.count, by: 4).map { i in
            Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[i + $1]) << (8 * UInt32($1)) })
        }
    }

    @Test("Halves and doubles become floats")
    func otherFloats() throws {
        let values: [Float] = [0, -1.5, 1024, 0.25]
        var page = TestTIFF(
            width: 4, height: 1, bits: 16, pieces: [little(values.map { UInt64(Float16($0).bitPattern) }, 2)])
        page.more = [(TestTIFF.sampleFormat, 3, [3])]
        #expect(try floats(of: read(page)) == values)
        (page.bits, page.pieces) = (64, [little(values.map { Double($0).bitPattern }, 8)])
        #expect(try floats(of: read(page)) == values)
    }

    @Test("Integers of 32 bits become floats, of which the largest number is 1")
    func wideIntegers() throws {
        let numbers: [UInt64] = [0, 1, 1 << 31, (1 << 32) - 1]
        var page = TestTIFF(width: 4, height: 1, bits: 32, pieces: [little(numbers, 4)])
        #expect(try floats(of: read(page)) == numbers.map { Float(Double($0) / 0xFFFF_FFFF) })
        page.photometric = 0
        #expect(try floats(of: read(page)).last == 0)
        page.photometric = 1
        page.more = [(TestTIFF.sampleFormat, 3, [2])]
        #expect(
            try floats(of: read(page)) == [
                0, Float(1 / 2147483647.0), Float(-2147483648.0 / 2147483647), -Float(1 / 2147483647.0),
            ])
    }

    @Test("The smallest of signed numbers is black, and the largest white")
    func signed() throws {
        var page = TestTIFF(width: 3, height: 1, bits: 8, pieces: [[0x80, 0, 0x7F]])
        page.more = [(TestTIFF.sampleFormat, 3, [2])]
        #expect(try read(page).pixels.bytes == [0, 128, 255])
        (page.bits, page.pieces) = (16, [little([0x8000, 0, 0x7FFF], 2)])
        #expect(try samples(of: read(page).pixels) == [0, 32768, 65535])
    }

    @Test("CMYK of 16 bits is read, written and converted with all of them")
    func deepInks() throws {
        let page = TestTIFF(
            width: 1, height: 1, bits: 16, samples: 4, photometric: 5, pieces: [little([0, 1, 256, 0x8000], 2)])
        let image = try read(page)
        #expect(image.metadata.colorModel == .cmyk && samples(of: image.pixels) == [65535, 65534, 65279, 32767])
        #expect(try ImageFile.read(bytes: ImageFile.encode(image, as: .tiff), name: "x") == image)
        #expect(imageError { _ = try ImageFile.encode(image, as: .jpeg) }?.kind == .unwritable)
        let light = try image.convertedFromCMYK(to: .u16, name: "x").image
        // Each channel is the product of an ink and of black, in 65535ths.
        #expect(samples(of: light.pixels) == [32767, 32767, (65279 * 32767 + 32767) / 65535])
        #expect(try samples(of: image.convertedFromCMYK(name: "x").image.pixels) == [127, 127, 127])
    }

    @Test("A palette may have 16 bits, and alpha beside its numbers")
    func largePalettes() throws {
        var page = TestTIFF(width: 2, height: 1, bits: 16, photometric: 3, pieces: [little([0, 65535], 2)])
        page.more = [(TestTIFF.colorMap, 3, (0..<3).flatMap { c in (0..<65536).map { ($0 + c) & 65535 } })]
        #expect(try samples(of: read(page).pixels) == [0, 1, 2, 65535, 0, 1])
        page = TestTIFF(width: 2, height: 1, bits: 8, samples: 2, photometric: 3, pieces: [[1, 77, 0, 255]])
        page.more = [
            (TestTIFF.colorMap, 3, (0..<3).flatMap { c in (0..<256).map { min($0 + c, 255) * 257 } }),
            (TestTIFF.extraSamples, 3, [0]),
        ]
        #expect(try read(page).pixels.bytes == [1, 2, 3, 77, 0, 1, 2, 255])
        #expect(try read(page).pixels.format.channels == .rgba)
        var grey = TestTIFF(width: 2, height: 1, samples: 2, pieces: [[9, 77, 8, 255]])
        grey.more = [(TestTIFF.extraSamples, 3, [0])]
        #expect(try read(grey).pixels.format.channels == .greyAlpha && read(grey).pixels.bytes == [9, 77, 8, 255])
    }

    /// A block of two by two pixels has four lumas and a pair of chromas. Cb and Cr of 128 are grey.
    @Test("Y'CbCr without JPEG becomes RGB, in strips and in tiles")
    func lumaAndChroma() throws {
        var page = TestTIFF(width: 4, height: 4, samples: 3, photometric: 6, pieces: [])
        page.rowsPerStrip = 2
        let (top, bottom): ([UInt8], [UInt8]) = ([10, 20, 30, 40, 128, 128], [50, 60, 70, 80, 128, 128])
        page.pieces = [top + top, bottom + bottom]
        page.more = [(530, 3, [2, 2])]
        let grey = [10, 20, 10, 20, 30, 40, 30, 40, 50, 60, 50, 60, 70, 80, 70, 80]
        // libtiff's tables round each colour; grey is exact.
        #expect(try samples(of: read(page).pixels) == grey.flatMap { [$0, $0, $0] })
        let whole = try read(page).pixels
        for value in 2...8 {
            page.more = [(530, 3, [2, 2]), (TestTIFF.orientation, 3, [value])]
            let turned = try read(page).pixels
            #expect(Set(turned.bytes) == Set(whole.bytes) && turned != whole)
        }
        var tiled = TestTIFF(width: 4, height: 4, samples: 3, photometric: 6, pieces: [])
        // libtiff 4.5 refuses such tiles without compression if their bytes are not a multiple of 1024.
        tiled.tile = (32, 32)
        tiled.more = [(530, 3, [1, 1])]
        tiled.pieces = [
            (0..<1024).flatMap { i -> [UInt8] in
                let (x, y) = (i % 32, i / 32)
                return [x < 4 && y < 4 ? UInt8(grey[y * 4 + x]) : 0, 128, 128]
            }
        ]
        #expect(try read(tiled).pixels == whole)
        // Red is 255 with Cr of 255 and a luma of 76, by the coefficients of BT.601.
        tiled.pieces = [(0..<1024).flatMap { _ -> [UInt8] in [76, 85, 255] }]
        let red = try read(tiled).pixels.bytes.prefix(3)
        #expect(red[0] >= 253 && red[1] <= 2 && red[2] <= 2, "\(red)")
    }

    @Test("The JPEG of 1992 is read")
    func oldJPEG() throws {
        let picture = try Sample.smooth(32, 16, PixelFormat(.rgb))
        let options = ImageWriteOptions(
            jpeg: JPEGWriteOptions(quality: 95, subsampling: JPEGWriteOptions.Subsampling.none))
        let jpeg = try ImageFile.encode(DecodedImage(pixels: picture), as: .jpeg, options: options)
        var page = TestTIFF(width: 32, height: 16, samples: 3, photometric: 6, pieces: [jpeg])
        // The strip, the interchange format and its length are the same bytes, which begin at byte 8.
        page.more = [
            (TestTIFF.compression, 3, [6]), (512, 3, [1]), (513, 4, [8]), (514, 4, [jpeg.count]), (530, 3, [1, 1]),
        ]
        let found = try read(page).pixels
        let expected = try ImageFile.read(bytes: jpeg, name: "x").pixels
        // libtiff converts with other tables than libjpeg: by at most two steps.
        for (a, b) in zip(found.bytes, expected.bytes) { #expect(abs(Int(a) - Int(b)) <= 2) }
    }

    @Test("A lossless JPEG is not supported, and not damaged")
    func losslessJPEG() throws {
        var jpeg = try Sample.files(.jpeg)[1]
        let frame = try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg[frame + 1] = 0xC3
        guard case .unsupported = imageError({ _ = try ImageFile.read(bytes: jpeg, name: "x") }) else {
            Issue.record("not unsupported")
            return
        }
        var page = TestTIFF(width: 9, height: 7, samples: 3, photometric: 2, pieces: [jpeg])
        page.more = [(TestTIFF.compression, 3, [7])]
        guard case .unsupported = refusal(page) else {
            Issue.record("\(String(describing: refusal(page)))")
            return
        }
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
        refused("Y'CbCr") {
            $0.photometric = 6
            $0.bits = 16
            $0.pieces = [[UInt8](repeating: 0, count: 12)]
        }
        refused("complex") { $0.more = [(TestTIFF.sampleFormat, 3, [5, 5, 5])] }
        refused("24-bit floats") {
            $0.bits = 24
            $0.pieces = [[UInt8](repeating: 0, count: 18)]
            $0.more = [(TestTIFF.sampleFormat, 3, [3, 3, 3])]
        }
        refused("24-bit samples") {
            $0.bits = 24
            $0.pieces = [[UInt8](repeating: 0, count: 18)]
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
