package import FrostCore

/// Moves named items by the behaviours of a scene's dynamics, each in its time.
///
/// It wraps an ``Animator``, and advances in steps of 1/120 s. Angles are in degrees, clockwise.
///
/// Not thread-safe: use it from one thread at a time.
package final class SceneAnimator {
    /// An item as it is now.
    package struct Item {
        /// The centre and the size before it is turned, in points.
        package var center, size: SIMD2<Double>
        /// The angle in degrees, not reduced to one turn.
        package var rotation: Double
        /// The velocity in points per second; 0 for an item that no behaviour moves.
        package var velocity = SIMD2<Double>.zero
        /// The angular velocity in degrees per second.
        package var angularVelocity = 0.0

        package init(center: SIMD2<Double>, size: SIMD2<Double>, rotation: Double) {
            (self.center, self.size, self.rotation) = (center, size, rotation)
        }
    }

    /// The beginning or the end of a contact.
    package struct Contact: Equatable {
        package let item: String
        /// The other item; nil for a boundary.
        package let other: String?
        /// Whether the contact began; false if it ended.
        package let isBeginning: Bool
    }

    /// A behaviour that was added.
    private struct Entry {
        let description: SceneBehavior
        /// The time at which a behaviour that waits for a contact began to act.
        var begun: Double?
        /// The behaviours of the animator; nil before it acts, and empty after.
        var added: [DynamicBehavior]?
    }

    private let animator: Animator
    private var boxes: [String: DynamicBox] = [:]
    /// The ids of the items in the order in which they were added.
    private var order: [String] = []
    private var entries: [Int: Entry] = [:]
    private var nextNumber = 0
    private let listener = ContactListener()
    /// The number of steps that have been carried out.
    private var stepCount = 0
    /// The time since the last step.
    private var pending = 0.0
    /// The contacts that began and ended during the last ``step(_:)``, in the order of their times.
    package private(set) var contacts: [Contact] = []

    /// - Parameter reference: the rectangle that items must overlap when they are added; nil for none.
    /// - Throws: ``SceneError/dynamics(_:_:)``.
    package init(reference: Placement?) throws(SceneError) {
        do throws(DynamicsError) {
            if let reference {
                animator = try Animator(reference: reference)
            } else {
                animator = try Animator()
            }
        } catch {
            throw .dynamics(Self.path, error)
        }
    }

    /// Creates an animator with the items and the behaviours of a scene.
    package convenience init(_ dynamics: SceneDynamics, reference: Placement?) throws(SceneError) {
        try self.init(reference: reference)
        for item in dynamics.items {
            try add(Item(center: item.center, size: item.size, rotation: item.rotation), named: item.id)
        }
        for behavior in dynamics.behaviors { _ = try add(behavior) }
    }

    private static let path = ScenePath.of("the animator")

    /// The time in seconds.
    package var time: Double { Double(stepCount) * World.step }

    /// Whether an item moves. If none does, steps change nothing until a behaviour begins or ends.
    package var isRunning: Bool { animator.isRunning }

    // MARK: Items and behaviours

    /// Adds an item. It is checked when a behaviour begins to move it.
    ///
    /// - Throws: ``SceneError/invalid(_:value:expected:)`` for an id that another item has.
    package func add(_ item: Item, named id: String) throws(SceneError) {
        guard boxes[id] == nil else {
            throw .invalid(.of("the id"), value: "\"\(id)\"", expected: "an id that no other item has")
        }
        boxes[id] = DynamicBox(
            center: Point(item.center), bounds: Size(width: item.size.x, height: item.size.y),
            rotation: item.rotation * .pi / 180)
        order.append(id)
    }

    /// Adds a behaviour. One whose time begins later, or that waits for a contact, acts from then on.
    ///
    /// - Returns: a number for ``remove(_:)``.
    /// - Throws: ``SceneError/unknownWord(_:value:kind:allowed:)`` for an unknown item, and the errors of values.
    package func add(_ description: SceneBehavior) throws(SceneError) -> Int {
        for id in (description.items ?? [])
            + [description.contact?.item, description.contact?.other].compactMap({ $0 })
        where boxes[id] == nil {
            throw .unknownWord(description.path.member("items"), value: id, kind: "item", allowed: order.sorted())
        }
        defer { nextNumber += 1 }
        entries[nextNumber] = Entry(description: description)
        do throws(SceneError) { try update() } catch {
            entries[nextNumber] = nil
            throw error
        }
        return nextNumber
    }

    /// Removes a behaviour. Returns whether there is one with this number.
    package func remove(_ number: Int) -> Bool {
        guard let entry = entries.removeValue(forKey: number) else { return false }
        for behavior in entry.added ?? [] { animator.removeBehavior(behavior) }
        return true
    }

    /// Returns an item; nil if there is none with this id.
    package func item(named id: String) -> Item? {
        guard let box = boxes[id] else { return nil }
        var item = Item(
            center: SIMD2(box.center.x, box.center.y), size: SIMD2(box.bounds.width, box.bounds.height),
            rotation: box.rotation * 180 / .pi)
        if let motion = animator.state(of: box) {
            item.velocity = SIMD2(motion.velocity.dx, motion.velocity.dy)
            item.angularVelocity = motion.angularVelocity * 180 / .pi
        }
        return item
    }

    /// Moves an item to another place. It keeps its velocity.
    ///
    /// - Throws: ``SceneError/unknownWord(_:value:kind:allowed:)``, and ``SceneError/dynamics(_:_:)`` for a place that is not
    ///   allowed.
    package func move(_ id: String, to center: SIMD2<Double>, rotation: Double) throws(SceneError) {
        guard let box = boxes[id] else {
            throw .unknownWord(Self.path, value: id, kind: "item", allowed: order.sorted())
        }
        let before = (box.center, box.rotation)
        (box.center, box.rotation) = (Point(center), rotation * .pi / 180)
        do throws(DynamicsError) {
            if animator.state(of: box) != nil {
                try animator.updateItem(usingCurrentState: box)
            } else {
                try box.check(origin: animator.origin)
            }
        } catch {
            (box.center, box.rotation) = before
            throw .dynamics(Self.path, error)
        }
    }

    // MARK: Time

    /// Lets time pass. More than 0.5 s counts as 1/60 s, as for ``Animator/tick(_:)``.
    ///
    /// - Throws: ``SceneError/dynamics(_:_:)`` for a time that is negative or not finite.
    package func step(_ seconds: Double) throws(SceneError) {
        guard seconds >= 0, seconds.isFinite else {
            throw .outOfRange(Self.path.member("time"), value: seconds, allowed: 0...Double.greatestFiniteMagnitude)
        }
        contacts = []
        pending += seconds > 0.5 ? 1.0 / 60 : seconds
        // A sum of fractions may be slightly less than a step.
        while pending + 1e-6 * World.step >= World.step {
            try advance()
            pending -= World.step
        }
        pending = max(pending, 0)
    }

    /// Carries out one step, of 1/120 s.
    func advance() throws(SceneError) {
        try update()
        try rethrow(animator.tick(World.step), as: { SceneError.dynamics(Self.path, $0) })
        stepCount += 1
        noteContacts()
    }

    /// Adds and removes the behaviours that begin and end now.
    func update() throws(SceneError) {
        for number in entries.keys.sorted() {
            guard let entry = entries[number] else { continue }
            let isActive = span(entry).map { $0.from <= time + 1e-9 && time < $0.to } ?? false
            if isActive, entry.added == nil {
                entries[number]?.added = try begin(entry.description)
            } else if !isActive, let old = entry.added, !old.isEmpty {
                for behavior in old { animator.removeBehavior(behavior) }
                entries[number]?.added = []
            }
        }
    }

    /// The next time at which a behaviour begins or ends; nil if none does.
    var nextChange: Double? {
        entries.values.compactMap { span($0) }.flatMap { [$0.from, $0.to] }.filter { $0 > time && $0 < .infinity }.min()
    }

    /// Adds a behaviour to the animator.
    func begin(_ description: SceneBehavior) throws(SceneError) -> [DynamicBehavior] {
        var targets: [DynamicBox] = []
        for id in description.items ?? order {
            guard let box = boxes[id] else { continue }
            try rethrow(animator.checkNewItem(box), as: { SceneError.dynamics(.of("the item \"\(id)\""), $0) })
            targets.append(box)
        }
        let behaviors = try description.behaviors(for: targets)
        for (index, behavior) in behaviors.enumerated() {
            (behavior as? CollisionBehavior)?.collisionDelegate = listener
            do throws(DynamicsError) { try animator.addBehavior(behavior) } catch {
                for added in behaviors[..<index] { animator.removeBehavior(added) }
                throw .dynamics(description.path, error)
            }
        }
        return behaviors
    }

    /// Returns the time during which a behaviour acts; nil if it waits for a contact.
    private func span(_ entry: Entry) -> (from: Double, to: Double)? {
        let end = entry.description.to ?? .infinity
        guard entry.description.contact != nil else { return (entry.description.from, end) }
        return entry.begun.map { ($0, min(end, $0 + (entry.description.length ?? .infinity))) }
    }

    /// Records the contacts of a step, and begins the behaviours that waited for them.
    private func noteContacts() {
        let found = listener.take()
        guard !found.isEmpty else { return }
        let names = Dictionary(uniqueKeysWithValues: boxes.map { (ObjectIdentifier($1), $0) })
        let new = found.compactMap { event in
            names[event.first].map { item in
                Contact(item: item, other: event.second.flatMap { names[$0] }, isBeginning: event.isBeginning)
            }
        }
        contacts += new
        for (number, entry) in entries where entry.begun == nil && entry.description.from <= time + 1e-9 {
            guard let awaited = entry.description.contact else { continue }
            let isMet = new.contains { contact in
                contact.isBeginning
                    && (contact.item == awaited.item && (awaited.other == nil || contact.other == awaited.other)
                        || contact.other == awaited.item && (awaited.other == nil || contact.item == awaited.other))
            }
            if isMet { entries[number]?.begun = time }
        }
    }
}

