import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// Tests the NUT streams by which Frost exchanges frames with ffmpeg.
struct NUTTests {
    private static let coding = VideoFormat.Coding.yuv(YUVCoding(shiftX: 1, shiftY: 1))

    private static func number(_ value: Int) -> [UInt8] {
        var digits = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            digits.insert(UInt8(rest & 0x7F | 0x80), at: 0)
            rest >>= 7
        }
        return digits
    }

    private static func packet(_ start: String, _ code: [UInt8], _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 4
        return Array(start.utf8) + code + number(length) + (length > 4096 ? [1, 2, 3, 4] : []) + body + [9, 8, 7, 6]
    }

    /// Returns the headers of a stream. Its frames have one of three codes: 1 for frames whose time and size are stated, 2
    /// for those that also name a beginning which they do not contain, and 3 for frames that state their code.
    private static func headers(_ width: Int, _ height: Int, streams: Int = 1) -> [UInt8] {
        let numbers = [3, streams, 65536, 1, 1, 25]
        // Flags, the number of fields, and these: time, factor of the size, stream, rest of the size, reserved, count.
        let table = [
            [8192, 6, 0, 1, 0, 0, 0, 1], [40, 6, 0, 1, 0, 0, 0, 1], [40 + 1024, 6, 0, 1, 0, 0, 0, 1],
            [4096, 6, 0, 1, 0, 0, 0, 1], [8192, 6, 0, 1, 0, 0, 0, 251],
        ]
        let beginnings = number(2) + number(3) + [10, 20, 30]
        let main = (numbers + table.flatMap { $0 }).flatMap { number($0) } + beginnings
        let stream =
            [0, 0, 4].flatMap { number($0) } + Array("I420".utf8)
            + [0, 7, 1000, 0, 0, 0, width, height, 1, 1, 0].flatMap { number($0) }
        return Array("nut/multimedia container\0".utf8) + packet("NM", [0x7A, 0x56, 0x1F, 0x5F, 0x04, 0xAD], main)
            + packet("NS", [0x11, 0x40, 0x5B, 0xF2, 0xF9, 0xDB], stream)
    }

    /// A packet that is no frame, of a kind that Frost does not read.
    private static let other = packet("NX", [1, 2, 3, 4, 5, 6], [UInt8](repeating: 0x4E, count: 5000))

    private static func frame(_ samples: [UInt8], time: Int) -> [UInt8] {
        [1] + number(time) + number(samples.count) + samples
    }

    private func reader(_ bytes: [UInt8]) throws -> VideoReader {
        try VideoReader(bytes: bytes, name: "pipe", nut: Self.coding, limits: ImageLimits())
    }

    @Test("Everything but the samples is written as it was read: headers, times, other packets and the end")
    func roundTrip() throws {
        // 4:2:0 of an odd height has two rows of chroma.
        let samples = (0..<3).map { frame in (0..<20).map { UInt8(20 * frame + $0) } }
        var bytes = Self.headers(4, 3) + Self.other
        for (index, frame) in samples.enumerated() { bytes += Self.other + Self.frame(frame, time: 200 + 7 * index) }
        bytes += Self.headers(4, 3).dropFirst(25) + Self.other
        let reader = try reader(bytes)
        #expect(reader.format.width == 4 && reader.format.height == 3)
        var writer = try VideoWriter(to: MemorySink(), header: reader.header)
        for expected in samples {
            let frame = try #require(try reader.next())
            #expect(frame.planes.flatMap(\.bytes) == expected)
            try writer.write(frame)
        }
        #expect(try reader.next() == nil)
        #expect(try writer.finish(trailer: reader.trailer).bytes == bytes)
    }

    @Test("Frames of another size get headers with this size and the same times, and packets of information are kept")
    func otherSize() throws {
        let information = Self.packet("NI", [0xAB, 0x68, 0xB5, 0x96, 0xBA, 0x78], [1, 2, 3])
        let (small, large) = ([UInt8](repeating: 1, count: 24), [UInt8](repeating: 2, count: 96))
        // The times have 7 low bits: the second is 130, and the third, after the point at time 1000, is 1010.
        let sync = Self.packet("NK", [0xE4, 0xAD, 0xEE, 0xCA, 0x45, 0x69], Self.number(1000) + [3])
        var bytes = Self.headers(4, 4) + information + Self.frame(small, time: 128 + 127)
        bytes += Self.frame(small, time: 2) + sync + Self.frame(small, time: 1010 & 127) + Self.other
        let first = try reader(bytes)
        let result = try VideoFormat(width: 8, height: 8, Self.coding)
        try first.state(result)
        var writer = try VideoWriter(to: MemorySink(), header: first.header)
        while let frame = try first.next() {
            let planes = try result.planes.map { try PixelBuffer(layout: $0, bytes: Array(large[..<$0.byteCount])) }
            try writer.write(VideoFrame(header: frame.header, planes: planes))
        }
        let made = try writer.finish(trailer: first.trailer).bytes
        let second = try reader(made)
        #expect(second.format == result)
        // A frame that states its code: the changed flags, the stream, the time, the size, no beginning, no reserved fields.
        func frame(_ time: Int) -> [UInt8] {
            [3] + Self.number(1 + 8 + 16 + 32 + 64 + 128 + 1024) + [0] + Self.number(128 + time) + Self.number(96) + [
                0, 0,
            ]
        }
        for time in [127, 130, 1010] {
            let read = try #require(try second.next())
            #expect(read.planes.flatMap(\.bytes) == large)
            #expect(read.header.dropLast(4).suffix(frame(time).count) == frame(time)[...], "\(read.header)")
            #expect(read.header.starts(with: time == 127 ? Array("NI".utf8) : Array("NK".utf8)))
            let point = Array("NK".utf8) + [0xE4, 0xAD, 0xEE, 0xCA, 0x45, 0x69]
            #expect(read.header.indices.contains { read.header[$0...].starts(with: point) })
        }
        #expect(try second.next() == nil && second.trailer.isEmpty)
        // The checksum of NUT is that of CRC-32/MPEG-2 without its first value: of "123456789" it is 0x89A1897F.
        #expect(NUTFraming.checksum(Array("123456789".utf8)) == [0x89, 0xA1, 0x89, 0x7F])
    }

    @Test("A beginning that a frame omits becomes a part of it, and the frame that is written contains it")
    func omittedBeginning() throws {
        let rest = [UInt8](repeating: 7, count: 21)
        let bytes = Self.headers(4, 4) + [2] + Self.number(5) + Self.number(24) + Self.number(1) + rest
        let reader = try reader(bytes)
        let frame = try #require(try reader.next())
        #expect(frame.planes.flatMap(\.bytes) == [10, 20, 30] + rest)
        #expect(frame.header == [2] + Self.number(5) + Self.number(24) + Self.number(0))
    }

    @Test("Damaged streams are errors")
    func damage() throws {
        let whole = Self.headers(4, 4) + Self.frame([UInt8](repeating: 1, count: 24), time: 0)
        for count in whole.indices {
            #expect(throws: ImageError.self, "\(count) bytes") {
                let reader = try reader(Array(whole[..<count]))
                while try reader.next() != nil {}
                // A stream that ends before its first frame is complete.
                if reader.framesRead == 0, count == Self.headers(4, 4).count {
                    throw ImageError.unknownSuffix(path: "")
                }
            }
        }
        for (bytes, reason) in [
            (Self.headers(4, 4, streams: 2), "exactly one stream"), (Self.headers(0, 4), "valid width"),
            (Self.headers(4, 4) + [0], "invalid code"),
            (Self.headers(4, 4) + Self.frame([1, 2, 3], time: 0), "its size changes"),
            (Self.headers(4, 4) + [2, 0, 24, 9], "unknown beginning"),
            (Array("YUV4MPEG2 W4 H4\n".utf8), "does not begin as one"),
            (Self.headers(4, 4) + [1] + [UInt8](repeating: 0xFF, count: 20), "too large"),
            (Self.headers(4_000_000, 4), "exceeds the limit"),
        ] {
            do {
                let reader = try reader(bytes)
                while try reader.next() != nil {}
                Issue.record("no error: \(reason)")
            } catch {
                #expect("\(error)".contains(reason), "\(error)")
            }
        }
    }

    @Test("Random changes of a stream never trap")
    func mutations() throws {
        let whole = Self.headers(4, 4) + Self.frame([UInt8](repeating: 1, count: 24), time: 0) + Self.other
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<180, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let reader = try? reader(bytes) else { continue }
            // Headers of another size are made of what was read.
            if Bool.random(using: &random) { try? reader.state(VideoFormat(width: 6, height: 2, Self.coding)) }
            while let frame = try? reader.next() { #expect(frame.planes.count == 3) }
        }
    }
}
