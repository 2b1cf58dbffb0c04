import Frost
import FrostCore
import FrostTestSupport
import Glibc
import Testing

@testable import FrostMotion

/// Tests panels whose edges lie between pixels, that are turned, and what is drawn around them.
@Suite("Panels between pixels and turned")
struct SceneMovementTests {
    /// A scene of white panels over black.
    private func white(_ panels: [JSONValue], duration: Double = 2, more: [JSONValue.Member] = []) throws -> Scene {
        let tint: JSONValue.Member = .init("effect", "tint")
        let parameters: JSONValue.Member = .init("parameters", ["color": "white"])
        return try Scene(
            .object(
                [
                    .init("size", [120, 90]), .init("duration", .number(duration)), .init("fps", 30),
                    .init("backdrop", ["color": "black"]),
                    .init(
                        "panels",
                        .array(
                            panels.map { panel in
                                guard case .object(let members) = panel else { return panel }
                                return .object([tint, parameters, .init("dither", false)] + members)
                            })),
                ] + more))
    }

    private func pixel(_ image: PixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
        Array(image.bytes[4 * (image.width * y + x)..<4 * (image.width * y + x + 1)])
    }

    /// The number of pixels that a frame's light fills at its brightest pixel's value, and the light's centroid.
    private func centroid(_ frame: PixelBuffer) -> (area: Double, x: Double, y: Double) {
        var (sum, x, y, brightest) = (0.0, 0.0, 0.0, 0.0)
        for row in 0..<frame.height {
            for column in 0..<frame.width {
                let value = Double(pixel(frame, column, row)[0])
                sum += value
                brightest = max(brightest, value)
                x += value * (Double(column) + 0.5)
                y += value * (Double(row) + 0.5)
            }
        }
        return (sum / brightest, x / sum, y / sum)
    }

    @Test("The centroid of a panel that moves and grows follows its path within 0.02 pixels, and every frame differs")
    func path() throws {
        let scene = try white([
            [
                "size": [["at": 0, "value": [31, 23]], ["at": 2, "value": [34, 26]]], "corner-radius": 5,
                "position": [["at": 0, "value": [20, 30]], ["at": 2, "value": [30, 33]]],
            ]
        ])
        let renderer = try SceneRenderer(scene, TestResources())
        var frames: Set<[UInt8]> = []
        var farthest = 0.0
        for index in 0..<60 {
            let time = Double(index) / 30
            let frame = try renderer.frame(at: time)
            frames.insert(frame.bytes)
            let (light, x, y) = centroid(frame)
            let (width, height) = (31 + 1.5 * time, 23 + 1.5 * time)
            let (left, top) = (20 + 5 * time, 30 + 1.5 * time)
            #expect(abs(x - (left + width / 2)) < 0.02 && abs(y - (top + height / 2)) < 0.02, "time \(time)")
            let area = width * height - (4 - .pi) * 25
            #expect(abs(light - area) < 0.2, "time \(time)")
            farthest = max(farthest, abs(left - left.rounded()))
        }
        #expect(frames.count == 60)
        // Whole pixels would be up to half a pixel away.
        #expect(farthest > 0.4)
    }

    @Test("A panel turns about its centre, and keeps its area", arguments: [0.0, 4, 12])
    func turn(radius: Double) throws {
        let scene = try white([
            [
                "size": [50, 28.5], "position": [33.3, 31.2], "corner-radius": .number(radius), "corner-smoothing": 0.6,
                "rotation": [["at": 0, "value": 0], ["at": 2, "value": 170]],
            ]
        ])
        let renderer = try SceneRenderer(scene, TestResources())
        let first = try centroid(renderer.frame(at: 0))
        var frames: Set<[UInt8]> = []
        for index in 0..<60 {
            let frame = try renderer.frame(at: Double(index) / 30)
            frames.insert(frame.bytes)
            let (area, x, y) = centroid(frame)
            #expect(abs(x - 58.3) < 0.02 && abs(y - 45.45) < 0.02, "frame \(index)")
            #expect(abs(area - first.area) < 0.5, "frame \(index)")
        }
        #expect(frames.count == 60)
    }

