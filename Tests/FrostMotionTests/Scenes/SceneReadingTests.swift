import Foundation
import FrostCore
import Testing

@testable import FrostMotion

@Suite("Reading scenes")
struct SceneReadingTests {
    @Test("An error names the place, the value and what is allowed")
    func errors() {
        typealias Case = (JSONValue, String)
        let cases: [Case] = [
            (["effect": "gaussian"], "panels[0].size is missing; expected width and height"),
            (["effect": "drak", "size": [1, 1]], "panels[0].effect: unknown effect \"drak\" (did you mean dark?)"),
            (["effect": "dark", "sise": [1, 1]], "panels[0]: unknown member \"sise\" (did you mean size?)"),
            (
                ["effect": "gaussian", "size": [1, 1], "parameters": ["sigm": 2]],
                "panels[0].parameters: unknown member \"sigm\" (did you mean sigma?)"
            ),
            (
                ["effect": "gaussian", "size": [1, 1], "parameters": ["sigma": [["at": 0, "value": -1]]]],
                "panels[0].parameters.sigma[0].value -1 is out of range (allowed: 0 to 1000)"
            ),
            (
                [
                    "effect": "gaussian", "size": [1, 1],
                    "position": [["at": 0, "value": [1, 2]], ["at": 0, "value": [1, 2]]],
                ],
                "panels[0].position[1].at cannot be 0: expected a time after that of the last keyframe, 0"
            ),
            (
                ["effect": "gaussian", "size": [1, 1], "position": [["at": "x", "value": [1, 2]]]],
                "panels[0].position[0].at cannot be \"x\": expected a number from 0 to 86400"
            ),
            (
                ["effect": "gaussian", "size": [1, 1], "alpha": [["at": 0, "value": 1, "curve": "ease"]]],
                "panels[0].alpha[0].curve: unknown curve \"ease\" (did you mean ease-in or ease-out or ease-in-out?)"
            ),
            (
                [
                    "effect": "gaussian", "size": [1, 1],
                    "alpha": [["at": 0, "value": 1, "curve": ["cubic-bezier": [2, 0, 1, 1]]]],
                ],
                "panels[0].alpha[0].curve.cubic-bezier[0] 2 is out of range (allowed: 0 to 1)"
            ),
            (
                ["effect": "gaussian", "size": [1, 1], "content": [["picture": "a.png", "vibrancy": "label"]]],
                "panels[0].content[0].vibrancy cannot be \"label\": expected no vibrancy, because the effect gaussian has "
                    + "none; the styles of UIBlurEffect have"
            ),
            (
                ["effect": "redact", "size": [1, 1]],
                "panels[0].parameters.seed cannot be 0, a secret key: expected a seed from 1 to 4294967295, "
                    + "so that a scene always gives the same frames"
            ),
            (
                [
                    "effect": "redact", "size": [1, 1],
                    "parameters": ["seed": [["at": 0, "value": 3, "curve": "hold"], ["at": 0.5, "value": 0]]],
                ],
                "panels[0].parameters.seed cannot be 0, a secret key: expected a seed from 1 to 4294967295, "
                    + "so that a scene always gives the same frames"
            ),
            (
                ["effect": "light", "size": [1, 1], "parameters": ["min-contrast": 3, "content-color": "automatic"]],
                "panels[0].parameters.content-color: colour cannot be automatic: expected \(Color.forms)"
            ),
            (
                ["effect": "variable", "size": [1, 1]],
                "panels[0].mask is missing; expected a picture file, which the effect variable needs"
            ),
            (
                ["effect": "gaussian", "size": [1, 1], "follow": ["panel": "b"]],
                "panels[0].follow.panel: unknown panel \"b\""
            ),
            (
                [
                    "effect": "gaussian", "size": [1, 1],
                    "motions": [["name": "slide-down", "at": 0], ["name": "slide-down", "at": 1]],
                ],
                "panels[0].motions[1].name cannot be \"slide-down\": expected the other motion, because the motion before "
                    + "is the same"
            ),
            (
                ["effect": "gaussian", "size": [1, 1], "effect": "dark"],
                "panels[0].effect is given twice"
            ),
            (3, "panels[0] cannot be 3: expected a panel: an object with effect and size"),
        ]
        for (members, text) in cases { #expect(SceneExamples.panelError(members) == text) }
    }

    @Test("A reveal needs an effect of the picture's size without a mask", arguments: ["ci-gaussian", "variable"])
    func reveal(_ effect: String) {
        #expect(throws: SceneError.self) {
            _ = try Scene([
                "size": [9, 9], "duration": 1, "backdrop": ["color": "red"],
                "reveal": ["effect": .string(effect), "size": [3, 3], "path": [[1, 1]]],
            ])
        }
    }

