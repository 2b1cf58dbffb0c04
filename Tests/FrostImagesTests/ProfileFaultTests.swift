import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests ICC profiles that are invalid or do not match the pixels. If a file has such a profile, the picture is read without
/// the profile, and the reason is reported. No file is written with such a profile.
@Suite struct ProfileFaultTests {
    static let formats = ImageFormat.allCases.filter { $0.traits.metadata.contains(.profile) }

    /// Creates a file with an arbitrary profile: takes a valid file and replaces its profile.
    private func file(_ format: ImageFormat, _ profile: [UInt8], _ channels: ChannelLayout = .rgb) throws -> [UInt8] {
        let pixels = try Sample.smooth(20, 12, PixelFormat(channels))
        if format == .png {
            let plain = try ImageFile.encode(DecodedImage(pixels: pixels), as: .png)
            let chunk = TestPNG.chunk("iCCP", Array("p\0\0".utf8) + zlibStored(profile))
            return Array(plain[..<33]) + chunk + Array(plain[33...])
        }
        var metadata = ImageMetadata()
        let whole = TestProfile.bytes(isGrey: channels.isGrey, size: profile.count)
        metadata.iccProfile = ICCProfile(bytes: whole)
        var file = try ImageFile.encode(DecodedImage(pixels: pixels, metadata: metadata), as: format)
        let at = try #require(file.indices.first { file[$0...].starts(with: whole) }, "\(format) changes profiles")
        file.replaceSubrange(at..<at + whole.count, with: profile)
        return file
    }

    /// All formats that can hold a profile, except JPEG XL. JPEG XL compresses the profile together with the picture, so the
    /// profile cannot be replaced. Tests/acceptance/more_formats.py tests JPEG XL.
    static let readable = formats.filter { $0 != .jxl }

    @Test("Every reader drops a profile with a fault, reports it, and keeps the picture", arguments: readable)
    func reading(_ format: ImageFormat) throws {
        let whole = TestProfile.bytes()
        let good = try ImageFile.read(bytes: file(format, whole), name: "x")
        #expect(good.metadata.iccProfile?.bytes == whole && good.metadata.profileFault == nil)
        #expect(good.pixels.format.colorSpace == .icc(whole))
        for fault in TestProfile.faults {
            let found = try ImageFile.read(bytes: file(format, TestProfile.bytes(with: fault)), name: "x")
            #expect(found.metadata.iccProfile == nil, "\(fault.name)")
            #expect(found.metadata.profileFault == .unusable, "\(fault.name)")
            #expect(found.pixels.bytes == good.pixels.bytes)
            if case .icc = found.pixels.format.colorSpace { Issue.record("\(fault.name) is the pixels' colour space") }
            // Without its profile, the picture can be written in every format.
            for other in Self.formats { _ = try ImageFile.encode(found, as: other) }
        }
    }

    @Test("Every reader drops a profile for other channels and reports it", arguments: readable)
    func otherChannels(_ format: ImageFormat) throws {
        let found = try ImageFile.read(bytes: file(format, TestProfile.bytes(isGrey: true)), name: "x").metadata
        #expect(found.iccProfile == nil)
        // libpng rejects a profile for other channels before Frost checks it.
        #expect(found.profileFault == (format == .png ? .unusable : .otherChannels(than: "RGB")))
    }

    @Test("No format is written with a profile that has a fault", arguments: formats)
    func writing(_ format: ImageFormat) throws {
        func encode(_ profile: [UInt8]) throws -> [UInt8] {
            var metadata = ImageMetadata()
            metadata.iccProfile = ICCProfile(bytes: profile)
            let pixels = try Sample.smooth(20, 12, PixelFormat(.rgb))
            return try ImageFile.encode(DecodedImage(pixels: pixels, metadata: metadata), as: format)
        }
        _ = try encode(TestProfile.bytes())
        let faulty = TestProfile.faults.map { TestProfile.bytes(with: $0) }
        let cut = Array(TestProfile.bytes().dropLast(4))
        for profile in faulty + [[], [1, 2, 3], cut, TestProfile.bytes(isGrey: true)] {
            guard case .cannotEncode = imageError({ _ = try encode(profile) }) else {
                Issue.record("\(format) was written with a profile of \(profile.count) bytes that has a fault")
                return
            }
        }
    }

    /// JPEG XL is excluded, because it refuses profiles without a white point and primaries.
    @Test("Every format writes each profile that is accepted", arguments: readable)
    func passing(_ format: ImageFormat) throws {
        var random = SeededGenerator(seed: 12)
        let pixels = try Sample.smooth(8, 8, PixelFormat(.rgb))
        var passed = 0
        for _ in 0..<100 {
            var profile = TestProfile.bytes()
            for _ in 0...Int.random(in: 0...2, using: &random) {
                // The changed byte lies before the profile's text padding.
                profile[Int.random(in: 0..<350, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let read = try ImageFile.read(bytes: file(.jpeg, profile), name: "x").metadata
            guard read.iccProfile != nil else { continue }
            passed += 1
            _ = try ImageFile.encode(DecodedImage(pixels: pixels, metadata: read), as: format)
        }
        #expect(passed > 10 && passed < 90)
    }

    @Test("A profile that is followed by padding is kept without it")
    func padding() throws {
        let whole = TestProfile.bytes()
        let found = try ImageFile.read(bytes: file(.jpeg, whole + [0, 0, 0, 0]), name: "x").metadata
        #expect(found.iccProfile?.bytes == whole && found.profileFault == nil)
    }
}