    @Test("A panel that follows an item follows it within 0.02 pixels and turns with it, or not")
    func item() throws {
        let dynamics: JSONValue = [
            "items": [["id": "box", "center": [60, 30], "size": [30, 12], "rotation": 20]],
            "behaviors": [
                ["behavior": "gravity", "magnitude": 0.03],
                ["behavior": "properties", "angular-velocity": 90, "velocity": [7, 0], "angular-resistance": 0],
            ],
        ]
        for turns in [true, false] {
            let scene = try white(
                [["follow": ["item": "box", "rotation": .bool(turns)]]], more: [.init("dynamics", dynamics)])
            let renderer = try SceneRenderer(scene, TestResources())
            for time in stride(from: 0, through: 1, by: 0.05) {
                let panel = try #require(try scene.state(at: time).panels.first)
                let middle = SIMD2(panel.place.x + 15, panel.place.y + 6)
                let (_, x, y) = try centroid(renderer.frame(at: time))
                #expect(abs(x - middle.x) < 0.02 && abs(y - middle.y) < 0.02, "time \(time)")
                let angle = turns ? 20 + 90 * time : 0
                // A step of the simulation is 0.75 degrees.
                #expect(abs(panel.rotation - angle) < 0.8, "time \(time)")
            }
        }
    }

    /// A scene over a still picture.
    private func still(_ panels: [JSONValue]) throws -> Scene {
        try Scene([
            "size": [160, 120], "duration": 1, "backdrop": ["picture": "b.png", "mode": "scale-to-fill"],
            "panels": .array(panels),
        ])
    }

    private func frame(_ panels: [JSONValue], backend: Backend = .cpu) throws -> PixelBuffer {
        try SceneRenderer(try still(panels), TestResources(), renderer: Renderer(backend: backend)).frame(at: 0)
    }

    private func expectEqual(_ frame: PixelBuffer, within limit: Double, _ expected: (Int, Int, Int) -> Double) {
        var (worst, place) = (0.0, "")
        for y in 0..<frame.height {
            for x in 0..<frame.width {
                for c in 0..<3 {
                    let error = abs(Double(pixel(frame, x, y)[c]) - expected(x, y, c))
                    if error > worst { (worst, place) = (error, "\(x),\(y)") }
                }
            }
        }
        #expect(worst <= limit, "at \(place)")
    }

    @Test("A turned panel shows the effect of the picture, unturned, within its outline")
    func turnedEffect() throws {
        let picture = try frame([])
        let members: JSONValue = [
            "effect": "dark", "dither": false, "size": [70.5, 41], "position": [40.25, 33], "rotation": 33,
            "corner-radius": 8,
        ]
        let shown = try frame([members])
        let effect = try EffectCatalog.effect("dark").make().dithered(by: nil)
        let whole = try Renderer(backend: .exact).render(picture, effect, region: picture.layout.extent).image
        let outline = try RoundedRect(x: 40.25, y: 33, width: 70.5, height: 41, radius: 8).turned(by: 33)
        // The panel and the result of the definition are rounded.
        expectEqual(shown, within: 1.1) { x, y, c in
            let (a, b) = (Double(pixel(picture, x, y)[c]), Double(pixel(whole, x, y)[c]))
            return a + (b - a) * outline.coverage(x, y)
        }
    }

