import FrostCore
import FrostGLES
import FrostTestSupport
import Testing

@testable import FrostGPU

/// Tests images in memory that the GPU reads and writes by itself.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason), .needsPinnedMemory)
struct PinnedMemoryTests {
    private static func executor() throws -> GPUExecutor { try StreamTests.executor(.buffers) }

    private static let formats = [
        PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.bgra), PixelFormat(.rgb),
        PixelFormat(.grey), PixelFormat(.rgba, .u16), PixelFormat(.rgba, .f32, alpha: .premultiplied),
    ]

    /// The place of an image in memory.
    struct Place: Sendable, CustomTestStringConvertible {
        /// The bytes before the first pixel, and the bytes between two rows.
        let offset: Int, padding: Int
        var testDescription: String { "at \(offset), padded by \(padding)" }
    }

    /// A blur from and into pinned memory equals the one in ordinary memory bit for bit, and writes no byte beside the
    /// result. All formats are tested: only 8-bit RGBA whose rows are multiples of 4 bytes is transferred without a copy.
    @Test(
        "pinned memory gives the same bits",
        arguments: [
            Place(offset: 0, padding: 0), Place(offset: 16, padding: 64), Place(offset: 4, padding: 4),
            Place(offset: 8, padding: 2), Place(offset: 64, padding: 1),
        ]) func bits(_ place: Place) throws
    {
        let gpu = try Self.executor()
        for format in Self.formats where place.padding % format.sample.size == 0 {
            let source = try Samples.noise(61, 47, format, seed: 3)
            let region = Rect(x: 5, y: 7, width: 40, height: 30)
            let plan = try GaussianBlur(sigma: 4).plan(extent: source.layout.extent, region: region)
            let expected = try gpu.run(plan, on: source).output
            for isSubmitted in [false, true] {
                let from = try PinnedImage(source.layout, place, in: gpu)
                from.write(source)
                let into = try PinnedImage(expected.layout, place, in: gpu)
                try into.blur(plan, from, on: gpu, isSubmitted: isSubmitted)
                #expect(try into.pixels() == expected, "\(format), submitted: \(isSubmitted)")
                #expect(into.unusedBytesAreKept, "\(format), submitted: \(isSubmitted)")
            }
        }
    }

    /// The result may replace the image.
    @Test("an image in pinned memory is blurred in place", arguments: [false, true])
    func inPlace(_ isSubmitted: Bool) throws {
        let gpu = try Self.executor()
        let source = try Samples.noise(80, 50, PixelFormat(.rgba), seed: 8)
        let plan = ExecutorTests.plan(80, 50)
        let image = try PinnedImage(source.layout, Place(offset: 0, padding: 0), in: gpu)
        image.write(source)
        try image.blur(plan, image, on: gpu, isSubmitted: isSubmitted)
        #expect(try image.pixels() == gpu.run(plan, on: source).output)
    }

    /// Images of 8-bit RGBA pass through no buffer of the executor; others do.
    @Test("RGBA is not copied") func noStaging() throws {
        for (format, isCopied) in [(PixelFormat(.rgba), false), (PixelFormat(.bgra), true)] {
            let gpu = try Self.executor()
            let source = try Samples.noise(64, 48, format)
            let plan = ExecutorTests.plan(64, 48)
            let place = Place(offset: 0, padding: 0)
            let from = try PinnedImage(source.layout, place, in: gpu)
            let into = try PinnedImage(source.layout, place, in: gpu)
            from.write(source)
            let before = gpu.statistics.objects.buffers
            try into.blur(plan, from, on: gpu, isSubmitted: false)
            // One buffer for the taps, and two rings of three buffers.
            #expect(gpu.statistics.objects.buffers - before == (isCopied ? 7 : 1), "\(format)")
        }
    }

    /// Pinned memory is counted, and freed when it is released.
    @Test("pinned memory is counted") func counts() throws {
        let gpu = try Self.executor()
        var memories = try (1...3).map { try #require(try gpu.pinnedMemory(1000 * $0)) }
        #expect(gpu.statistics.pinnedBytes == 6000)
        #expect(gpu.statistics.objects.buffers == 3)
        memories.removeLast()
        #expect(gpu.statistics.pinnedBytes == 3000)
        memories = []
        try gpu.trim()
        #expect(gpu.statistics.pinnedBytes == 0)
        #expect(gpu.statistics.objects.buffers == 0)
    }

    /// The memory stays valid after its executor is released or shut down. Another executor uses it as ordinary memory.
    @Test("pinned memory outlives its executor", arguments: [false, true]) func lifetime(_ isShutDown: Bool) throws {
        let source = try Samples.noise(70, 40, PixelFormat(.rgba))
        let plan = ExecutorTests.plan(70, 40)
        let image: PinnedImage
        do {
            let gpu = try Self.executor()
            image = try PinnedImage(source.layout, Place(offset: 0, padding: 0), in: gpu)
            if isShutDown { gpu.shutdown() }
        }
        image.write(source)
        let gpu = try Self.executor()
        try image.blur(plan, image, on: gpu, isSubmitted: false)
        #expect(try image.pixels() == gpu.run(plan, on: source).output)
    }

    /// An execution that was cancelled keeps neither its memory nor its executor.
    @Test("a cancelled execution releases its executor") func released() throws {
        weak var released: GPUExecutor?
        do {
            let gpu = try Self.executor()
            released = gpu
            let source = try Samples.noise(60, 40, PixelFormat(.rgba))
            let image = try PinnedImage(source.layout, Place(offset: 0, padding: 0), in: gpu)
            image.write(source)
            let pixels = unsafe image.target
            let cancellation = Cancellation()
            let ticket = try unsafe gpu.submit(
                ExecutorTests.plan(60, 40), source: PixelSource(pixels.base, layout: source.layout),
                format: source.format, target: pixels, cancellation: cancellation)
            cancellation.cancel()
            #expect(throws: GPUError.cancelled) { try unsafe gpu.collect(ticket, into: pixels) }
        }
        #expect(released == nil)
    }

    /// After an error the GPU no longer writes to the caller's memory.
    @Test("after a cancellation the memory is left alone", arguments: [false, true])
    func cancelled(_ isSubmitted: Bool) throws {
        let gpu = try Self.executor()
        let source = try Samples.noise(500, 400, PixelFormat(.rgba))
        let plan = ExecutorTests.plan(500, 400)
        let image = try PinnedImage(source.layout, Place(offset: 0, padding: 0), in: gpu)
        image.write(source)
        let cancellation = Cancellation()
        if isSubmitted {
            let pixels = unsafe image.target
            let ticket = try unsafe gpu.submit(
                plan, source: PixelSource(pixels.base, layout: source.layout), format: source.format, target: pixels,
                cancellation: cancellation)
            cancellation.cancel()
            #expect(throws: GPUError.cancelled) { try unsafe gpu.collect(ticket, into: pixels) }
        } else {
            cancellation.cancel()
            let pixels = unsafe image.target
            #expect(throws: GPUError.cancelled) {
                try unsafe gpu.execute(
                    plan, source: PixelSource(pixels.base, layout: source.layout), target: pixels,
                    cancellation: cancellation)
            }
        }
        image.write(source)
        try gpu.run(plan, on: source)
        #expect(try image.pixels() == source)
    }
}