    @Test("A transition that needs a mask names it")
    func missingMask() {
        let error = #expect(throws: SceneError.self) {
            _ = try Scene([
                "size": [9, 9], "duration": 1,
                "backdrop": [
                    ["color": "red"],
                    ["color": "blue", "at": 0.5, "transition": ["name": "disintegrate-with-mask", "duration": 0.2]],
                ],
            ])
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(
            text.hasPrefix("backdrop[1].transition.mask is missing; expected the name of a picture file"), "\(text)")
    }

    @Test("A member of a backdrop that would have no effect is refused")
    func uselessMembers() {
        func error(_ backdrop: JSONValue) -> String? {
            do throws(SceneError) {
                _ = try Scene(["size": [9, 9], "duration": 1, "backdrop": backdrop])
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(
            error(["color": "red", "mode": "center"])
                == "backdrop.mode cannot be given: expected only with picture or video")
        #expect(error(["color": "red", "loop": false]) == "backdrop.loop cannot be given: expected only with video")
        #expect(error(["picture": "a.png", "start": 1]) == "backdrop.start cannot be given: expected only with video")
        #expect(error(["picture": "a.png", "mode": "center"]) == nil)
        #expect(error(["video": "a.y4m", "mode": "center", "start": 1, "loop": true]) == nil)
    }

    @Test(
        "A member that would have no effect is refused",
        arguments: [
            (
                ["effect": "dark", "size": [9, 9], "corner-exponent": 4],
                "corner-exponent cannot be given: expected only with corner-radius"
            ),
            (
                ["effect": "dark", "size": [9, 9], "relative-to": "picture"],
                "relative-to cannot be given: expected only with a mask"
            ),
            (["effect": "progressive", "size": [9, 9], "relative-to": "picture"], nil),
            (["effect": "dark", "mask": "m.png", "size": [9, 9], "relative-to": "picture"], nil),
        ] as [(JSONValue, String?)])
    func uselessMembersOfPanels(_ panel: JSONValue, _ expected: String?) {
        let error = SceneExamples.panelError(panel)
        #expect(expected.map { error?.contains($0) == true } ?? (error == nil), "\(error ?? "no error")")
    }

    @Test("The word auto is the default of a content's colour")
    func automaticColor() throws {
        func effect(_ parameters: JSONValue) throws -> Effect {
            let panel: JSONValue = ["effect": "light", "size": [4, 4], "parameters": parameters]
            return try Scene(["size": [9, 9], "duration": 1, "backdrop": ["color": "red"], "panels": [panel]])
                .panels[0].effect.effect(at: 0)
        }
        let automatic = try effect(["min-contrast": 3, "content-color": "auto"])
        #expect(try automatic == effect(["min-contrast": 3]))
        #expect(try automatic != effect(["min-contrast": 3, "content-color": "white"]))
    }

    @Test("The lengths of every effect's blur grow with the frame")
    func lengthsOfBlurs() throws {
        /// Returns the length of a blur in pixels; nil if it is a fraction of the picture.
        func length(_ blur: any Blur) throws -> Double? {
            switch blur {
            case let blur as GaussianBlur: blur.sigmaX
            case let blur as VariableBlur: blur.sigma
            case let blur as DiscBlur: blur.radius
            case let blur as MotionBlur: blur.radius
            case let blur as BoxBlur: Double(blur.widthX)
            case let blur as Mosaic: Double(blur.side)
            case is ZoomBlur, is ProportionalBlur: nil
            default: throw LengthError()
            }
        }
        struct LengthError: Error {}
        var count = 0
        for description in EffectCatalog.withGaussian {
            let parameters: JSONValue = description.name == "redact" ? ["seed": 3] : [:]
            let panel: JSONValue = [
                "effect": .string(description.name), "size": [4, 4], "parameters": parameters, "mask": "m.png",
            ]
            func scene(_ panel: JSONValue) throws -> Scene {
                try Scene(["size": [9, 9], "duration": 1, "backdrop": ["color": "red"], "panels": [panel]])
            }
            let plain: JSONValue = ["effect": .string(description.name), "size": [4, 4], "parameters": parameters]
            let effect = try ((try? scene(plain)) ?? scene(panel)).panels[0].effect
            guard let one = try length(effect.effect(at: 0).blur) else { continue }
            count += 1
            for scale in [0.5, 2] {
                let scaled = try length(effect.effect(at: 0, scale: scale).blur) ?? 0
                // Boxes are an odd number of pixels wide, and ImageEffects add half a pixel to a width.
                let tolerance = effect.name.contains("box") ? 1 : effect.name == "image-effects" ? 0.25 : 1e-9 * one
                #expect(abs(scaled - one * scale) <= tolerance, "\(effect.name): \(one), \(scaled) at \(scale)")
            }
        }
        #expect(count > 40)
    }

    @Test("A length that becomes too short for its effect gets the shortest, and one that becomes too long is an error")
    func lengthsAtOtherSizes() throws {
        let scene = try Scene([
            "size": [320, 320], "duration": 1, "backdrop": ["color": "red"],
            "panels": [["effect": "redact", "size": [9, 9], "parameters": ["seed": 3]]],
        ])
        let effect = scene.panels[0].effect
        #expect(try (effect.effect(at: 0).blur as? Mosaic)?.side == 32)
        #expect(try (effect.effect(at: 0, scale: 0.25).blur as? Mosaic)?.side == 8)
        #expect(try (effect.effect(at: 0, scale: 0.01).blur as? Mosaic)?.side == 4)
        do throws(SceneError) {
            _ = try scene.state(at: 0, scale: 40)
            Issue.record("a cell of 1280 pixels is accepted")
        } catch {
            #expect("\(error)".contains("cell cannot be 32 at 40 times the size of the scene"), "\(error)")
        }
    }

    @Test("A number of an effect that must be whole cannot be animated")
    func wholeNumbers() {
        let error = SceneExamples.panelError([
            "effect": "ci-box", "size": [9, 9],
            "parameters": ["radius": [["at": 0, "value": 1], ["at": 1, "value": 4]]],
        ])
        #expect(
            error?.hasPrefix("panels[0].parameters at 0.377 seconds: radius cannot be 2.131") == true
                && error?.hasSuffix("expected a whole number") == true,
            "\(error ?? "no error")")
    }

    @Test("Keyframes between which the parameters contradict each other are refused with the time, wherever they are")
    func contradictionsOverTime() {
        let top: JSONValue = [["at": 0, "value": 0.1], ["at": 1, "value": 0.1], ["at": 2, "value": 0.9]]
        let bottom: JSONValue = [["at": 0, "value": 0.2], ["at": 1.9, "value": 0.2], ["at": 2, "value": 1]]
        let error = SceneExamples.panelError([
            "effect": "tilt-shift", "size": [9, 9], "parameters": ["top": top, "bottom": bottom],
        ])
        #expect(
            error?.hasPrefix("panels[0].parameters at 1.377 seconds: top 0.4016") == true
                && error?.hasSuffix("must not exceed bottom 0.2") == true,
            "\(error ?? "no error")")
    }