    @Test("Where a rounded or turned panel lies over another one, the other one shows in its corners")
    func corners() throws {
        let lower: JSONValue = ["effect": "dark", "dither": false, "size": [100, 80], "position": [10, 10]]
        let picture = try frame([])
        let below = try frame([lower])
        let effect = try EffectCatalog.effect("extra-light").make().dithered(by: nil)
        let whole = try Renderer(backend: .exact).render(picture, effect, region: picture.layout.extent).image
        for angle in [0.0, 25] {
            let upper: JSONValue = [
                "effect": "extra-light", "dither": false, "size": [90, 70], "position": [50, 30], "corner-radius": 30,
                "rotation": .number(angle),
            ]
            let both = try frame([lower, upper])
            let outline = try RoundedRect(x: 50, y: 30, width: 90, height: 70, radius: 30).turned(by: angle)
            // The panel, its mixture with the one below, and the result of the definition are rounded.
            expectEqual(both, within: 1.6) { x, y, c in
                let (a, b) = (Double(pixel(below, x, y)[c]), Double(pixel(whole, x, y)[c]))
                return a + (b - a) * outline.coverage(x, y)
            }
            // In the corner the panel below differs from the picture.
            #expect(pixel(both, 51, 31) == pixel(below, 51, 31) && pixel(below, 51, 31) != pixel(picture, 51, 31))
        }
    }

