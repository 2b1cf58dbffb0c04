import FrostCore
import FrostMotion
import Glibc
import Testing

/// The laws of collisions.
@Suite struct CollisionTests {
    /// Returns a collision behaviour with a floor whose top is at y.
    private func floor(_ items: [any DynamicItem], at y: Double = 0) -> CollisionBehavior {
        let collision = CollisionBehavior(items: items)
        collision.addBoundary(
            withIdentifier: "floor", from: Point(x: -5000, y: y), to: Point(x: 5000, y: y))
        return collision
    }

    /// An elasticity of e keeps e of the speed, so e² of the height. The step of the impact takes up to one step of
    /// gravity too much or too little: 8.3 of 1000 pt/s, which is 1.7 % of the height, and the slop is 0.1 %.
    @Test("A bounce reaches e² of the height", arguments: [0.3, 0.5, 0.8, 1]) func bounce(elasticity: Double) throws {
        let item = box(0, -550)
        let body = frictionless([item])
        body.elasticity = elasticity
        let animator = try animator(GravityBehavior(items: [item]), floor([item]), body)
        var heights: [Double] = [500]
        try animator.run(steps: 400) { heights.append(-50 - item.center.y) }
        let impact = try #require(heights.indices.dropFirst().first { heights[$0] > heights[$0 - 1] })
        let end = heights.indices.dropFirst(impact + 1).first { heights[$0] < heights[$0 - 1] }
        let highest = heights[try #require(end) - 1]
        #expect(isClose(highest / 500, elasticity * elasticity, within: 0.02))
        #expect(isClose(item.rotation, 0, within: 0.01))
    }

    @Test("Slow items bounce as well") func slowBounce() throws {
        let item = box(0, -60)
        let body = frictionless([item])
        body.elasticity = 1
        try body.addLinearVelocity(Vector(dx: 0, dy: 50), for: item)
        let animator = try animator(floor([item]), body)
        try animator.run(steps: 60)
        #expect(isClose(body.linearVelocity(for: item).dy, -50, within: 0.5))
    }

    /// Equal masses exchange their velocities in an elastic collision, and share them at elasticity 0.
    @Test("Two items collide as their elasticity says", arguments: [(1.0, 0.0, 200.0), (0, 100, 100)])
    func twoItems(elasticity: Double, first: Double, second: Double) throws {
        let (left, right) = (box(0, 0), box(150, 0))
        let body = frictionless([left, right])
        body.elasticity = elasticity
        try body.addLinearVelocity(Vector(dx: 200, dy: 0), for: left)
        let animator = try animator(CollisionBehavior(items: [left, right]), body)
        try animator.run(steps: 60)
        #expect(isClose(body.linearVelocity(for: left).dx, first, within: 0.5))
        #expect(isClose(body.linearVelocity(for: right).dx, second, within: 0.5))
    }

    /// The greater elasticity counts, and friction is √(f1·f2).
    @Test("The greater elasticity counts") func greaterElasticity() throws {
        let (left, right) = (box(0, 0), box(150, 0))
        let (body, hard) = (frictionless([left, right]), ItemBehavior(items: [right]))
        body.elasticity = 0
        hard.elasticity = 1
        try body.addLinearVelocity(Vector(dx: 200, dy: 0), for: left)
        let animator = try animator(CollisionBehavior(items: [left, right]), body, hard)
        try animator.run(steps: 60)
        #expect(isClose(body.linearVelocity(for: right).dx, 200, within: 0.5))
    }

    /// A slope of angle θ is a level floor under gravity turned by θ. The item holds if μ ≥ tan θ, and otherwise slides
    /// with g·(sin θ - μ·cos θ). The friction of the boundary is 0.2, so μ = √(0.2·f).
    @Test("An item on a slope holds or slides", arguments: [0.3, 0.45, 0.55, 0.8]) func slope(friction: Double) throws {
        let angle = atan(0.5)
        let item = box(0, -50)
        let gravity = GravityBehavior(items: [item])
        gravity.gravityDirection = Vector(dx: sin(angle), dy: cos(angle))
        let body = frictionless([item])
        body.friction = friction * friction / 0.2
        body.elasticity = 0
        body.allowsRotation = false
        let animator = try animator(gravity, floor([item]), body)
        // The item settles on the floor first.
        try animator.run(steps: 60)
        let start = body.linearVelocity(for: item).dx
        try animator.run(steps: 60)
        let acceleration = (body.linearVelocity(for: item).dx - start) / 0.5
        let expected = max(0, 1000 * (sin(angle) - friction * cos(angle)))
        #expect(isClose(acceleration, expected, within: 0.01 * 1000))
        #expect(friction > 0.5 ? abs(item.center.x) < 1 : item.center.x > 10)
    }

    /// Box2D lets two shapes rest at any distance within its linear slop of 0.5 points. The shapes are chosen so that this
    /// range begins where the items touch.
    @Test("Items rest on boundaries and on each other") func itemsComeToRest() throws {
        let (lower, upper) = (box(0, -60, side: 40), box(0, -120, side: 40))
        let animator = try animator(GravityBehavior(items: [lower, upper]), floor([lower, upper]))
        try animator.run(steps: 480)
        #expect(!animator.isRunning)
        #expect(isClose(lower.center.y, -20, within: 0.51))
        #expect(isClose(upper.center.y - lower.center.y, -40, within: 0.51))
    }

    @Test("A stack of ten boxes comes to rest, and wakes at a change") func stack() throws {
        let items = (0..<10).map { box(0, -25 - 52 * Double($0), side: 50) }
        let gravity = GravityBehavior(items: items)
        let animator = try animator(gravity, floor(items))
        let recorder = Recorder()
        animator.delegate = recorder
        try animator.run(steps: 1200)
        #expect(!animator.isRunning)
        #expect(recorder.calls == ["pause"])
        for (index, item) in items.enumerated() {
            #expect(isClose(item.center.y, -25 - 50 * Double(index), within: 2))
            #expect(isClose(item.center.x, 0, within: 2))
        }
        let time = animator.elapsedTime
        try animator.run(steps: 10)
        #expect(animator.elapsedTime == time)
        gravity.magnitude = -1
        #expect(recorder.calls == ["pause", "resume"])
        try animator.run(steps: 60)
        #expect(items.allSatisfy { $0.center.y < -50 })
    }

    @Test("Callbacks name the bodies, begin once and end once") func callbacks() throws {
        let (item, other) = (box(0, -100), box(300, -50))
        let collision = floor([item, other])
        let recorder = Recorder()
        recorder.names = [ObjectIdentifier(item): "item", ObjectIdentifier(other): "other"]
        collision.collisionDelegate = recorder
        let body = frictionless([item, other])
        body.elasticity = 0
        let gravity = GravityBehavior(items: [item])
        let animator = try animator(gravity, collision, body)
        try animator.run(steps: 120)
        #expect(recorder.calls == ["begin other at floor", "begin item at floor"])
        // The point lies in the middle of the lower side.
        #expect(isClose(recorder.points[1].x, 0, within: 1))
        #expect(isClose(recorder.points[1].y, 0, within: 1))
        recorder.calls = []
        gravity.magnitude = 0
        try body.addLinearVelocity(Vector(dx: 300, dy: -30), for: item)
        try animator.run(steps: 120)
        // The two may part again after the collision.
        #expect(recorder.calls.prefix(2) == ["end item at floor", "begin item other"])
        #expect(Set(recorder.calls).count == recorder.calls.count)
    }

    @Test("An item in a corner touches the reference bounds once") func referenceBounds() throws {
        let item = box(100, 100)
        let collision = CollisionBehavior(items: [item])
        collision.setTranslatesReferenceBoundsIntoBoundary(with: EdgeInsets(top: 10, left: 20, bottom: 30, right: 40))
        #expect(collision.translatesReferenceBoundsIntoBoundary)
        let recorder = Recorder()
        recorder.names = [ObjectIdentifier(item): "item"]
        collision.collisionDelegate = recorder
        let gravity = GravityBehavior(items: [item])
        gravity.gravityDirection = Vector(dx: 1, dy: 1)
        let body = ItemBehavior(items: [item])
        body.elasticity = 0
        body.allowsRotation = false
        let animator = try animator(
            gravity, collision, body, reference: Rect(x: 0, y: 0, width: 400, height: 300))
        try animator.run(steps: 480)
        #expect(isClose(item.center.x, 310, within: 0.5))
        #expect(isClose(item.center.y, 220, within: 0.5))
        #expect(recorder.calls == ["begin item at nil"])
    }

    @Test("The mode says what items collide with", arguments: [CollisionBehavior.Mode.items, .boundaries, .everything])
    func modes(mode: CollisionBehavior.Mode) throws {
        // Two items overlap no more after a collision; one falls on a floor.
        let (left, right, falling) = (box(0, -500), box(150, -500), box(1000, -100))
        let collision = floor([left, right, falling])
        collision.collisionMode = mode
        let body = frictionless([left, right, falling])
        try body.addLinearVelocity(Vector(dx: 300, dy: 0), for: left)
        let animator = try animator(collision, body, GravityBehavior(items: [falling]))
        try animator.run(steps: 120)
        switch mode {
        case .items: #expect(right.center.x > 160 && falling.center.y > 100)
        case .boundaries: #expect(right.center.x == 150 && isClose(falling.center.y, -50, within: 1))
        case .everything: #expect(right.center.x > 160 && isClose(falling.center.y, -50, within: 1))
        }
    }

    @Test("Items of different behaviours do not collide") func separateBehaviors() throws {
        let (left, right) = (box(0, 0), box(150, 0))
        let body = frictionless([left, right])
        try body.addLinearVelocity(Vector(dx: 300, dy: 0), for: left)
        let animator = try animator(CollisionBehavior(items: [left]), CollisionBehavior(items: [right]), body)
        try animator.run(steps: 120)
        #expect(right.center.x == 150)
    }

    @Test("Boundaries can be replaced, removed and closed") func boundaries() throws {
        let item = box(0, 0, side: 10)
        let collision = CollisionBehavior(items: [item])
        let corners = [(-50.0, -50.0), (50, -50), (50, 50), (-50, 50)].map { Point(x: $0.0, y: $0.1) }
        collision.addBoundary(withIdentifier: "room", for: corners, isClosed: true)
        #expect(collision.boundary(withIdentifier: "room") == corners + [corners[0]])
        #expect(collision.boundary(withIdentifier: "none") == nil)
        let animator = try animator(collision, GravityBehavior(items: [item]))
        try animator.run(steps: 240)
        #expect(isClose(item.center.y, 45, within: 0.5))
        collision.addBoundary(withIdentifier: "room", from: Point(x: -50, y: 100), to: Point(x: 50, y: 100))
        #expect(collision.boundaryIdentifiers == ["room"])
        try animator.run(steps: 240)
        #expect(isClose(item.center.y, 95, within: 0.5))
        collision.removeBoundary(withIdentifier: "room")
        try animator.run(steps: 60)
        #expect(item.center.y > 110)
    }

    /// 24,000 pt/s is the largest speed that Box2D allows: 200 points in a step.
    @Test("The fastest items do not pass through a line") func tunnelling() throws {
        let item = box(0, -3000, side: 10)
        let body = frictionless([item])
        try body.addLinearVelocity(Vector(dx: 0, dy: 24_000), for: item)
        let animator = try animator(floor([item]), body)
        try animator.run(steps: 120)
        #expect(item.center.y <= -4)
    }
}