    @Test("Panels that follow each other in a circle are refused, and a chain is not")
    func circles() {
        func error(_ leaders: [(String, String?)]) -> String? {
            let panels = leaders.map { id, leader -> JSONValue in
                var members: [JSONValue.Member] = [
                    .init("id", .string(id)), .init("effect", "gaussian"), .init("size", [4, 4]),
                    .init("position", [1, 1]),
                ]
                if let leader { members.append(.init("follow", ["panel": .string(leader)])) }
                return .object(members)
            }
            do {
                _ = try Scene(["size": [9, 9], "duration": 1, "backdrop": ["color": "red"], "panels": .array(panels)])
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(error([("a", "b"), ("b", "c"), ("c", nil)]) == nil)
        #expect(error([("a", "a")]) == "panels[0].follow: the panels follow each other in a circle: a follows a")
        #expect(
            error([("x", "a"), ("a", "b"), ("b", "c"), ("c", "a")])
                == "panels[1].follow: the panels follow each other in a circle: a follows b follows c follows a")
        #expect(error([("a", nil), ("a", nil)])?.contains("an id that no other panel has") == true)
        // A chain of many panels needs no stack.
        let chain = (0..<20_000).map { ("p\($0)", $0 > 0 ? "p\($0 - 1)" : nil) }
        #expect(error(chain) == nil)
    }

    @Test(
        "Text that is not JSON is refused with its line and column",
        arguments: [
            ("", 1), ("{", 1), ("{\"size\": [1,\n 2,,]}", 2), ("{\"size\": 1, \"size\": 2}", 1), ("[1] x", 1),
            ("{\"a\": 01}", 1), ("{\"a\": NaN}", 1), (String(repeating: "[", count: 100_000), 1),
        ])
    func syntax(_ text: String, _ line: Int) {
        #expect {
            _ = try Scene(parsing: text.utf8)
        } throws: { error in
            guard case SceneError.syntax(line, _, _) = error else { return false }
            return true
        }
    }

