import CLCMS
import FrostCore
@testable import FrostImages
import FrostTestSupport
import Testing

/// Tests the optional formats, which package traits include in a build or leave out.
@Suite struct OptionalFormatTests {
    @Test(
        "Reading or writing a format that was left out names the trait that includes it",
        arguments: ImageFormat.optional)
    func absent(_ format: ImageFormat) throws {
        let starts: [ImageFormat: [UInt8]] = [
            .tiff: [0x49, 0x49, 42, 0], .avif: [0, 0, 0, 32] + Array("ftypavif".utf8), .jxl: [0xFF, 0x0A, 1, 2],
            .heic: [0, 0, 0, 32] + Array("ftypheic".utf8),
        ]
        let read = imageError { _ = try ImageFile.read(bytes: starts[format] ?? [], name: "x") }
        let path = "/nowhere/a.\(format.traits.suffixes[0])"
        let image = DecodedImage(pixels: try TestImage.noise(2, 2, PixelFormat(.rgb)))
        let write = imageError { try ImageFile.write(image, path: path) }
        let absence =
            "this frost was built without \(format.traits.title) (build with --traits \(format.traits.packageTrait ?? ""))"
        if !format.isBuilt {
            #expect(read?.description.hasSuffix(absence) == true && read?.kind == .unreadable)
            #expect(write?.kind == .unwritable)
            #expect(write?.description == "\(path): \(absence)" || ImageFormat.readOnly.contains(format))
        } else {
            #expect(read?.description.contains(absence) == false)
            #expect(write?.description.contains(absence) == false)
            #expect(ImageFormat.missing(suffixOf: FilePath(path)) == nil)
        }
    }

