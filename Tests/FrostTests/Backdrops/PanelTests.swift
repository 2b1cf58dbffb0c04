@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests the identity of panels, their regions, and drawing them without a backdrop.
struct PanelTests {
    private static let blur = Result { Effect(try GaussianBlur(sigma: 5, edge: .mirror)) }

    private static func panels(withIdentity: Bool) throws -> [Panel] {
        try (0..<4).map { index in
            Panel(
                Rect(x: 10 + 45 * index, y: 15 + 10 * (index % 2), width: 40, height: 60), effect: try blur.get(),
                cornerRadius: 6, id: withIdentity ? UInt64(100 + index) : nil)
        }
    }

    /// Renders frames, each of which has to equal a full recomputation, and returns the pixels that each has drawn.
    private static func frames(_ first: [Panel], _ changes: [(inout [Panel]) -> Void]) throws -> [Int] {
        var stage = try BackdropStage(220, 120)
        stage.backdrop.panels = first
        try stage.render()
        return try changes.map { change in
            change(&stage.backdrop.panels)
            try stage.render()
            #expect(stage.target == (try stage.expected()), "\(stage.backdrop.panels.map(\.rect))")
            return stage.report.panelPixels
        }
    }

    @Test("adding, removing, moving and reordering panels with numbers cost what changed")
    func identity() throws {
        let added = Panel(Rect(x: 0, y: 90, width: 30, height: 20), effect: try Self.blur.get(), id: 7)
        let changes: [(inout [Panel]) -> Void] = [
            { $0.insert(added, at: 0) }, { $0.removeFirst() }, { $0.reverse() }, { $0.remove(at: 1) },
            { panels in panels[0].rect.x += 4 },
            { panels in
                panels[1].rect = panels[0].rect
                panels[1].rect.y += 20
            },
            { $0.swapAt(0, 1) },
        ]
        // A panel that moves by 4 pixels draws these columns and, of its old and its new place, the squares of the corners.
        // The fourth frame hides the lower part of a panel by another, whose place is new. The last shows 40 of its rows.
        let moved = 4 * 60 + 4 * 6 * 6 + 4 * (6 - 4) * 6
        let numbered = try Self.frames(Self.panels(withIdentity: true), changes)
        #expect(numbered[0...3] == [30 * 20, 0, 0, 0])
        #expect(numbered[4] <= moved + 4 * 4 * 6 && numbered[4] >= 4 * 60)
        #expect(numbered[5] == 40 * 60 && numbered[6] == 40 * 40)
        // Without numbers, a panel continues the one of the same index, so the order counts.
        let indexed = try Self.frames(Self.panels(withIdentity: false), changes)
        #expect(indexed[0] > numbered[0] && indexed[1] > 0 && indexed[2] > 0 && indexed[3] > 0)
        #expect(indexed[4] == numbered[4])
    }

    @Test("content, masks and the first corner radius are drawn anew when a panel moves")
    func dependence() throws {
        let label = ContentImage(try TestImage.make(.softAlpha, 20, 10))
        let mask = MaskImage(try TestImage.noise(7, 5, PixelFormat(.grey)))
        let place = Rect(x: 20, y: 20, width: 60, height: 50)
        let effect = try Self.blur.get()
        for panel in [
            Panel(place, effect: effect, content: [ContentLayer(label, mode: .center)], id: 1),
            Panel(place, effect: effect, mask: mask, id: 1),
            Panel(place, effect: try EffectCatalog.effect("tilt-shift").make([:]), id: 1),
        ] {
            #expect(try Self.frames([panel], [{ $0[0].rect.x += 10 }]) == [60 * 50], "\(panel)")
        }
        #expect(try Self.frames([Panel(place, effect: effect, id: 1)], [{ $0[0].cornerRadius = 8 }]) == [60 * 50])
        // Other corners change only their squares.
        let rounded = Panel(place, effect: effect, cornerRadius: 8, id: 1)
        #expect(try Self.frames([rounded], [{ $0[0].corners = .superellipse() }]) == [4 * 8 * 8])
    }

    @Test("two panels with the same number are refused, and the frame before stays")
    func duplicates() throws {
        var stage = try BackdropStage(220, 120)
        stage.backdrop.panels = try Self.panels(withIdentity: true)
        try stage.render()
        let before = stage.target.bytes
        stage.backdrop.panels[2].id = 100
        do {
            try stage.render()
            Issue.record("went through")
        } catch let error as FrostError {
            guard case .parameter(.malformed("panel id", "100", _)) = error else { throw error }
        }
        #expect(stage.target.bytes == before)
    }

    @Test("a panel draws the pixels of its region only, and hides only these")
    func regions() throws {
        var stage = try BackdropStage(160, 110)
        let below = Panel(Rect(x: 5, y: 5, width: 120, height: 90), effect: try BackdropStage.gaussian(3), id: 1)
        var panel = Panel(
            Rect(x: 20, y: 15, width: 90, height: 70), effect: try Self.blur.get(), cornerRadius: 9, id: 2)
        // A frame with a hole, whose rectangles overlap and exceed the panel.
        panel.region = Region([
            Rect(x: -20, y: -9, width: 200, height: 24), Rect(x: 0, y: 0, width: 30, height: 500),
            Rect(x: 60, y: 10, width: Int.max / 2, height: 60),
        ])
        stage.backdrop.panels = [below, panel]
        try stage.render()
        #expect(stage.target == (try stage.expected()))
        #expect(stage.report.panelPixels == 120 * 90)
        // Only what differs between the two regions is drawn.
        stage.backdrop.panels[1].region?.subtract(Region(Rect(x: 10, y: 20, width: 10, height: 10)))
        try stage.render()
        #expect(stage.target == (try stage.expected()))
        #expect(stage.report.panelPixels == 10 * 10 && stage.report.uncovered.isEmpty)
        stage.backdrop.panels[0].rect = Rect(x: 0, y: 0, width: 1, height: 1)
        stage.backdrop.panels[1].region = Region()
        try stage.render()
        #expect(stage.target == (try stage.expected()))
        #expect(Region(stage.report.uncovered).area == 120 * 90)
    }

