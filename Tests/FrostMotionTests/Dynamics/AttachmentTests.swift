import FrostMotion
import Glibc
import Testing

/// The laws of attachments. Box2D's rigid joints let positions err by up to its linear slop of 0.5 points.
@Suite struct AttachmentTests {
    static let slop = 0.5

    private func anchored(_ item: DynamicBox) -> ItemBehavior {
        let behavior = ItemBehavior(items: [item])
        behavior.isAnchored = true
        return behavior
    }

    /// Box2D computes with 32-bit numbers, and its joints need a softness, which takes 2e-6 of the amplitude in a step.
    @Test(
        "A spring has exactly its frequency and damping",
        arguments: [(1, 0), (1, 0.1), (1, 0.5), (5, 0), (5, 0.2), (9, 0), (20, 0.5), (20, 1), (100, 1)])
    func spring(frequency: Double, damping: Double) throws {
        let item = box(300, 0)
        let attachment = AttachmentBehavior(item: item, attachedToAnchor: .zero)
        #expect(attachment.length == 300)
        #expect(attachment.attachedBehaviorType == .anchor)
        attachment.length = 200
        attachment.frequency = frequency
        attachment.damping = damping
        let animator = try animator(attachment, frictionless([item]))
        for count in 1...240 {
            try animator.run(steps: 1)
            let value = 200 + 100 * released(frequency: frequency, damping: damping, steps: count)
            #expect(isClose(item.center.x, value, within: 0.2))
        }
    }

    /// The masses of two equal items count half, and a heavier one moves less.
    @Test("Two items swing against each other with the frequency") func springBetweenItems() throws {
        let (first, second) = (box(0, 0), box(300, 0, side: 200))
        let attachment = AttachmentBehavior(item: first, attachedTo: second)
        attachment.length = 250
        attachment.frequency = 4
        let animator = try animator(attachment, frictionless([first, second]))
        for count in 1...120 {
            try animator.run(steps: 1)
            let value = released(frequency: 4, damping: 0, steps: count)
            #expect(isClose(second.center.x - first.center.x, 250 + 50 * value, within: 0.1))
            // The centre of mass stays.
            #expect(isClose(first.center.x + 4 * second.center.x, 1200, within: 0.1))
        }
    }

    @Test("Strong springs without damping stay stable, also several and with levers", arguments: [10.0, 20, 60, 1000])
    func stableSprings(frequency: Double) throws {
        let item = box(0, 0, side: 40, rotation: 0.3)
        let springs = (0..<8).map { number in
            let angle = Double(number) * .pi / 4
            let spring = AttachmentBehavior(
                item: item, offsetFromCenter: Vector(dx: 60 * cos(angle + 1), dy: 60 * sin(angle + 1)),
                attachedToAnchor: Point(x: 200 * cos(angle), y: 200 * sin(angle)))
            spring.frequency = frequency
            return spring
        }
        let push = PushBehavior(items: [item], mode: .instantaneous)
        push.pushDirection = Vector(dx: 0.1, dy: 0.05)
        push.setTargetOffsetFromCenter(Vector(dx: 10, dy: 0), for: item)
        let animator = try Animator()
        for spring in springs { try animator.addBehavior(spring) }
        try animator.addBehavior(push)
        try animator.addBehavior(frictionless([item]))
        try animator.run(steps: 1200) {
            // The push gives at most 70 pt/s, so even one spring of 10 Hz stops the item within 1.1 points.
            #expect((item.center.x * item.center.x + item.center.y * item.center.y).squareRoot() < 1.5)
            #expect(abs(item.rotation - 0.3) < 0.2)
        }
    }

    @Test("A rigid attachment keeps its length") func rigid() throws {
        let (item, other) = (box(0, 0, side: 20), box(100, 0, side: 20))
        let attachment = AttachmentBehavior(item: item, attachedTo: other)
        #expect(attachment.attachedBehaviorType == .items)
        let push = PushBehavior(items: [item], mode: .instantaneous)
        push.pushDirection = Vector(dx: 0, dy: 1)
        let animator = try animator(attachment, push, GravityBehavior(items: [item, other]))
        try animator.run(steps: 240) {
            let (dx, dy) = (item.center.x - other.center.x, item.center.y - other.center.y)
            #expect(isClose((dx * dx + dy * dy).squareRoot(), 100, within: 2 * AttachmentTests.slop))
        }
    }

    @Test("An anchor that moves takes the item along") func movingAnchor() throws {
        let item = box(0, 0)
        let attachment = AttachmentBehavior(item: item, attachedToAnchor: .zero)
        let animator = try animator(attachment)
        try animator.run(steps: 120)
        #expect(!animator.isRunning)
        for frame in 1...60 {
            attachment.anchorPoint = Point(x: 4 * Double(frame), y: 0)
            try animator.run(steps: 2)
        }
        try animator.run(steps: 240)
        #expect(isClose(item.center.x, 240, within: AttachmentTests.slop))
    }

