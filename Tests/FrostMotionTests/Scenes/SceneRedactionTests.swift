import Frost
import FrostCore
import Testing

@testable import FrostMotion

/// Tests that a redaction in a scene hides what it covers.
@Suite("Redactions in scenes")
struct SceneRedactionTests {
    /// A picture of noise. The pixels that the panel of ``scene(_:panel:)`` touches depend on `secret`, and no others.
    private struct Secrets: SceneResources {
        /// The size of the picture, as a multiple of the scene's.
        let factor: Int
        let secret: Int

        func picture(named name: String) throws(SceneResourceError) -> PixelBuffer {
            var picture = TestResources.picture(
                seed: name.utf8.count, width: 64 * factor, height: 48 * factor, alpha: false)
            let layout = picture.layout
            unsafe picture.withUnsafeMutableBytes { bytes in
                for y in 16 * factor..<28 * factor {
                    for index in 3 * 20 * factor..<3 * 40 * factor {
                        // SAFETY: the index lies within the rows of the picture.
                        unsafe bytes[y * layout.bytesPerRow + index] = UInt8((index * 37 + y * 11) * secret & 255)
                    }
                }
            }
            return picture
        }

        func video(named name: String) throws(SceneResourceError) -> any SceneVideo {
            Video(resources: self)
        }

        private final class Video: SceneVideo {
            private let resources: Secrets
            init(resources: Secrets) { self.resources = resources }
            var frameCount: Int { 9 }
            var framesPerSecond: Double { 10 }

            func frame(_ index: Int) throws(SceneResourceError) -> PixelBuffer {
                try resources.picture(named: String(repeating: "v", count: index + 1))
            }
        }
    }

    /// The panel that hides the secret: a bar, because the colour of a cell depends on the pixels that it hides.
    private static let bar: JSONValue = [
        "effect": "redact", "parameters": ["seed": 3, "fill": "black"], "size": [20, 12], "position": [20, 16],
    ]

    private func scene(over backdrop: JSONValue = ["picture": "a.png"], _ more: [JSONValue.Member]) throws -> Scene {
        try Scene(.object([.init("size", [64, 48]), .init("duration", 1), .init("backdrop", backdrop)] + more))
    }

    private func checkHidden(
        _ scene: Scene, factor: Int = 1, scale: Double = 1, times: [Double] = [0], backend: Backend = .cpu
    ) throws {
        func frames(_ secret: Int) throws -> [PixelBuffer] {
            let renderer = try SceneRenderer(
                scene, Secrets(factor: factor, secret: secret), scale: scale, renderer: Renderer(backend: backend))
            return try times.map { try renderer.frame(at: $0) }
        }
        for (time, (a, b)) in zip(times, zip(try frames(1), try frames(2))) {
            let count = zip(a.bytes, b.bytes).count { $0 != $1 }
            #expect(count == 0, "time \(time), scale \(scale), factor \(factor): \(count) samples differ")
        }
    }

    @Test(
        "Scaled pictures show nothing of the pixels that a redaction touches", arguments: [10, 25.0 / 16, 0.75, 0.5, 1])
    func scaled(scale: Double) throws {
        for mode in ["aspect-fill", "scale-to-fill", "center", "top-left", "aspect-fit"] {
            for factor in [1, 2, 3] {
                // Modes that keep the size of a larger picture show the secret elsewhere.
                if factor > 1, mode == "center" || mode == "top-left" { continue }
                for source in ["picture", "video"] {
                    let backdrop: JSONValue = .object([.init(source, "a.png"), .init("mode", .string(mode))])
                    try checkHidden(
                        scene(over: backdrop, [.init("panels", [Self.bar])]), factor: factor, scale: scale,
                        times: [0, 0.4])
                }
            }
        }
    }

    @Test("Panels over and beside a redaction, the reveal and transitions read the hidden pixels from nowhere")
    func readers() throws {
        let blur: JSONValue = ["sigma": 3]
        let panels: JSONValue = [
            ["effect": "gaussian", "parameters": blur, "size": [18, 20], "position": [2, 10]], Self.bar,
            [
                "effect": "gaussian", "parameters": blur, "size": [15, 15], "position": [35, 20], "corner-radius": 4,
                "alpha": [["at": 0, "value": 0.3], ["at": 1, "value": 1]],
            ],
        ]
        let reveal = JSONValue.Member(
            "reveal",
            [
                "effect": "gaussian", "parameters": blur, "size": [20, 20], "corner-radius": 6,
                "path": [[10, 10], [60, 40]], "progress": [["at": 0, "value": 0], ["at": 1, "value": 1]],
            ])
        let backdrops: JSONValue = [
            ["picture": "a.png"],
            ["picture": "bb.png", "at": 0.25, "transition": ["name": "ripple", "duration": 0.5]],
        ]
        let times = [0, 0.3, 0.5, 0.9, 0.1]
        for scale in [1, 2.5] {
            try checkHidden(scene([.init("panels", panels)]), scale: scale, times: times)
            try checkHidden(scene([.init("panels", panels), reveal]), scale: scale, times: times)
            try checkHidden(scene(over: backdrops, [.init("panels", panels), reveal]), scale: scale, times: times)
        }
        try checkHidden(scene(over: backdrops, [.init("panels", panels), reveal]), times: times, backend: .exact)
    }

