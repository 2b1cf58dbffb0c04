import FrostCore
import FrostTestSupport
import Glibc
import Testing

@testable import FrostImages

/// Tests that animations come back frame by frame, at the right times, completely or not at all.
@Suite struct SequenceTests {
    /// Returns frames in which a square of noise moves over a smooth background. The last two frames are equal.
    static func frames(
        _ count: Int = 6, _ width: Int = 41, _ height: Int = 29, _ format: PixelFormat = PixelFormat(.rgba),
        isOpaque: Bool = true, isNoise: Bool = true
    ) throws -> [PixelBuffer] {
        let layout = try PixelLayout(width: width, height: height, format: format)
        let noise = SeededNoise(seed: 7)
        let channels = format.channels
        return try (0..<count).map { number in
            let at = 3 * min(number, count - 2)
            var bytes: [UInt8] = []
            for y in 0..<height {
                for x in 0..<width {
                    let isInside = isNoise && (at..<at + 9).contains(x) && (5..<12).contains(y)
                    for channel in 0..<channels.count {
                        let smooth = Double((x * (channel + 1) + 2 * y) % 256) / 256
                        var value = isInside ? noise.value(x - at, y, channel) : smooth
                        if channels.hasAlpha, channel == channels.count - 1, isOpaque { value = 1 }
                        if channels.hasAlpha, channel == channels.count - 1, !isOpaque, !isInside { value = smooth }
                        switch format.sample {
                        case .u8: bytes.append(UInt8(value * 255))
                        case .u16, .f16, .f32:
                            let word = UInt16(value * 65535)
                            bytes += [UInt8(word & 255), UInt8(word >> 8)]
                        }
                    }
                }
            }
            return try PixelBuffer(layout: layout, bytes: bytes)
        }
    }

    /// Writes frames and returns the bytes of the file.
    static func write(
        _ frames: [PixelBuffer], as format: SequenceFormat, rate: FrameRate? = nil, _ options: SequenceOptions? = nil,
        in scratch: Scratch? = nil
    ) throws -> [UInt8] {
        let scratch = try scratch ?? Scratch()
        var writer = try SequenceWriter(
            to: .file(path: FilePath(scratch.file("out"))), as: format, layout: frames[0].layout,
            rate: rate ?? FrameRate(30000, per: 1001), frames: frames.count, options: options ?? SequenceOptions())
        for frame in frames { try writer.write(frame) }
        try writer.finish()
        #expect(scratch.entries == ["out"])
        return scratch.read("out")
    }

    static let lossless = ImageWriteOptions(webp: WebPWriteOptions(isLossless: true))

    // MARK: Animated PNG

