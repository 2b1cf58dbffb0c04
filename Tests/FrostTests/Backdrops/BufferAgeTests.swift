@testable import Frost
import FrostCore
@testable import FrostTestHost
import FrostTestSupport
import Testing

/// How a host tells a backdrop which buffer it draws into.
enum BufferNaming: CaseIterable {
    /// By the buffer's address or GL name.
    case address
    /// By a number.
    case number
    /// By the age of its content, as EGL_EXT_buffer_age does.
    case age
    /// By a number and the age.
    case both
}

/// Tests that a backdrop draws exactly what differs between a buffer's content and the frame.
@Suite(.serialized) struct BufferAgeTests {
    /// Plays random frames on a host with several buffers.
    ///
    /// - Parameters:
    ///   - isHonest: whether the host states the truth. Then the areas that are drawn are checked.
    ///   - isCancelled: whether some frames are cancelled.
    /// - Returns: whether each buffer was equal to a full redraw after each frame into it, and the share of the pixels of
    ///   panels that was drawn.
    private static func play<Host: BufferHost>(
        _ host: inout Host, count: Int, steps: Int, seed: Int, isHonest: Bool = true, isCancelled: Bool = false,
        _ naming: (_ index: Int, _ age: Int) -> (Backdrop.Repaint, UInt64?)
    ) throws -> (isExact: Bool, share: Double) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let (width, height) = (host.extent.width, host.extent.height)
        func rect(_ largest: Int) -> Rect {
            let (w, h) = (
                Int.random(in: 1...largest, using: &generator), Int.random(in: 1...largest, using: &generator)
            )
            return Rect(
                x: .random(in: 0...width - w, using: &generator), y: .random(in: 0...height - h, using: &generator),
                width: w, height: h)
        }
        let effect = Effect(try GaussianBlur(sigma: 3, edge: .mirror))
        host.panels = [
            Panel(Rect(x: 10, y: 10, width: 50, height: 40), effect: effect, cornerRadius: 8),
            Panel(Rect(x: 70, y: 30, width: 40, height: 50), effect: effect, cornerRadius: 6, corners: .continuous()),
        ]
        // The frame that each buffer contains, the number of frames, and the changes of each frame. A single buffer with the
        // same damage and panels has only the changes of the last frame to draw.
        var (contents, frame, changes) = ([Int?](repeating: nil, count: count), 0, [Region]())
        var reference = try Changes(host.extent, host.panels)
        var (isExact, drawn, whole) = (true, 0, 0)
        for step in 0..<steps {
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let damage = rect(20)
                try host.damage(damage)
                reference.backdrop.invalidate(damage)
            }
            if step % 5 == 4 {
                host.panels[step % 2].rect.x = .random(in: -5...80, using: &generator)
                host.panels[step % 2].rect.y = .random(in: -5...60, using: &generator)
            }
            // Usually the buffers take turns. Sometimes one is left out.
            let index = step % 11 == 10 ? Int.random(in: 0..<count, using: &generator) : step % count
            let age = contents[index].map { frame + 1 - $0 } ?? 0
            let (repaint, number) = naming(index, age)
            let cancellation = Cancellation()
            if isCancelled, step % 7 == 3 { cancellation.cancel() }
            let report: BackdropReport
            do {
                report = try host.render(into: index, repaint, number: number, cancellation: cancellation)
            } catch let error as FrostError {
                // The next frame goes to another buffer, or to the same one.
                guard case .cancelled = error, isCancelled else { throw error }
                continue
            }
            changes.append(try reference.next(host.panels))
            frame += 1
            contents[index] = frame
            let covered = Region(host.panels.compactMap { $0.rect.intersection(host.extent) })
            var due = covered
            if age > 0, age <= 16 {
                due = changes.suffix(age).reduce(Region()) { $0.union($1) }.intersection(covered)
            }
            let got = try host.shown(index) == host.expected()
            isExact = isExact && got
            if isHonest {
                #expect(report.bufferAge == (age <= 16 ? age : 0), "step \(step)")
                #expect(Region(report.updated) == due, "step \(step): \(report.updated)")
                if !isCancelled { #expect(report.panelPixels == due.area, "step \(step)") }
            }
            drawn += report.panelPixels
            whole += covered.area
        }
        return (isExact, Double(drawn) / Double(whole))
    }

    /// A single buffer with the same damage and panels as a host.
    private struct Changes {
        let backdrop: Backdrop
        private let picture: PixelBuffer
        private var target: PixelBuffer

        init(_ extent: Rect, _ panels: [Panel]) throws {
            backdrop = try Backdrop(threads: 1)
            picture = try BufferFill.buffer(extent.width, extent.height)
            target = try BufferFill.buffer(extent.width, extent.height)
        }

        /// Returns the pixels of panels that differ from those of the last frame.
        mutating func next(_ panels: [Panel]) throws -> Region {
            backdrop.panels = panels
            return Region(try backdrop.render(picture, into: &target, buffer: 1).updated)
        }
    }

    private static func name(_ naming: BufferNaming, _ index: Int, _ age: Int) -> (Backdrop.Repaint, UInt64?) {
        switch naming {
        case .address: (.changed, nil)
        case .number: (.changed, UInt64(index))
        case .age: (.aged(age), nil)
        case .both: (.aged(age), UInt64(index))
        }
    }

    @Test(
        "in memory, every buffer equals a full redraw, and only what differs is drawn",
        arguments: 1...4, BufferNaming.allCases)
    func buffersInMemory(count: Int, naming: BufferNaming) throws {
        var host = try MemoryBuffers(140, 100, count: count)
        let result = try Self.play(&host, count: count, steps: 120, seed: count) { Self.name(naming, $0, $1) }
        #expect(result.isExact)
        // On average, a frame changes a sixth of the panels, and the frames of several buffers overlap.
        #expect(result.share < 0.25 + 0.15 * Double(count), "\(result.share)")
    }

    @Test("in memory, frames that fail leave nothing undone, in whichever buffer", arguments: 1...4)
    func failures(count: Int) throws {
        for naming in [BufferNaming.address, .number] {
            var host = try MemoryBuffers(140, 100, count: count)
            let result = try Self.play(&host, count: count, steps: 120, seed: 9 * count, isCancelled: true) {
                Self.name(naming, $0, $1)
            }
            #expect(result.isExact)
        }
    }

    @Test(
        "on textures, every buffer equals a full redraw, and only what differs is drawn",
        .enabled(if: TestGPU.isWanted, TestGPU.skipReason), arguments: 1...4)
    func textures(count: Int) throws {
        try TestHost().perform { gl in
            for naming in BufferNaming.allCases {
                var host = try TextureBuffers(gl, 140, 100, count: count)
                let result = try Self.play(&host, count: count, steps: 40, seed: count) { Self.name(naming, $0, $1) }
                #expect(result.isExact, "\(naming)")
                host.end()
            }
        }
    }

    /// The comparison must fail for a host that passes several buffers off as one, or states an age that is too small.
    @Test("without the age, or with too small an age, buffers are stale", arguments: 2...4)
    func stale(count: Int) throws {
        var host = try MemoryBuffers(140, 100, count: count)
        func play(_ naming: (_ index: Int, _ age: Int) -> (Backdrop.Repaint, UInt64?)) throws -> (Bool, Double) {
            host = try MemoryBuffers(140, 100, count: count)
            return try Self.play(&host, count: count, steps: 60, seed: count, isHonest: false, naming)
        }
        #expect(try !play { _, _ in (.changed, 7) }.0)
        #expect(try !play { (.aged($1 > 1 ? $1 - 1 : $1), nil) }.0)
        // Too great an age is exact, but draws more.
        let (own, older) = (try play { (.aged($1), nil) }, try play { (.aged($1 == 0 ? 0 : $1 + 2), nil) })
        #expect(own.0 && older.0 && older.1 > own.1 + 0.1, "\(own), \(older)")
    }

    @Test("unknown, too old and undefined contents are redrawn completely")
    func unknown() throws {
        var host = try MemoryBuffers(100, 80, count: 3)
        let panel = Rect(x: 10, y: 10, width: 50, height: 40)
        host.panels = [Panel(panel, effect: Effect(try GaussianBlur(sigma: 3)))]
        let whole = 50 * 40
        func frame(_ index: Int, _ repaint: Backdrop.Repaint, _ number: UInt64?) throws -> (age: Int, pixels: Int) {
            let report = try host.render(into: index, repaint, number: number, cancellation: nil)
            #expect(try host.shown(index) == host.expected(), "\(index) \(repaint)")
            return (report.bufferAge, report.panelPixels)
        }
        #expect(try frame(0, .changed, 1) == (0, whole))
        #expect(try frame(0, .changed, 1) == (1, 0))
        // Another buffer, whatever the host calls its content.
        #expect(try frame(1, .changed, 2) == (0, whole))
        #expect(try frame(2, .aged(1), 3) == (0, whole))
        #expect(try frame(0, .aged(0), 1) == (0, whole))
        // The older of the two frames counts: the one that the number stands for, and the stated one.
        #expect(try frame(1, .aged(1), 2) == (3, 0))
        #expect(try frame(1, .aged(4), 2) == (4, 0))
        // Buffer 3 was drawn in frame 4. After frame 19 that is 16 frames ago, and after frame 20 it is too long.
        for _ in 8...19 { #expect(try frame(0, .changed, 1).pixels == 0) }
        #expect(try frame(0, .aged(16), nil) == (16, 0))
        #expect(try frame(0, .aged(17), nil) == (0, whole))
        #expect(try frame(2, .changed, 3) == (0, whole))
        #expect(try frame(0, .all, 1) == (0, whole))
        do {
            _ = try frame(0, .aged(-1), 1)
            Issue.record("went through")
        } catch let error as FrostError {
            guard case .parameter(.outOfRange("buffer age", -1, _)) = error else { throw error }
        }
        #expect(try frame(0, .changed, 1) == (1, 0))
    }
}
