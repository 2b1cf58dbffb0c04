import Foundation
import Testing

@testable import FrostMotion

@Suite("Values over time")
struct KeyframeTests {
    @Test("Named curves are CSS's: the values at a quarter, half and three quarters")
    func namedCurves() {
        // Solved with mpmath to 12 digits from the definition of the cubic Bezier.
        func value(_ curve: TimingCurve, _ share: Double) -> Double {
            Keyframes(times: [2, 4], values: [10, 20], curves: [curve, .linear]).value(at: 2 + 2 * share)
        }
        for share in [0.0, 0.25, 0.5, 0.75, 1] {
            #expect(value(.linear, share) == 10 + 10 * share)
            #expect(value(.hold, share) == (share < 1 ? 10 : 20))
            // Ease-in and ease-out are each other turned by half a turn, and ease-in-out equals itself turned.
            #expect(abs(value(.easeIn, share) + value(.easeOut, 1 - share) - 30) < 1e-11)
            #expect(abs(value(.easeInOut, share) + value(.easeInOut, 1 - share) - 30) < 1e-11)
        }
        #expect(value(.easeIn, 0.5) < 15 && value(.easeOut, 0.5) > 15)
    }

    @Test(
        "A Bezier curve's y belongs to its x",
        arguments: [(0.42, 0.0, 0.58, 1.0), (0, 1, 1, 0), (1, -2, 0, 3), (0, 0, 0, 0)])
    func bezier(_ p: (Double, Double, Double, Double)) {
        let curve = BezierCurve(x1: p.0, y1: p.1, x2: p.2, y2: p.3)
        for step in 0...200 {
            let t = Double(step) / 200
            let s = 1 - t
            let x = 3 * s * s * t * p.0 + 3 * s * t * t * p.2 + t * t * t
            let y = 3 * s * s * t * p.1 + 3 * s * t * t * p.3 + t * t * t
            // Near a vertical tangent, an error of 1e-14 in x is one of 1e-5 in t.
            #expect(abs(curve.y(at: x) - y) < 1e-4, "t \(t)")
        }
        #expect(curve.y(at: -1) == 0 && curve.y(at: 2) == 1)
    }

