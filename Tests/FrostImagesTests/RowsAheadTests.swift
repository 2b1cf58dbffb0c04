import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// Tests the reader that decodes rows on its own thread.
@Suite struct RowsAheadTests {
    /// Reads rows until an error or the end of the file. Returns the rows that were read, and the error, if there was one.
    static func rows(_ file: [UInt8], isThreaded: Bool) throws -> (bytes: [UInt8], error: ImageError?) {
        let rows = RowsAhead(try ImageReader(bytes: file, name: "test"), isThreaded: isThreaded)
        defer { rows.stop() }
        var bytes: [UInt8] = []
        do throws(ImageError) {
            while let block = try rows.next() {
                #expect(block.rows > 0)
                bytes += block.bytes
            }
            return (bytes, nil)
        } catch {
            return (bytes, error)
        }
    }

    @Test("The blocks hold the rows of the whole image", arguments: [true, false])
    func whole(_ isThreaded: Bool) throws {
        for (width, height) in [(1, 1), (3, 5000), (1000, 700), (30_000, 11)] {
            let image = DecodedImage(pixels: try PNGStripTests.picture(width, height))
            let read = try Self.rows(PNG.encode(image), isThreaded: isThreaded)
            #expect(read.error == nil)
            #expect(read.bytes == image.pixels.bytes)
        }
    }

    @Test("A file that is cut half-way gives the rows above the cut, and then the error", arguments: [true, false])
    func damaged(_ isThreaded: Bool) throws {
        let image = DecodedImage(pixels: try PNGStripTests.picture(1000, 1500))
        let file = try PNG.encode(image)
        let read = try Self.rows(Array(file[..<(file.count * 3 / 4)]), isThreaded: isThreaded)
        #expect(read.error != nil)
        #expect(read.bytes.count > image.pixels.bytes.count / 4 && read.bytes.count < image.pixels.bytes.count)
        #expect(image.pixels.bytes.starts(with: read.bytes))
        // The reader returns the last row only after it has read the end of the file. So a file without its last byte gives
        // fewer rows and an error.
        let cut = try Self.rows(Array(file.dropLast()), isThreaded: isThreaded)
        #expect(cut.error != nil && cut.bytes.count < image.pixels.bytes.count)
    }

    @Test("After a stop the thread reads no further, ends and lets the reader go")
    func stopped() async throws {
        let image = DecodedImage(pixels: try PNGStripTests.picture(1000, 1500))
        let file = try PNG.encode(image)
        for taken in 0..<4 {
            weak var thread: RowsAhead?
            do {
                let rows = RowsAhead(try ImageReader(bytes: file, name: "test"))
                // From here on, only the thread that reads keeps the object alive.
                thread = rows
                for _ in 0..<taken { #expect(try rows.next() != nil) }
                // The thread fills all blocks and then waits for a free block. The stop must wake it.
                var busy = Duration.zero
                repeat {
                    busy = rows.busy
                    try await Task.sleep(for: .milliseconds(100))
                } while rows.busy != busy
                rows.stop()
            }
            let end = ContinuousClock.now + .seconds(20)
            while thread != nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
            #expect(thread == nil, "after \(taken) blocks")
        }
    }
}
