import FrostCore
import FrostMotion
import Glibc
import Testing

/// The contract of the animator: time, order, changes and rest.
@Suite struct AnimatorTests {
    private struct Snapshot: Equatable {
        var centers: [Point]
        var rotations: [Double]
        var calls: [String]
    }

    /// A scene of 60 items with all kinds of behaviours, after 600 steps in ticks of the given numbers of steps.
    private func scene(stepsPerTick: Int) throws -> Snapshot {
        let items: [DynamicBox] = (0..<60).map { (index: Int) -> DynamicBox in
            let center = Point(x: Double(40 + 60 * (index % 10)), y: Double(40 + 60 * (index / 10)))
            let size = Size(width: Double(20 + 4 * (index % 7)), height: 30)
            return DynamicBox(center: center, bounds: size, rotation: 0.1 * Double(index))
        }
        let collision = CollisionBehavior(items: items)
        collision.translatesReferenceBoundsIntoBoundary = true
        collision.addBoundary(withIdentifier: "bar", from: Point(x: 100, y: 500), to: Point(x: 400, y: 550))
        let recorder = Recorder()
        for (index, item) in items.enumerated() { recorder.names[ObjectIdentifier(item)] = "\(index)" }
        collision.collisionDelegate = recorder
        let push = PushBehavior(items: Array(items[10..<20]), mode: .continuous)
        push.pushDirection = Vector(dx: 2, dy: -1)
        push.setTargetOffsetFromCenter(Vector(dx: 5, dy: 3), for: items[12])
        let spring = AttachmentBehavior(item: items[0], attachedTo: items[9])
        spring.frequency = 2
        let animator = try animator(
            GravityBehavior(items: items), collision, push, spring,
            AttachmentBehavior(item: items[30], attachedToAnchor: Point(x: 300, y: 20)),
            SnapBehavior(item: items[45], snapTo: Point(x: 320, y: 240)),
            reference: Rect(x: 0, y: 0, width: 640, height: 800))
        for _ in 0..<600 / stepsPerTick { try animator.tick(Double(stepsPerTick) * step) }
        return Snapshot(centers: items.map(\.center), rotations: items.map(\.rotation), calls: recorder.calls)
    }

    @Test("Equal input gives equal bits") func determinism() throws {
        let first = try scene(stepsPerTick: 2)
        #expect(try scene(stepsPerTick: 2) == first)
        #expect(first.calls.count > 100)
        #expect(Set(first.centers).count == 60)
    }

    @Test("The rate of ticks does not change positions") func tickRate() throws {
        let first = try scene(stepsPerTick: 1)
        for rate in [2, 4, 20] {
            let other = try scene(stepsPerTick: rate)
            #expect(other.centers == first.centers)
            #expect(other.rotations == first.rotations)
        }
    }

    @Test("Time advances in steps of 1/120 s; more than 0.5 s counts as 1/60 s") func time() throws {
        let item = box(0, 0)
        let animator = try animator(GravityBehavior(items: [item]), frictionless([item]))
        #expect(animator.elapsedTime == 0)
        try animator.tick(0)
        try animator.tick(0.004)
        #expect(animator.elapsedTime == 0)
        #expect(item.center.y == 0)
        try animator.tick(0.005)
        #expect(animator.elapsedTime == step)
        try animator.tick(0.51)
        #expect(isClose(animator.elapsedTime, 3 * step, within: 1e-12))
        try animator.tick(0.5)
        #expect(isClose(animator.elapsedTime, 63 * step, within: 1e-12))
        for _ in 0..<144 { try animator.tick(1.0 / 144) }
        #expect(isClose(animator.elapsedTime, 63 * step + 1, within: 1.01 * step))
    }

    @Test("An invalid time is an error", arguments: [-0.1, .nan, .infinity, -.infinity]) func invalidTime(
        seconds: Double
    ) throws {
        let animator = try animator(GravityBehavior(items: [box(0, 0)]))
        #expect(throws: DynamicsError.self) { try animator.tick(seconds) }
        #expect(animator.elapsedTime == 0)
    }

    @Test("An animator without items does not run") func empty() throws {
        let animator = try Animator()
        let recorder = Recorder()
        animator.delegate = recorder
        try animator.tick(1.0 / 60)
        #expect(!animator.isRunning)
        #expect(recorder.calls == [])
        let gravity = GravityBehavior(items: [box(0, 0)])
        try animator.addBehavior(gravity)
        #expect(animator.isRunning)
        #expect(recorder.calls == ["resume"])
        animator.removeAllBehaviors()
        try animator.run(steps: 2)
        #expect(recorder.calls == ["resume", "pause"])
        #expect(!animator.isRunning && animator.behaviors.isEmpty && gravity.animator == nil)
    }

    /// Contacts that began, contacts that ended, action blocks, and then the pause.
    @Test("A tick calls back in order") func ticksCallBackInOrder() throws {
        let (item, target) = (box(0, 0), box(101, 0))
        let floor = box(-60, 50, side: 20)
        let recorder = Recorder()
        recorder.names = [
            ObjectIdentifier(item): "item", ObjectIdentifier(target): "target", ObjectIdentifier(floor): "old",
        ]
        let collision = CollisionBehavior(items: [item, target, floor])
        collision.collisionDelegate = recorder
        let body = frictionless([item, target, floor])
        body.elasticity = 0
        let animator = try animator(collision, body)
        animator.delegate = recorder
        item.center.x = -1
        collision.action = { recorder.record("action at \(item.center.x > 0 ? "right" : "left")") }
        try animator.run(steps: 1)
        #expect(recorder.calls == ["begin item old", "action at left"])
        recorder.calls = []
        try body.addLinearVelocity(Vector(dx: 3000, dy: 0), for: item)
        try animator.tick(0.1)
        #expect(recorder.calls == ["begin item target", "end item old", "action at right"])
    }

