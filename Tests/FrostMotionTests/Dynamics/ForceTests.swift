import FrostMotion
import Glibc
import Testing

/// The laws of behaviours that accelerate items. Box2D computes with 32-bit numbers: 600 steps change a position of up to
/// 13,000 points by rounding of less than 0.05 points in all cases below.
@Suite struct ForceTests {
    @Test("The comparison fails for different numbers and NaN") func comparisonFailsForOtherNumbers() {
        #expect(isClose(1, 1.05, within: 0.1))
        #expect(!isClose(1, 1.2, within: 0.1))
        #expect(!isClose(.nan, 1, within: 0.1))
    }

    /// Semi-implicit Euler: the velocity is increased first, so step k moves by k·g·dt², and n steps by g·dt²·n(n + 1)/2.
    /// This exceeds ½·g·t² by ½·g·t·dt.
    @Test("An item falls as semi-implicit Euler says", arguments: [1, 60, 120, 600]) func freeFall(steps: Int) throws {
        let item = box(0, 0)
        let animator = try animator(GravityBehavior(items: [item]), frictionless([item]))
        try animator.run(steps: steps)
        let count = Double(steps)
        // Box2D moves nothing by more than 200 points in a step: 1000 pt/s² reach that speed after 24 s.
        #expect(isClose(item.center.y, 1000 * step * step * count * (count + 1) / 2, within: 0.05))
        let time = animator.elapsedTime
        #expect(isClose(time, count * step, within: 1e-12))
        #expect(isClose(item.center.y - 500 * time * time, 500 * time * step, within: 0.05))
        #expect(item.center.x == 0)
        #expect(item.rotation == 0)
    }

    @Test("Gravity has a direction, a magnitude and an angle") func gravity() throws {
        let item = box(0, 0)
        let gravity = GravityBehavior(items: [item])
        #expect(gravity.gravityDirection == Vector(dx: 0, dy: 1))
        #expect(isClose(gravity.angle, .pi / 2, within: 1e-15))
        gravity.magnitude = 0
        gravity.angle = .pi
        gravity.magnitude = 2
        #expect(isClose(gravity.gravityDirection.dx, -2, within: 1e-12))
        let body = frictionless([item])
        let animator = try animator(gravity, body)
        try animator.run(steps: 12)
        #expect(isClose(body.linearVelocity(for: item).dx, -200, within: 0.01))
    }

    @Test("Gravity behaviours add up") func twoGravities() throws {
        let item = box(0, 0)
        let (down, right) = (GravityBehavior(items: [item]), GravityBehavior(items: [item]))
        right.gravityDirection = Vector(dx: 0.5, dy: 0)
        let body = frictionless([item])
        let animator = try animator(down, right, body)
        try animator.run(steps: 12)
        #expect(isClose(body.linearVelocity(for: item).dx, 50, within: 0.01))
        #expect(isClose(body.linearVelocity(for: item).dy, 100, within: 0.01))
    }

    /// The acceleration is 100·magnitude/mass in points per second squared.
    @Test("A push accelerates by magnitude / mass", arguments: [(100.0, 1.0), (50, 1), (100, 4), (200, 0.5)])
    func push(side: Double, density: Double) throws {
        let item = box(0, 0, side: side)
        let push = PushBehavior(items: [item], mode: .continuous)
        push.pushDirection = Vector(dx: 0, dy: 1)
        let body = frictionless([item])
        body.density = density
        let animator = try animator(push, body)
        try animator.run(steps: 120)
        let mass = density * side * side / 10_000
        #expect(isClose(body.linearVelocity(for: item).dy, 100 / mass, within: 0.01 / mass))
        #expect(push.active)
        push.active = false
        try animator.run(steps: 60)
        #expect(isClose(body.linearVelocity(for: item).dy, 100 / mass, within: 0.01 / mass))
    }

    @Test("An instantaneous push changes the velocity once") func impulse() throws {
        let item = box(0, 0)
        let push = PushBehavior(items: [item], mode: .instantaneous)
        push.magnitude = 2
        push.angle = 0
        let body = frictionless([item])
        let animator = try animator(push, body)
        try animator.run(steps: 1)
        #expect(!push.active)
        #expect(isClose(body.linearVelocity(for: item).dx, 200, within: 0.001))
        try animator.run(steps: 10)
        #expect(isClose(body.linearVelocity(for: item).dx, 200, within: 0.001))
        push.active = true
        try animator.run(steps: 1)
        #expect(isClose(body.linearVelocity(for: item).dx, 400, within: 0.001))
    }