    @Test(
        "An animated PNG gives every frame back exactly",
        arguments: [
            PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.bgra), PixelFormat(.grey), PixelFormat(.greyAlpha),
            PixelFormat(.rgba, .u16), PixelFormat(.grey, .u16),
        ])
    func apng(format: PixelFormat) throws {
        for isOpaque in [true, false] {
            let frames = try Self.frames(6, 41, 29, format, isOpaque: isOpaque)
            let file = try Self.write(frames, as: .apng, SequenceOptions(plays: 3))
            let animation = try TestAnimation(png: file)
            #expect(animation.plays == 3 && animation.statedFrames == 6)
            #expect(animation.frames.allSatisfy { $0.duration == (1001, 30000) })
            let shown = try animation.composed()
            // PNG stores BGRA as RGBA.
            let expected = frames.map { frame in
                let values = samples(of: frame)
                guard format.channels == .bgra else { return values }
                return values.indices.map { values[$0 / 4 * 4 + [2, 1, 0, 3][$0 % 4]] }
            }
            #expect(shown.map { samples(of: $0) } == expected)
            // The comparison fails for another order of frames.
            #expect(shown.reversed().map { samples(of: $0) } != expected)
        }
    }

    @Test("An animated PNG stores only the rectangle that changed, and one pixel of an unchanged frame")
    func rectangles() throws {
        let animation = try TestAnimation(png: try Self.write(Self.frames(), as: .apng))
        #expect(animation.frames.first?.rect == Rect(x: 0, y: 0, width: 41, height: 29))
        for (number, frame) in animation.frames.enumerated().dropFirst() where number < 5 {
            // A square of 9 columns that moves by 3 covers 12 columns.
            #expect(frame.rect == Rect(x: 3 * number - 3, y: 5, width: 12, height: 7))
        }
        #expect(animation.frames.last?.rect == Rect(x: 0, y: 0, width: 1, height: 1))
    }

    @Test("A still picture reader takes the first frame of an animated PNG")
    func firstFrame() throws {
        let frames = try Self.frames()
        let file = try Self.write(frames, as: .apng)
        let image = try ImageFile.read(bytes: file, name: "a", options: ImageReadOptions(firstFrame: true))
        #expect(image.pixels.bytes == frames[0].bytes)
        #expect(imageError { _ = try ImageFile.read(bytes: file, name: "a") } == .animated(path: "a", format: .png))
    }

    @Test("The first frame of an animated WebP has alpha only if it does not cover the picture")
    func alphaOfFirstFrame() throws {
        func little(_ value: Int, _ count: Int) -> [UInt8] { bigEndian(value, count).reversed() }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + little(content.count, 4) + content
        }
        let still = try ImageFile.encode(
            DecodedImage(pixels: TestImage.noise(4, 6, PixelFormat(.rgb))), as: .webp,
            options: ImageWriteOptions(webp: WebPWriteOptions(isLossless: true)))
        var frame = little(0, 6) + little(3, 3) + little(5, 3) + little(100, 3)
        frame.append(0)
        frame += still[12...]
        for width in [4, 8] {
            var content = Array("WEBP".utf8)
            content += chunk("VP8X", [2, 0, 0, 0] + little(width - 1, 3) + little(5, 3))
            content += chunk("ANIM", little(0, 6)) + chunk("ANMF", frame)
            let image = try ImageFile.read(
                bytes: chunk("RIFF", content), name: "a", options: ImageReadOptions(firstFrame: true))
            #expect(image.pixels.width == width && image.pixels.height == 6)
            #expect(image.pixels.format.channels == (width == 4 ? .rgb : .rgba))
        }
    }

    @Test("The change between two images is their smallest rectangle")
    func changes() throws {
        var random = SeededGenerator(seed: 11)
        let layout = try PixelLayout(width: 13, height: 7, format: PixelFormat(.rgb), bytesPerRow: 45)
        let old = PixelBuffer(layout: layout)
        for _ in 0..<200 {
            var new = old
            var points: [(Int, Int)] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let (x, y) = (Int.random(in: 0..<13, using: &random), Int.random(in: 0..<7, using: &random))
                points.append((x, y))
                unsafe new.withUnsafeMutableBytes { unsafe $0[y * 45 + 3 * x + 1] = 9 }
            }
            let (xs, ys) = (points.map(\.0), points.map(\.1))
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
                #expect(new.changes(from: old) == nil)
                continue
            }
            let expected = Rect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
            #expect(new.changes(from: old) == expected)
        }
    }

    // MARK: Animated WebP

    @Test("A lossless animated WebP gives opaque frames back exactly, at times that do not drift")
    func losslessWebP() throws {
        let frames = try Self.frames(12)
        let rate = try FrameRate(60)
        let options = try SequenceOptions(picture: Self.lossless, plays: 2)
        let animation = try TestAnimation(webp: try Self.write(frames, as: .webp, rate: rate, options))
        #expect(animation.plays == 2)
        // libwebp merges the last two frames, because they are equal.
        #expect(animation.frames.count == 11)
        let shown = try animation.composed()
        #expect(shown.map(\.bytes) == frames.dropLast().map(\.bytes))
        #expect(shown.reversed().map(\.bytes) != frames.dropLast().map(\.bytes))
        // The frames begin at round(1000 n / 60): 0, 17, 33, 50, and so on.
        #expect(animation.frames.map(\.duration.0) == [17, 16, 17, 17, 16, 17, 17, 16, 17, 17, 33])
        #expect(animation.frames.reduce(0) { $0 + $1.duration.0 } == 200)
    }

    @Test("A lossless animated WebP keeps alpha, and the colours of all visible pixels")
    func alphaWebP() throws {
        let frames = try Self.frames(5, isOpaque: false)
        let options = try SequenceOptions(picture: Self.lossless, keyFrames: WebPKeyFrames(minimum: 2, maximum: 3))
        // Pixels between opaque and transparent cannot be blended exactly, so libwebp replaces them.
        let shown = try TestAnimation(webp: try Self.write(frames, as: .webp, options)).composed()
        #expect(shown.count == 4)
        for (made, frame) in zip(shown, frames) {
            var wrong = 0
            for i in 0..<frame.bytes.count where frame.bytes[i | 3] > 0 && made.bytes[i] != frame.bytes[i] {
                wrong += 1
            }
            #expect(wrong == 0)
            let places = stride(from: 3, to: frame.bytes.count, by: 4)
            #expect(places.map { made.bytes[$0] } == places.map { frame.bytes[$0] })
        }
    }

    /// libwebp stores the second frame as an opaque rectangle on the background.
    @Test("An animated WebP says that it has alpha if a frame shows the background")
    func alphaFlagOfWebP() throws {
        func flags(of second: @escaping (Int, Int) -> Bool, profile: ICCProfile?) throws -> UInt8 {
            let format = PixelFormat(.rgba)
            let frames = try [{ _, _ in true }, second].map { (isOpaque: (Int, Int) -> Bool) in
                try TestImage.make(40, 30, format) { x, y, c in isOpaque(x, y) ? (c == 3 ? 1 : Double(x + c) / 60) : 0 }
            }
            let scratch = try Scratch()
            var metadata = ImageMetadata()
            metadata.iccProfile = profile
            var writer = try SequenceWriter(
                to: .file(path: FilePath(scratch.file("out"))), as: .webp, layout: frames[0].layout, frames: 2,
                metadata: metadata, options: SequenceOptions(picture: Self.lossless))
            for frame in frames { try writer.write(frame) }
            try writer.finish()
            let file = scratch.read("out")
            #expect(Array(file[12..<16]) == Array("VP8X".utf8))
            let read = try ImageFile.read(
                path: scratch.file("out"), options: ImageReadOptions(firstFrame: true))
            #expect(read.pixels.isOpaque)
            return file[20]
        }
        for profile in [nil, ICCProfile(bytes: TestProfile.bytes())] {
            #expect(
                try flags(of: { x, y in (8..<20).contains(x) && (4..<14).contains(y) }, profile: profile) & 0x10 != 0)
            #expect(try flags(of: { x, y in x != y }, profile: profile) & 0x10 != 0)
        }
        let flat = try [0.2, 0.9].map { value in
            try TestImage.make(40, 30, PixelFormat(.rgba)) { _, _, c in c == 3 ? 1 : value }
        }
        let opaque = try Self.write(flat, as: .webp, SequenceOptions(picture: Self.lossless))
        #expect(Array(opaque[12..<16]) == Array("VP8X".utf8) && opaque[20] & 0x10 == 0)
    }

    @Test("A lossy animated WebP is close to its frames, and closer with a higher quality")
    func lossyWebP() throws {
        let frames = try Self.frames(8, 64, 48, isNoise: false)
        func error(_ quality: Int) throws -> Double {
            var all = frames
            // A moving bar makes every frame different.
            for (number, frame) in frames.enumerated() {
                var bytes = frame.bytes
                for y in 0..<48 {
                    for x in 4 * number..<4 * number + 8 { bytes[(y * 64 + x) * 4] = 200 }
                }
                all[number] = try PixelBuffer(layout: frame.layout, bytes: bytes)
            }
            let picture = ImageWriteOptions(webp: WebPWriteOptions(quality: quality))
            let file = try Self.write(all, as: .webp, SequenceOptions(picture: picture))
            let shown = try TestAnimation(webp: file).composed()
            try #require(shown.count == all.count)
            var (sum, count) = (0.0, 0.0)
            for (made, frame) in zip(shown, all) {
                for (first, second) in zip(made.bytes, frame.bytes) {
                    let difference = Double(first) - Double(second)
                    sum += difference * difference
                    count += 1
                }
            }
            return (sum / count).squareRoot()
        }
        let (low, high) = (try error(20), try error(95))
        // The frames have saw-tooth edges, at which chroma of half the resolution is off by many steps. The root of the
        // mean square of all frames is far below that of frames in another order.
        #expect(high < low)
        #expect(high < 16, "\(high)")
    }

    @Test("A lossy animated WebP merges similar frames only, and keeps the time of every other frame")
    func mergedWebP() throws {
        // Each frame is one step lighter than the one before.
        let layout = try PixelLayout(width: 32, height: 32, format: PixelFormat(.rgb))
        let frames = try (0..<30).map { number in
            try PixelBuffer(layout: layout, bytes: [UInt8](repeating: UInt8(100 + number), count: layout.byteCount))
        }
        let rate = try FrameRate(50)
        let animation = try TestAnimation(webp: try Self.write(frames, as: .webp, rate: rate))
        #expect(animation.frames.count < 30)
        #expect(animation.frames.reduce(0) { $0 + $1.duration.0 } == 600)
        let shown = try animation.composed()
        var time = 0
        for (frame, pixels) in zip(animation.frames, shown) {
            #expect(time % 20 == 0)
            for number in time / 20..<(time + frame.duration.0) / 20 {
                // libwebp merges frames that differ by a few steps at quality 90, and codes a flat frame with an error of
                // up to 2. Without a limit the frames would differ by up to 29 steps.
                #expect(
                    pixels.bytes.indices.allSatisfy { $0 % 4 == 3 || abs(Int(pixels.bytes[$0]) - 100 - number) <= 5 })
            }
            time += frame.duration.0
        }
    }

    @Test("An animation holds the metadata that are kept", arguments: [SequenceFormat.webp, .apng])
    func metadata(format: SequenceFormat) throws {
        var metadata = ImageMetadata()
        metadata.iccProfile = ICCProfile(bytes: TestProfile.bytes())
        metadata.exif = TestMetadata.exif
        metadata.xmp = TestMetadata.xmp
        let frames = try Self.frames(3, 16, 12)
        for policy in MetadataPolicy.allCases {
            let scratch = try Scratch()
            var writer = try SequenceWriter(
                to: .file(path: FilePath(scratch.file("a"))), as: format, layout: frames[0].layout, rate: FrameRate(60),
                frames: 3, metadata: metadata, options: SequenceOptions(picture: ImageWriteOptions(keep: policy)))
            for frame in frames { try writer.write(frame) }
            try writer.finish()
            let read = try ImageFile.read(
                bytes: scratch.read("a"), name: "a", options: ImageReadOptions(firstFrame: true)
            ).metadata
            let kept = metadata.keeping(policy)
            #expect(read.iccProfile?.bytes == kept.iccProfile?.bytes)
            #expect(read.exif == kept.exif && read.xmp == kept.xmp)
        }
        // A profile for other channels than the frames' is refused, and not written.
        metadata.iccProfile = ICCProfile(bytes: TestProfile.bytes(isGrey: true))
        let scratch = try Scratch()
        let error = imageError {
            _ = try SequenceWriter(
                to: .file(path: FilePath(scratch.file("a"))), as: format, layout: frames[0].layout, rate: FrameRate(60),
                frames: 3, metadata: metadata, options: SequenceOptions())
        }
        #expect(error.map { "\($0)".contains("--keep none") } == true)
        #expect(scratch.entries.isEmpty)
    }

    @Test("An animated WebP keeps the ICC profile of its frames")
    func animatedWebPKeepsItsProfile() throws {
        let bytes = TestProfile.bytes()
        let frames = try Self.frames(3, 16, 12, PixelFormat(.rgba, colorSpace: .icc(bytes)))
        #expect(TestAnimation.profile(webp: try Self.write(frames, as: .webp)) == bytes)
        let none = try SequenceOptions(picture: ImageWriteOptions(keep: .none))
        #expect(TestAnimation.profile(webp: try Self.write(frames, as: .webp, none)) == nil)
    }

    // MARK: Picture files

    @Test("Picture files hold one frame each, under the name of the frame")
    func pictures() throws {
        let scratch = try Scratch()
        let frames = try Self.frames()
        let folder = scratch.path
        var writer = try SequenceWriter(
            to: .files(path: { "\(folder)/f\($0).png" }), as: .pictures(.png), layout: frames[0].layout,
            rate: FrameRate(60), frames: 6, options: SequenceOptions())
        for frame in frames { try writer.write(frame) }
        #expect(writer.framesWritten == 6)
        try writer.finish()
        #expect(scratch.entries.sorted() == (0..<6).map { "f\($0).png" })
        for (number, frame) in frames.enumerated() {
            #expect(try PNG.read(path: scratch.file("f\(number).png")).pixels.bytes == frame.bytes)
        }
    }

    @Test("Several frames are refused for a single picture file, and one frame is a picture")
    func singlePicture() throws {
        let frames = try Self.frames(2)
        let error = imageError { _ = try Self.write(frames, as: .pictures(.png)) }
        #expect(error.map { "\($0)".contains("PNG cannot hold 2 frames") } == true)
        let file = try Self.write([frames[0]], as: .pictures(.png))
        #expect(try PNG.read(bytes: file, name: "a").pixels.bytes == frames[0].bytes)
    }

    // MARK: All formats

    static let formats: [SequenceFormat] = SequenceFormat.animations

    @Test("The bytes do not depend on the number of threads", arguments: formats)
    func threads(format: SequenceFormat) throws {
        let frames = try Self.frames(9)
        let expected = try Self.write(frames, as: format, SequenceOptions(threads: 1))
        for threads in [2, 3, 8] {
            #expect(try Self.write(frames, as: format, SequenceOptions(threads: threads)) == expected)
        }
        #expect(try Self.write(frames.reversed(), as: format) != expected)
    }

    @Test("A descriptor receives the same bytes as a file", arguments: formats)
    func descriptor(format: SequenceFormat) throws {
        let scratch = try Scratch()
        let frames = try Self.frames()
        let descriptor = unsafe open(scratch.file("copy"), O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        var writer = try SequenceWriter(
            to: .descriptor(descriptor, name: "pipe"), as: format, layout: frames[0].layout,
            rate: FrameRate(30000, per: 1001), frames: frames.count, options: SequenceOptions())
        for frame in frames { try writer.write(frame) }
        try writer.finish()
        #expect(scratch.read("copy") == (try Self.write(frames, as: format)))
    }

    @Test("A writer that fails or is dropped leaves the old file and no other", arguments: formats)
    func atomic(format: SequenceFormat) throws {
        let scratch = try Scratch()
        scratch.write(Array("old".utf8), to: "a")
        let frames = try Self.frames()
        let other = PixelBuffer(layout: try PixelLayout(width: 2, height: 2, format: PixelFormat(.rgba)))
        func start() throws -> SequenceWriter {
            try SequenceWriter(
                to: .file(path: FilePath(scratch.file("a"))), as: format, layout: frames[0].layout, rate: FrameRate(60),
                frames: 3, options: SequenceOptions())
        }
        func check(_ evidence: String, _ body: () throws -> Void) throws {
            let error = imageError(body)
            #expect(error.map { "\($0)".contains(evidence) } == true, "\(String(describing: error))")
            #expect(scratch.entries == ["a"] && scratch.read("a") == Array("old".utf8))
        }
        try check("2x2") {
            var writer = try start()
            try writer.write(frames[0])
            try writer.write(other)
        }
        try check("only 1 of the announced 3") {
            var writer = try start()
            try writer.write(frames[0])
            try writer.finish()
        }
        try check("more than the announced 3") {
            var writer = try start()
            for frame in frames { try writer.write(frame) }
        }
        do {
            var writer = try start()
            try writer.write(frames[0])
        }
        #expect(scratch.entries == ["a"] && scratch.read("a") == Array("old".utf8))
    }

    @Test("A missing folder is an error before the first frame", arguments: formats)
    func missingFolder(format: SequenceFormat) throws {
        let scratch = try Scratch()
        let path = scratch.file("none/a")
        let error = imageError {
            _ = try SequenceWriter(
                to: .file(path: FilePath(path)), as: format, layout: try Self.frames()[0].layout, rate: FrameRate(60),
                frames: 3,
                options: SequenceOptions())
        }
        #expect(error == .cannotWrite(path: path, errno: ENOENT))
    }

    @Test("Layouts and counts that a format cannot hold are errors")
    func refused() throws {
        let scratch = try Scratch()
        func error(
            _ format: SequenceFormat, _ pixels: PixelFormat = PixelFormat(.rgba), _ width: Int = 4, frames: Int = 2,
            rate: FrameRate? = nil
        ) -> String {
            imageError {
                _ = try SequenceWriter(
                    to: .file(path: FilePath(scratch.file("a"))), as: format,
                    layout: PixelLayout(width: width, height: 4, format: pixels), rate: rate ?? FrameRate(60),
                    frames: frames, options: SequenceOptions())
            }.map { "\($0)" } ?? "no error"
        }
        #expect(error(.webp, PixelFormat(.rgba, .u16)).contains("--depth 8"))
        #expect(error(.apng, PixelFormat(.rgba, .f32)).contains("--depth 16"))
        #expect(error(.webp, PixelFormat(.rgba), 16384).contains("16383"))
        for format in Self.formats {
            #expect(error(format, PixelFormat(.rgba, alpha: .premultiplied)).contains("straight alpha"))
            #expect(error(format, frames: 0).contains("0 frames"))
            #expect(error(format, frames: .max).contains("allowed: 1 to"))
        }
        #expect(error(.webp, frames: 1 << 30, rate: try FrameRate(1)).contains("2^31 - 1 ms"))
        #expect(scratch.entries.isEmpty)
    }

    @Test("Options out of range are refused")
    func options() throws {
        for plays in [-1, 65536] { #expect(throws: ParameterError.self) { try SequenceOptions(plays: plays) } }
        for threads in [0, 257] { #expect(throws: ParameterError.self) { try SequenceOptions(threads: threads) } }
        for (minimum, maximum) in [(1, 2), (5, 5), (4, 9), (60, 100), (1, .max), (.min, 9)] {
            #expect(throws: ParameterError.self) { try WebPKeyFrames(minimum: minimum, maximum: maximum) }
        }
        #expect(try WebPKeyFrames(minimum: 9, maximum: 17).maximum == 17)
    }

    /// An animation in memory has the bytes of the file, and never more bytes than it may have.
    @Test(arguments: [SequenceFormat.webp, .apng, .y4m, .pictures(.png)]) func memory(format: SequenceFormat) throws {
        let frames = try Array(Self.frames().prefix(format == .pictures(.png) ? 1 : 6))
        let options = try SequenceOptions(threads: 2)
        let file = try Self.write(frames, as: format)
        func write(to output: MemoryOutput) throws {
            var writer = try SequenceWriter(
                to: .memory(output), as: format, layout: frames[0].layout, rate: FrameRate(30000, per: 1001),
                frames: frames.count, options: options)
            for frame in frames { try writer.write(frame) }
            try writer.finish()
        }
        let output = MemoryOutput(name: "memory", capacity: file.count)
        try write(to: output)
        #expect(output.bytes == file)
        let short = MemoryOutput(name: "memory", capacity: file.count - 1)
        let error = #expect(throws: ImageError.self) { try write(to: short) }
        guard case .overMemory("memory", let needed, let available) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(needed > available && available == short.capacity && short.bytes.count <= available)
    }
}