    @Test("Changes within callbacks take effect after the tick") func changesInCallbacks() throws {
        let (item, late) = (box(0, -60), box(500, 0))
        let collision = CollisionBehavior(items: [item])
        collision.addBoundary(withIdentifier: "floor", from: Point(x: -900, y: 0), to: Point(x: 900, y: 0))
        let gravity = GravityBehavior(items: [item])
        let recorder = Recorder()
        collision.collisionDelegate = recorder
        let animator = try animator(gravity, collision)
        var errors: [DynamicsError] = []
        let lateGravity = GravityBehavior(items: [late])
        lateGravity.action = { recorder.calls.append("late") }
        recorder.onCall = { call in
            do throws(DynamicsError) {
                animator.removeBehavior(gravity)
                try animator.addBehavior(lateGravity)
                collision.removeAllBoundaries()
                try animator.tick(step)
            } catch { errors.append(error) }
        }
        while errors.isEmpty { try animator.run(steps: 1) }
        #expect(errors == [.tickInProgress])
        #expect(recorder.calls == ["begin ? at floor"])
        #expect(late.center.y == 0)
        #expect(animator.isRunning)
        try animator.run(steps: 1)
        #expect(recorder.calls == ["begin ? at floor", "late"])
        #expect(late.center.y > 0)
    }

    @Test("A change while it pauses lets the animator run on") func changeAtPause() throws {
        let item = box(0, 0)
        let gravity = GravityBehavior(items: [item])
        gravity.magnitude = 0
        let animator = try animator(gravity)
        let recorder = Recorder()
        animator.delegate = recorder
        recorder.onCall = { if $0 == "pause" { gravity.magnitude = 1 } }
        try animator.run(steps: 70)
        #expect(recorder.calls == ["pause", "resume"])
        #expect(item.center.y > 0)
    }

    @Test("updateItem moves an item and keeps its velocity") func updateItem() throws {
        let item = box(0, 0)
        let body = frictionless([item])
        try body.addLinearVelocity(Vector(dx: 120, dy: 0), for: item)
        let animator = try animator(body)
        try animator.run(steps: 10)
        #expect(isClose(item.center.x, 10, within: 0.001))
        item.center = Point(x: 500, y: 70)
        try animator.run(steps: 1)
        // The animator ignores the change until it hears of it.
        #expect(isClose(item.center.x, 11, within: 0.001))
        item.center = Point(x: 500, y: 70)
        item.rotation = 1
        item.bounds = Size(width: 30, height: 40)
        try animator.updateItem(usingCurrentState: item)
        try animator.run(steps: 10)
        #expect(isClose(item.center.x, 510, within: 0.001))
        #expect(isClose(item.center.y, 70, within: 0.001))
        #expect(isClose(item.rotation, 1, within: 1e-6))
    }

    @Test("items(in:) finds items by their upright bounding rectangles") func itemsIn() throws {
        let (item, turned) = (box(0, 0), box(300, 0, rotation: .pi / 4))
        let animator = try animator(GravityBehavior(items: [item, turned]), SnapBehavior(item: item, snapTo: .zero))
        #expect(animator.items(in: Rect(x: -10, y: -10, width: 20, height: 20)).count == 1)
        #expect(animator.items(in: Rect(x: 51, y: -10, width: 20, height: 20)).isEmpty)
        // Half the diagonal of the turned item is 70.7.
        #expect(animator.items(in: Rect(x: 220, y: -10, width: 11, height: 20)).first === turned)
        #expect(animator.items(in: Rect(x: -500, y: -500, width: 1000, height: 1000)).count == 2)
    }

    @Test("Only what an item behaviour sets overrides, and the last one counts") func overrides() throws {
        let item = box(0, 0)
        let (first, second, push) = (
            ItemBehavior(items: [item]), ItemBehavior(items: [item]), PushBehavior(items: [item], mode: .instantaneous)
        )
        first.density = 2
        first.resistance = 0
        second.density = 4
        push.pushDirection = Vector(dx: 4, dy: 0)
        let animator = try animator(first, second, push)
        try animator.run(steps: 30)
        #expect(isClose(first.linearVelocity(for: item).dx, 100, within: 0.01))
    }

    @Test("Anchored items stay, and items without rotation do not turn") func anchored() throws {
        let (fixed, item) = (box(0, 0), box(30, -150))
        let body = ItemBehavior(items: [fixed])
        body.isAnchored = true
        let upright = ItemBehavior(items: [item])
        upright.allowsRotation = false
        let animator = try animator(
            body, upright, GravityBehavior(items: [fixed, item]), CollisionBehavior(items: [fixed, item]))
        try animator.run(steps: 300)
        #expect(fixed.center == Point(x: 0, y: 0))
        #expect(item.rotation == 0)
        #expect(isClose(item.center.y, -100, within: 0.5))
        #expect(!animator.isRunning)
    }

    @Test("An item that falls away rests at last") func lostItem() throws {
        let item = box(0, 900_000)
        let body = frictionless([item])
        try body.addLinearVelocity(Vector(dx: 0, dy: 24_000), for: item)
        let animator = try animator(body)
        try animator.run(steps: 1200)
        #expect(!animator.isRunning)
        #expect(isClose(item.center.y, 1_000_000, within: 250))
        item.center.y = 0
        try animator.updateItem(usingCurrentState: item)
        try body.addLinearVelocity(Vector(dx: 60, dy: 0), for: item)
        try animator.run(steps: 60)
        #expect(isClose(item.center.x, 30, within: 0.1))
    }
}
