import FrostCore
import FrostImages
import FrostTestSupport
import Glibc
import Testing

@Suite struct PNGWritingTests {
    static let formats: [PixelFormat] = ChannelLayout.allCases.flatMap { channels in
        [.u8, .u16].map { PixelFormat(channels, $0) }
    }

    /// Returns the samples in the order in which they are read back. Samples of a BGRA image are read back as RGBA.
    static func swapped(_ samples: [Int], _ format: PixelFormat) -> [Int] {
        guard format.channels == .bgra else { return samples }
        var result = samples
        for red in stride(from: 0, to: samples.count, by: 4) { result.swapAt(red, red + 2) }
        return result
    }

    @Test("What is written is read back bit for bit", arguments: formats)
    func roundTrip(_ format: PixelFormat) throws {
        for (width, height) in [(1, 1), (1, 9), (17, 5), (64, 3)] {
            for padding in [0, 6] {
                let image = DecodedImage(pixels: try TestImage.noise(width, height, format, padding: padding))
                let read = try PNG.read(bytes: try PNG.encode(image), name: "test")
                #expect(samples(of: read.pixels) == Self.swapped(samples(of: image.pixels), format))
                #expect(read.pixels.format.channels == (format.channels == .bgra ? .rgba : format.channels))
                #expect(read.pixels.format.sample == format.sample)
            }
        }
    }

    @Test("No level and no filter changes a pixel", arguments: PNGWriteOptions.Filter.allCases)
    func options(_ filter: PNGWriteOptions.Filter) throws {
        let image = DecodedImage(pixels: try TestImage.noise(40, 30, PixelFormat(.rgb)))
        for level in 0...9 {
            let bytes = try PNG.encode(image, options: PNGWriteOptions(level: level, filter: filter))
            #expect(try PNG.read(bytes: bytes, name: "test").pixels == image.pixels)
        }
    }

    @Test("An image larger than the encoder's buffers is written whole")
    func large() throws {
        let image = DecodedImage(pixels: try TestImage.noise(1200, 500, PixelFormat(.rgba)))
        let bytes = try PNG.encode(image)
        #expect(chunks(of: bytes).filter { $0.name == "IDAT" }.count > 1)
        #expect(try PNG.read(bytes: bytes, name: "test").pixels == image.pixels)
    }

    @Test("A descriptor gets the same bytes as memory")
    func descriptor() throws {
        let scratch = try Scratch()
        let image = DecodedImage(pixels: try TestImage.noise(20, 20, PixelFormat(.rgb)))
        let path = scratch.write([], to: "a")
        let descriptor = unsafe open(path, O_WRONLY)
        try PNG.write(image, descriptor: descriptor, name: "standard output")
        close(descriptor)
        #expect(try scratch.read("a") == PNG.encode(image))
        #expect(
            imageError { try PNG.write(image, descriptor: -1, name: "standard output") }
                == .cannotWrite(path: "standard output", errno: EBADF))
    }

    @Test("Pixels that PNG cannot hold are refused")
    func unsupported() throws {
        for format in [PixelFormat(.rgb, .f32), PixelFormat(.rgba, alpha: .premultiplied)] {
            let image = DecodedImage(pixels: PixelBuffer(layout: try PixelLayout(width: 1, height: 1, format: format)))
            guard case .cannotHold("image", .png, _, _) = imageError({ _ = try PNG.encode(image) }) else {
                Issue.record("\(format) was taken")
                continue
            }
        }
        // If a format has no alpha channel, its alpha mode has no effect.
        let opaque = PixelFormat(.rgb, alpha: .premultiplied)
        _ = try PNG.encode(DecodedImage(pixels: try TestImage.noise(2, 2, opaque)))
    }

    // MARK: Metadata

    static var everything: ImageMetadata {
        var metadata = ImageMetadata()
        metadata.gamma = 45455
        metadata.chromaticities = Chromaticities(
            white: .init(x: 31270, y: 32900), red: .init(x: 64000, y: 33000), green: .init(x: 30000, y: 60000),
            blue: .init(x: 15000, y: 6000))
        metadata.pixelDensity = PixelDensity(x: 5669, y: 2835, unit: .perMetre)
        return metadata
    }

    @Test("All metadata about a file's pixels is kept")
    func metadata() throws {
        let pixels = try TestImage.noise(4, 4, PixelFormat(.rgb))
        var withProfile = Self.everything
        withProfile.iccProfile = ICCProfile(name: "Test é", bytes: TestProfile.bytes())
        var withIntent = Self.everything
        withIntent.renderingIntent = .saturation
        var withPoints = ImageMetadata()
        withPoints.codePoints = CodePoints(primaries: 9, transfer: 16)
        for metadata in [ImageMetadata(), Self.everything, withProfile, withIntent, withPoints] {
            let bytes = try PNG.encode(DecodedImage(pixels: pixels, metadata: metadata))
            let read = try PNG.read(bytes: bytes, name: "test")
            #expect(read.metadata == metadata)
            #expect(read.pixels.format.colorSpace == metadata.colorSpace)
            // The file contains no metadata chunks apart from those that store this metadata.
            #expect(!chunks(of: bytes).contains { ["tEXt", "tIME", "bKGD"].contains($0.name) })
        }
        // If there is a profile, only iCCP is written; gAMA and cHRM are not added.
        var alone = ImageMetadata()
        alone.iccProfile = withProfile.iccProfile
        let names = try chunks(of: PNG.encode(DecodedImage(pixels: pixels, metadata: alone))).map(\.name)
        #expect(names == ["IHDR", "iCCP", "IDAT", "IEND"])
    }

    @Test("The colour space follows from the chunks: a profile before sRGB before a gamma")
    func colorSpace() {
        var metadata = ImageMetadata()
        #expect(metadata.colorSpace == .unspecified)
        metadata.gamma = 50000
        #expect(metadata.colorSpace == .gamma(exponent: 2))
        metadata.renderingIntent = .perceptual
        #expect(metadata.colorSpace == .sRGB)
        metadata.iccProfile = ICCProfile(name: "p", bytes: [1])
        #expect(metadata.colorSpace == .icc([1]))
    }

    @Test("Pixels are written with their colour space if the metadata has none")
    func taggedPixels() throws {
        for space: ColorSpace in [.sRGB, .gamma(exponent: 2), .icc(TestProfile.bytes(isGrey: true))] {
            let pixels = try TestImage.noise(2, 2, PixelFormat(.grey, colorSpace: space))
            let bytes = try PNG.encode(DecodedImage(pixels: pixels, metadata: ImageMetadata()))
            #expect(try PNG.read(bytes: bytes, name: "test").pixels.format.colorSpace == space)
        }
        let linear = try TestImage.noise(2, 2, PixelFormat(.grey, colorSpace: .linear))
        let bytes = try PNG.encode(DecodedImage(pixels: linear))
        #expect(try PNG.read(bytes: bytes, name: "test").metadata.gamma == 100_000)
    }

    @Test("A profile that is malformed or for other channels is refused, not dropped")
    func badProfile() throws {
        for profile in [[1, 2, 3], TestProfile.bytes(isGrey: true)] {
            var metadata = ImageMetadata()
            metadata.iccProfile = ICCProfile(name: "p", bytes: profile)
            let image = DecodedImage(pixels: try TestImage.noise(2, 2, PixelFormat(.rgb)), metadata: metadata)
            guard case .cannotEncode = imageError({ _ = try PNG.encode(image) }) else {
                Issue.record("was written")
                continue
            }
        }
    }
}
