import Foundation
import FrostCore
import FrostTestSupport
import Glibc
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
        for (head, isolation) in zip([nil, [], [6]] as [[UInt8]?], [Isolation.none, .possible, .full]) {
            let request = DecoderRequest(
                format: .qoi, head: head, limits: limits, memory: 4, firstFrame: true, failOn: .truncated,
                part: .depth, isolation: isolation)
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

    /// Programs that say nothing, something else, or something else without end. Even `failOn: .none` does not accept that as
    /// missing pixels.
    @Test(arguments: ["/bin/true", "/bin/false", "/bin/echo", "/usr/bin/yes"] as [FilePath])
    func anotherProgramIsAnError(program: FilePath) {
        let reason = "\(program.shownName): it is not the command frost of this version"
        #expect(Self.error(of: program) == .cannotIsolate(path: "p", reason: reason))
        // The program is gone, and was waited for: a host that waits for any of its children never sees it.
        #expect(!Self.children.contains(program.text.split(separator: "/").last.map(String.init) ?? ""))
    }

    /// The names of the child processes of this one, with those that have ended and that nobody has waited for.
    private static var children: [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { $0.allSatisfy(\.isNumber) }.compactMap { process in
            // A line such as "17 (name) Z 3 …", in which 3 is the number of the parent.
            let line = TextFile.line("/proc/\(process)/stat") ?? ""
            guard let start = line.firstIndex(of: "("), let end = line.lastIndex(of: ")") else { return nil }
            let parent = line[end...].split(separator: " ").dropFirst(2).first
            return parent == "\(getpid())" ? String(line[line.index(after: start)..<end]) : nil
        }
    }

    /// The program learns how a process ended as the starter saw it. Other bytes are refused.
    @Test func theEndOfAProcessArrivesAsItWasSent() {
        for end in [CodecEnd.ended(0), .ended(3 << 8), .ended(11), .ended(.min), .notForked(11), .unknown] {
            #expect(CodecEnd(end.bytes) == end)
        }
        for bytes in [[], [0, 1, 0, 0], [2, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]] as [[UInt8]] {
            #expect(CodecEnd(bytes) == .unknown)
        }
        #expect(CodecEnd.ended(3 << 8).words == "ended with exit code 3 and without a result")
        #expect(CodecEnd.ended(11).words == "was ended by signal 11 (Segmentation fault)")
        #expect(CodecEnd.notForked(11).words == "cannot be started: Resource temporarily unavailable")
    }

    /// A starter gets what it was asked for, and nothing else is a question.
    @Test func aQuestionToAStarterArrivesAsItWasAsked() {
        for format in ImageFormat.allCases {
            for work in [CodecWork.decode, .encode] {
                let read = CodecWork.read(work.message(format))
                #expect(read?.work == work && read?.format == format)
            }
        }
        for bytes in [[], [0], [9, 0], [0, 200], [0, 0, 0]] as [[UInt8]] { #expect(CodecWork.read(bytes) == nil) }
    }

    /// Rows that one side writes into a block are read by the other side, in every block, and the memory keeps its size.
    @Test func rowsAreShared() throws {
        let near = try SharedRows(blockSize: 4096)
        #expect(ftruncate(near.descriptor, 1) == -1 && errno == EPERM)
        let far = try SharedRows(taking: dup(near.descriptor), blockSize: 4096)
        for block in 0..<2 * SharedRows.blocks {
            near.with(block, 8..<16) { row in
                // SAFETY: the span has 8 bytes.
                unsafe row.withUnsafeMutableBytes { unsafe $0.storeBytes(of: UInt64(block), as: UInt64.self) }
            }
            let read = far.with(block, 8..<16) { unsafe $0.bytes.unsafeLoad(as: UInt64.self) }
            #expect(read == UInt64(block))
        }
    }

    @Test("memory of rows is used again when its process has ended, and holds nothing of the picture before")
    func rowsAreUsedAgain() throws {
        let pool = SharedRowsPool()
        let size = SharedRows.usualSize
        /// Gives memory with the bytes 7 back, and returns its descriptor and the end of the socket that the starter has.
        func used() throws -> (rows: Int32, starter: Int32) {
            let rows = try pool.take(blockSize: size)
            for block in 0..<SharedRows.blocks {
                rows.with(block, 0..<size) { bytes in
                    for index in 0..<size { bytes.storeBytes(of: 7, toByteOffset: index, as: UInt8.self) }
                }
            }
            let control = try Descriptor.sockets(keepsMessages: false)
            pool.keep(rows, control.near)
            return (rows.descriptor, control.far)
        }
        func isClear(_ rows: SharedRows) -> Bool {
            (0..<SharedRows.blocks).allSatisfy { block in
                rows.with(block, 0..<size) { bytes in
                    (0..<size).allSatisfy { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) == 0 }
                }
            }
        }
        let first = try used()
        // The pool asks the starter to end the process: its socket receives nothing more.
        var byte: [UInt8] = [0]
        #expect(try Descriptor.read(first.starter, into: &byte).get() == 0)
        let second = try pool.take(blockSize: size)
        #expect(second.descriptor != first.rows && isClear(second))
        func end(_ starter: Int32) -> Bool {
            let bytes = CodecEnd.ended(0).bytes
            // SAFETY: the call reads as many bytes as the array has.
            return unsafe send(starter, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        }
        #expect(end(first.starter))
        let again = try pool.take(blockSize: size)
        #expect(again.descriptor == first.rows && isClear(again))
        // If nobody says how a process ended, it may still run.
        let lost = try used()
        close(lost.starter)
        let other = try pool.take(blockSize: size)
        #expect(isClear(other))
        // The pool does not grow without an end.
        let many = try (0..<SharedRowsPool.capacity + 1).map { _ in try used() }
        #expect(!end(many[0].starter) && end(many[1].starter))
        for one in [first] + many { close(one.starter) }
    }

    @Test func aRequestToEncodeArrivesAsItWasSent() {
        let options = ImageWriteOptions(
            depth: 10, png: PNGWriteOptions(level: 3, filter: .up, threads: 5),
            jpeg: JPEGWriteOptions(quality: 6, subsampling: .horizontal, isProgressive: true, isOptimized: true),
            webp: WebPWriteOptions(quality: 7, isLossless: true), avif: LossyWriteOptions(quality: 3),
            jxl: LossyWriteOptions(quality: 4, isLossless: true))
        let request = EncoderRequest(
            format: .jxl, head: Self.head, options: options, seconds: 9, isolation: .possible)
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

        /// Programs that say nothing or something else.
        @Test func anotherProgramThatEncodesIsAnError() throws {
            for (program, reason) in [
                ("/bin/true", "it is not the command frost of this version"),
                ("/usr/bin/yes", "it is not the command frost of this version"),
                ("/no/frost", "No such file or directory"),
            ] {
                #expect(
                    try Self.encodingError(of: FilePath(program))
                        == .encoderEnded(path: "image", reason: "cannot be started: \(program): \(reason)", memory: nil)
                )
            }
        }
    #endif

    @Test func aMissingProgramIsAnErrorWithItsName() {
        #expect(
            Self.error(of: "/no/frost")
                == .cannotIsolate(path: "p", reason: "/no/frost: No such file or directory"))
    }
}