    /// A physical pendulum of small amplitude: T = 2π·√((I + m·L²)/(m·g·L)) with I = m·s²/6. An amplitude of 0.1 adds
    /// 0.06 %. Crossings are known to a step, which is 0.1 % of the time of 4 periods.
    @Test("A pin swings with the period of a pendulum") func pin() throws {
        let pivot = box(0, 0, side: 10)
        let angle = 0.1
        let item = box(200 * sin(angle), 200 * cos(angle), side: 40, rotation: -angle)
        let pin = AttachmentBehavior.pinAttachment(with: item, attachedTo: pivot, attachmentAnchor: .zero)
        let animator = try animator(pin, anchored(pivot), GravityBehavior(items: [item]), frictionless([item]))
        var crossings: [Int] = []
        var (previous, count) = (item.center.x, 0)
        try animator.run(steps: 1920) {
            count += 1
            if previous < 0, item.center.x >= 0 { crossings.append(count) }
            previous = item.center.x
        }
        let inertia = 40.0 * 40 / 6 + 200 * 200
        let period = 2 * Double.pi * (inertia / (1000 * 200)).squareRoot()
        let (first, last) = (try #require(crossings.first), try #require(crossings.last))
        try #require(crossings.count >= 4)
        #expect(isClose(Double(last - first) * step / Double(crossings.count - 1), period, within: 0.003 * period))
    }

    @Test("A pin stops at the ends of its range") func pinRange() throws {
        let pivot = box(0, 0, side: 10)
        let item = box(200, 0, side: 40)
        let pin = AttachmentBehavior.pinAttachment(with: item, attachedTo: pivot, attachmentAnchor: .zero)
        pin.attachmentRange = -0.2...0.5
        let animator = try animator(pin, anchored(pivot), GravityBehavior(items: [item]))
        var highest = 0.0
        try animator.run(steps: 600) { highest = max(highest, item.rotation) }
        // Box2D's angular slop is 2 degrees.
        #expect(highest <= 0.5 + 2 * .pi / 90)
        #expect(isClose(item.rotation, 0.5, within: .pi / 90))
    }

    @Test("A rope does not stretch, and hangs loose within its length") func rope() throws {
        let pivot = box(0, 0, side: 10)
        let item = box(0, 150, side: 40)
        let rope = AttachmentBehavior.limitAttachment(
            with: item, offsetFromCenter: .zero, attachedTo: pivot, offsetFromCenter: .zero)
        #expect(rope.length == 150)
        rope.length = 300
        let animator = try animator(rope, anchored(pivot), GravityBehavior(items: [item]), frictionless([item]))
        var lowest = 0.0
        try animator.run(steps: 30) {
            // Free fall: the rope is loose.
            let count = (animator.elapsedTime / step).rounded()
            #expect(isClose(item.center.y, 150 + 500 * step * step * count * (count + 1), within: 0.05))
        }
        try animator.run(steps: 600) { lowest = max(lowest, item.center.y) }
        // The rope stops an item of v = √(2·g·150) = 550 pt/s. Box2D stops it within the step, so it ends at most at the
        // length plus the slop.
        #expect(lowest <= 300 + 2 * AttachmentTests.slop)
        #expect(isClose(item.center.y, 300, within: 2 * AttachmentTests.slop))
    }

    @Test("A fixed attachment keeps two items as one") func fixedAttachment() throws {
        let (item, other) = (box(0, 0), box(100, 0))
        let fixed = AttachmentBehavior.fixedAttachment(
            with: item, attachedTo: other, attachmentAnchor: Point(x: 50, y: 0))
        let push = PushBehavior(items: [item], mode: .instantaneous)
        push.pushDirection = Vector(dx: 0, dy: 2)
        let animator = try animator(fixed, push)
        try animator.run(steps: 240) {
            let offset = Vector(dx: other.center.x - item.center.x, dy: other.center.y - item.center.y)
            #expect(isClose(offset.length, 100, within: 2 * AttachmentTests.slop))
            #expect(isClose(other.rotation, item.rotation, within: .pi / 90))
        }
        #expect(abs(item.rotation) > 1)
    }

    @Test("A slide follows its axis, within its range, without turning", arguments: [1.0, -1]) func slide(
        direction: Double
    ) throws {
        let item = box(100, 100)
        let slide = AttachmentBehavior.slidingAttachment(
            with: item, attachmentAnchor: Point(x: 100, y: 100), axisOfTranslation: Vector(dx: 3, dy: 4))
        slide.attachmentRange = -50...80
        let push = PushBehavior(items: [item], mode: .continuous)
        push.pushDirection = Vector(dx: 5 * direction, dy: 0)
        push.setTargetOffsetFromCenter(Vector(dx: 0, dy: 50), for: item)
        let animator = try animator(slide, push)
        try animator.run(steps: 480) {
            let (dx, dy) = (item.center.x - 100, item.center.y - 100)
            let (along, across) = (0.6 * dx + 0.8 * dy, 0.8 * dx - 0.6 * dy)
            #expect(abs(across) <= 2 * AttachmentTests.slop)
            #expect(along >= -50 - 2 * AttachmentTests.slop && along <= 80 + 2 * AttachmentTests.slop)
            #expect(abs(item.rotation) <= .pi / 90)
        }
        let along = 0.6 * (item.center.x - 100) + 0.8 * (item.center.y - 100)
        #expect(isClose(along, direction > 0 ? 80 : -50, within: 2 * AttachmentTests.slop))
    }

    /// 10 N push an item of mass 1 with 1000 pt/s²; friction of 4 N leaves 600 pt/s².
    @Test("Friction slows a slide", arguments: [(4.0, 300.0), (10.5, 0)]) func slideFriction(
        friction: Double, speed: Double
    ) throws {
        let item = box(0, 0)
        let slide = AttachmentBehavior.slidingAttachment(
            with: item, attachmentAnchor: .zero, axisOfTranslation: Vector(dx: 1, dy: 0))
        slide.frictionTorque = friction
        let push = PushBehavior(items: [item], mode: .continuous)
        push.pushDirection = Vector(dx: 10, dy: 0)
        let body = frictionless([item])
        let animator = try animator(slide, push, body)
        try animator.run(steps: 60)
        #expect(isClose(body.linearVelocity(for: item).dx, speed, within: 0.5))
    }
}