    @Test("A shadow is the blurred outline outside the panel, and leaves the panel and the rest as they are")
    func shadow() throws {
        let panel: [JSONValue.Member] = [
            .init("effect", "dark"), .init("size", [50, 34]), .init("position", [52.5, 40]), .init("rotation", 15),
            .init("corner-radius", 9),
        ]
        let shadow: JSONValue = ["sigma": 4, "offset": [3, 5.5], "color": "#ff000080"]
        let picture = try frame([])
        let plain = try frame([.object(panel)])
        let shaded = try frame([.object(panel + [.init("shadow", shadow)])])
        let faint = try frame([.object(panel + [.init("shadow", shadow), .init("alpha", 0.5)])])
        let outline = try RoundedRect(x: 52.5, y: 40, width: 50, height: 34, radius: 9).turned(by: 15)
        let moved = try RoundedRect(x: 55.5, y: 45.5, width: 50, height: 34, radius: 9).turned(by: 15)
        // The definition: a sum over all pixels, with the weights of a Gaussian along each axis.
        let reach = 24
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / 32) }
        let total = weights.reduce(0, +)
        var across = [[Double]](repeating: [], count: 120 + 2 * reach)
        for y in across.indices {
            let row = (-reach..<160 + reach).map { moved.coverage($0, y - reach) }
            across[y] = (0..<160).map { x in
                weights.indices.reduce(0) { $0 + weights[$1] * row[x + $1] } / total
            }
        }
        let alpha = 128.0 / 255
        var strongest = 0.0
        // The picture with its shadow, and the panel over it, are rounded; so is the panel that is compared.
        func expected(_ x: Int, _ y: Int, _ c: Int) -> Double {
            let part = weights.indices.reduce(0) { $0 + weights[$1] * across[y + $1][x] } / total
            let share = part * alpha * (1 - outline.coverage(x, y))
            strongest = max(strongest, share)
            let below = Double(pixel(picture, x, y)[c])
            return Double(pixel(plain, x, y)[c]) + ((c == 0 ? 255 : 0) - below) * share
        }
        expectEqual(shaded, within: 1.6, expected)
        // Half of the panel is half of the change.
        expectEqual(faint, within: 1.6) { x, y, c in (expected(x, y, c) + Double(pixel(picture, x, y)[c])) / 2 }
        #expect(strongest > 0.3)
        #expect(pixel(shaded, 77, 57) == pixel(plain, 77, 57) && pixel(shaded, 0, 0) == pixel(plain, 0, 0))
    }

    @Test("A hairline covers the pixels between the outline and the one inside it", arguments: [0.0, 20])
    func hairline(angle: Double) throws {
        let panel: [JSONValue.Member] = [
            .init("effect", "gaussian"), .init("parameters", ["sigma": 0]), .init("size", [60, 40]),
            .init("position", [30, 25]), .init("corner-radius", 10), .init("rotation", .number(angle)),
        ]
        let (plain, lined) = try (
            frame([.object(panel)]),
            frame([.object(panel + [.init("hairline", ["width": 2, "color": "#00ff00"])])])
        )
        let outer = try RoundedRect(x: 30, y: 25, width: 60, height: 40, radius: 10).turned(by: angle)
        let inner = try RoundedRect(x: 32, y: 27, width: 56, height: 36, radius: 8).turned(by: angle)
        expectEqual(lined, within: 1) { x, y, c in
            let share = outer.coverage(x, y) - inner.coverage(x, y)
            return Double(pixel(plain, x, y)[c]) * (1 - share) + (c == 1 ? 255 : 0) * share
        }
        #expect(plain.bytes != lined.bytes)
    }

    @Test("Content turned by quarter turns has the picture's pixels, and content between pixels their averages")
    func content() throws {
        func shown(_ members: [JSONValue.Member]) throws -> PixelBuffer {
            try frame([
                .object(
                    [
                        .init("effect", "gaussian"), .init("parameters", ["sigma": 0]), .init("size", [123, 77]),
                        .init("content", [["picture": "c.png", "mode": "top-left"]]),
                    ] + members)
            ])
        }
        let upright = try shown([.init("position", [10, 20])])
        // The backdrop shows through the picture's first columns.
        let opaque = 10 + 16..<133
        // Turned about the centre (71.5, 58.5) by half a turn: pixel (x, y) goes to (142 - x, 116 - y).
        let half = try shown([.init("position", [10, 20]), .init("rotation", 180)])
        for y in 20..<97 {
            for x in opaque { #expect(pixel(half, 142 - x, 116 - y) == pixel(upright, x, y), "\(x),\(y)") }
        }
        // A quarter turn about (71.5, 58.5) takes the centre (x + 0.5, y + 0.5) to (71.5 - (y + 0.5 - 58.5), …).
        let quarter = try shown([.init("position", [10, 20]), .init("rotation", 90)])
        for y in 20..<97 {
            for x in opaque {
                let (u, v) = (129 - y, x - 13)
                guard (0..<160).contains(u), (0..<120).contains(v) else { continue }
                #expect(pixel(quarter, u, v) == pixel(upright, x, y), "\(x),\(y)")
            }
        }
        let between = try shown([.init("position", [10.5, 20])])
        for y in 21..<96 {
            for x in 30..<130 {
                for c in 0..<3 {
                    let mean = (Double(pixel(upright, x, y)[c]) + Double(pixel(upright, x - 1, y)[c])) / 2
                    #expect(abs(Double(pixel(between, x, y)[c]) - mean) <= 0.51, "\(x),\(y)")
                }
            }
        }
    }

    @Test("Masks turn with the panel, or lie in the picture")
    func masks() throws {
        func shown(_ members: [JSONValue.Member]) throws -> PixelBuffer {
            try frame([
                .object(
                    [
                        .init("effect", "variable"), .init("mask", "m.png"), .init("dither", false),
                        .init("size", [80, 60]), .init("position", [40, 30]),
                    ] + members)
            ])
        }
        let picture = try frame([])
        let mask = MaskImage(try TestResources().picture(named: "m.png"))
        let effect = try EffectCatalog.effect("variable").make().dithered(by: nil)
        let renderer = try Renderer(backend: .exact)
        let part = Rect(x: 40, y: 30, width: 80, height: 60)
        // In the whole picture.
        let whole = try renderer.render(picture, effect, mask: mask, region: part).image
        let placed = try shown([.init("relative-to", "picture")])
        expectEqual(placed, within: 1) { x, y, c in
            let isInside = part.columns.contains(x) && part.rows.contains(y)
            return Double(isInside ? pixel(whole, x - 40, y - 30)[c] : pixel(picture, x, y)[c])
        }
        // Turned by half a turn: the mask's last pixel comes first.
        let flipped = MaskImage(width: mask.width, height: mask.height, values: mask.values.reversed())
        var turned = effect
        turned.maskBounds = part
        let expected = try renderer.render(picture, turned, mask: flipped, region: part).image
        let half = try shown([.init("rotation", 180)])
        expectEqual(half, within: 1.1) { x, y, c in
            let isInside = part.columns.contains(x) && part.rows.contains(y)
            return Double(isInside ? pixel(expected, x - 40, y - 30)[c] : pixel(picture, x, y)[c])
        }
        #expect(try shown([]).bytes != half.bytes && shown([]).bytes != placed.bytes)
    }

    @Test("The gradient of a turned panel turns with it")
    func gradient() throws {
        func shown(_ angle: Double, _ position: JSONValue) throws -> PixelBuffer {
            try frame([
                [
                    "effect": "progressive", "dither": false, "size": [60, 60], "position": position,
                    "rotation": .number(angle),
                ]
            ])
        }
        // Blurred at the top and sharp at the bottom, or the other way round.
        let (upright, half, quarter) = try (shown(0, [50, 30]), shown(180, [50, 30]), shown(90, [50, 30]))
        let picture = try frame([])
        func change(_ image: PixelBuffer, _ rect: Rect) -> Double {
            rect.rows.reduce(0) { sum, y in
                rect.columns.reduce(sum) { $0 + abs(Double(pixel(image, $1, y)[1]) - Double(pixel(picture, $1, y)[1])) }
            }
        }
        let (top, bottom) = (Rect(x: 50, y: 30, width: 60, height: 10), Rect(x: 50, y: 80, width: 60, height: 10))
        let (left, right) = (Rect(x: 50, y: 30, width: 10, height: 60), Rect(x: 100, y: 30, width: 10, height: 60))
        let isTopBlurred = change(upright, top) > change(upright, bottom)
        #expect((change(half, top) > change(half, bottom)) != isTopBlurred)
        #expect((change(quarter, right) > change(quarter, left)) == isTopBlurred)
    }

    @Test("A redaction that is turned hides all pixels that it touches, in whole cells")
    func redaction() throws {
        let scene = try still([
            ["effect": "redact", "parameters": ["seed": 3], "size": [50, 30], "position": [50.5, 40], "rotation": 30]
        ])
        let panel = try #require(try scene.state(at: 0).panels.first)
        let outline = try RoundedRect(x: 50.5, y: 40, width: 50, height: 30).turned(by: 30)
        #expect(panel.outline == (try RoundedRect(outline.bounds)))
    }

    @Test("Frames on the GPU and by the definition are within a step of those on the CPU")
    func backends() throws {
        let scene = try Scene(parsing: SceneExamples.rich.utf8)
        let cpu = try SceneRenderer(scene, TestResources())
        var backends = [Backend.exact]
        if (try? Renderer(backend: .gpu)) != nil { backends.append(.gpu) }
        for backend in backends {
            let other = try SceneRenderer(scene, TestResources(), renderer: Renderer(backend: backend))
            for time in TestCases.share([0.4, 0.9, 1.3, 2.2, 3.1], of: 2, from: 0) {
                let (a, b) = try (cpu.frame(at: time), other.frame(at: time))
                // Panels that fade are rounded twice.
                let largest = zip(a.bytes, b.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 255
                #expect(largest <= 2, "\(backend) time \(time)")
                #expect(try other.frame(at: time) == b)
            }
        }
    }

    @Test("A behaviour that waits for a contact begins with it, and ends after its time")
    func contact() throws {
        func velocity(_ more: JSONValue) throws -> (before: Double, after: Double, late: Double) {
            let scene = try white(
                [["follow": ["item": "ball"]]], duration: 3,
                more: [
                    .init(
                        "dynamics",
                        [
                            "items": [
                                ["id": "ball", "center": [30, 20], "size": [10, 10]],
                                ["id": "wall", "center": [60, 50], "size": [10, 10]],
                            ],
                            "behaviors": [
                                ["behavior": "gravity", "items": ["ball"], "magnitude": 0.2],
                                ["behavior": "properties", "items": ["wall"], "anchored": true],
                                ["behavior": "collision", "boundaries": [[[-500, 80], [900, 80]]]], more,
                            ],
                        ])
                ])
            func x(_ time: Double) throws -> Double {
                try #require(try scene.simulation?.places(at: time)["ball"]).center.x
            }
            // The ball falls 55 pixels: sqrt(2 * 55 / 200) = 0.74 s.
            return (try x(0.7) - x(0.5), try x(1.0) - x(0.8), try x(2.4) - x(2.2))
        }
        func push(_ contact: JSONValue?) -> JSONValue {
            var members: [JSONValue.Member] = [
                .init("behavior", "push"), .init("items", ["ball"]), .init("magnitude", 0.01), .init("angle", 180),
            ]
            if let contact { members.append(.init("on-contact", contact)) }
            return .object(members)
        }
        let always = try velocity(push(nil))
        #expect(always.before < -0.1)
        let floor = try velocity(push(["item": "ball"]))
        #expect(floor.before == 0 && floor.after < -0.01)
        let wall = try velocity(push(["item": "ball", "with": "wall"]))
        #expect(wall.before == 0 && wall.after == 0)
        guard case .object(let members) = push(["item": "ball"]) else { return }
        let short = try velocity(.object(members + [.init("for", 0.1)]))
        #expect(short.after < 0 && abs(short.late) < abs(floor.late))
        #expect(throws: SceneError.self) { try velocity(push(["item": "none"])) }
        #expect(throws: SceneError.self) { try velocity(["behavior": "gravity", "for": 1]) }
    }

    @Test("A field acts on items as the animator's does")
    func fields() throws {
        for (form, field) in [
            ("drag", FieldBehavior.dragField()), ("vortex", .vortexField()), ("spring", .springField()),
            ("linear-gravity", .linearGravityField(direction: Vector(dx: 0.1, dy: 0.2))),
            ("radial-gravity", .radialGravityField(position: Point(x: 60, y: 45))),
        ] {
            let members: JSONValue = [
                "behavior": "field", "form": .string(form), "position": [60, 45], "strength": 0.5, "falloff": 1,
                "minimum-radius": 20, "region-radius": 200,
            ]
            let direction: JSONValue = form == "linear-gravity" ? ["direction": [0.1, 0.2]] : [:]
            let scene = try white(
                [["follow": ["item": "a"]]],
                more: [
                    .init(
                        "dynamics",
                        [
                            "items": [["id": "a", "center": [30, 20], "size": [10, 10]]],
                            "behaviors": [
                                ["behavior": "properties", "velocity": [20, 0]], .joined(members, direction),
                            ],
                        ])
                ])
            let animator = try Animator(reference: Rect(x: 0, y: 0, width: 120, height: 90))
            let box = DynamicBox(center: Point(x: 30, y: 20), bounds: Size(width: 10, height: 10))
            let properties = ItemBehavior(items: [box])
            try animator.addBehavior(properties)
            try properties.addLinearVelocity(Vector(dx: 20, dy: 0), for: box)
            try field.addItem(box)
            (field.position, field.strength, field.falloff) = (Point(x: 60, y: 45), 0.5, 1)
            (field.minimumRadius, field.regionRadius) = (20, 200)
            try animator.addBehavior(field)
            for _ in 0..<90 { try animator.tick(World.step) }
            let center = try #require(try scene.simulation?.places(at: 0.75)["a"]).center
            #expect(abs(center.x - box.center.x) < 1e-3 && abs(center.y - box.center.y) < 1e-3, "\(form)")
            #expect(abs(box.center.x - 45) > 0.1 || abs(box.center.y - 20) > 0.1, "\(form)")
        }
    }
}
