import Dispatch
import FrostCore
import FrostTestSupport
import Synchronization
import Testing

@testable import FrostImages

/// Tests PNG files whose rows are compressed in strips by several threads.
@Suite struct PNGStripTests {
    /// Image sizes for four cases: a single strip, several strips, a partly filled strip, and rows that are longer than the
    /// intended strip size.
    static let sizes = [(1, 1), (1200, 400), (90_000, 3), (90_000, 4), (90_000, 5), (90_000, 8), (400_000, 2)]

    /// Creates an image with constant, noisy and repeated parts. Each compression strategy thus finds a part that suits it.
    static func picture(_ width: Int, _ height: Int, _ format: PixelFormat = PixelFormat(.rgb)) throws -> PixelBuffer {
        let layout = try PixelLayout(width: width, height: height, format: format)
        var random = SeededGenerator(seed: 7)
        var bytes = [UInt8](repeating: 40, count: layout.byteCount)
        for index in bytes.indices where index % 5000 > 2000 {
            bytes[index] = index % 5000 > 4000 ? bytes[index - 700] : UInt8(truncatingIfNeeded: random.next() >> 32)
        }
        return try PixelBuffer(layout: layout, bytes: bytes)
    }

    static func read(_ bytes: [UInt8]) throws -> PixelBuffer {
        try PNG.read(bytes: bytes, name: "test", limits: ImageLimits(maximumSide: 1 << 20)).pixels
    }

    @Test("The file does not depend on the number of threads, and reads back bit for bit", arguments: sizes)
    func threads(_ width: Int, _ height: Int) throws {
        let image = DecodedImage(pixels: try Self.picture(width, height))
        let alone = try PNG.encode(image, options: PNGWriteOptions(threads: 1))
        for threads in [2, 3, 8] {
            #expect(try PNG.encode(image, options: PNGWriteOptions(threads: threads)) == alone)
        }
        #expect(try Self.read(alone) == image.pixels)
        let strips = chunks(of: alone).filter { $0.name == "IDAT" }.count
        let rows = max(1, (1 << 20) / (width * 3 + 1))
        #expect(strips == (height + rows - 1) / rows)
    }

    @Test(
        "Strips of every format and filter read back bit for bit", arguments: PNGWritingTests.formats,
        PNGWriteOptions.Filter.allCases)
    func formats(_ format: PixelFormat, _ filter: PNGWriteOptions.Filter) throws {
        let image = DecodedImage(pixels: try Self.picture(30_000, 24, format))
        let bytes = try PNG.encode(image, options: PNGWriteOptions(filter: filter, threads: 2))
        var expected = image.pixels.bytes
        if format.channels == .bgra {
            let size = format.sample.size
            for pixel in stride(from: 0, to: expected.count, by: 4 * size) {
                for byte in pixel..<pixel + size { expected.swapAt(byte, byte + 2 * size) }
            }
        }
        #expect(try Self.read(bytes).bytes == expected)
    }

    @Test("Bytes that were changed between strips are found by the stream's checksum")
    func checksum() throws {
        let image = DecodedImage(pixels: try Self.picture(90_000, 8))
        let file = try PNG.encode(image)
        var parts = chunks(of: file)
        let last = try #require(parts.lastIndex { $0.name == "IDAT" })
        parts[last].content[parts[last].content.count - 1] ^= 1
        let forged = TestPNG.signature + parts.flatMap { TestPNG.chunk($0.name, $0.content) }
        let error = imageError { _ = try Self.read(forged) }
        #expect(error?.description.contains("checksum mismatch") == true, "\(String(describing: error))")
    }