    @Test("A byte order mark at the beginning is ignored, and another one is not")
    func byteOrderMark() throws {
        let text = Array(#"{"size": [9, 9], "duration": 1, "backdrop": {"color": "red"}}"#.utf8)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try Scene(parsing: mark + text) == Scene(parsing: text))
        #expect(throws: SceneError.self) { _ = try Scene(parsing: mark + mark + text) }
    }

    @Test("Bytes that are not UTF-8 are refused")
    func encoding() {
        #expect(throws: SceneError.self) { _ = try Scene(parsing: [0x22, 0xFF, 0x22]) }
    }

    @Test("Jansson reads the same values as Foundation")
    func parserAgreement() throws {
        let text = SceneExamples.rich.replacing("navy", with: "\\u00e9\\ud83d\\ude00 \\\"\\\\ é😀")
            .replacing("0.25", with: "2.5e-1")
        let own = try JSONParser.parse(text.utf8)
        let other = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        func sorted(_ value: JSONValue) -> JSONValue {
            switch value {
            case .object(let members):
                .object(members.map { .init($0.name, sorted($0.value)) }.sorted { $0.name < $1.name })
            case .array(let elements): .array(elements.map(sorted))
            case .null, .bool, .number, .string: value
            }
        }
        #expect(sorted(own) == sorted(other))
        // The text of a value is JSON for the same value.
        #expect(try JSONParser.parse(own.description.utf8) == own)
        #expect(try JSONParser.parse(own.prettyText.utf8) == own)
    }

    @Test("A scene survives a way through Codable")
    func codable() throws {
        let scene = try Scene(parsing: SceneExamples.rich.utf8)
        let again = try JSONDecoder().decode(Scene.self, from: try JSONEncoder().encode(scene))
        for time in [0, 0.6, 1.2, 2.7, 3.9] { #expect(try again.state(at: time) == scene.state(at: time)) }
    }
}