    @Test("A spring obeys its equation of motion", arguments: [(100.0, 3.0), (100, 20), (100, 80), (4, 4.0000001)])
    func spring(_ stiffness: Double, _ damping: Double) {
        let spring = Spring(stiffness: stiffness, damping: damping)
        // The classical Runge-Kutta method with a step of 0.2 ms has an error below 1e-9 here.
        var (x, v, t) = (1.0, 0.0, 0.0)
        let h = 0.0002
        func force(_ x: Double, _ v: Double) -> Double { -stiffness * x - damping * v }
        for step in 1...15000 {
            let (a1, b1) = (v, force(x, v))
            let (a2, b2) = (v + h / 2 * b1, force(x + h / 2 * a1, v + h / 2 * b1))
            let (a3, b3) = (v + h / 2 * b2, force(x + h / 2 * a2, v + h / 2 * b2))
            let (a4, b4) = (v + h * b3, force(x + h * a3, v + h * b3))
            x += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            v += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
            t = Double(step) * h
            if step % 500 == 0 { #expect(abs(spring.displacement(after: t) - x) < 1e-8, "t \(t)") }
        }
        for share in [1.0, 1.01, 1.3, 2] {
            #expect(abs(spring.displacement(after: spring.settlingTime * share)) < 1e-6)
        }
        #expect(spring.displacement(after: 0) == 1 && spring.displacement(after: -1) == 1)
    }

    @Test("A spring of a duration swings with this period, and its bounce tells how far")
    func springDuration() {
        // Without damping the period is the duration. With bounce b, the damping is 1 - b of the critical one, and the
        // first overshoot is exp(-π ζ / √(1 - ζ²)).
        for bounce in [0.2, 0.5, 0.8] {
            let spring = Spring(duration: 0.5, bounce: bounce)
            let zeta = 1 - bounce
            let half = Double.pi / (spring.stiffness * (1 - zeta * zeta)).squareRoot()
            #expect(abs(spring.displacement(after: half) + exp(-.pi * zeta / (1 - zeta * zeta).squareRoot())) < 1e-9)
        }
        let still = Spring(duration: 0.5, bounce: 0)
        #expect((0...1000).allSatisfy { still.displacement(after: Double($0) / 200) >= 0 })
    }

    @Test("A negative bounce is overdamped, by SwiftUI's law", arguments: [-0.3, -0.5, -0.95])
    func negativeBounce(bounce: Double) {
        // The damping is 1 / (1 + b) of the critical one. The motion is a sum of two exponentials, whose rates λ solve
        // λ² - damping λ + stiffness = 0.
        let spring = Spring(duration: 0.5, bounce: bounce)
        let frequency = 4 * Double.pi
        let ratio = 1 / (1 + bounce)
        #expect(abs(spring.damping - 2 * ratio * frequency) < 1e-9)
        let root = (ratio * ratio - 1).squareRoot()
        let (slow, fast) = (frequency * (ratio - root), frequency * (ratio + root))
        let critical = Spring(duration: 0.5, bounce: 0)
        for step in 1...100 {
            let time = Double(step) / 50
            let expected = (fast * exp(-slow * time) - slow * exp(-fast * time)) / (fast - slow)
            #expect(abs(spring.displacement(after: time) - expected) < 1e-9)
            #expect(spring.displacement(after: time) > critical.displacement(after: time))
        }
        #expect(abs(spring.displacement(after: spring.settlingTime)) < 1e-6)
    }

    @Test("A chain of equal springs is one spring whose target jumps")
    func springChain() {
        let spring = Spring(stiffness: 120, damping: 6)
        let track = Keyframes(
            times: [0, 0.1, 0.35, 0.5], values: [0, 10, -5, 20], curves: Array(repeating: .spring(spring), count: 4))
        // Euler's semi-implicit method with 1 µs steps; its error is proportional to the step.
        var (x, v) = (0.0, 0.0)
        let h = 1e-6
        for step in 0..<1_000_000 {
            let t = Double(step) * h
            if step % 50_000 == 0 { #expect(abs(track.value(at: t) - x) < 1e-3, "t \(t)") }
            let target = t < 0.1 ? 10.0 : t < 0.35 ? -5 : 20
            v += h * (-120 * (x - target) - 6 * v)
            x += h * v
        }
        #expect(track.value(at: 100) == 20)
    }

    @Test("100,000 keyframes: each is met, and between two the value is their mixture")
    func many() throws {
        let count = 100_000
        var frames = "["
        for i in 0..<count { frames += (i > 0 ? "," : "") + "{\"at\":\(Double(i) / 100),\"value\":\(i * 7919 % 31)}" }
        frames += "]"
        let text = """
            {"size":[64,64],"duration":1000,"backdrop":{"color":"white"},
             "panels":[{"effect":"gaussian","parameters":{"sigma":\(frames)},"size":[32,32]}]}
            """
        let scene = try Scene(parsing: text.utf8)
        guard case .number(let track, _, _)? = scene.panels[0].effect.parameters.tracks["sigma"] else {
            Issue.record("sigma is missing")
            return
        }
        #expect(track.times.count == count)
        for i in stride(from: 0, to: count - 1, by: 97) {
            let (a, b) = (Double(i * 7919 % 31), Double((i + 1) * 7919 % 31))
            #expect(track.value(at: Double(i) / 100) == a)
            #expect(abs(track.value(at: (Double(i) + 0.5) / 100) - (a + b) / 2) < 1e-6)
        }
        #expect(track.value(at: -1) == 0 && track.value(at: 1e9) == Double((count - 1) * 7919 % 31))
    }

    @Test("Equal progress along a path is equal distance, on lines and curves")
    func path() {
        let line = MotionPath(start: [0, 0], segments: [.line(to: [30, 0]), .line(to: [30, 10])])
        #expect(line.length == 40)
        #expect(line.point(at: 0.5) == [20, 0] && line.point(at: 0.875) == [30, 5])
        #expect(line.point(at: 0) == [0, 0] && line.point(at: 1) == [30, 10] && line.point(at: 7) == [30, 10])
        // A cubic Bezier that is close to a quarter circle of radius 100: its length is off by less than 0.03 %.
        let k = 100 * 0.5522847498
        let arc = MotionPath(start: [100, 0], segments: [.curve([100, k], [k, 100], to: [0, 100])])
        #expect(abs(arc.length - 50 * .pi) < 0.05)
        for step in 0...10 {
            let (t, point) = (Double(step) / 10, arc.point(at: Double(step) / 10))
            #expect(abs(point.x - 100 * cos(t * .pi / 2)) < 0.1 && abs(point.y - 100 * sin(t * .pi / 2)) < 0.1)
        }
        #expect(MotionPath(start: [3, 4], segments: []).point(at: 0.5) == [3, 4])
        #expect(MotionPath(start: [3, 4], segments: [.line(to: [3, 4])]).point(at: 0.5) == [3, 4])
    }
}
