import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// Tests the limits on memory, time and pixels per byte.
@Suite struct LimitTests {
    @Test("Limits above the largest sizes that Frost computes with count as these sizes")
    func largestSizes() {
        let limits = ImageLimits(
            maximumSide: .max, maximumPixels: .max, maximumPixelsPerByte: .max, maximumMemory: .max)
        for (size, kind) in [
            ("1073741825 1", "width"), ("1 2147483647", "height"), ("1073741824 1025", "number of pixels"),
        ] {
            #expect {
                try open(Array("P5 \(size) 255\n".utf8), limits)
            } throws: { error in
                if case ImageError.overLimit(_, kind, _, _) = error { true } else { false }
            }
        }
    }

    // MARK: Pixels per byte

    /// A lossless WebP of a single colour: 16383x16383 pixels in 38 bytes.
    static let sparseWebP: [UInt8] = [
        0x52, 0x49, 0x46, 0x46, 0x1E, 0, 0, 0, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x4C, 0x11, 0, 0, 0, 0x2F,
        0xFE,
        0xBF, 0xFF, 0x0F, 0x07, 0x50, 0x8A, 0x2A, 0xD4, 0xA3, 0xFF, 0x81, 0x88, 0xE8, 0x7F, 0, 0,
    ]

    /// A JPEG header that announces arithmetic coding. The coding needs no bit for a block, so libjpeg accepts the
    /// file.
    static let sparseJPEG = DamageTests.jpegHeader(32000, 32000, frame: 0xC9) + [0xFF, 0xD9]

    @Test("A picture of over 64 megapixels needs a byte for every 1,000 pixels, in files and pipes")
    func pixelsPerByte() {
        for (file, pixels) in [(Self.sparseWebP, 16383 * 16383), (Self.sparseJPEG, 32000 * 32000)] {
            #expect(refusesAsSparse(file))
            #expect(throws: ImageError.self) { try open(file, byPipe: true) }
            // The limit on memory is lifted, because it is not the subject.
            let exact = ImageLimits(
                maximumPixelsPerByte: (pixels - 1) / file.count + 1, maximumMemory: 1 << 40)
            #expect(throws: Never.self) { try open(file, exact) }
            #expect(throws: Never.self) { try open(file, exact, byPipe: true) }
            let stricter = ImageLimits(maximumPixelsPerByte: (pixels - 1) / file.count - 1, maximumMemory: 1 << 40)
            #expect(refusesAsSparse(file, stricter))
            #expect(refusesAsSparse(file, stricter, byPipe: true))
        }
    }

    /// The size of a pipe is not known, so formats that can tell a truncated file from its size cannot do so here.
    @Test(
        "Every format that Frost reads from a pipe refuses a sparse picture",
        arguments: [
            Array("P6 32768 32768 255\n".utf8), Array("P4 32768 32768\n".utf8), Array("Pf 32768 32768 -1\n".utf8),
            Array("qoif".utf8) + bigEndian(32768, 4) + bigEndian(32768, 4) + [4, 0],
            DamageTests.jpegHeader(32768, 32768), DamageTests.jpegHeader(32768, 32768, frame: 0xC2), sparsePNG,
            sparseWebP,
        ])
    func sparsePipes(_ file: [UInt8]) {
        #expect(refusesAsSparse(file, ImageLimits(maximumMemory: 1 << 40), byPipe: true))
    }

    static let sparsePNG =
        TestPNG.signature
        + TestPNG.chunk(
            "IHDR", TestPNG(width: 32768, height: 32768, colorType: 2, bitDepth: 8, samples: []).header)

    @Test("A picture of 64 megapixels or less may be of any size")
    func smallPictures() {
        // This header announces 64,000,000 pixels in less than a kilobyte.
        let file = DamageTests.jpegHeader(8000, 8000, frame: 0xC9)
        #expect(throws: Never.self) { try open(file) }
        #expect(refusesAsSparse(DamageTests.jpegHeader(8000, 8001, frame: 0xC9)))
    }

    @Test("Reading ahead to judge a pipe loses no byte")
    func readAhead() throws {
        let file = try Sample.files(.qoi)[0]
        let source = ByteSource(bytes: file, name: "x")
        #expect(try source.size(below: file.count + 1) == file.count)
        #expect(try source.size(below: file.count) == nil)
        var pipe = Pipe()
        pipe.feed(file)
        defer { pipe.finish() }
        let piped = ByteSource(descriptor: pipe.reading, name: "x")
        #expect(try piped.read(4) == Array(file[..<4]))
        #expect(try piped.size(below: file.count) == nil)
        #expect(try piped.size(below: file.count + 1) == file.count)
        #expect(try piped.readAll(atMost: 1 << 20) == Array(file[4...]))
    }

    // MARK: Memory

    /// Each file must be decoded as a whole, although the caller reads row by row.
    static func wholeFiles() throws -> [(name: String, file: [UInt8], minimum: Int)] {
        let (width, height) = (1024, 512)
        let pixels = width * height
        let picture = DecodedImage(pixels: try Sample.smooth(width, height, PixelFormat(.rgb)))
        var rotated = picture
        rotated.metadata.exif = Sample.exif(orientation: 6)
        var options = ImageWriteOptions()
        options.keep = .all
        var progressive = options
        progressive.jpeg = JPEGWriteOptions(subsampling: JPEGWriteOptions.Subsampling.none, isProgressive: true)
        let interlaced = TestPNG(
            width: width, height: height, colorType: 2, bitDepth: 8, isInterlaced: true,
            samples: [Int](repeating: 7, count: 3 * pixels))
        var files: [(name: String, file: [UInt8], minimum: Int)] = [
            ("interlaced PNG", interlaced.encoded(), 3 * pixels),
            // Each coefficient has two bytes.
            ("progressive JPEG", try ImageFile.encode(picture, as: .jpeg, options: progressive), 6 * pixels),
            ("rotated JPEG", try ImageFile.encode(rotated, as: .jpeg, options: options), 6 * pixels),
            ("WebP", try ImageFile.encode(picture, as: .webp), 3 * pixels), ("PFM", try pfm(picture), 12 * pixels),
        ]
        for format in [ImageFormat.avif, .jxl].filter(\.isBuilt) {
            files.append((format.traits.title, try ImageFile.encode(picture, as: format), 3 * pixels))
        }
        return files
    }

    private static func pfm(_ picture: DecodedImage) throws -> [UInt8] {
        try ImageFile.encode(picture, as: .pfm)
    }

    @Test("A picture that must be decoded as a whole is refused by its header if it needs too much memory")
    func memoryOfWhole() throws {
        for (name, file, minimum) in try Self.wholeFiles() {
            let reader = try ImageReader(bytes: file, name: name)
            #expect(reader.rowMemory >= minimum, "\(name)")
            let need = reader.rowMemory
            #expect(throws: Never.self, "\(name)") { try open(file, ImageLimits(maximumMemory: need)) }
            let error = imageError { try open(file, ImageLimits(maximumMemory: need - need / 8)) }
            guard case .overMemory(_, let needed, let available) = error else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
            #expect(needed <= need && needed > available && available == need - need / 8, "\(name)")
            #expect(error?.kind == .overLimit)
            #expect(error?.description.contains("needs") == true)
        }
    }

    @Test("A picture that is decoded row by row needs little memory, but its pixels need theirs")
    func memoryOfRows() throws {
        let picture = DecodedImage(pixels: try Sample.smooth(1024, 512, PixelFormat(.rgb)))
        for format in [ImageFormat.png, .jpeg, .qoi, .ppm] {
            let file = try ImageFile.encode(picture, as: format)
            let limits = ImageLimits(maximumMemory: 3 * 1024 * 512 - 1)
            #expect(throws: Never.self) { try open(file, limits) }
            let error = imageError {
                _ = try ImageFile.read(bytes: file, name: "x", options: ImageReadOptions(limits: limits))
            }
            guard case .overMemory = error else {
                Issue.record("\(format): \(String(describing: error))")
                continue
            }
        }
        let file = try ImageFile.encode(picture, as: .png)
        #expect(throws: ImageError.self) {
            try PNG.read(bytes: file, name: "x", limits: ImageLimits(maximumMemory: 1 << 20))
        }
    }

    @Test("A file that is read into memory is refused by its size, a pipe at the limit")
    func memoryOfFile() throws {
        let bytes = [UInt8](repeating: 1, count: 3000)
        let limits = ImageLimits(maximumMemory: 2999)
        #expect(
            imageError { _ = try ByteSource(bytes: bytes, name: "x").readWhole(limits) }
                == .overMemory(path: "x", needed: 3000, available: 2999))
        var pipe = Pipe()
        pipe.feed(bytes)
        defer { pipe.finish() }
        #expect(
            imageError { _ = try ByteSource(descriptor: pipe.reading, name: "x").readWhole(limits) }
                == .overMemory(path: "x", needed: 3000, available: 2999))
        #expect(try ByteSource(bytes: bytes, name: "x").readWhole(ImageLimits(maximumMemory: 3000)) == bytes)
    }

    // MARK: Time

    @Test("Without time, no format is read", arguments: ImageFormat.allCases)
    func time(_ format: ImageFormat) throws {
        let file = try Sample.files(format)[0]
        let limits = ImageLimits(maximumTime: .zero)
        let error = imageError {
            _ = try ImageFile.read(bytes: file, name: "x", options: ImageReadOptions(limits: limits))
        }
        #expect(error == .overTime(path: "x", limit: .zero))
        #expect(error?.kind == .overLimit)
    }

    @Test("A JPEG that needs no more bytes also stops when the time is over")
    func timeWithoutReads() throws {
        // libjpeg invents all blocks of this picture and reads nothing.
        let file = DamageTests.jpegHeader(8000, 8000, frame: 0xC9) + [0xFF, 0xD9]
        let source = ByteSource(bytes: file, name: "x")
        var reader = try JPEGReader(source: source, ImageReadOptions(), problems: ReadProblems())
        source.time = TimeLimit(.zero)
        let error = imageError { _ = try reader.readPixels() }
        #expect(error == .overTime(path: "x", limit: .zero))
    }

    @Test("Waiting does not count as work")
    func waiting() {
        let time = TimeLimit(.zero)
        #expect(time.isOver)
        time.exclude(.seconds(1000))
        #expect(!time.isOver)
    }

    // MARK: Helpers

    /// Reads the header of a file, but no pixels.
    private func open(_ file: [UInt8], _ limits: ImageLimits = ImageLimits(), byPipe: Bool = false) throws {
        let options = ImageReadOptions(limits: limits)
        guard byPipe else {
            _ = try ImageReader(bytes: file, name: "x", options: options)
            return
        }
        var pipe = Pipe()
        pipe.feed(file)
        defer { pipe.finish() }
        _ = try ImageReader(descriptor: pipe.reading, name: "x", options: options)
    }

    private func refusesAsSparse(
        _ file: [UInt8], _ limits: ImageLimits = ImageLimits(), byPipe: Bool = false
    ) -> Bool {
        guard case .tooComplex(_, let reason) = imageError({ try open(file, limits, byPipe: byPipe) }) else {
            return false
        }
        return reason.contains("implausible")
    }
}