    @Test("a panel drawn at once equals the backdrop's, on every backend", arguments: [Backend.cpu, .exact])
    func panelDrawnAtOnce(backend: Backend) throws {
        let renderer = try Renderer(backend: backend, threads: 2)
        let label = ContentImage(try TestImage.make(.softAlpha, 20, 10))
        var panel = Panel(
            Rect(x: -8, y: 15, width: 90, height: 70),
            effect: try EffectCatalog.effect("blur-dark").make(parsing: "radius=4"),
            cornerRadius: 12, corners: .continuous(), content: [ContentLayer(label, mode: .center)])
        for region in [
            nil, Region([Rect(x: 0, y: 0, width: 60, height: 30), Rect(x: 30, y: 20, width: 60, height: 50)]),
        ] {
            panel.region = region
            var stage = try BackdropStage(100, 80)
            stage.backdrop.panels = [panel]
            try stage.render()
            let picture = stage.picture
            var target = try PixelBuffer(
                layout: picture.layout,
                bytes: [UInt8](repeating: BackdropStage.untouched, count: picture.layout.byteCount))
            let layout = target.layout
            let report = try unsafe picture.withUnsafeBytes { from in
                try unsafe target.withUnsafeMutableBytes { to in
                    try unsafe renderer.render(
                        PixelSource(#require(from.baseAddress), layout: layout), panel,
                        into: PixelTarget(#require(to.baseAddress), layout: layout))
                }
            }
            #expect(report?.backend == backend)
            let pixels = panel.pixels(in: picture.layout.extent)
            let whole = try renderer.renderNow(picture, panel.placedEffect()).image
            for rect in pixels.rects { #expect(try target.cropped(to: rect) == whole.cropped(to: rect)) }
            switch backend {
            case .cpu: #expect(stage.target == target)
            case .auto, .exact, .gpu: #expect(stage.target != target)
            }
            for y in 0..<80 {
                for x in 0..<100 where !pixels.contains(x: x, y: y) {
                    #expect(target.bytes[4 * (100 * y + x)] == BackdropStage.untouched)
                }
            }
        }
    }

    @Test("a panel whose edges lie between pixels covers the pixels at its edges by their area")
    func edges() throws {
        let picture = try TestImage.make(40, 30, PixelFormat(.rgba)) { _, _, _ in 1 }
        let black = ColorStage.matrix(.tint(try Color(red: 0, green: 0, blue: 0, alpha: 1)))
        let effect = Effect(
            name: "black", blur: try GaussianBlur(sigma: 0), outputStages: OutputStages(inside: [black]))
        let renderer = try Renderer(backend: .cpu)
        let whole = (0..<64).map { Double($0) / 16 }
        for (x, y) in zip(whole, whole.reversed()) {
            var panel = Panel(picture.layout.extent, effect: effect)
            try panel.place(x: 5 + x, y: 6 + y, width: 20.5, height: 12.25)
            var screen = picture
            let layout = picture.layout
            let report = try unsafe picture.withUnsafeBytes { from in
                try unsafe screen.withUnsafeMutableBytes { to in
                    try unsafe renderer.render(
                        PixelSource(#require(from.baseAddress), layout: layout), panel,
                        into: PixelTarget(#require(to.baseAddress), layout: layout))
                }
            }
            #expect(report != nil)
            // The part of each pixel between two edges, along one axis.
            func parts(_ start: Double, _ length: Double, _ count: Int) -> [Double] {
                (0..<count).map { max(0, min(Double($0 + 1), start + length) - max(Double($0), start)) }
            }
            let (columns, rows) = (parts(5 + x, 20.5, 40), parts(6 + y, 12.25, 30))
            for (row, column) in [(0, 0), (6, 5), (10, 5), (10, 6), (12, 25), (12, 26), (18, 20), (22, 29)] {
                let value = Double(screen.bytes[row * layout.bytesPerRow + 4 * column])
                let wanted = 255 * (1 - rows[row] * columns[column])
                #expect(abs(value - wanted) <= 0.6, "\(row), \(column) of a panel at \(x), \(y)")
            }
        }
    }

    @Test("a pill keeps its radius wherever its edges lie")
    func pills() throws {
        var generator = SeededGenerator(seed: 3)
        let effect = try Self.blur.get()
        for _ in 0..<2000 {
            let height = Double.random(in: 2...50, using: &generator)
            var panel = Panel(Rect(x: 0, y: 0, width: 1, height: 1), effect: effect, cornerRadius: height / 2)
            try panel.place(
                x: .random(in: -50...900, using: &generator), y: .random(in: -50...900, using: &generator),
                width: height + .random(in: 0...80, using: &generator), height: height)
            #expect(throws: Never.self) { try panel.placedEffect() }
        }
    }
}