    /// The torque is the cross product of offset and force, and the moment of inertia m(w² + h²)/12. Box2D works in
    /// metres: I = 1·(1 + 1)/12, and the torque of 1 N at 0.5 m is 0.5 Nm, so α = 3 rad/s².
    @Test("A push beside the centre turns the item, in world axes", arguments: [0, Double.pi / 2])
    func offCentre(rotation: Double) throws {
        let item = box(0, 0, rotation: rotation)
        let push = PushBehavior(items: [item], mode: .continuous)
        push.pushDirection = Vector(dx: 0, dy: 1)
        push.setTargetOffsetFromCenter(Vector(dx: 50, dy: 0), for: item)
        #expect(push.targetOffsetFromCenter(for: item) == Vector(dx: 50, dy: 0))
        let body = frictionless([item])
        let animator = try animator(push, body)
        try animator.run(steps: 60)
        #expect(isClose(body.angularVelocity(for: item), 1.5, within: 0.001))
        #expect(isClose(body.linearVelocity(for: item).dy, 50, within: 0.01))
    }

    /// Box2D divides the velocity by 1 + r·dt in each step, which tends to exp(-r·t).
    @Test("Resistance makes velocities decay", arguments: [0.1, 1, 5]) func resistance(rate: Double) throws {
        let item = box(0, 0)
        let body = ItemBehavior(items: [item])
        body.resistance = rate
        body.angularResistance = rate
        try body.addLinearVelocity(Vector(dx: 1000, dy: 0), for: item)
        try body.addAngularVelocity(2, for: item)
        let animator = try animator(body)
        try animator.run(steps: 60)
        let factor = pow(1 + rate * step, -60)
        #expect(isClose(body.linearVelocity(for: item).dx, 1000 * factor, within: 0.05))
        #expect(isClose(body.angularVelocity(for: item), 2 * factor, within: 1e-4))
        // The two laws differ by the factor exp(r²·t·dt/2) at most.
        #expect(isClose(factor / exp(-rate / 2), 1, within: 1.01 * rate * rate * 0.5 * step / 2))
    }

    @Test("Snapping follows a damped spring of 3 Hz", arguments: [0, 0.5, 1]) func snap(damping: Double) throws {
        let item = box(500, 300, rotation: 1)
        let snap = SnapBehavior(item: item, snapTo: Point(x: 200, y: 300))
        snap.damping = damping
        let animator = try animator(snap, frictionless([item]))
        let ratio = 0.1 + 0.9 * damping
        var lowest = 1.0
        for count in 1...60 {
            try animator.run(steps: 1)
            let value = released(frequency: 3, damping: ratio, steps: count)
            #expect(isClose(item.center.x, 200 + 300 * value, within: 0.05))
            #expect(isClose(item.rotation, value, within: 1e-3))
            lowest = min(lowest, (item.center.x - 200) / 300)
        }
        #expect(item.center.y == 300)
        // Critical damping does not overshoot; less damping overshoots by this part of the distance, whatever the step.
        let overshoot = damping == 1 ? 0 : exp(-Double.pi * ratio / (1 - ratio * ratio).squareRoot())
        #expect(isClose(lowest, damping == 1 ? lowest : -overshoot, within: 0.01) && lowest > -overshoot - 0.001)
        try animator.run(steps: 1200)
        #expect(!animator.isRunning)
        #expect(isClose(item.center.x, 200, within: 0.5))
        #expect(isClose(item.rotation, 0, within: 0.01))
    }

    @Test("An item that spins fast snaps to the nearest full turn") func snapTurns() throws {
        let item = box(0, 0, rotation: 4 * .pi + 0.5)
        let animator = try animator(SnapBehavior(item: item, snapTo: .zero))
        try animator.run(steps: 600)
        #expect(isClose(item.rotation, 4 * .pi, within: 0.01))
    }
}
