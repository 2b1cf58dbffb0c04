import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// Tests the readers of all frames of an animation, and the GIF reader.
@Suite struct AnimationTests {
    private func frames(_ bytes: [UInt8], _ failOn: FailOn = .error) throws -> DecodedImage {
        var options = ImageReadOptions(failOn: failOn)
        options.part = .frames
        return try ImageFile.read(bytes: bytes, name: "x", options: options)
    }

    @Test("A GIF of a single frame is a picture, whatever the order of its rows")
    func still() throws {
        let (width, height) = (21, 19)
        let indices = (0..<width * height).map { UInt8($0 * 7 & 255) }
        var frame = TestGIF.Frame(width: width, height: height, indices: indices)
        let expected = indices.flatMap { TestGIF.color($0)[..<3] }
        let image = try ImageFile.read(bytes: TestGIF(width: width, height: height, frames: [frame]).bytes, name: "x")
        #expect(image.pixels.format.channels == .rgb && samples(of: image.pixels) == expected)
        // Every eighth row, the rows between, and so on.
        let order =
            Array(stride(from: 0, to: height, by: 8)) + stride(from: 4, to: height, by: 8)
            + stride(from: 2, to: height, by: 4) + stride(from: 1, to: height, by: 2)
        frame.isInterlaced = true
        frame.indices = order.flatMap { indices[($0 * width)..<($0 + 1) * width] }
        let other = try ImageFile.read(bytes: TestGIF(width: width, height: height, frames: [frame]).bytes, name: "x")
        #expect(other.pixels == image.pixels)
    }

    private static let animation = TestGIF(
        width: 4, height: 2,
        frames: [
            TestGIF.Frame(width: 4, height: 2, indices: [1, 2, 3, 4, 5, 6, 7, 8], delay: 5),
            TestGIF.Frame(x: 1, width: 2, height: 1, indices: [9, 10], delay: 0, disposal: 2, transparent: 10),
            TestGIF.Frame(width: 2, height: 1, indices: [20, 21], delay: 30, disposal: 3),
            TestGIF.Frame(x: 3, y: 1, width: 5, height: 5, indices: [UInt8](repeating: 30, count: 25), delay: 2),
        ], repeats: 2)

    @Test("The frames of a GIF are drawn on each other, and disposed of as they state")
    func disposal() throws {
        let clear = [0, 0, 0, 0]
        func row(_ values: [UInt8?]) -> [Int] { values.flatMap { $0.map(TestGIF.color) ?? clear } }
        let image = try frames(Self.animation.bytes)
        #expect(image.metadata.timing == AnimationTiming(durations: [50, 100, 300, 20], plays: 3))
        let expected = [
            row([1, 2, 3, 4]), row([5, 6, 7, 8]),
            // One pixel is transparent.
            row([1, 9, 3, 4]), row([5, 6, 7, 8]),
            // The rectangle of the last frame is cleared.
            row([20, 21, nil, 4]), row([5, 6, 7, 8]),
            // The last frame is taken back, and this one extends past the picture.
            row([1, nil, nil, 4]), row([5, 6, 7, 30]),
        ].joined()
        #expect(samples(of: image.pixels) == Array(expected))
    }

    @Test("An animated GIF is refused as a picture, and its first frame is read if that is asked for")
    func firstFrame() throws {
        let bytes = Self.animation.bytes
        #expect(imageError { _ = try ImageFile.read(bytes: bytes, name: "x") } == .animated(path: "x", format: .gif))
        let first = try ImageFile.read(bytes: bytes, name: "x", options: ImageReadOptions(firstFrame: true))
        #expect(samples(of: first.pixels) == (1...8).flatMap { TestGIF.color($0)[..<3] })
    }

    @Test("A GIF cut anywhere is an error that names it, and keeps the frames that it has if that is asked for")
    func truncated() throws {
        let whole = Self.animation.bytes
        // Without its last byte, all frames are there.
        for count in 0..<whole.count - 1 {
            let error = imageError { _ = try frames(Array(whole[..<count])) }
            let isBetweenFrames = (try? frames(Array(whole[..<count]), .warning)) == nil && error == nil
            #expect(error?.kind == .unreadable || isBetweenFrames, "\(count)")
        }
        let cut = try frames(Array(whole.dropLast(8)), .none)
        #expect(cut.metadata.timing?.durations.count == 4)
    }

