import FrostMotion
import Glibc
import Testing

/// The laws of fields. The tolerances allow for Box2D's 32-bit numbers.
@Suite struct FieldTests {
    private func velocity(
        in field: FieldBehavior, at item: DynamicBox, start: Vector = .zero, steps: Int = 1
    ) throws -> Vector {
        try field.addItem(item)
        let body = frictionless([item])
        body.density = 3
        try body.addLinearVelocity(start, for: item)
        let animator = try animator(field, body)
        try animator.run(steps: steps)
        return body.linearVelocity(for: item)
    }

    @Test("A drag field takes its share of the velocity in each step") func drag() throws {
        let field = FieldBehavior.dragField()
        field.strength = 2
        let velocity = try velocity(in: field, at: box(0, 0), start: Vector(dx: 300, dy: 0), steps: 60)
        #expect(isClose(velocity.dx, 300 * pow(1 - 2 * step, 60), within: 0.05))
    }

    @Test("A linear gravity field accelerates in its direction") func linear() throws {
        let field = FieldBehavior.linearGravityField(direction: Vector(dx: 0, dy: -1))
        #expect(isClose(try velocity(in: field, at: box(7, 3)).dy, -1000 * step, within: 0.001))
    }

    @Test("A radial field pulls inwards and falls off") func radial() throws {
        let field = FieldBehavior.radialGravityField(position: Point(x: 100, y: 0))
        field.falloff = 2
        field.minimumRadius = 50
        let velocity = try velocity(in: field, at: box(200, 0))
        #expect(isClose(velocity.dx, -1000 * 0.25 * step, within: 0.001))
        #expect(isClose(velocity.dy, 0, within: 0.001))
    }

    @Test("A vortex pushes clockwise, within its region") func vortex() throws {
        let field = FieldBehavior.vortexField()
        field.regionRadius = 100
        let velocity = try velocity(in: field, at: box(50, 0))
        #expect(isClose(velocity.dy, 1000 * step, within: 0.001))
        let outside = FieldBehavior.vortexField()
        outside.regionRadius = 40
        #expect(try self.velocity(in: outside, at: box(50, 0)) == .zero)
    }

    /// Semi-implicit Euler keeps the amplitude, and its period is that of the spring within (ω·dt)²/24 = 0.03 %.
    @Test("A spring field has the period 2π/√strength") func spring() throws {
        let field = FieldBehavior.springField()
        field.strength = 4 * .pi * .pi
        let item = box(100, 0)
        _ = try velocity(in: field, at: item, steps: 120)
        #expect(isClose(item.center.x, 100, within: 0.5))
    }
}