    @Test("A redaction is turned and lies between pixels, and hides whole pixels")
    func touched() throws {
        for (size, position, angle): (JSONValue, JSONValue, JSONValue) in [
            ([19.2, 11.2], [20.4, 16.4], 0), ([12, 20], [24, 12], 90), ([20, 12], [20, 16], 30),
        ] {
            let panel: JSONValue = [
                "effect": "redact", "parameters": ["seed": 3, "fill": "black"], "size": size, "position": position,
                "rotation": angle,
            ]
            for scale in [1, 1.5] { try checkHidden(scene([.init("panels", [panel])]), scale: scale) }
        }
    }

    @Test("A redaction of an unscaled picture is the effect, and frames do not depend on those before")
    func unchanged() throws {
        let moving: JSONValue = [
            "effect": "redact", "parameters": ["seed": 3, "cell": 8], "size": [20, 12],
            "position": [["at": 0, "value": [20, 16]], ["at": 1, "value": [40, 30]]],
        ]
        let glass: JSONValue = [
            "effect": "gaussian", "parameters": ["sigma": 2], "size": [9, 9], "position": [36, 24],
        ]
        let still = try scene([.init("panels", [moving])])
        let resources = Secrets(factor: 1, secret: 1)
        let frame = try SceneRenderer(still, resources).frame(at: 0)
        let bare = try SceneRenderer(scene([]), resources).frame(at: 0)
        let effect = try #require(try still.state(at: 0).panels.first).effect
        let box = Rect(x: 20, y: 16, width: 20, height: 12)
        let hidden = try Renderer(backend: .cpu).render(bare, effect, region: box).image
        for y in 0..<48 {
            let isWanted = (0..<64).allSatisfy { x in
                let isInside = box.columns.contains(x) && box.rows.contains(y)
                let wanted = isInside ? pixel(hidden, x - box.x, y - box.y) : pixel(bare, x, y)
                return Array(pixel(frame, x, y)) == Array(wanted)
            }
            #expect(isWanted, "row \(y)")
        }
        let both = try scene([.init("panels", [moving, glass])])
        let sequence = try SceneRenderer(both, resources)
        for index in [0, 3, 4, 5, 9, 9, 2] {
            let time = Double(index) / 10
            #expect(try sequence.frame(at: time) == SceneRenderer(both, resources).frame(at: time), "\(time)")
        }
    }

    @Test("What would show the original is refused at any time, with the panel and the member")
    func refused() {
        let cases: [(JSONValue.Member, String)] = [
            (
                .init("corner-radius", 9),
                "corner-radius cannot be 9: expected 0 for redact, because the corners would show"
            ),
            (
                .init("corner-radius", [["at": 0, "value": 0], ["at": 1, "value": 2]]),
                "corner-radius cannot be 2: expected 0"
            ),
            (.init("alpha", 0.5), "alpha cannot be 0.5: expected 1 for redact, because the mixture would show"),
            (.init("alpha", [["at": 0, "value": 1], ["at": 1, "value": 0]]), "alpha cannot be 0: expected 1"),
            (
                .init("mask", "m.png"),
                "mask cannot be \"m.png\": expected no mask for redact, because the mask would show"
            ),
            (
                .init("motions", [["name": "slide-down", "at": 0]]),
                "motions cannot be given: expected no motions for redact"
            ),
        ]
        let panel: [JSONValue.Member] = [
            .init("effect", "redact"), .init("size", [9, 9]), .init("parameters", ["seed": 1]),
        ]
        for (member, text) in cases {
            let error = SceneExamples.panelError(.object(panel + [member]))
            #expect(error?.hasPrefix("panels[0].\(text)") == true, "\(error ?? "no error")")
        }
        #expect(SceneExamples.panelError(.object(panel + [.init("alpha", 1), .init("corner-radius", 0)])) == nil)
        #expect(throws: SceneError.self) {
            try Scene([
                "size": [9, 9], "duration": 1, "backdrop": ["color": "white"],
                "reveal": ["effect": "redact", "parameters": ["seed": 1], "size": [3, 3], "path": [[3, 3]]],
            ])
        }
    }

    private func pixel(_ image: PixelBuffer, _ x: Int, _ y: Int) -> ArraySlice<UInt8> {
        image.bytes[(y * image.layout.bytesPerRow + 4 * x)...].prefix(4)
    }
}
