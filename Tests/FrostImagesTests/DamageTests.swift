import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests files of every format that are truncated, altered or forged. Reading such a file must give an error with a reason,
/// and must never crash.
@Suite struct DamageTests {
    @Test("A file cut anywhere is an error that names it", arguments: ImageFormat.allCases)
    func truncated(_ format: ImageFormat) throws {
        for whole in try Sample.files(format) {
            #expect(imageError { _ = try ImageFile.read(bytes: whole, name: "whole") } == nil)
            for count in whole.indices {
                let cut = Array(whole[..<count])
                guard let error = imageError({ _ = try ImageFile.read(bytes: cut, name: "cut") }) else {
                    Issue.record("\(format) of \(whole.count) bytes was read from its first \(count)")
                    continue
                }
                #expect(error.kind == .unreadable && error.description.hasPrefix("cut: "))
            }
        }
    }

    @Test(
        "thousands of files with changed bytes: a picture within the limits or an error, never a crash",
        arguments: ImageFormat.allCases)
    func changed(_ format: ImageFormat) throws {
        let files = try Sample.files(format)
        let limits = ImageLimits(maximumSide: 4096, maximumPixels: 1 << 20)
        var random = SeededGenerator(seed: 11)
        var failures = 0
        let count = TestCases.every ? 10_000 : 2_000
        for i in 0..<count {
            var bytes = files[i % files.count]
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let at = Int.random(in: bytes.indices, using: &random)
                bytes[at] = UInt8.random(in: 0...255, using: &random)
            }
            let error = imageError {
                let pixels = try ImageFile.read(bytes: bytes, name: "x", options: ImageReadOptions(limits: limits))
                    .pixels
                if pixels.width * pixels.height > 1 << 20 { Issue.record("\(pixels.width)x\(pixels.height)") }
            }
            if let error {
                failures += 1
                if error.kind == .unwritable { Issue.record("\(error)") }
            }
        }
        // Many changes cannot be detected, because raw Netpbm samples may have any value. Changes of headers are detected.
        #expect(failures > count / 20)
    }

    // MARK: Decompression bombs

    /// Returns the header of a JPEG file and the start of its first scan.
    static func jpegHeader(_ width: Int, _ height: Int, components: Int = 3, frame: UInt8 = 0xC0) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB] + bigEndian(67, 2) + [0] + [UInt8](repeating: 1, count: 64)
        bytes += [0xFF, frame] + bigEndian(8 + 3 * components, 2) + [8] + bigEndian(height, 2) + bigEndian(width, 2)
        bytes.append(UInt8(components))
        for i in 0..<components { bytes += [UInt8(i + 1), 0x11, 0] }
        bytes += [0xFF, 0xDA] + bigEndian(6 + 2 * components, 2) + [UInt8(components)]
        for i in 0..<components { bytes += [UInt8(i + 1), 0] }
        return bytes + [0, frame == 0xC2 ? 0 : 63, 0]
    }

    static let bombs: [(String, [UInt8], ImageError.Kind)] = [
        ("jpeg", jpegHeader(64250, 64250), .overLimit), ("jpeg", jpegHeader(32768, 32768), .unreadable),
        ("progressive", jpegHeader(32768, 32768, frame: 0xC2), .unreadable),
        ("progressive", jpegHeader(64250, 64250, frame: 0xC2), .overLimit),
        ("qoi", Array("qoif".utf8) + bigEndian(100_000, 4) + bigEndian(100_000, 4) + [4, 0], .overLimit),
        ("qoi", Array("qoif".utf8) + bigEndian(32768, 4) + bigEndian(32768, 4) + [4, 0], .unreadable),
        ("ppm", Array("P6 64250 64250 255\n".utf8), .overLimit),
        ("pgm", Array("P2 9 99999999999 9\n".utf8), .unreadable),
        ("ppm", Array("P6 32768 32768 65535\n".utf8), .unreadable),
        ("pam", Array("P7\nWIDTH 40000\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nENDHDR\n".utf8), .overLimit),
        ("pfm", Array("PF 32768 32768 -1\n".utf8), .unreadable),
        ("comments", Array("P5\n#".utf8) + [UInt8](repeating: 65, count: 1 << 17), .unreadable),
    ]

    @Test("A header that promises what the file cannot hold is refused before memory is taken", arguments: bombs)
    func bomb(_ name: String, _ bytes: [UInt8], _ kind: ImageError.Kind) {
        #expect(imageError { _ = try ImageFile.read(bytes: bytes, name: name) }?.kind == kind)
    }

    private func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        for _ in 0..<count { result += bytes }
        return result
    }

    @Test("Thousands of segments, chunks or scans are refused")
    func endless() throws {
        let comment: [UInt8] = [0xFF, 0xFE, 0, 3, 65]
        var jpeg = try Sample.files(.jpeg)[1]
        jpeg.insert(contentsOf: repeated(comment, 2000), at: 2)
        guard case .tooComplex = imageError({ _ = try ImageFile.read(bytes: jpeg, name: "x") }) else {
            Issue.record("2000 comments were read")
            return
        }
        let png = try Sample.files(.png)[0]
        let text = TestPNG.chunk("tEXt", Array("Title\0b".utf8))
        let many = Array(png[..<33]) + repeated(text, 10_000) + Array(png[33...])
        guard case .tooComplex = imageError({ _ = try ImageFile.read(bytes: many, name: "x") }) else {
            Issue.record("10,000 texts were read")
            return
        }
        let few = Array(png[..<33]) + repeated(text, 100) + Array(png[33...])
        #expect(try ImageFile.read(bytes: few, name: "x").metadata.texts.count == 100)
    }

    @Test("A JPEG with hundreds of scans is refused")
    func scans() throws {
        let file = try Sample.files(.jpeg)[2]
        // The last scan is repeated 300 times before the end marker.
        let starts = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        let scan = try Array(file[#require(starts.last)..<file.count - 2])
        let many = Array(file[..<(file.count - 2)]) + repeated(scan, 300) + [0xFF, 0xD9]
        #expect(imageError { _ = try ImageFile.read(bytes: many, name: "x") } != nil)
    }

    @Test("Animated pictures are refused, and their first frame read where that is asked for")
    func animated() throws {
        let png = try Sample.files(.png)[2]
        let animated = Array(png[..<33]) + TestPNG.chunk("acTL", bigEndian(2, 4) + bigEndian(0, 4)) + Array(png[33...])
        #expect(
            imageError { _ = try ImageFile.read(bytes: animated, name: "x") } == .animated(path: "x", format: .png))
        let first = try ImageFile.read(bytes: animated, name: "x", options: ImageReadOptions(firstFrame: true))
        #expect(try first.pixels == ImageFile.read(bytes: png, name: "x").pixels)
    }
}