    /// The pictures differ in every pixel, so that libwebp merges none of them.
    @Test(
        "Times, plays and pixels of an animation are those that were written", arguments: [SequenceFormat.webp, .apng])
    func written(_ format: SequenceFormat) throws {
        let durations = [40, 1000, 70_000, 130]
        let layout = try PixelLayout(width: 12, height: 9, format: PixelFormat(.rgba))
        let pictures = try durations.indices.map { i in
            try PixelBuffer(
                layout: layout, bytes: (0..<layout.byteCount).map { $0 % 4 == 3 ? 255 : UInt8(($0 * 5 + 50 * i) & 255) }
            )
        }
        let scratch = try Scratch()
        var options = try SequenceOptions(plays: 7, threads: 2)
        options.picture.webp = WebPWriteOptions(isLossless: true)
        var writer = try SequenceWriter(
            to: .file(path: FilePath(scratch.file("a"))), as: format, layout: layout, frames: 4, durations: durations,
            options: options)
        for picture in pictures { try writer.write(picture) }
        try writer.finish()
        let image = try frames(scratch.read("a"))
        // PNG stores a minute in hundredths of a second.
        #expect(image.metadata.timing == AnimationTiming(durations: durations, plays: 7))
        #expect(image.pixels.bytes == pictures.flatMap(\.bytes))
    }

    /// Returns an animated PNG of two grey frames of 2x2 pixels.
    ///
    /// - Parameters:
    ///   - stated: the number of frames that the header states.
    ///   - numbers: those of the chunks of frames.
    private func twoFrames(
        second data: [UInt8] = zlibStored([0, 3, 4, 0, 5, 6]), stated: Int = 2, numbers: [Int] = [0, 1, 2]
    ) -> [UInt8] {
        let size = bigEndian(2, 4) + bigEndian(2, 4)
        func control(_ number: Int) -> [UInt8] {
            let place = size + bigEndian(0, 8)
            return TestPNG.chunk("fcTL", bigEndian(number, 4) + place + bigEndian(1, 2) + bigEndian(10, 2) + [0, 0])
        }
        var png = TestPNG.signature + TestPNG.chunk("IHDR", size + [8, 0, 0, 0, 0])
        png += TestPNG.chunk("acTL", bigEndian(stated, 4) + bigEndian(0, 4))
        png += control(numbers[0]) + TestPNG.chunk("IDAT", zlibStored([0, 1, 2, 0, 3, 4]))
        png += control(numbers[1]) + TestPNG.chunk("fdAT", bigEndian(numbers[2], 4) + data)
        return png + TestPNG.chunk("IEND", [])
    }

    @Test("Every chunk of an animated PNG has its checksum", arguments: ["acTL", "fcTL", "IDAT", "fdAT", "IEND"])
    func checksums(_ name: String) throws {
        let whole = twoFrames()
        #expect(try frames(whole).metadata.timing?.durations.count == 2)
        let at = try #require(whole.indices.first { whole[$0...].starts(with: name.utf8) })
        var bytes = whole
        let end = at + 4 + bytes[at - 4..<at].reduce(0) { $0 << 8 | Int($1) }
        bytes[end] ^= 1
        let error = imageError { _ = try frames(bytes) }
        #expect(error?.description == "x: damaged PNG: CRC mismatch in \(name) at byte \(end + 4)")
        // Damaged pixels become grey where they are tolerated. The other chunks say what the pixels are.
        let tolerated = try? frames(bytes, .none)
        #expect((tolerated != nil) == (name == "IDAT" || name == "fdAT"))
        if let tolerated {
            let grey: [UInt8] = [128, 128, 128, 255]
            let first = name == "IDAT" ? 0 : 16
            #expect(Array(tolerated.pixels.bytes[first..<first + 4]) == grey, "\(tolerated.pixels.bytes)")
        }
    }

    @Test("Frames that an animated PNG lacks are an error, or named where that is tolerated")
    func missingFrames() throws {
        var options = ImageReadOptions(failOn: .none)
        options.part = .frames
        for (bytes, text) in [
            (twoFrames(stated: 3), "acTL states 3 frames, but the file has 2"),
            (twoFrames(numbers: [0, 2, 3]), "fcTL: has the number 2 instead of 1"),
            (twoFrames(numbers: [0, 1, 5]), "fdAT: has the number 5 instead of 2"),
        ] {
            #expect(imageError { _ = try frames(bytes) }?.description.contains(text) == true)
            let problems = ReadProblems()
            let source = try PNGFrames(source: ByteSource(bytes: bytes, name: "x"), options, problems: problems)
            #expect(source.head.timing.durations.count == 2 && problems.texts == ["\(text); frames are missing"])
        }
        // Without its end, the file has the frames that begin in it.
        let whole = twoFrames()
        for (count, kept) in [(whole.count - 12, 2), (whole.count - 20, 2), (100, 1)] {
            let cut = Array(whole[..<count])
            #expect(imageError { _ = try frames(cut) }?.kind == .unreadable)
            #expect(try frames(cut, .none).metadata.timing?.durations.count == kept)
        }
    }