    #if TIFF
        @Test("A library that is not installed, or has not the functions, is named")
        func missingLibrary() throws {
            func failure(_ names: [StaticString], _ files: [String]) -> SharedLibraryError? {
                let list = unsafe names.map {
                    unsafe UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self)
                }
                do throws(SharedLibraryError) {
                    _ = try unsafe CodecLibrary.addresses(of: list, list.count, in: files)
                    return nil
                } catch {
                    return error
                }
            }
            #expect(failure(["TIFFClose"], ["libtiff.so.6"]) == nil)
            #expect(failure(["TIFFClose", "sin"], ["libtiff.so.6", "libm.so.6"]) == nil)
            let absent = failure(["TIFFClose"], ["libtiff.so.99"])?.text(.tiff)
            #expect(absent?.hasPrefix("TIFF needs a library that cannot be loaded: libtiff.so.99: ") == true)
            let advice = "; its package is libtiff99 on Debian, libtiff of this version on Fedora"
            #expect(absent?.hasSuffix(advice) == true)
            let other = failure(["TIFFClose", "frost_none"], ["libtiff.so.6"])?.text(.tiff)
            #expect(other?.hasSuffix("cannot be loaded: libtiff.so.6: function frost_none is missing") == true)
        }
    #endif

    static let withMetadata = ImageFormat.allCases.filter { $0.traits.metadata.contains(.profile) }

    /// Returns a profile with a wide gamut and its own tone curve.
    private func profile(_ exponent: Double = 2.2) throws -> [UInt8] {
        var white = cmsCIExyY(x: 0.3127, y: 0.329, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.21, y: 0.71, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        let curve = unsafe cmsBuildGamma(nil, exponent)
        defer { unsafe cmsFreeToneCurve(curve) }
        let made = unsafe [curve, curve, curve].withUnsafeBufferPointer {
            unsafe cmsCreateRGBProfile(&white, &primaries, $0.baseAddress)
        }
        defer { unsafe cmsCloseProfile(made) }
        var size: UInt32 = 0
        #expect(unsafe cmsSaveProfileToMem(made, nil, &size) != 0)
        var bytes = [UInt8](repeating: 0, count: Int(size))
        #expect(unsafe cmsSaveProfileToMem(made, &bytes, &size) != 0)
        return bytes
    }

    @Test(
        "A format keeps the metadata that it declares, byte for byte, and no more than is asked for",
        arguments: withMetadata)
    func metadata(_ format: ImageFormat) throws {
        var metadata = ImageMetadata()
        metadata.iccProfile = ICCProfile(name: "ICC profile", bytes: try profile())
        let kinds = format.traits.metadata
        if kinds.contains(.exif) { metadata.exif = TestMetadata.exif }
        if kinds.contains(.xmp) { metadata.xmp = TestMetadata.xmp }
        if kinds.contains(.density) { metadata.pixelDensity = PixelDensity(x: 11811, y: 5906, unit: .perMetre) }
        let pixels = try Sample.smooth(20, 12, PixelFormat(.rgb))
        for policy in MetadataPolicy.allCases {
            var expected = ImageMetadata()
            switch policy {
            case .all: expected = metadata
            case .color: expected.iccProfile = metadata.iccProfile
            case .none: break
            }
            for isLossless in [true, false] {
                let options = ImageWriteOptions(
                    keep: policy, webp: WebPWriteOptions(isLossless: isLossless),
                    avif: LossyWriteOptions(quality: 90, isLossless: isLossless),
                    jxl: LossyWriteOptions(quality: 90, isLossless: isLossless))
                let file = try ImageFile.encode(
                    DecodedImage(pixels: pixels, metadata: metadata), as: format, options: options)
                var found = try ImageFile.read(bytes: file, name: "x").metadata
                // By default, AVIF and JPEG XL files state sRGB with a rendering intent, even if no metadata is written.
                if policy == .none { found.renderingIntent = nil }
                #expect(found == expected, "\(format) \(policy)")
            }
        }
    }

    #if AVIF
        /// avifenc wrote the file without loss from 24 x 16 pixels, whose red rises by 10 along x and whose green by 15 along y.
        @Test("An AVIF is cropped at odd pixels")
        func cropped() throws {
            let parts = #filePath.split(separator: "/").dropLast(2)
            let path = FilePath("/" + parts.joined(separator: "/") + "/fuzz/avif/cropped")
            let pixels = try ImageFile.read(path: path).pixels
            #expect((pixels.width, pixels.height) == (15, 9))
            for y in 0..<9 {
                for x in 0..<15 {
                    let pixel = pixels.bytes[(y * 15 + x) * 3..<(y * 15 + x) * 3 + 3]
                    #expect(pixel.elementsEqual([UInt8(10 * (x + 3)), UInt8(15 * (y + 5)), 128]))
                }
            }
        }
    #endif

    @Test("A picture over a limit is refused by its header", arguments: ImageFormat.allCases)
    func picturesOverALimitAreRefused(_ format: ImageFormat) throws {
        let sample: SampleType = format.traits.samples.contains(.u8) ? .u8 : .f32
        let layout = try PixelLayout(width: 90, height: 40, format: PixelFormat(format.traits.channels[0], sample))
        let file = try ImageFile.encode(DecodedImage(pixels: PixelBuffer(layout: layout)), as: format)
        for (limits, isRead) in [
            (ImageLimits(maximumSide: 89), false), (ImageLimits(maximumPixels: 3599), false),
            (ImageLimits(maximumSide: 90, maximumPixels: 3600), true),
        ] {
            let options = ImageReadOptions(limits: limits)
            let error = imageError { _ = try ImageFile.read(bytes: file, name: "x", options: options) }
            #expect(isRead ? error == nil : error?.kind == .overLimit, "\(String(describing: error))")
        }
    }

    @Test(
        "AVIF keeps 10 and 12 bits exactly, reports their number, and refuses 16",
        .enabled(if: ImageFormat.avif.isBuilt, "built without AVIF"), arguments: [10, 12])
    func depths(_ bits: Int) throws {
        let format = ImageFormat.avif
        let exactly = LossyWriteOptions(quality: 100, isLossless: true)
        let full = (1 << bits) - 1
        for channels in format.traits.channels {
            let layout = try PixelLayout(width: 31, height: 9, format: PixelFormat(channels, .u16))
            var random = SeededGenerator(seed: 7)
            let bytes: [UInt8] = (0..<31 * 9 * channels.count).flatMap { _ in
                let value = (Int.random(in: 0...full, using: &random) * 65535 + full / 2) / full
                return [UInt8(value & 255), UInt8(value >> 8)]
            }
            let image = DecodedImage(pixels: try PixelBuffer(layout: layout, bytes: bytes))
            let file = try ImageFile.encode(
                image, as: format, options: ImageWriteOptions(depth: bits, avif: exactly))
            let found = try ImageFile.read(bytes: file, name: "x")
            #expect(found.pixels.bytes == bytes && found.metadata.significantBits == bits, "\(channels)")
            // A picture that was read from a file is written with the same bit depth again.
            #expect(try ImageFile.encode(found, as: format, options: ImageWriteOptions(avif: exactly)) == file)
            guard case .cannotHold = imageError({ _ = try ImageFile.encode(image, as: format) }) else {
                Issue.record("16 bits were written")
                return
            }
        }
    }

    @Test(
        "A JPEG XL in a perceptual colour space is decoded with its own profile, not as linear light",
        .enabled(if: ImageFormat.jxl.isBuilt, "built without JPEG XL"), arguments: [ChannelLayout.rgb, .rgba],
        [SampleType.u8, .u16])
    func jpegXLDecodesWithItsProfile(_ channels: ChannelLayout, _ sample: SampleType) throws {
        let format = ImageFormat.jxl
        var metadata = ImageMetadata()
        metadata.iccProfile = ICCProfile(name: "ICC profile", bytes: try profile())
        let pixels = try Sample.smooth(64, 48, PixelFormat(channels, sample))
        let options = ImageWriteOptions(jxl: LossyWriteOptions(quality: 100))
        let image = DecodedImage(pixels: pixels, metadata: metadata)
        let found = try ImageFile.read(bytes: ImageFile.encode(image, as: format, options: options), name: "x")
        #expect(found.metadata.iccProfile == metadata.iccProfile && found.pixels.format.sample == sample)
        func worst(_ one: PixelBuffer) -> Int {
            zip(samples(of: one), samples(of: pixels)).map { abs($0 - $1) }.max() ?? 0
        }
        let step = sample == .u8 ? 1 : 257
        #expect(worst(found.pixels) <= 6 * step)
        // A profile with another tone curve must not change the pixels either.
        metadata.iccProfile = ICCProfile(name: "ICC profile", bytes: try profile(1.8))
        let other = DecodedImage(pixels: pixels, metadata: metadata)
        let file = try ImageFile.encode(other, as: format, options: options)
        #expect(try worst(ImageFile.read(bytes: file, name: "x").pixels) <= 6 * step)
    }

    @Test(
        "Encoders give the same bytes for the same picture",
        arguments: ImageFormat.optional.filter { ImageFormat.allCases.contains($0) })
    func deterministic(_ format: ImageFormat) throws {
        let image = DecodedImage(pixels: try Sample.smooth(300, 200, PixelFormat(.rgba)))
        #expect(try ImageFile.encode(image, as: format) == ImageFile.encode(image, as: format))
    }
}
