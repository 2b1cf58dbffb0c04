import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// The bytes that a sandbox and its process exchange, and processes that do not behave like a decoder.
/// Tests/acceptance/sandbox.py checks the isolation itself.
@Suite struct DecoderSandboxTests {
    /// A head in which every property has a value.
    private static let head: DecodedHead = {
        var metadata = ImageMetadata()
        metadata.iccProfile = ICCProfile(name: "profil é", bytes: [1, 2, 3])
        metadata.profileFault = .otherChannels(than: "GRAY")
        metadata.renderingIntent = .saturation
        metadata.gamma = 45455
        metadata.chromaticities = Chromaticities(
            white: .init(x: 1, y: 2), red: .init(x: 3, y: 4), green: .init(x: 5, y: 6), blue: .init(x: 7, y: .max))
        metadata.pixelDensity = PixelDensity(x: 2835, y: 2836, unit: .perMetre)
        metadata.codePoints = CodePoints(primaries: 9, transfer: 16)
        metadata.masteringDisplay = [UInt8](1...24)
        metadata.contentLight = [UInt8](1...8)
        metadata.significantBits = 12
        metadata.exif = [4, 5]
        metadata.xmp = []
        metadata.comments = [[], [6]]
        metadata.texts = [PNGText(chunk: "tEXt", bytes: [7]), PNGText(chunk: "tIME", bytes: [])]
        let format = PixelFormat(.rgba, .u16, alpha: .premultiplied, colorSpace: metadata.colorSpace)
        return DecodedHead(width: 3, height: 1 << 40, format: format, metadata: metadata, memory: 77)
    }()

    private static func read<Value>(
        _ bytes: [UInt8], _ blank: Value, _ code: (inout WireCoder, inout Value) -> Void
    ) -> Value? {
        var coder = WireCoder(reading: bytes)
        var value = blank
        code(&coder, &value)
        return coder.isComplete ? value : nil
    }

    @Test func aHeadArrivesAsItWasSent() {
        var heads = [Self.head, .blank]
        for space in [ColorSpace.unspecified, .sRGB, .linear] {
            var head = Self.head
            head.format.colorSpace = space
            heads.append(head)
        }
        for head in heads {
            let bytes = WireCoder.bytes(of: head, DecodedHead.code)
            #expect(Self.read(bytes, .blank, DecodedHead.code) == head)
        }
    }

    @Test func aRequestArrivesAsItWasSent() {
        let limits = ImageLimits(
            maximumSide: 1, maximumPixels: 2, maximumPixelsPerByte: 3, maximumMemory: 4, maximumTime: .milliseconds(5),
            allowed: AllowedFormats([.webp, .png], y4m: true))
        for head in [nil, [], [6]] as [[UInt8]?] {
            let request = DecoderRequest(
                format: .qoi, head: head, limits: limits, memory: 4, firstFrame: true, failOn: .truncated,
                part: .depth)
            let bytes = WireCoder.bytes(of: request, DecoderRequest.code)
            #expect(Self.read(bytes, .blank, DecoderRequest.code) == request)
        }
    }

    /// The errors that readers and encoders throw.
    private static let errors: [ImageError] = [
        .cannotRead(path: "p", errno: 5), .unrecognised(path: "p", expected: nil, reason: "r"),
        .notAllowed(path: "p", what: "w"), .unsupported(path: "p", format: .webp, reason: "r"),
        .animated(path: "p", format: .png),
        .corrupt(path: "p", format: .jpeg, reason: "r", offset: nil),
        .truncated(path: "p", format: .jpeg, reason: "r", offset: .max),
        .overLimit(path: "p", what: "width", value: 3, limit: 2), .tooComplex(path: "p", reason: "r"),
        .overMemory(path: "p", needed: 9, available: 8), .overTime(path: "p", limit: .seconds(7)),
        .outOfMemory(path: "p", bytes: 6), .cannotEncode(path: "p", reason: "r"),
    ]

    @Test(arguments: errors) func anErrorArrivesAsItWasSent(error: ImageError) throws {
        let bytes = WireCoder.bytes(of: WireError(error), WireError.code)
        let read = try #require(Self.read(bytes, .blank, WireError.code))
        #expect(read.error("p", .png, limit: .seconds(7)) == error)
    }