/// Collects contacts.
private final class ContactListener: CollisionBehaviorDelegate {
    struct Event {
        let first: ObjectIdentifier
        /// The other item; nil for a boundary.
        let second: ObjectIdentifier?
        let isBeginning: Bool
    }

    private var found: [Event] = []

    func collisionBehavior(
        _: CollisionBehavior, beganContactFor first: any DynamicItem, with second: any DynamicItem, at _: Point
    ) {
        note(first, second, true)
    }

    func collisionBehavior(
        _: CollisionBehavior, endedContactFor first: any DynamicItem, with second: any DynamicItem
    ) {
        note(first, second, false)
    }

    func collisionBehavior(
        _: CollisionBehavior, beganContactFor item: any DynamicItem, withBoundary _: String?, at _: Point
    ) {
        note(item, nil, true)
    }

    func collisionBehavior(_: CollisionBehavior, endedContactFor item: any DynamicItem, withBoundary _: String?) {
        note(item, nil, false)
    }

    private func note(_ first: any DynamicItem, _ second: (any DynamicItem)?, _ isBeginning: Bool) {
        found.append(
            Event(first: ObjectIdentifier(first), second: second.map { ObjectIdentifier($0) }, isBeginning: isBeginning)
        )
    }

    /// Returns the events since the last call.
    func take() -> [Event] {
        defer { found = [] }
        return found
    }
}
