import FrostCore
import FrostMotion
import Testing

/// The contract of behaviours: hierarchy, errors and extreme values.
@Suite struct BehaviorTests {
    /// A behaviour that combines others and records where it moves.
    private final class Falling: DynamicBehavior {
        var moves: [Bool] = []

        init(_ items: [any DynamicItem]) throws {
            super.init()
            try addChildBehavior(GravityBehavior(items: items))
            try addChildBehavior(CollisionBehavior(items: items))
        }

        override func willMove(to animator: Animator?) { moves.append(animator != nil) }
    }

    @Test("Children take effect with their parent") func children() throws {
        let item = box(0, 0)
        let falling = try Falling([item])
        let outer = DynamicBehavior()
        try outer.addChildBehavior(falling)
        let animator = try animator(outer)
        #expect(falling.moves == [true])
        #expect(falling.childBehaviors.allSatisfy { $0.animator === animator })
        try animator.run(steps: 10)
        #expect(item.center.y > 0)
        outer.removeChildBehavior(falling)
        #expect(falling.moves == [true, false])
        #expect(falling.animator == nil)
        try animator.run(steps: 1)
        #expect(!animator.isRunning)
    }

    @Test("A behaviour is in one place at a time") func addedTwice() throws {
        let gravity = GravityBehavior(items: [box(0, 0)])
        let parent = DynamicBehavior()
        let animator = try animator(gravity)
        let twice = DynamicsError.behaviorAlreadyAdded(type: "GravityBehavior")
        #expect(throws: twice) { try animator.addBehavior(gravity) }
        #expect(throws: twice) { try Animator().addBehavior(gravity) }
        #expect(throws: twice) { try parent.addChildBehavior(gravity) }
        #expect(throws: DynamicsError.behaviorContainsItself(type: "DynamicBehavior")) {
            try parent.addChildBehavior(parent)
        }
        animator.removeBehavior(gravity)
        try parent.addChildBehavior(gravity)
        #expect(throws: twice) { try animator.addBehavior(gravity) }
        #expect(animator.behaviors.isEmpty)
    }

    @Test("A behaviour outlives its animator") func outlives() throws {
        let gravity = GravityBehavior(items: [box(0, 0)])
        do { _ = try animator(gravity) }
        #expect(gravity.animator == nil)
        _ = try animator(gravity)
    }

    @Test(
        "Items without size, too large, or at no position are errors",
        arguments: [
            DynamicBox(center: .zero, bounds: Size(width: 0, height: 10)),
            DynamicBox(center: .zero, bounds: Size(width: 10, height: -1)),
            DynamicBox(center: .zero, bounds: Size(width: .nan, height: 10)),
            DynamicBox(center: .zero, bounds: Size(width: 10, height: .infinity)),
            DynamicBox(center: Point(x: .nan, y: 0), bounds: Size(width: 10, height: 10)),
            DynamicBox(center: Point(x: 0, y: -.infinity), bounds: Size(width: 10, height: 10)),
            DynamicBox(center: Point(x: 0, y: 2e6), bounds: Size(width: 10, height: 10)),
            DynamicBox(center: .zero, bounds: Size(width: 10, height: 10), rotation: .nan),
        ].map(Unchecked.init))
    func invalidItems(item: Unchecked) throws {
        let item = item.box
        let animator = try Animator()
        let gravity = GravityBehavior()
        try animator.addBehavior(gravity)
        #expect(throws: DynamicsError.self) { try gravity.addItem(item) }
        #expect(gravity.items.isEmpty)
        #expect(throws: DynamicsError.self) { try animator.addBehavior(SnapBehavior(item: item, snapTo: .zero)) }
        #expect(animator.behaviors.count == 1)
        #expect(throws: DynamicsError.self) { try animator.updateItem(usingCurrentState: item) }
    }

    /// A test's arguments must be Sendable; each item is used by one test case.
    struct Unchecked: @unchecked Sendable { let box: DynamicBox }

    @Test("Errors hold the evidence") func evidence() throws {
        let reference = Rect(x: 0, y: 0, width: 100, height: 100)
        let animator = try Animator(reference: reference)
        let size = Size(width: 100, height: 100)
        #expect(
            throws: DynamicsError.itemOutsideReference(
                center: Point(x: 300, y: 0), size: size, reference: Placement(reference))
        ) { try animator.addBehavior(GravityBehavior(items: [box(300, 0)])) }
        let flat = DynamicBox(center: .zero, bounds: Size(width: 0, height: 5))
        #expect(throws: DynamicsError.itemSize(flat.bounds, allowed: 0.1...100_000)) {
            try animator.addBehavior(GravityBehavior(items: [flat]))
        }
        let item = box(50, 50)
        #expect(throws: DynamicsError.unknownItem(center: item.center)) {
            try animator.updateItem(usingCurrentState: item)
        }
        #expect(throws: DynamicsError.itemAttachedToItself(center: item.center)) {
            try animator.addBehavior(AttachmentBehavior(item: item, attachedTo: item))
        }
        let far = AttachmentBehavior(
            item: item, offsetFromCenter: Vector(dx: 0, dy: 10_001), attachedToAnchor: .zero)
        let range = ParameterError.outOfRange(
            parameter: "attachment's offset's dy", value: 10_001, allowed: -10_000...10_000)
        #expect(throws: DynamicsError.parameter(range)) { try animator.addBehavior(far) }
        let collision = CollisionBehavior(items: [item])
        collision.addBoundary(withIdentifier: "dot", from: .zero, to: .zero)
        #expect(throws: DynamicsError.boundaryTooShort(identifier: "dot", minimum: 0.1)) {
            try animator.addBehavior(collision)
        }
        collision.removeAllBoundaries()
        let insets = EdgeInsets(top: 60, bottom: 60)
        collision.setTranslatesReferenceBoundsIntoBoundary(with: insets)
        #expect(throws: DynamicsError.insetsTooLarge(insets, reference: Placement(reference))) {
            try animator.addBehavior(collision)
        }
        #expect(throws: DynamicsError.noReference) { try Animator().addBehavior(collision) }
        #expect(throws: DynamicsError.self) { try Animator(reference: Rect(x: 0, y: 0, width: 0, height: 5)) }
        #expect(throws: DynamicsError.self) { try Animator(reference: Rect(x: .min, y: 0, width: .max, height: 5)) }
        for side in [0, -1, .nan, .infinity, 1_000_001] {
            #expect(throws: DynamicsError.self) {
                try Animator(reference: Placement(x: 0, y: 0, width: side, height: 5))
            }
        }
        #expect(throws: DynamicsError.self) { try Animator(reference: Placement(x: .nan, y: 0, width: 5, height: 5)) }
        #expect(try Animator(reference: Placement(x: 0.5, y: 0, width: 5.25, height: 5)).reference?.width == 5.25)
    }

    @Test("Each invalid value is an error, at once or at the next tick", arguments: [Double.nan, .infinity])
    func invalidValues(value: Double) throws {
        let item = box(0, 0)
        let other = box(200, 0)
        let vector = Vector(dx: value, dy: 0)
        let (gravity, push) = (GravityBehavior(items: [item]), PushBehavior(items: [item], mode: .continuous))
        let (snap, body) = (SnapBehavior(item: item, snapTo: .zero), ItemBehavior(items: [item]))
        let (attachment, collision) = (
            AttachmentBehavior(item: item, attachedToAnchor: .zero), CollisionBehavior(items: [item])
        )
        let slide = AttachmentBehavior.slidingAttachment(
            with: other, attachmentAnchor: .zero, axisOfTranslation: vector)
        let changes: [(DynamicBehavior, () -> Void)] = [
            (gravity, { gravity.gravityDirection = vector }), (push, { push.pushDirection = vector }),
            (push, { push.setTargetOffsetFromCenter(vector, for: item) }),
            (snap, { snap.snapPoint = Point(x: 0, y: value) }), (snap, { snap.damping = value }),
            (body, { body.elasticity = value }), (body, { body.friction = value }), (body, { body.density = value }),
            (body, { body.resistance = value }), (body, { body.angularResistance = value }),
            (attachment, { attachment.length = value }), (attachment, { attachment.damping = value }),
            (attachment, { attachment.frequency = value }), (attachment, { attachment.frictionTorque = value }),
            (attachment, { attachment.anchorPoint = Point(x: value, y: 0) }),
            (collision, { collision.addBoundary(withIdentifier: "a", from: .zero, to: Point(x: value, y: 1)) }),
        ]
        #expect(throws: DynamicsError.self) { try animator(slide) }
        #expect(throws: DynamicsError.self) { try body.addLinearVelocity(vector, for: item) }
        #expect(throws: DynamicsError.self) { try body.addAngularVelocity(value, for: item) }
        for (behavior, change) in changes {
            let animator = try animator(behavior)
            change()
            #expect(throws: DynamicsError.self) { try animator.tick(step) }
            #expect(animator.elapsedTime == 0)
            animator.removeBehavior(behavior)
            try animator.tick(step)
            #expect(throws: DynamicsError.self) { try animator.addBehavior(behavior) }
            #expect(animator.behaviors.isEmpty)
            // A valid value again, for the next change of the same behaviour.
            gravity.gravityDirection = .zero
            push.pushDirection = .zero
            push.setTargetOffsetFromCenter(.zero, for: item)
            (snap.snapPoint, snap.damping) = (.zero, 0.5)
            (body.elasticity, body.friction, body.density) = (nil, nil, nil)
            (body.resistance, body.angularResistance) = (nil, nil)
            (attachment.length, attachment.damping, attachment.frequency) = (1, 0, 0)
            (attachment.frictionTorque, attachment.anchorPoint) = (0, .zero)
        }
    }

    /// The largest forces on the lightest items and the longest levers overflow 32-bit products unless limited.
    @Test("Extreme values that are allowed keep positions finite", arguments: [0.1, 1, 100, 100_000])
    func extremes(side: Double) throws {
        let items = (0..<6).map { box(Double($0) * side * 0.7, 0, side: side, rotation: Double($0)) }
        let push = PushBehavior(items: items, mode: .continuous)
        push.pushDirection = Vector(dx: 1_000_000, dy: -1_000_000)
        push.setTargetOffsetFromCenter(Vector(dx: 10_000, dy: -10_000), for: items[0])
        let impulse = PushBehavior(items: [items[1]], mode: .instantaneous)
        impulse.pushDirection = Vector(dx: -1_000_000, dy: 0)
        impulse.setTargetOffsetFromCenter(Vector(dx: 10_000, dy: 10_000), for: items[1])
        let gravity = GravityBehavior(items: items)
        gravity.magnitude = 1000
        let body = ItemBehavior(items: Array(items[..<3]))
        body.density = 0.001
        body.friction = 1000
        body.elasticity = 1
        let heavy = ItemBehavior(items: Array(items[3...]))
        heavy.density = 1000
        let reach = min(10_000, 100 * side)
        let lever = AttachmentBehavior(
            item: items[0], offsetFromCenter: Vector(dx: reach, dy: reach), attachedTo: items[3],
            offsetFromCenter: Vector(dx: -reach, dy: 0))
        lever.frequency = 1000
        lever.length = 3_000_000
        let weld = AttachmentBehavior.fixedAttachment(
            with: items[1], attachedTo: items[4], attachmentAnchor: Point(x: -reach / 2, y: reach / 2))
        let slide = AttachmentBehavior.slidingAttachment(
            with: items[2], attachedTo: items[5], attachmentAnchor: Point(x: reach / 2, y: reach / 2),
            axisOfTranslation: Vector(dx: 1, dy: 1e-9))
        slide.attachmentRange = 0...0
        let collision = CollisionBehavior(items: items)
        collision.addBoundary(withIdentifier: "edge", from: Point(x: -100, y: side), to: Point(x: 100, y: side))
        try body.addLinearVelocity(Vector(dx: 100_000, dy: 100_000), for: items[2])
        try body.addAngularVelocity(-1000, for: items[2])
        let snap = SnapBehavior(item: items[5], snapTo: Point(x: -1_000_000, y: 1_000_000))
        var behaviors: [DynamicBehavior] = [push, impulse, gravity, body, heavy, collision, snap]
        if side < 50_000 { behaviors += [lever, weld, slide] }
        let animator = try Animator()
        for behavior in behaviors { try animator.addBehavior(behavior) }
        for count in 0..<300 {
            try animator.tick(step)
            if count == 100 { gravity.magnitude = -1000 }
            for item in items {
                #expect(abs(item.center.x) < 1_001_000 && abs(item.center.y) < 1_001_000)
                #expect(item.rotation.isFinite)
            }
        }
    }

    @Test("10,000 items fall on each other") func tenThousandItems() throws {
        let items = (0..<10_000).map { box(Double($0 % 100) * 22 + 20, Double($0 / 100) * 22 + 20, side: 20) }
        let collision = CollisionBehavior(items: items)
        collision.translatesReferenceBoundsIntoBoundary = true
        let animator = try animator(
            GravityBehavior(items: items), collision, reference: Rect(x: 0, y: 0, width: 2250, height: 2250))
        try animator.run(steps: 10)
        #expect(items.allSatisfy { $0.center.y < 2250 && $0.center.x > 0 && $0.center.x < 2250 })
        #expect(animator.items(in: Rect(x: 0, y: 0, width: 2250, height: 2250)).count == 10_000)
        collision.removeItem(items[0])
        try animator.run(steps: 1)
    }
}
