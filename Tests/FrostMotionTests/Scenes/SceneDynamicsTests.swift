import FrostCore
import Testing

@testable import FrostMotion

@Suite("Panels that follow an animator's items")
struct SceneDynamicsTests {
    /// A scene with an item that a panel of the item's size follows.
    private func scene(_ behaviors: JSONValue) throws -> Scene {
        try Scene([
            "size": [400, 300], "duration": 3, "backdrop": ["color": "red"],
            "panels": [["effect": "gaussian", "follow": ["item": "box"]]],
            "dynamics": [
                "items": [["id": "box", "center": [200, 40], "size": [40, 20]]], "behaviors": behaviors,
            ],
        ])
    }

    private func panel(_ scene: Scene, _ time: Double) throws -> Placement? {
        try scene.state(at: time).panels.first?.place
    }

    @Test("A panel falls as the item does: half the acceleration times the square of the time")
    func fall() throws {
        let scene = try scene([["behavior": "gravity"], ["behavior": "properties", "resistance": 0]])
        #expect(try panel(scene, 0) == Placement(x: 180, y: 30, width: 40, height: 20))
        for step in [12, 30, 60] {
            let time = Double(step) / 120
            let rect = try #require(try panel(scene, time))
            // Box2D adds the acceleration before it moves: after n steps the distance is a·n(n + 1)/2 steps squared.
            let expected = 30 + 1000 * Double(step * (step + 1)) / 2 / 14400
            // Box2D computes positions in floats of metres.
            #expect(abs(rect.y - expected) <= 1e-3, "step \(step)")
            #expect(abs(rect.x - 180) <= 1e-3)
        }
    }

    @Test("States are equal in whatever order times are asked for, and after a new start")
    func order() throws {
        func make() throws -> Scene {
            try scene([
                ["behavior": "gravity"], ["behavior": "collision", "insets": [0, 0, 0, 0]],
                ["behavior": "push", "magnitude": 3, "angle": 20, "instantaneous": true, "from": 1],
            ])
        }
        let (forwards, backwards) = (try make(), try make())
        let times = (0..<90).map { Double($0) / 30 }
        let states = try times.map { try forwards.state(at: $0) }
        for (time, state) in zip(times, states).reversed() { #expect(try backwards.state(at: time) == state) }
        #expect(Set(states).count > 30)
        // A copy of a scene shares the record; a later time and an earlier one do not disturb each other.
        #expect(try forwards.state(at: 0.5) == states[15])
    }

    @Test("An item that rests stays, and wakes when a behaviour begins")
    func rest() throws {
        let scene = try scene([
            ["behavior": "gravity"], ["behavior": "collision", "insets": [0, 0, 0, 0]],
            ["behavior": "push", "magnitude": 0.1, "angle": 180, "instantaneous": true, "from": 60],
        ])
        let (early, late) = (try #require(try panel(scene, 20)), try #require(try panel(scene, 59)))
        #expect(early == late && abs(early.y - 280) <= 2)
        let pushed = try #require(try panel(scene, 60.5))
        #expect(pushed.x < late.x - 20)
    }

    @Test("What the animator refuses is refused when the scene is read, with its place")
    func errors() {
        func error(_ behaviors: JSONValue) -> String? {
            do {
                _ = try scene(behaviors)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(
            error([["behavior": "gravty"]])
                == "dynamics.behaviors[0].behavior: unknown behavior \"gravty\" (did you mean gravity?)")
        #expect(
            error([["behavior": "gravity", "items": ["bx"]]])
                == "dynamics.behaviors[0].items[0]: unknown item \"bx\" (did you mean box?)")
        #expect(
            error([["behavior": "snap"]])?.hasPrefix("dynamics.behaviors[0].point is missing") == true)
        #expect(
            error([["behavior": "attachment"]]) == "dynamics.behaviors[0].anchor is missing; expected a point [x, y]")
        #expect(
            error([["behavior": "attachment", "form": "pin", "anchor": [0, 0]]])
                == "dynamics.behaviors[0].items cannot be 1 item: expected two items for the form pin")
        #expect(
            error([["behavior": "collision", "insets": [200, 0, 200, 0]]])?.hasPrefix(
                "dynamics.behaviors[0]: the insets")
                == true)
        #expect(
            SceneExamples.panelError(["effect": "dark", "size": [9, 9], "follow": ["item": "x"]])?.hasSuffix(
                "unknown item \"x\"") == true)
    }

    @Test(
        "A member of a behaviour that would have no effect is refused",
        arguments: [
            (
                ["behavior": "attachment", "anchor": [9, 9], "axis": [1, 0]],
                "axis cannot be given: expected only with form sliding"
            ),
            (
                ["behavior": "attachment", "anchor": [9, 9], "damping": 1],
                "damping cannot be given: expected only with frequency"
            ),
            (
                ["behavior": "attachment", "anchor": [9, 9], "other-offset": [1, 0]],
                "other-offset cannot be given: expected only with two items"
            ),
            (
                ["behavior": "attachment", "form": "sliding", "anchor": [9, 9], "length": 5],
                "length cannot be given: expected only with form distance or limit"
            ),
            (
                ["behavior": "attachment", "form": "fixed", "anchor": [9, 9], "frequency": 5],
                "frequency cannot be given: expected only with form distance"
            ),
            (
                ["behavior": "collision", "mode": "items", "insets": [0, 0, 0, 0]],
                "insets cannot be given: expected only with mode boundaries or everything"
            ),
            (
                ["behavior": "field", "form": "drag", "direction": [0, 1]],
                "direction cannot be given: expected only with form linear-gravity"
            ),
        ] as [(JSONValue, String)])
    func uselessMembers(_ behavior: JSONValue, _ expected: String) {
        do {
            _ = try scene([behavior])
            Issue.record("accepted")
        } catch {
            #expect("\(error)" == "dynamics.behaviors[0].\(expected)")
        }
    }

    @Test("Errors of an animator without a scene name the behaviour or the item, with coordinates as they were given")
    func animatorErrors() throws {
        let animator = try SceneAnimator(reference: Placement(x: 1000, y: 0, width: 200, height: 100))
        func error(_ body: () throws -> Void) -> String? {
            do {
                try body()
                return nil
            } catch {
                return "\(error)"
            }
        }
        func add(_ json: String) throws { _ = try animator.add(SceneBehavior(parsing: json.utf8)) }
        #expect(error { try add("[]") } == "the behaviour cannot be []: expected a behaviour: {\"behavior\": name}")
        #expect(
            error { try add(#"{"behavior": "gravity", "items": ["x"]}"#) } == "items: unknown item \"x\"")
        try animator.add(.init(center: [1050, 50], size: [10, 10], rotation: 0), named: "here")
        let twice = error { try animator.add(.init(center: [0, 0], size: [9, 9], rotation: 0), named: "here") }
        #expect(twice == "the id cannot be \"here\": expected an id that no other item has")
        try animator.add(.init(center: [0, 50], size: [10, 10], rotation: 0), named: "away")
        let outside = error { try add(#"{"behavior": "gravity"}"#) }
        #expect(outside?.hasPrefix("the item \"away\": the item of 10.0x10.0 pt at (0.0, 50.0) lies outside") == true)
        let far = error { try animator.move("here", to: [2_000_000, 0], rotation: 0) }
        #expect(far == "the animator: item's centre's x 2000000 is out of range (allowed: -998900 to 1001100)")
    }
}