    /// Every cut and every change of a byte gives a value or damage, never a trap. Every cut is damage.
    @Test func damagedBytesAreRefused() {
        let bytes = WireCoder.bytes(of: Self.head, DecodedHead.code)
        for count in bytes.indices { #expect(Self.read(Array(bytes[..<count]), .blank, DecodedHead.code) == nil) }
        #expect(Self.read(bytes + [0], .blank, DecodedHead.code) == nil)
        var random = SeededGenerator(seed: 22)
        var refused = 0
        for index in bytes.indices {
            for _ in 0..<8 {
                var changed = bytes
                changed[index] = UInt8.random(in: .min ... .max, using: &random)
                if Self.read(changed, .blank, DecodedHead.code) == nil { refused += 1 }
                _ = Self.read(changed, .blank, WireError.code)
                _ = Self.read(changed, .blank, DecoderRequest.code)
            }
        }
        #expect(refused > 0)
    }

    /// Reads a picture in a sandbox whose process runs a program that is not a decoder, and returns the error.
    private static func error(of program: FilePath) -> ImageError? {
        let limits = ImageLimits(sandbox: DecoderSandbox(program: program))
        do throws(ImageError) {
            let options = ImageReadOptions(limits: limits, failOn: .none)
            _ = try ImageReader(bytes: Array("P5 1 1 255 x".utf8), name: "p", options: options).readImage()
            return nil
        } catch {
            return error
        }
    }

    /// Programs that say nothing, too little, something else, or something else without end. Even `failOn: .none` does
    /// not accept that as missing pixels.
    @Test func anotherProgramIsAnError() {
        #expect(
            Self.error(of: "/bin/true")
                == .decoderEnded(path: "p", reason: "ended with exit code 0 and without a result"))
        #expect(
            Self.error(of: "/bin/false")
                == .decoderEnded(path: "p", reason: "ended with exit code 1 and without a result"))
        for program in ["/bin/echo", "/usr/bin/yes"] as [FilePath] {
            #expect(
                Self.error(of: program) == .decoderEnded(path: "p", reason: "sent something else than a picture"))
        }
    }

    @Test func aRequestToEncodeArrivesAsItWasSent() {
        let options = ImageWriteOptions(
            depth: 10, avif: LossyWriteOptions(quality: 3), jxl: LossyWriteOptions(quality: 4, isLossless: true))
        let request = EncoderRequest(format: .jxl, head: Self.head, options: options, seconds: 9)
        let bytes = WireCoder.bytes(of: request, EncoderRequest.code)
        #expect(Self.read(bytes, .blank, EncoderRequest.code) == request)
        for count in bytes.indices { #expect(Self.read(Array(bytes[..<count]), .blank, EncoderRequest.code) == nil) }
    }

    #if JPEGXL
        /// Encodes a picture in a process that runs a program, and returns the error.
        private static func encodingError(of program: FilePath) throws -> ImageError? {
            let layout = try PixelLayout(width: 400, height: 400, format: .rgb8)
            let image = DecodedImage(pixels: PixelBuffer(layout: layout))
            var options = ImageWriteOptions()
            options.encoderProcess = EncoderProcess(program: program, memory: 7 << 20, time: .seconds(5))
            do throws(ImageError) {
                _ = try ImageFile.encode(image, as: .jxl, options: options)
                return nil
            } catch {
                return error
            }
        }

        /// Programs that say nothing or something else, before or after they read the rows.
        @Test func anotherProgramThatEncodesIsAnError() throws {
            for (program, reason) in [
                ("/bin/true", "ended with exit code 0 and without a result"),
                ("/bin/false", "ended with exit code 1 and without a result"),
                ("/bin/echo", "sent something else than a picture"),
                ("/usr/bin/yes", "sent something else than a picture"),
                ("/no/frost", "cannot be started: /no/frost: No such file or directory"),
            ] {
                #expect(
                    try Self.encodingError(of: FilePath(program))
                        == .encoderEnded(path: "image", reason: reason, memory: 7 << 20))
            }
        }
    #endif

    @Test func aMissingProgramIsAnErrorWithItsName() {
        #expect(
            Self.error(of: "/no/frost")
                == .cannotIsolate(path: "p", reason: "/no/frost: No such file or directory"))
    }
}
