import Foundation
import FrostCore
import Testing

@testable import FrostMotion

@Suite("The state of a scene at a time")
struct SceneStateTests {
    @Test("A state depends only on the time, in whatever order states are asked for")
    func order() throws {
        let scene = try Scene(parsing: SceneExamples.rich.utf8)
        let count = scene.frameCount(framesPerSecond: 30)
        #expect(count == 120)
        let forwards = try (0..<count).map { try scene.state(at: scene.time(ofFrame: $0, framesPerSecond: 30)) }
        for index in (0..<count).reversed() { #expect(try scene.state(at: Double(index) / 30) == forwards[index]) }
        #expect(Set(forwards).count > 60)
        #expect(throws: SceneError.self) { _ = try scene.state(at: .nan) }
        #expect(throws: SceneError.self) { _ = try scene.state(at: .infinity) }
        #expect(throws: SceneError.self) { _ = try scene.state(at: 0, scale: 0) }
        for scale in [.nan, .infinity, 1e300, 1001, 1e-9, 0, -1] {
            #expect(throws: SceneError.self) { _ = try scene.state(at: 0, scale: scale) }
            #expect(throws: SceneError.self) { _ = try SceneRenderer.layout(of: scene, scale: scale) }
        }
        #expect(try scene.state(at: -5) == scene.state(at: 0))
    }

    @Test("7blur's panel starts above the top edge, rests at its place, and leaves")
    func slide() throws {
        let scene = try SceneExamples.panel([
            "effect": "7blur-sky", "size": [200, 40], "position": [0, 64], "vignette": .object([]),
            "motions": [["name": "slide-down", "at": 0.5], ["name": "slide-up", "at": 1.5]],
        ])
        func panel(_ time: Double) throws -> SceneState.Panel? { try scene.state(at: time).panels.first }
        #expect(try panel(0.5) == nil && panel(0) == nil)
        // At the start y is -(40 + 64), so nothing is inside the frame before the panel has come 64 pixels.
        let arriving = try #require(try panel(0.7))
        #expect(arriving.rect.y < 64 && arriving.alpha < 1)
        // Half of the time is half of the way, because the curve is symmetric.
        let half = try #require(
            try SceneExamples.panel([
                "effect": "7blur-sky", "size": [200, 40], "position": [0, 84],
                "motions": [["name": "slide-down", "at": 0]],
            ]).state(at: 0.125).panels.first)
        #expect(half.rect.y == -10 && abs(half.alpha - 0.5) < 1e-9)
        for time in [0.75, 1, 1.5] { #expect(try panel(time)?.rect.y == 64 && panel(time)?.alpha == 1) }
        #expect(try panel(1.65) == nil)
        // The vignette fades in during 0.2 s from 0.5, and out during 0.5 s from 1.5.
        for (time, alpha) in [(0.5, 0), (0.6, 0.1), (0.7, 0.2), (1.5, 0.2), (1.75, 0.1), (2, 0)] {
            #expect(abs(try scene.state(at: time).vignette - alpha) < 1e-9, "time \(time)")
        }
    }

    @Test("A motion that interrupts another starts from where the panel is")
    func interruption() throws {
        let scene = try SceneExamples.panel([
            "effect": "7blur-sky", "size": [200, 60], "position": [0, 30],
            "motions": [
                ["name": "slide-down", "at": 0, "duration": 1], ["name": "slide-up", "at": 0.6, "duration": 1],
            ],
        ])
        let (before, after) = (try scene.state(at: 0.6 - 1e-9), try scene.state(at: 0.6 + 1e-9))
        #expect(abs((before.panels.first?.alpha ?? 0) - (after.panels.first?.alpha ?? 1)) < 1e-6)
        #expect(before.panels.first?.rect == after.panels.first?.rect)
    }

    @Test("A panel that follows another keeps its distance")
    func follow() throws {
        let scene = try Scene([
            "size": [400, 300], "duration": 2, "backdrop": ["color": "red"],
            "panels": [
                ["id": "b", "effect": "gaussian", "size": [10, 10], "position": [5, 6], "follow": ["panel": "a"]],
                [
                    "id": "a", "effect": "gaussian", "size": [20, 20],
                    "position": [["at": 0, "value": [0, 0]], ["at": 1, "value": [100, 50]]],
                ],
                ["effect": "gaussian", "size": [10, 10], "position": [1, 1], "follow": ["panel": "b"]],
            ],
        ])
        for (time, x, y) in [(0.0, 0, 0), (0.5, 50, 25), (2, 100, 50)] {
            let panels = try scene.state(at: time).panels
            #expect(panels.map { [$0.rect.x, $0.rect.y] } == [[x + 5, y + 6], [x, y], [x + 6, y + 7]])
        }
    }

    @Test("Backdrops change by cuts and transitions, and a video's time starts when it appears")
    func backdrops() throws {
        let scene = try Scene(parsing: SceneExamples.rich.utf8)
        #expect(try scene.state(at: 0.99).backdrop == .single(.color(Color(parsing: "#336699"))))
        guard
            case .transition(let curl, let progress, let extraImages, let from, let to) = try scene.state(at: 1.25)
                .backdrop
        else {
            Issue.record("no transition")
            return
        }
        #expect(curl.name == "page-curl-with-shadow" && extraImages == [.backside: "back.png", .shading: "s.png"])
        // Ease-in is behind at half of the time.
        #expect(progress > 0.2 && progress < 0.5)
        #expect(from == .color(try Color(parsing: "#336699")) && to == .picture("b.png", .aspectFit))
        #expect(try scene.state(at: 1.5).backdrop == .single(.picture("b.png", .aspectFit)))
        #expect(try scene.state(at: 3.5).backdrop == .single(.video("v.y4m", .aspectFill, at: 2, isLooping: true)))
        guard case .transition(_, 0, _, _, _) = try scene.state(at: 1).backdrop else {
            Issue.record("a transition begins at progress 0")
            return
        }
    }

    @Test("A transition may begin with the scene, and ends with it in the last frame", arguments: [1.0, 7, 30, 60])
    func wholeTransition(rate: Double) throws {
        let scene = try Scene([
            "size": [20, 10], "duration": 2, "fps": .number(rate),
            "backdrop": [
                ["color": "red"], ["color": "blue", "at": 0, "transition": ["name": "dissolve", "duration": 2]],
            ],
        ])
        func progress(_ frame: Int) throws -> Double {
            switch try scene.state(at: scene.time(ofFrame: frame, framesPerSecond: rate)).backdrop {
            case .single(let content):
                #expect(try content == .color(Color(parsing: "blue")))
                return 1
            case .transition(_, let progress, _, _, _): return progress
            }
        }
        let count = scene.frameCount(framesPerSecond: rate)
        for frame in 0..<count { #expect(abs(try progress(frame) - Double(frame) / Double(count - 1)) < 1e-9) }
        #expect(try progress(count - 1) == 1)
        // The same at another rate, to which the scene is set.
        var slower = scene
        slower.framesPerSecond = rate / 2
        let last = slower.time(
            ofFrame: slower.frameCount(framesPerSecond: rate / 2) - 1, framesPerSecond: rate / 2)
        switch try slower.state(at: last).backdrop {
        case .single(let content): #expect(try content == .color(Color(parsing: "blue")))
        case .transition: #expect(rate == 1, "a single frame shows the beginning")
        }
    }

    @Test("A transition that ends before or after the scene keeps its own length")
    func otherTransition() throws {
        for duration in [1.5, 3] {
            let scene = try Scene([
                "size": [20, 10], "duration": 2, "fps": 10,
                "backdrop": [
                    ["color": "red"],
                    ["color": "blue", "at": 0, "transition": ["name": "dissolve", "duration": .number(duration)]],
                ],
            ])
            guard case .transition(_, let progress, _, _, _) = try scene.state(at: 0.75).backdrop else {
                Issue.record("no transition")
                return
            }
            #expect(abs(progress - 0.75 / duration) < 1e-12)
        }
    }

    @Test("A curve that overshoots is limited to the parameter's range")
    func overshoot() throws {
        let scene = try SceneExamples.panel([
            "effect": "gaussian", "size": [200, 100],
            "parameters": [
                "sigma": [
                    ["at": 0, "value": 20, "curve": ["spring": ["duration": 0.5, "bounce": 0.8]]],
                    ["at": 1, "value": 0],
                ]
            ],
            "alpha": [["at": 0, "value": 0.5, "curve": ["cubic-bezier": [0.5, -3, 0.5, 4]]], ["at": 1, "value": 1]],
        ])
        var sigmas: [Double] = []
        for step in 0...200 {
            guard let panel = try scene.state(at: Double(step) / 100).panels.first else { continue }
            guard let blur = panel.effect.blur as? GaussianBlur else { continue }
            sigmas.append(blur.sigmaX)
            #expect(panel.alpha <= 1)
        }
        #expect(sigmas.contains(0) && sigmas[0] == 20 && sigmas.allSatisfy { $0 >= 0 })
    }

    @Test("A scaled scene has scaled lengths, radii included, and the same everything else")
    func scale() throws {
        let scene = try Scene(parsing: SceneExamples.rich.utf8)
        for time in stride(from: 0, through: 4, by: 0.1) {
            let (one, two) = (try scene.state(at: time), try scene.state(at: time, scale: 2))
            #expect(two.width == 2 * one.width && two.height == 2 * one.height && two.vignette == one.vignette)
            #expect(one.panels.map(\.alpha) == two.panels.map(\.alpha))
            for (a, b) in zip(one.panels, two.panels) {
                #expect(b.place == a.place.scaled(by: 2) && b.rotation == a.rotation)
                #expect(abs(b.outline.radius - 2 * a.outline.radius) < 1e-9)
                #expect(b.shadow == a.shadow?.scaled(by: 2))
            }
            if let a = one.reveal, let b = two.reveal {
                #expect(abs(b.rect.x - 2 * a.rect.x) < 1e-9 && b.rect.radius == 2 * a.rect.radius)
                guard let first = a.effect.blur as? GaussianBlur, let second = b.effect.blur as? GaussianBlur else {
                    Issue.record("not a Gaussian")
                    continue
                }
                #expect(second.sigmaX == 2 * first.sigmaX)
            }
        }
        // A default length is scaled too.
        let panel = try SceneExamples.panel(["effect": "gaussian", "size": [9, 9]])
        guard let blur = try panel.state(at: 0, scale: 3).panels.first?.effect.blur as? GaussianBlur else {
            Issue.record("not a Gaussian")
            return
        }
        #expect(blur.sigmaX == 24)
    }

    @Test("Linear scenes blur and mix light")
    func linear() throws {
        let scene = try Scene([
            "size": [20, 20], "duration": 2, "linear": true,
            "backdrop": [["color": "red"], ["color": "blue", "at": 0.5, "transition": ["name": "dissolve"]]],
            "panels": [["effect": "gaussian", "size": [9, 9]]],
        ])
        let state = try scene.state(at: 1)
        #expect(state.panels.first?.effect.decoding == .sRGB)
        guard case .transition(let dissolve, 0.5, _, _, _) = state.backdrop else {
            Issue.record("no transition")
            return
        }
        #expect(dissolve.decoding == .sRGB)
    }
}
