import CGLES
import Frost
import FrostCore
import FrostGLES
import FrostTestSupport
import Testing

@testable import FrostMotion
@testable import FrostTestHost

/// The GPU that the tests run on.
private enum TestDevice {
    static let shared = Result { () throws(FrostError) in try Renderer(backend: .gpu) }
}

/// Tests scenes whose panels are drawn in the context of a host program.
@Suite(
    .serialized, .enabled(if: GPURequirement.isWanted(TestDevice.shared), GPURequirement.skipReason(TestDevice.shared)))
struct TextureSceneTests {
    @Test("A redaction is alone with other redactions, because other panels would read the pixels that it hides")
    func redactions() throws {
        let redact: JSONValue = ["effect": "redact", "parameters": ["seed": 1], "size": [30, 30]]
        func scene(_ other: JSONValue) throws -> Scene {
            try Scene([
                "size": [160, 120], "duration": 3, "backdrop": ["color": "white"], "panels": [redact, other],
            ])
        }
        try TestHost().perform { _ in
            let renderer = try TextureRenderer()
            _ = try TextureScene(scene(redact), TestResources(), on: renderer)
            let other = try scene(["effect": "dark", "size": [9, 9]])
            let error = #expect(throws: SceneError.self) {
                try TextureScene(other, TestResources(), on: renderer)
            }
            #expect(
                "\(error.map { "\($0)" } ?? "")".hasPrefix(
                    "panels[1].effect cannot be \"dark\": expected only redactions"))
        }
    }

    @Test(
        "A scene on textures shows the panels of the scene in memory within a step, and a panel that rests costs no pass"
    )
    func panels() throws {
        let path: JSONValue = [["at": 1, "value": [10, 10]], ["at": 2, "value": [70, 60]]]
        let sigma: JSONValue = [["at": 1, "value": 4], ["at": 2, "value": 9]]
        let scene = try Scene([
            "size": [160, 120], "duration": 3, "backdrop": ["picture": "b.png"],
            "panels": [
                ["effect": "dark", "size": [60, 40], "corner-radius": 9, "position": path],
                [
                    "effect": "gaussian", "size": [40, 40], "position": [100, 5], "parameters": ["sigma": sigma],
                    "from": 0.5,
                ],
            ],
        ])
        let memory = try SceneRenderer(scene, TestResources())
        let format = PixelFormat(.rgba, alpha: .premultiplied)
        try TestHost().perform { gl in
            // The picture is opaque, so straight and premultiplied pixels are equal.
            let picture = try SceneRenderer(
                Scene(["size": [160, 120], "duration": 1, "backdrop": ["picture": "b.png"]]), TestResources()
            ).frame(at: 0)
            let (source, target) = (gl.texture(160, 120, picture.bytes), gl.texture(160, 120, picture.bytes))
            defer { gl.delete(textures: [source, target]) }
            let renderer = try TextureRenderer()
            let textures = try TextureScene(scene, TestResources(), on: renderer)
            for step in 0...30 {
                let time = Double(step) / 10
                let (state, report) = try textures.render(
                    at: time,
                    over: HostImage(HostTexture(name: source), width: 160, height: 120, format: format),
                    into: HostTarget(.texture(target), width: 160, height: 120, format: format))
                for rect in report.uncovered {
                    var part: [UInt8] = []
                    for y in rect.rows {
                        let first: Int = 4 * (160 * y + rect.x)
                        part += picture.bytes[first..<first + 4 * rect.width]
                    }
                    gl.update(target, rect, part)
                }
                #expect(try state == scene.state(at: time))
                let moves: Bool = step == 0 || step == 5 || (10...20).contains(step)
                if !moves { #expect(report.passes == 0, "time \(time)") }
                let expected = try memory.frame(at: time).bytes
                let shown = gl.pixels(target, 160, 120)
                let differences = zip(shown, expected).map { (a: UInt8, b: UInt8) -> Int in abs(Int(a) - Int(b)) }
                let largest = differences.max() ?? 255
                #expect(largest <= 1, "time \(time)")
            }
        }
    }

    @Test("the colour of a panel's content is chosen for the first frame that is drawn, and stays")
    func contentColors() throws {
        let scene = try Scene([
            "size": [64, 48], "duration": 3, "backdrop": ["color": "black"],
            "panels": [
                ["effect": "gaussian", "size": [30, 20], "parameters": ["sigma": 4, "min-contrast": 4.5]],
                [
                    "effect": "gaussian", "size": [20, 20], "position": [40, 20], "from": 1,
                    "parameters": ["sigma": 4, "min-contrast": 4.5],
                ],
            ],
        ])
        let format = PixelFormat(.rgba, alpha: .premultiplied)
        let (black, white) = (try Color(parsing: "black"), try Color(parsing: "white"))
        try TestHost().perform { gl in
            let grey = { (value: UInt8) in (0..<4 * 64 * 48).map { $0 % 4 == 3 ? 255 : value } }
            let (source, target) = (gl.texture(64, 48, grey(0)), gl.texture(64, 48, grey(0)))
            defer { gl.delete(textures: [source, target]) }
            let textures = try TextureScene(scene, TestResources(), on: TextureRenderer())
            #expect(textures.contentColor(ofPanelAt: 0) == nil)
            for (time, value) in [(0.0, UInt8(0)), (1, 255), (2, 0)] {
                gl.update(source, Rect(x: 0, y: 0, width: 64, height: 48), grey(value))
                for _ in 0..<2 {
                    let report = try textures.render(
                        at: time, over: HostImage(HostTexture(name: source), width: 64, height: 48, format: format),
                        into: HostTarget(.texture(target), width: 64, height: 48, format: format), repaint: .all
                    ).report
                    #expect(report.pendingChoices == 0)
                }
                #expect(textures.contentColor(ofPanelAt: 0) == white)
                #expect(textures.contentColor(ofPanelAt: 1) == (time < 1 ? nil : black))
            }
        }
    }
}
