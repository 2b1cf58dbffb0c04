import Foundation
import Frost
import FrostCore
import Testing

@testable import FrostMotion

@Suite("Rendering scenes")
struct SceneRendererTests {
    let rich = Result { try Scene(parsing: SceneExamples.rich.utf8) }

    @Test("Frames have the same bytes for any number of threads, and alone or in a sequence")
    func determinism() throws {
        let scene = try rich.get()
        let times = (0..<48).map { Double($0) / 12 }
        let sequence = try SceneRenderer(scene, TestResources(), threads: 1)
        let frames = try times.map { try sequence.frame(at: $0).bytes }
        #expect(Set(frames).count > 30)
        for threads in [2, 3, 8] {
            let renderer = try SceneRenderer(scene, TestResources(), threads: threads)
            for (time, frame) in zip(times, frames) {
                #expect(try renderer.frame(at: time).bytes == frame, "time \(time)")
            }
        }
        // Each frame by a new renderer, and all of them backwards by one that has rendered other frames.
        for index in stride(from: 0, to: 48, by: 5) {
            #expect(try SceneRenderer(scene, TestResources()).frame(at: times[index]).bytes == frames[index])
        }
        for (time, frame) in zip(times, frames).reversed() { #expect(try sequence.frame(at: time).bytes == frame) }
    }

    @Test("A scaled frame equals itself alone, and has the scaled size")
    func scaled() throws {
        let scene = try rich.get()
        let renderer = try SceneRenderer(scene, TestResources(), scale: 1.5)
        for time in [0.2, 1.3, 2.8] {
            let frame = try renderer.frame(at: time)
            #expect(frame.width == 480 && frame.height == 300)
            #expect(try SceneRenderer(scene, TestResources(), scale: 1.5).frame(at: time).bytes == frame.bytes)
        }
    }

    /// A scene over a still picture.
    private func still(_ panels: JSONValue, more: [JSONValue.Member] = []) throws -> Scene {
        try Scene(
            .object(
                [
                    .init("size", [160, 120]), .init("duration", 4), .init("backdrop", ["picture": "b.png"]),
                    .init("panels", panels),
                ] + more))
    }

    @Test("A panel that rests costs no pass, a panel that fades neither, and a panel that moves only its last passes")
    func rest() throws {
        let scene = try still([
            [
                "effect": "dark", "size": [60, 40], "corner-radius": 9,
                "position": [["at": 1, "value": [10, 10]], ["at": 2, "value": [70, 60]]],
                "alpha": [["at": 3, "value": 1], ["at": 4, "value": 0.25]],
            ]
        ])
        let renderer = try SceneRenderer(scene, TestResources())
        _ = try renderer.frame(at: 0)
        #expect(renderer.report.levelPasses > 0 && renderer.report.panelPasses > 0)
        #expect(renderer.report.composedPixels == 160 * 120 && renderer.report.pictureChanged)
        var fading = 0
        for index in 1...240 {
            let time = Double(index) / 60
            _ = try renderer.frame(at: time)
            let report = renderer.report
            #expect(report.levelPasses == 0 && !report.pictureChanged, "time \(time)")
            switch time {
            case 0...1, 2.02...3: #expect(report.passes == 0 && report.composedPixels == 0, "time \(time)")
            case 3.02...4:
                #expect(report.passes == 0, "time \(time)")
                fading += report.composedPixels > 0 ? 1 : 0
            case _: break
            }
        }
        #expect(fading > 50)
        // The comparison fails if something moves.
        _ = try renderer.frame(at: 1.5)
        #expect(renderer.report.panelPasses > 0)
    }

    @Test(
        "A panel's content has one colour, chosen for its first visible frame, so that any frame alone equals the sequence"
    )
    func contentColors() throws {
        let contrast: JSONValue = ["sigma": 4, "min-contrast": 4.5]
        let scene = try Scene([
            "size": [120, 80], "duration": 3, "fps": 10,
            "backdrop": [
                ["color": "black"], ["color": "white", "at": 1], ["color": "#222", "at": 2],
            ],
            "panels": [
                // Visible from the beginning, from the light backdrop on, and when it has come in from outside.
                ["effect": "gaussian", "size": [30, 20], "parameters": contrast],
                ["effect": "gaussian", "size": [30, 20], "position": [40, 0], "from": 1.25, "parameters": contrast],
                [
                    "effect": "gaussian", "size": [30, 20], "parameters": contrast,
                    "position": [["at": 0.5, "value": [80, -60]], ["at": 2, "value": [80, 40]]],
                ],
                // Its first frame is not in the scene.
                ["effect": "gaussian", "size": [30, 20], "position": [0, 50], "from": 4, "parameters": contrast],
                [
                    "effect": "gaussian", "size": [20, 20], "position": [40, 50], "from": 1.01, "to": 1.09,
                    "parameters": contrast,
                ],
            ],
        ])
        let (black, white) = (try Color(parsing: "black"), try Color(parsing: "white"))
        let renderer = try SceneRenderer(scene, TestResources())
        let frames = try (0..<30).map { try renderer.frame(at: Double($0) / 10) }
        #expect(renderer.contentColors == [0: white, 1: black, 2: black])
        let given = try Effect(GaussianBlur(sigma: 4)).withContrast(atLeast: 4.5, to: white)
        let level = given.contrast.map { ContrastFloor.curve.encode($0(1)) } ?? 0
        // Over white, the first panel is darkened for its white content. A choice by this frame would leave it white.
        #expect(try abs(Double(#require(pixel(frames[15], 10, 10).first)) - 255 * level) <= 1 && level < 0.5)
        #expect(pixel(frames[15], 50, 10).first == 255 && pixel(frames[15], 10, 50).first == 255)
        for index in [0, 12, 15, 16, 24, 29] {
            let alone = try SceneRenderer(scene, TestResources()).frame(at: Double(index) / 10)
            #expect(alone == frames[index], "frame \(index)")
        }
        for index in frames.indices.reversed() { #expect(try renderer.frame(at: Double(index) / 10) == frames[index]) }
        // A panel between two frames is decided by itself, and does not decide for others.
        #expect(try SceneRenderer(scene, TestResources()).frame(at: 1.05) == renderer.frame(at: 1.05))
        #expect(try pixel(renderer.frame(at: 1.05), 50, 60).first == 255 && renderer.contentColors[4] == nil)
        // A still panel with a choice costs nothing.
        _ = try renderer.frame(at: 2.5)
        _ = try renderer.frame(at: 2.6)
        #expect(renderer.report.passes == 0)
    }

    @Test("The colour of a redaction's content is decided once, by the picture that it hides")
    func contentColorsOfRedactions() throws {
        let scene = try Scene([
            "size": [64, 48], "duration": 1, "fps": 8,
            "backdrop": [
                ["color": "black"],
                ["color": "white", "at": 0.3, "transition": ["name": "dissolve", "duration": 0.5]],
            ],
            "panels": [
                [
                    "effect": "redact", "size": [40, 30], "position": [8, 6], "dither": false,
                    "parameters": ["min-contrast": 4.5, "cell": 8, "seed": 3],
                ]
            ],
        ])
        let renderer = try SceneRenderer(scene, TestResources())
        let frames = try (0..<8).map { try renderer.frame(at: Double($0) / 8) }
        #expect(renderer.contentColors == [0: try Color(parsing: "white")])
        for (index, frame) in frames.enumerated() {
            let color = pixel(frame, 20, 20)
            let light = (0..<3).map { ContrastFloor.curve.decode(Double(color[$0]) / 255) }
            let luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
            #expect(1.05 / (luminance + 0.05) > 4.4, "frame \(index)")
            #expect(try SceneRenderer(scene, TestResources()).frame(at: Double(index) / 8) == frame, "frame \(index)")
        }
    }

    @Test("A picture's mode holds also for a picture of the frame's size")
    func modeOfPictures() throws {
        // The picture has 123x77 pixels, and the frame too, at half the scene's scale.
        func frame(_ mode: String, scale: Double) throws -> PixelBuffer {
            let scene = try Scene([
                "size": [246, 154], "duration": 1,
                "backdrop": ["picture": "b.png", "mode": .string(mode)], "background": "black",
            ])
            return try SceneRenderer(scene, TestResources(), scale: scale).frame(at: 0)
        }
        let (half, whole) = (try frame("center", scale: 0.5), try frame("center", scale: 1))
        #expect(half.width == 123 && half.height == 77)
        // The picture covers the middle quarter, and the background the rest.
        for (image, x, y) in [(half, 10, 38), (half, 61, 5), (whole, 20, 77), (whole, 123, 10)] {
            #expect(Array(pixel(image, x, y)) == Array(pixel(whole, 0, 0)), "\(x), \(y)")
        }
        #expect(try pixel(half, 61, 38) != pixel(whole, 0, 0) && frame("scale-to-fill", scale: 0.5) != half)
    }

    @Test("A panel at full strength has the bits of the renderer's effect on the whole picture")
    func panelBits() throws {
        let picture = try SceneRenderer(try still([]), TestResources()).frame(at: 0)
        let region = picture.layout.extent
        let curves: [(member: String?, value: Double, CornerCurve)] = [
            (nil, 0, .circular), ("corner-smoothing", 0.6, .continuous()),
            ("corner-exponent", 3, .superellipse(exponent: 3)),
        ]
        var frames: Set<[UInt8]> = []
        for (member, value, corners) in curves {
            var members: [JSONValue.Member] = [
                .init("effect", "light"), .init("size", [61, 43]), .init("position", [20, 30]),
                .init("corner-radius", 8),
            ]
            if let member { members.append(.init(member, .number(value))) }
            let frame = try SceneRenderer(try still(.array([.object(members)])), TestResources()).frame(at: 0)
            let panel = Panel(
                Rect(x: 20, y: 30, width: 61, height: 43), effect: try EffectCatalog.effect("light").make(),
                cornerRadius: 8, corners: corners)
            let whole = try Renderer(backend: .cpu).render(picture, try panel.placedEffect(), region: region).image
            for y in 0..<120 {
                for x in 0..<160 {
                    let inside = (20..<81).contains(x) && (30..<73).contains(y)
                    #expect(pixel(frame, x, y) == pixel(inside ? whole : picture, x, y), "\(x), \(y)")
                }
            }
            frames.insert(frame.bytes)
        }
        #expect(frames.count == curves.count)
    }

    @Test(
        "The parameters of glass change over time: each frame, alone too, has the bits of the effect with their values")
    func glass() throws {
        let scene = try still([
            [
                "effect": "glass", "size": [90, 70], "position": [20, 25], "corner-radius": 20,
                "parameters": [
                    "radius": 3, "band": [["at": 0, "value": 2], ["at": 4, "value": 18]],
                    "refraction": [["at": 0, "value": -0.5], ["at": 4, "value": 1]],
                    "rim-angle": [["at": 0, "value": -90], ["at": 4, "value": 90]],
                    "rim": [["at": 0, "value": 0], ["at": 4, "value": 1]],
                ],
            ]
        ])
        let picture = try SceneRenderer(try still([]), TestResources()).frame(at: 0)
        let renderer = try SceneRenderer(scene, TestResources())
        var frames: Set<[UInt8]> = []
        for time in [0.0, 1, 2.5, 4] {
            let part = time / 4
            let frame = try renderer.frame(at: time)
            #expect(try SceneRenderer(scene, TestResources()).frame(at: time).bytes == frame.bytes)
            let panel = Panel(
                Rect(x: 20, y: 25, width: 90, height: 70),
                effect: try EffectCatalog.effect("glass").make([
                    "radius": .number(3), "band": .number(2 + 16 * part), "refraction": .number(-0.5 + 1.5 * part),
                    "rim-angle": .number(-90 + 180 * part), "rim": .number(part),
                ]), cornerRadius: 20)
            let whole = try Renderer(backend: .cpu).render(
                picture, try panel.placedEffect(), region: picture.layout.extent
            ).image
            #expect(frame.bytes == whole.bytes, "time \(time)")
            frames.insert(frame.bytes)
        }
        #expect(frames.count == 4)
    }

    @Test("The radius of a panel's corners is limited to what the panel has room for")
    func cornerLimit() throws {
        for (members, largest) in [(#""corner-smoothing": 0.6"#, 12.5), (#""corner-exponent": 4"#, 20)] {
            let text = """
                {"size": [160, 120], "duration": 1, "backdrop": {"color": "navy"}, "panels": [{"effect": "light", "size": [60, 40], "corner-radius": 90,
                 \(members)}]}
                """
            let state = try Scene(parsing: text.utf8).state(at: 0)
            #expect(state.panels.map(\.outline.radius) == [largest])
        }
        let both = """
            {"size": [160, 120], "duration": 1, "backdrop": {"color": "navy"}, "panels": [{"effect": "light", "size": [60, 40],
             "corner-radius": 9, "corner-smoothing": 0.6, "corner-exponent": 4}]}
            """
        do throws(SceneError) {
            _ = try Scene(parsing: both.utf8)
            Issue.record("went through")
        } catch {
            #expect("\(error)".contains("either corner-smoothing or corner-exponent"))
        }
    }

    @Test("Alpha mixes a panel with what is below it, within half a step")
    func alpha() throws {
        func frame(_ alpha: Double) throws -> PixelBuffer {
            let scene = try still([
                [
                    "effect": "blur-dark", "size": [80, 60], "position": [40, 20], "corner-radius": 12,
                    "alpha": .number(alpha), "content": [["picture": "c.png", "vibrancy": "label"]],
                ]
            ])
            return try SceneRenderer(scene, TestResources()).frame(at: 0)
        }
        let (none, half, full) = (try frame(0), try frame(0.3), try frame(1))
        #expect(none.bytes != full.bytes)
        for y in 0..<120 {
            for x in 0..<160 {
                for (channel, value) in pixel(half, x, y).enumerated() {
                    let (a, b) = (Double(pixel(none, x, y)[channel]), Double(pixel(full, x, y)[channel]))
                    // Floats add a rounding error of less than a hundredth of a step.
                    #expect(abs(Double(value) - (a + (b - a) * 0.3)) <= 0.51, "\(x), \(y)")
                }
            }
        }
    }

    @Test("A panel that fades over another panel lets it show")
    func overlap() throws {
        func frame(_ alpha: Double) throws -> PixelBuffer {
            let scene = try still([
                ["effect": "dark", "size": [80, 60], "position": [20, 20]],
                ["effect": "extra-light", "size": [80, 60], "position": [60, 40], "alpha": .number(alpha)],
            ])
            return try SceneRenderer(scene, TestResources()).frame(at: 0)
        }
        let (none, faint, half, full) = (try frame(0), try frame(0.001), try frame(0.5), try frame(1))
        // A panel of 0.1 % changes no pixel by more than a step, even over another panel.
        #expect(zip(none.bytes, faint.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        for (i, value) in half.bytes.enumerated() {
            let middle = (Double(none.bytes[i]) + Double(full.bytes[i])) / 2
            if abs(Double(value) - middle) > 0.51 { Issue.record("\(i): \(value), not \(middle)") }
        }
    }

    /// The jump of a radius that is rounded to box widths would fail here: see effects.md §9's law.
    @Test("Sigma from 0 to 30 in 60 frames moves no pixel of an edge by more than the formula does plus a step")
    func sigmaRamp() throws {
        // The picture is black on the left of column 128 and white from there.
        struct Edge: SceneResources {
            func picture(named name: String) throws(SceneResourceError) -> PixelBuffer {
                guard let layout = try? PixelLayout(width: 256, height: 8, format: PixelFormat(.rgb)) else {
                    throw SceneResourceError("no layout")
                }
                let bytes = (0..<8 * 256 * 3).map { UInt8($0 / 3 % 256 < 128 ? 0 : 255) }
                guard let picture = try? PixelBuffer(layout: layout, bytes: bytes) else {
                    throw SceneResourceError("no bytes")
                }
                return picture
            }
            func video(named name: String) throws(SceneResourceError) -> any SceneVideo {
                throw SceneResourceError("no video")
            }
        }
        let scene = try Scene([
            "size": [256, 8], "duration": 1, "backdrop": ["picture": "edge.png"],
            "panels": [
                [
                    "effect": "gaussian", "size": [256, 8],
                    "parameters": ["sigma": [["at": 0, "value": 0], ["at": 1, "value": 30]]],
                ]
            ],
        ])
        let renderer = try SceneRenderer(scene, Edge())
        // The exact effect: the share of a sampled Gaussian's weights that lies on the white side. It is continuous in
        // sigma, and needs no weights beyond 8 sigma. The picture is continued by its last colour.
        func exact(_ sigma: Double) -> [Double] {
            guard sigma > 0 else { return (0..<256).map { $0 < 128 ? 0 : 255 } }
            let reach = Int((8 * sigma).rounded(.up))
            let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
            let total = weights.reduce(0, +)
            return (0..<256).map { x in
                255 * (-reach...reach).reduce(0) { $0 + (x + $1 >= 128 ? weights[$1 + reach] : 0) } / total
            }
        }
        var last = (frame: try renderer.frame(at: 0), exact: exact(0))
        var largest = 0.0
        for index in 1...60 {
            let next = (frame: try renderer.frame(at: Double(index) / 60), exact: exact(0.5 * Double(index)))
            for x in 0..<256 {
                let (value, before) = (Double(pixel(next.frame, x, 4)[0]), Double(pixel(last.frame, x, 4)[0]))
                #expect(abs(value - next.exact[x]) <= 1, "frame \(index), x \(x)")
                #expect(abs(value - before) <= abs(next.exact[x] - last.exact[x]) + 1, "frame \(index), x \(x)")
                if index > 10 { largest = max(largest, abs(value - before)) }
            }
            last = next
        }
        // Something moves in every part of the ramp.
        #expect(largest > 2)
    }

    @Test("The vignette darkens what is below it, and the panels blur what is darkened")
    func vignette() throws {
        let panel: JSONValue = [
            "effect": "gaussian", "parameters": ["sigma": 0], "size": [40, 40], "vignette": ["alpha": 0.25],
        ]
        let (plain, dark) = (
            try SceneRenderer(try still([]), TestResources()).frame(at: 0),
            try SceneRenderer(try still([panel]), TestResources()).frame(at: 0)
        )
        for (index, (a, b)) in zip(plain.bytes, dark.bytes).enumerated() {
            #expect(abs(Double(b) - (index % 4 == 3 ? 255 : Double(a) * 0.75)) <= 0.51)
        }
    }

    @Test("A reveal that moves over a still backdrop computes no effect, and shows the bits of Reveal")
    func reveal() throws {
        let scene = try still(
            [["effect": "dark", "size": [50, 30], "position": [100, 80]]],
            more: [
                .init(
                    "reveal",
                    [
                        "effect": "gaussian", "parameters": ["sigma": 6], "size": [40, 30], "corner-radius": 7,
                        "path": [[30, 30], [100, 60]], "progress": [["at": 0, "value": 0], ["at": 2, "value": 1]],
                    ])
            ])
        let renderer = try SceneRenderer(scene, TestResources())
        let picture = try SceneRenderer(try still([]), TestResources()).frame(at: 0)
        let made = try Reveal(
            picture, try EffectDescription.gaussian.make(["sigma": .number(6)]), with: Renderer(backend: .cpu))
        for index in 0..<60 {
            let time = Double(index) / 20
            let frame = try renderer.frame(at: time)
            #expect(renderer.report.revealComputed == (index == 0))
            if index > 41 { #expect(renderer.report.passes == 0 && renderer.report.composedPixels == 0) }
            let rect = try #require(try scene.state(at: time).reveal?.rect)
            let expected = made.frame(within: [rect])
            for y in 0..<80 { #expect(pixel(frame, 55, y) == pixel(expected, 55, y)) }
        }
    }

    @Test("A picture that is smaller than the scene lies in the middle, row by row")
    func smallPicture() throws {
        let scene = try Scene([
            "size": [203, 97], "duration": 1, "backdrop": ["picture": "a.png", "mode": "center"],
        ])
        let frame = try SceneRenderer(scene, TestResources()).frame(at: 0)
        let picture = try TestResources().picture(named: "a.png")
        // The picture has 123x77 pixels. Those of the first columns are not opaque.
        for (x, y) in [(20, 0), (20, 76), (122, 40)] { #expect(pixel(frame, 40 + x, 10 + y) == pixel(picture, x, y)) }
        #expect(pixel(frame, 60, 9) == pixel(frame, 0, 0) && pixel(frame, 60, 87) == pixel(frame, 0, 0))
    }

    @Test("A transition's frames are those of the renderer, and its ends are the backdrops")
    func transition() throws {
        let scene = try Scene([
            "size": [90, 70], "duration": 2,
            "backdrop": [
                ["picture": "a.png"],
                [
                    "picture": "b.png", "mode": "scale-to-fill", "at": 0.5,
                    "transition": ["name": "swipe", "duration": 1],
                ],
            ],
        ])
        let renderer = try SceneRenderer(scene, TestResources())
        let (a, b) = (try renderer.frame(at: 0), try renderer.frame(at: 1.9))
        #expect(try renderer.frame(at: 0.5) == a && renderer.frame(at: 1.5) == b && a != b)
        let swipe = try TransitionCatalog.transition("swipe").make()
        let expected = try Renderer(backend: .cpu).render(swipe, at: 0.25, from: a, to: b).image
        #expect(try renderer.frame(at: 0.75) == expected)
    }

    @Test("A file that cannot be read is refused before the first frame, with the member that names it")
    func missingFiles() throws {
        func error(_ scene: JSONValue) throws -> String {
            let scene = try Scene(scene)
            do throws(SceneError) {
                _ = try SceneRenderer(scene, TestResources())
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(
            try error(["size": [9, 9], "duration": 1, "backdrop": ["picture": "missing.png"]])
                == "backdrop.picture: \"missing.png\": no such file")
        #expect(
            try error([
                "size": [9, 9], "duration": 1, "backdrop": [["color": "red"], ["video": "missing.y4m", "at": 1]],
            ])
                == "backdrop[1].video: \"missing.y4m\": no such file")
        #expect(
            try error([
                "size": [9, 9], "duration": 1, "backdrop": ["color": "red"],
                "panels": [["effect": "dark", "size": [4, 4], "content": [["picture": "missing.png"]]]],
            ]) == "panels[0].content[0].picture: \"missing.png\": no such file")
    }

    @Test("A file over a limit is another error than one that cannot be read")
    func overLimit() throws {
        struct Large: SceneResources {
            func picture(named name: String) throws(SceneResourceError) -> PixelBuffer {
                throw SceneResourceError("too large", isOverLimit: true)
            }
            func video(named name: String) throws(SceneResourceError) -> any SceneVideo {
                throw SceneResourceError("too large", isOverLimit: true)
            }
        }
        for member in ["picture", "video"] {
            let scene = try Scene(
                parsing: #"{"size": [9, 9], "duration": 1, "backdrop": {"\#(member)": "file"}}"#.utf8)
            do throws(SceneError) {
                _ = try SceneRenderer(scene, Large())
                Issue.record("went through")
            } catch {
                guard case .overLimit(_, name: "file", reason: "too large") = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect("\(error)" == "backdrop.\(member): \"file\": too large")
            }
        }
    }

    @Test("The memory of a renderer grows with the frame and with what the scene has")
    func memory() throws {
        func memory(_ more: String, scale: Double = 1) throws -> Int {
            let scene = try Scene(
                parsing: #"{"size": [100, 50], "duration": 1, "backdrop": {"color": "red"}\#(more)}"#.utf8)
            return SceneRenderer.memory(of: scene, try SceneRenderer.layout(of: scene, scale: scale))
        }
        let plain = try memory("")
        // At least the backdrop and the frame.
        #expect(plain >= 2 * 100 * 50 * 4)
        #expect(try memory("", scale: 2) == 4 * plain)
        let panel = #"{"effect": "dark", "size": [9, 9]}"#
        let fading = #"{"effect": "dark", "size": [9, 9], "alpha": 0.5}"#
        let one = try memory(#", "panels": [\#(panel)]"#)
        #expect(one > plain)
        // Panels that do not fade share a layer.
        #expect(try memory(#", "panels": [\#(panel), \#(panel)]"#) == one)
        #expect(try memory(#", "panels": [\#(panel), \#(fading)]"#) > one)
    }

    @Test("Frames of 16 bits and floats can be rendered", arguments: [SampleType.u16, .f16, .f32])
    func deep(_ sample: SampleType) throws {
        let renderer = try SceneRenderer(try rich.get(), TestResources(), sample: sample)
        let eight = try SceneRenderer(try rich.get(), TestResources())
        for time in [0.6, 1.2, 3.0] {
            let (deep, shallow) = (try renderer.frame(at: time), try eight.frame(at: time))
            let (a, b) = (SampleRows(deep), SampleRows(shallow))
            var sum = 0.0
            for y in 0..<deep.height { for (x, value) in a[y].enumerated() { sum += abs(value - b[y][x]) } }
            // Dither moves single pixels by a step; their mean stays close.
            #expect(sum / Double(deep.width * deep.height * 4) < 0.005, "time \(time)")
        }
    }

    private func pixel(_ image: PixelBuffer, _ x: Int, _ y: Int) -> ArraySlice<UInt8> {
        let at = y * image.layout.bytesPerRow + x * image.format.bytesPerPixel
        let slice = image.bytes[at..<at + image.format.bytesPerPixel]
        return Array(slice)[...]
    }
}