    @Test(
        "The combination of compressing that is chosen by a sample is near the smallest",
        arguments: [Picture.uniformNoise, .gradient, .photograph, .screenshot, .checker])
    func choice(_ kind: Picture) throws {
        let image = DecodedImage(pixels: try TestImage.make(kind, 600, 400, PixelFormat(.rgb)))
        let chosen = try PNG.encode(image).count
        let combinations = PNGStrip.Combination.candidates(PNGWriteOptions())
        #expect(combinations.count == 4)
        let bytes = unsafe image.pixels.bytes.span.bytes
        let sizes = try combinations.map { combination in
            var strip = PNGStrip(PNGStrip.Settings(image.pixels.layout, combinations: [combination]))
            for y in 0..<400 { strip.append(bytes.extracting(y * 1800..<(y + 1) * 1800)) }
            return try #require(strip.compressed(isFirst: true, isLast: true)).bytes.count
        }
        let (minimum, maximum) = (try #require(sizes.min()), try #require(sizes.max()))
        #expect(Double(chosen) <= Double(minimum) * 1.15 + 100, "\(chosen) of \(sizes)")
        // The file sizes of the strategies differ, except on noise. So the choice of the strategy matters.
        #expect(kind == .uniformNoise || Double(maximum) > Double(minimum) * 1.2)
    }

    /// A sink that accepts a number of bytes and then fails.
    struct Full: ByteSink {
        let name = "full"
        var room: Int

        mutating func write(_ bytes: RawSpan) throws(ImageError) {
            room -= bytes.byteCount
            if room < 0 { throw .cannotWrite(path: name, errno: 28) }
        }
    }

    @Test("A failing sink ends the writing, at any byte, while threads are at work")
    func full() throws {
        let image = DecodedImage(pixels: try Self.picture(90_000, 20))
        let size = try PNG.encode(image).count
        for room in [0, 10, size / 3, size / 2, size - 30, size - 1] {
            let error = imageError { _ = try PNG.encode(image, to: Full(room: room)) }
            #expect(error == .cannotWrite(path: "full", errno: 28), "\(room)")
        }
        _ = try PNG.encode(image, to: Full(room: size))
    }

    /// A sink that keeps its bytes, so that a test can read them after the writer has been released.
    final class Kept: ByteSink, Sendable {
        let name = "kept"
        let bytes = Mutex<[UInt8]>([])

        func write(_ bytes: RawSpan) {
            // SAFETY: the bytes are copied within the call.
            unsafe bytes.withUnsafeBytes { bytes in self.bytes.withLock { unsafe $0.append(contentsOf: bytes) } }
        }
    }

    @Test("A writer that is dropped half-combination has written the beginning of the file, and no more")
    func dropped() throws {
        let image = try Self.picture(90_000, 100)
        let whole = try PNG.encode(DecodedImage(pixels: image))
        let sink = Kept()
        do {
            var writer = try PNGWriter(to: sink, layout: image.layout, options: PNGWriteOptions(threads: 3))
            let pixels = unsafe image.bytes.span.bytes
            for y in 0..<50 {
                try writer.writeRow(pixels.extracting(y * 270_000..<(y + 1) * 270_000))
            }
        }
        let written = sink.bytes.withLock { $0 }
        // A strip has 3 rows, so the writer received 16 full strips. It had not yet written the last three of them,
        // because they were still being compressed when it was released.
        #expect(chunks(of: written).count { $0.name == "IDAT" } == 13)
        #expect(written.count < whole.count && whole.starts(with: written))
    }

    @Test("Tasks that are dropped are not waited for, and each still runs once")
    func droppedTasks() {
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let runs = Mutex([0, 0, 0])
        do {
            var tasks = OrderedTasks<Int>(threads: 3)
            for index in 0..<3 {
                tasks.add {
                    // The task waits until the test signals `gate` below, but at most 20 seconds. So if dropping
                    // `tasks` wrongly waits for the task, the test fails instead of hanging.
                    _ = gate.wait(timeout: .now() + .seconds(20))
                    runs.withLock { $0[index] += 1 }
                    done.signal()
                    return index
                }
            }
        }
        #expect(runs.withLock { $0 } == [0, 0, 0])
        for _ in 0..<3 { gate.signal() }
        for _ in 0..<3 { #expect(done.wait(timeout: .now() + .seconds(20)) == .success) }
        #expect(runs.withLock { $0 } == [1, 1, 1])
    }

    @Test("Results come in the order in which tasks were added, however long each takes")
    func resultsComeInOrder() {
        var tasks = OrderedTasks<Int>(threads: 4)
        var taken: [Int] = []
        for index in 0..<40 {
            if tasks.isFull { taken.append(tasks.next()) }
            tasks.add {
                var sum = 0
                for value in 0..<(index % 4 == 0 ? 2_000_000 : 10) { sum &+= value ^ sum }
                return sum == -1 ? -1 : index
            }
        }
        while !tasks.isEmpty { taken.append(tasks.next()) }
        #expect(taken == Array(0..<40))
    }
}
