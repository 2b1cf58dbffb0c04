import FrostCore
@testable import FrostImages
import FrostTestSupport
import Testing

@Suite struct JPEGTests {
    static func read(_ bytes: [UInt8]) throws -> DecodedImage { try ImageFile.read(bytes: bytes, name: "x.jpg") }

    /// Returns the largest difference between two corresponding samples of the two images.
    static func distance(_ a: PixelBuffer, _ b: PixelBuffer) -> Int {
        zip(a.bytes, b.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    @Test(
        "Smooth pictures come back within 3 steps, with every option of the encoder",
        arguments: JPEGWriteOptions.Subsampling.allCases)
    func nearly(_ subsampling: JPEGWriteOptions.Subsampling) throws {
        for channels in [ChannelLayout.grey, .rgb] {
            for (isProgressive, isOptimized) in [(false, false), (true, false), (false, true)] {
                let pixels = try Sample.smooth(67, 45, PixelFormat(channels))
                let options = JPEGWriteOptions(
                    quality: 98, subsampling: subsampling, isProgressive: isProgressive, isOptimized: isOptimized)
                let file = try ImageFile.encode(
                    DecodedImage(pixels: pixels), as: .jpeg, options: ImageWriteOptions(jpeg: options))
                let found = try Self.read(file).pixels
                #expect(found.layout.format.channels == channels)
                #expect(Self.distance(found, pixels) <= 3)
                // The marker of the frame header shows whether the file is baseline (C0) or progressive (C2).
                #expect(zip(file, file.dropFirst()).contains { $0 == 0xFF && $1 == (isProgressive ? 0xC2 : 0xC0) })
            }
        }
        // With noise and a low quality the difference is larger. This shows that the comparison can fail.
        let rough = try TestImage.noise(64, 64, PixelFormat(.rgb))
        let file = try ImageFile.encode(
            DecodedImage(pixels: rough), as: .jpeg, options: ImageWriteOptions(jpeg: JPEGWriteOptions(quality: 10)))
        #expect(Self.distance(try Self.read(file).pixels, rough) > 30)
    }

    @Test("CMYK stays four channels, and only JPEG holds it")
    func inks() throws {
        let image = try Sample.cmyk()
        let found = try Self.read(ImageFile.encode(image, as: .jpeg))
        #expect(found.metadata.colorModel == .cmyk)
        #expect(Self.distance(found.pixels, image.pixels) <= 5)
        #expect(
            imageError { _ = try ImageFile.encode(image, as: .png) }
                == .cannotHold(path: "image", format: .png, what: "CMYK", remedy: "convert the pixels to RGB first"))
    }

    @Test("In CMYK 255 means no ink, with and without Adobe's marker")
    func inksWithoutMarker() throws {
        // The last byte of Adobe's marker states the colours: 2 is YCCK, 0 is CMYK. Without a marker they are CMYK.
        let file = try ImageFile.encode(Sample.cmyk(), as: .jpeg)
        let marker = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xEE })
        #expect(file[marker + 15] == 2)
        var plain = file
        plain[marker + 15] = 0
        var bare = file
        bare.removeSubrange(marker..<marker + 16)
        #expect(try Self.read(bare).pixels.bytes == Self.read(plain).pixels.bytes)
        #expect(try Self.read(bare).metadata.colorModel == .cmyk)
    }

    @Test("Without a profile CMYK becomes the light that each ink lets through")
    func plainInks() throws {
        let image = try Sample.cmyk()
        let (converted, by) = try image.convertedFromCMYK(name: "x")
        #expect(by == .plain && converted.metadata.colorModel == .light)
        let wide = try image.convertedFromCMYK(to: .u16, name: "x").image
        #expect(wide.pixels.format.sample == .u16)
        for i in 0..<20 * 12 {
            for c in 0..<3 {
                let exact = Double(image.pixels.bytes[4 * i + c]) * Double(image.pixels.bytes[4 * i + 3]) / 255
                #expect(abs(Double(converted.pixels.bytes[3 * i + c]) - exact) <= 0.5)
                let low = Int(wide.pixels.bytes[2 * (3 * i + c)]) + Int(wide.pixels.bytes[2 * (3 * i + c) + 1]) << 8
                #expect(abs(Double(low) - exact * 257) <= 0.5)
            }
        }
        // If the profile is invalid, the result is the same as without a profile.
        var broken = image
        broken.metadata.iccProfile = ICCProfile(name: "x", bytes: [UInt8](repeating: 1, count: 300))
        #expect(try broken.convertedFromCMYK(name: "x").by == .plain)
    }

    @Test("A profile of several segments comes back whole")
    func profileOfSeveralSegments() throws {
        var metadata = ImageMetadata()
        metadata.iccProfile = ICCProfile(bytes: TestProfile.bytes(size: 200_000))
        let pixels = try Sample.smooth(8, 8, PixelFormat(.rgb))
        var file = try ImageFile.encode(DecodedImage(pixels: pixels, metadata: metadata), as: .jpeg)
        #expect(try Self.read(file).metadata == metadata)
        // A profile is dropped if one of its segments is missing.
        let name = Array("ICC_PROFILE\0".utf8)
        let second = try #require((0..<file.count).dropFirst(60000).first { file[$0...].starts(with: name) })
        file[second] = 0
        let found = try Self.read(file).metadata
        #expect(found.iccProfile == nil && found.profileFault == .unusable)
        // A profile for other channels than the picture's cannot be written.
        let grey = DecodedImage(pixels: try Sample.smooth(8, 8, PixelFormat(.grey)), metadata: metadata)
        guard case .cannotEncode = imageError({ _ = try ImageFile.encode(grey, as: .jpeg) }) else {
            Issue.record("grey was written with a profile of RGB")
            return
        }
        _ = try ImageFile.encode(grey, as: .jpeg, options: ImageWriteOptions(keep: .none))
    }

    @Test("EXIF's orientation is applied to the pixels and removed", arguments: 1...8, [true, false])
    func orientation(_ value: Int, isLittle: Bool) throws {
        let upright = try Sample.smooth(48, 32, PixelFormat(.rgb))
        // Takes the position of a pixel as a camera with this orientation stores it, and returns the position of this pixel
        // in the upright picture.
        func stored(_ x: Int, _ y: Int) -> (Int, Int) {
            let (w, h) = (48, 32)
            return [
                (x, y), (w - 1 - x, y), (w - 1 - x, h - 1 - y), (x, h - 1 - y), (y, x), (y, w - 1 - x),
                (h - 1 - y, w - 1 - x), (h - 1 - y, x),
            ][value - 1]
        }
        let swaps = value >= 5
        let layout = try PixelLayout(width: swaps ? 32 : 48, height: swaps ? 48 : 32, format: PixelFormat(.rgb))
        var bytes = [UInt8](repeating: 0, count: layout.byteCount)
        for y in 0..<32 {
            for x in 0..<48 {
                let (column, row) = stored(x, y)
                for c in 0..<3 {
                    bytes[row * layout.bytesPerRow + 3 * column + c] = upright.bytes[3 * (48 * y + x) + c]
                }
            }
        }
        var metadata = ImageMetadata()
        metadata.exif = Sample.exif(orientation: UInt8(value), isLittle: isLittle)
        metadata.pixelDensity = PixelDensity(x: 3937, y: 7874, unit: .perMetre)
        let options = ImageWriteOptions(jpeg: JPEGWriteOptions(quality: 98))
        let file = try ImageFile.encode(
            DecodedImage(pixels: try PixelBuffer(layout: layout, bytes: bytes), metadata: metadata), as: .jpeg,
            options: options)
        let found = try Self.read(file)
        #expect(found.pixels.width == 48 && found.pixels.height == 32)
        #expect(found.metadata.pixelDensity?.x == (swaps ? 7874 : 3937))
        #expect(found.metadata.pixelDensity?.y == (swaps ? 3937 : 7874))
        #expect(Self.distance(found.pixels, upright) <= 3)
        // The EXIF block now states the upright orientation. It has neither the thumbnail nor the size of the picture.
        let expected = try #require(found.metadata.exif.flatMap { EXIF($0) })
        #expect(expected.orientation == .upright && found.metadata.exif?.count == 26)
        // The pixels are the same if the file is read row by row.
        var reader = try ImageReader(bytes: file, name: "x")
        var row = [UInt8](repeating: 0, count: reader.layout.rowByteCount)
        var rows: [UInt8] = []
        for _ in 0..<reader.layout.height {
            var span = row.mutableSpan
            var mutable = unsafe span.mutableBytes
            try reader.readRow(into: &mutable)
            rows += row
        }
        #expect(rows == found.pixels.bytes)
    }

    /// EXIF prescribes the type SHORT, and some writers use LONG. The entry starts at byte 22 of the sample.
    @Test("An orientation counts only with one value of a type for it", arguments: 0...13)
    func orientationType(_ type: Int) throws {
        for isLittle in [true, false] {
            var block = Sample.exif(orientation: 6, isLittle: isLittle)
            block[isLittle ? 24 : 25] = UInt8(type)
            if type == 4, !isLittle { block.replaceSubrange(30..<34, with: [0, 0, 0, 6]) }
            let exif = try #require(EXIF(block))
            #expect(exif.orientation == (type == 3 || type == 4 ? .turnedRight : .upright))
            if let rebuilt = exif.rebuilt(leaveOut: { _ in }) { #expect(EXIF(rebuilt)?.orientation == .upright) }
            block[isLittle ? 26 : 29] = 2
            #expect(EXIF(block)?.orientation == .upright, "two values")
        }
    }

    @Test("An invalid EXIF block is ignored, whatever its offsets")
    func brokenEXIF() throws {
        let whole = Sample.exif(orientation: 6)
        let pixels = try Sample.smooth(16, 8, PixelFormat(.grey))
        for i in whole.indices {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var metadata = ImageMetadata()
                metadata.exif = whole
                metadata.exif?[i] = value
                let file = try ImageFile.encode(DecodedImage(pixels: pixels, metadata: metadata), as: .jpeg)
                let found = try Self.read(file).pixels
                #expect(found.width * found.height == 128)
            }
        }
        for count in 0..<whole.count {
            var metadata = ImageMetadata()
            metadata.exif = Array(whole.prefix(count))
            _ = try Self.read(ImageFile.encode(DecodedImage(pixels: pixels, metadata: metadata), as: .jpeg))
        }
    }

    @Test("Density, EXIF, XMP and comments come back")
    func metadata() throws {
        var metadata = ImageMetadata()
        metadata.exif = TestMetadata.exif
        metadata.xmp = TestMetadata.xmp
        metadata.comments = [Array("one".utf8), Array("two".utf8)]
        metadata.pixelDensity = PixelDensity(x: 11811, y: 2835, unit: .perMetre)
        let file = try ImageFile.encode(
            DecodedImage(pixels: try Sample.smooth(8, 8, PixelFormat(.rgb)), metadata: metadata), as: .jpeg)
        #expect(try Self.read(file).metadata == metadata)
        #expect(try Self.read(file).metadata.keeping(.color) == ImageMetadata())
        #expect(metadata.lost(in: .webp) == [.density, .comments] && metadata.lost(in: .jpeg).isEmpty)
    }
}