    @Test("Pixels that a later frame lacks are named, and an error where they are not tolerated")
    func missingPixels() throws {
        let bytes = twoFrames(second: Array(zlibStored([0, 3, 4, 0, 5, 6]).prefix(9)))
        #expect(imageError { _ = try frames(bytes) }?.kind == .unreadable)
        var options = ImageReadOptions(failOn: .none)
        options.part = .frames
        let problems = ReadProblems()
        var source = try PNGFrames(source: ByteSource(bytes: bytes, name: "x"), options, problems: problems)
        _ = try source.next()
        #expect(problems.texts.isEmpty)
        _ = try source.next()
        #expect(problems.texts.count == 1)
    }

    @Test(
        "An AVIF sequence has the times and, without loss, the pixels that were written",
        .enabled(if: ImageFormat.avif.isBuilt, "built without AVIF"), arguments: [SampleType.u8, .u16])
    func avif(_ sample: SampleType) throws {
        let layout = try PixelLayout(width: 40, height: 30, format: PixelFormat(.rgba, sample))
        let pictures = try (0..<5).map { try TestImage.noise(40 + $0 - $0, 30, PixelFormat(.rgba, sample)) }
        let scratch = try Scratch()
        var options = try SequenceOptions(threads: 2)
        options.picture.avif = LossyWriteOptions(quality: 0, isLossless: true)
        if sample == .u16 { options.picture.depth = 12 }
        var writer = try SequenceWriter(
            to: .file(path: FilePath(scratch.file("a"))), as: .avif, layout: layout, frames: 5,
            durations: [40, 1000, 300, 130, 20], options: options)
        for picture in pictures { try writer.write(picture) }
        try writer.finish()
        let image = try frames(scratch.read("a"))
        #expect(image.metadata.timing == AnimationTiming(durations: [40, 1000, 300, 130, 20], plays: 0))
        let (found, expected) = (samples(of: image.pixels), pictures.flatMap { samples(of: $0) })
        // Twelve bits are within half a step of 16.
        let tolerance = sample == .u8 ? 0 : 8
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= tolerance } && found.count == expected.count)
    }

    @Test("A still picture is an animation of one frame", arguments: [ImageFormat.png, .webp])
    func oneFrame(_ format: ImageFormat) throws {
        let picture = try Sample.smooth(9, 7, PixelFormat(.rgba))
        let options = ImageWriteOptions(webp: WebPWriteOptions(isLossless: true))
        let bytes = try ImageFile.encode(DecodedImage(pixels: picture), as: format, options: options)
        let image = try frames(bytes)
        #expect(image.metadata.timing?.durations.count == 1)
        #expect(try image.pixels.bytes == ImageFile.read(bytes: bytes, name: "x").pixels.bytes)
    }

    @Test("Frames are blended, cleared and restored as an animated PNG states")
    func canvas() throws {
        let layout = try PixelLayout(width: 2, height: 1, format: PixelFormat(.rgba))
        func picture(_ bytes: [UInt8]) throws -> PixelBuffer { try PixelBuffer(layout: layout, bytes: bytes) }
        var canvas = FrameCanvas(layout)
        canvas.draw(try picture([255, 0, 0, 255, 0, 0, 200, 128]), x: 0, y: 0, isBlended: true, .keep)
        canvas.draw(try picture([0, 255, 0, 51, 0, 100, 0, 128]), x: 0, y: 0, isBlended: true, .restore)
        // A fifth of green over opaque red; then half over half: alpha is 128 + 128 * 127 / 255.
        #expect(canvas.pixels.bytes == [204, 51, 0, 255, 0, 67, 66, 192])
        canvas.draw(try picture([1, 2, 3, 4, 5, 6, 7, 0]), x: 0, y: 0, isBlended: false, .clear)
        #expect(canvas.pixels.bytes == [1, 2, 3, 4, 5, 6, 7, 0])
        canvas.draw(try picture([9, 9, 9, 0, 9, 9, 9, 255]), x: 0, y: 0, isBlended: true, .keep)
        #expect(canvas.pixels.bytes == [0, 0, 0, 0, 9, 9, 9, 255])
    }
}