/// An image in pinned memory. All other bytes of the memory have the value 0xA5.
private final class PinnedImage {
    private let memory: PinnedMemory
    private let layout: PixelLayout
    private let offset: Int

    init(_ packed: PixelLayout, _ place: PinnedMemoryTests.Place, in gpu: GPUExecutor) throws {
        layout = try PixelLayout(
            width: packed.width, height: packed.height, format: packed.format,
            bytesPerRow: packed.width * packed.format.bytesPerPixel + place.padding)
        offset = place.offset
        memory = try #require(try gpu.pinnedMemory(offset + layout.byteCount + 37))
        unsafe memory.bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
    }

    var target: PixelTarget {
        // SAFETY: the memory holds the image from the offset on.
        unsafe PixelTarget(memory.bytes.baseAddress.unsafelyUnwrapped + offset, layout: layout)
    }

    func write(_ image: PixelBuffer) {
        for y in 0..<layout.height {
            let start = y * image.layout.bytesPerRow
            let row = image.bytes[start..<start + layout.rowByteCount]
            unsafe UnsafeMutableRawBufferPointer(start: target.row(y), count: row.count).copyBytes(from: row)
        }
    }

    func pixels() throws -> PixelBuffer {
        let packed = try PixelLayout(width: layout.width, height: layout.height, format: layout.format)
        let rows = (0..<layout.height).flatMap {
            unsafe [UInt8](UnsafeRawBufferPointer(start: target.row($0), count: layout.rowByteCount))
        }
        return try PixelBuffer(layout: packed, bytes: rows)
    }

    var unusedBytesAreKept: Bool {
        unsafe memory.bytes.enumerated().allSatisfy { index, byte in
            let inImage = index - offset
            let isUsed =
                (0..<layout.byteCount).contains(inImage) && inImage % layout.bytesPerRow < layout.rowByteCount
            return isUsed || byte == 0xA5
        }
    }

    func blur(_ plan: Plan, _ source: PinnedImage, on gpu: GPUExecutor, isSubmitted: Bool) throws {
        let (from, into) = unsafe (source.target, target)
        let pixels = unsafe PixelSource(from.base, layout: from.layout)
        if isSubmitted {
            let ticket = try unsafe gpu.submit(plan, source: pixels, format: layout.format, target: into)
            try unsafe gpu.collect(ticket, into: into)
        } else {
            try unsafe gpu.execute(plan, source: pixels, target: into)
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests if the driver has no buffers that stay mapped.
    fileprivate static var needsPinnedMemory: Self {
        .enabled("the driver does not have GL_EXT_buffer_storage") {
            try StreamTests.executor(.buffers).pinnedMemory(1) != nil
        }
    }
}
