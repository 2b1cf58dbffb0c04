public import FrostCore

/// Hears when an ``Animator`` pauses and resumes. The methods of the default implementation do nothing.
public protocol AnimatorDelegate: AnyObject {
    /// All items are at rest. Ticks do nothing until the animator resumes, so a host may stop calling them.
    func animatorDidPause(_ animator: Animator)
    /// A change makes the animator run, for the first time or again. It needs ticks from now on.
    func animatorWillResume(_ animator: Animator)
}

extension AnimatorDelegate {
    /// Does nothing.
    public func animatorDidPause(_ animator: Animator) {}
    /// Does nothing.
    public func animatorWillResume(_ animator: Animator) {}
}

/// Moves items by the laws of physics, as its behaviours say. Units and laws are in docs/Animation.md.
///
/// A host calls ``tick(_:)`` once per frame. Time advances in steps of 1/120 s. Equal calls give equal bits on every run
/// on one machine. The animator pauses when all items have been slow for half a second (1 point per second and 2 degrees
/// per second), and resumes at a change. It simulates no item that is farther than 1,000,000 points from the centre of
/// the reference rectangle.
///
/// Thread-safety: one thread at a time may use an animator, its behaviours and its items.
///
/// ```swift
/// let animator = try Animator(reference: Rect(x: 0, y: 0, width: 640, height: 480))
/// try animator.addBehavior(GravityBehavior(items: [panel]))
/// while animator.isRunning { try animator.tick(1.0 / 60) }
/// ```
///
/// Cost: a tick simulates the steps of its time, each proportional to the number of items and contacts that move.
public final class Animator {
    /// The rectangle that items must overlap when they are added, and that can be a boundary; nil for no such rectangle.
    public let reference: Placement?
    /// The object that hears when the animator pauses and resumes. The animator does not keep it alive.
    public weak var delegate: (any AnimatorDelegate)?
    /// The behaviours that were added, without their children, in the order in which they were added.
    public private(set) var behaviors: [DynamicBehavior] = []
    /// Whether ticks advance time: false until there is something to move, and while all items rest.
    public internal(set) var isRunning = false
    /// The simulated time in seconds: the number of steps times 1/120 s. It stands still while the animator is paused.
    public var elapsedTime: Double { Double(stepCount) * World.step }

    let world: World
    let origin: Point
    var stepCount = 0
    /// The part of a step that has passed since the last step.
    var fraction = 0.0
    var isTicking = false
    /// Whether a change asked the animator to run during a tick.
    var isWakeRequested = false

    // What must be passed on to the world before the next step.
    var isStructureChanged = false
    var changedBehaviors: [DynamicBehavior] = []
    var itemsToUpdate: [any DynamicItem] = []

    var bodies = Bodies()
    var boundaries: [BoundaryKey: Boundary] = [:]
    var joints: [ObjectIdentifier: JointRecord] = [:]
    /// The numbers of the collision behaviours. The reference keeps their identities from being used again.
    var groups: [ObjectIdentifier: (behavior: CollisionBehavior, group: UInt32)] = [:]
    var nextGroup: UInt32 = 0
    var contacts = ContactTracker()
    /// The behaviours with their descendants, as of the last synchronisation.
    var active: [DynamicBehavior] = []
    var forces: [any ForceBehavior] = []

    /// Creates an animator without behaviours, whose reference rectangle has whole numbers, such as the size of a picture.
    ///
    /// - Parameter reference: the rectangle in which items move, in points; nil for no such rectangle.
    /// - Throws: the errors of ``init(reference:)-(Placement)``.
    public convenience init(reference: Rect? = nil) throws(DynamicsError) {
        try self.init(checking: reference.map { Placement($0) })
    }

    /// Creates an animator without behaviours.
    ///
    /// - Parameter reference: the rectangle in which items move, in points.
    /// - Throws: ``DynamicsError/parameter(_:)`` for a side that is not above 0, and coordinates or sides above 1,000,000.
    public convenience init(reference: Placement) throws(DynamicsError) { try self.init(checking: reference) }

    private init(checking reference: Placement?) throws(DynamicsError) {
        if let reference {
            let limit = DynamicsLimits.coordinate
            try DynamicsLimits.check(Point(x: reference.x, y: reference.y), "reference rectangle", from: .zero)
            try DynamicsLimits.check(reference.width, "reference rectangle's width", in: 0.nextUp...limit)
            try DynamicsLimits.check(reference.height, "reference rectangle's height", in: 0.nextUp...limit)
        }
        self.reference = reference
        origin = reference.map { Point(x: $0.x + $0.width / 2, y: $0.y + $0.height / 2) } ?? .zero
        world = try World(origin: origin)
    }

    // MARK: Behaviours

    /// Adds a behaviour with its children. It takes effect at the next tick.
    ///
    /// - Throws: ``DynamicsError/behaviorAlreadyAdded(type:)``; the error of an invalid property of a behaviour;
    ///   ``DynamicsError/itemSize(_:allowed:)``, ``DynamicsError/itemOutsideReference(center:size:reference:)`` or
    ///   ``DynamicsError/parameter(_:)`` for an item that cannot be simulated. The animator is unchanged then.
    public func addBehavior(_ behavior: DynamicBehavior) throws(DynamicsError) {
        guard !behavior.isPart else { throw .behaviorAlreadyAdded(type: behavior.typeName) }
        for descendant in behavior.descendants { try descendant.check(for: self) }
        behavior.announceMove(to: self)
        behavior.setOwner(self)
        behaviors.append(behavior)
        note(.structure, of: behavior)
    }

    /// Removes a behaviour with its children. Does nothing if the behaviour was not added to this animator.
    public func removeBehavior(_ behavior: DynamicBehavior) {
        guard let index = behaviors.firstIndex(where: { $0 === behavior }) else { return }
        behavior.announceMove(to: nil)
        behavior.setOwner(nil)
        behaviors.remove(at: index)
        note(.structure, of: behavior)
    }

    /// Removes all behaviours, in the order in which they were added.
    public func removeAllBehaviors() {
        for behavior in behaviors { removeBehavior(behavior) }
    }

    // MARK: Items

    /// The items of all behaviours whose upright bounding rectangles overlap a rectangle, in the order in which they were
    /// added. Complexity: O(number of items).
    public func items(in rect: Placement) -> [any DynamicItem] {
        var seen: Set<ObjectIdentifier> = []
        return behaviors.flatMap(\.descendants).flatMap(\.allItems).filter { item in
            seen.insert(ObjectIdentifier(item)).inserted && item.overlaps(rect)
        }
    }

    /// The items whose upright bounding rectangles overlap a rectangle of whole numbers.
    public func items(in rect: Rect) -> [any DynamicItem] { items(in: Placement(rect)) }

    /// Reads an item's centre, size and rotation anew at the next tick. The item keeps its velocity.
    ///
    /// - Throws: ``DynamicsError/unknownItem(center:)`` if no behaviour contains the item, and the errors of
    ///   ``addBehavior(_:)`` for items, except that the item may lie outside the reference rectangle.
    public func updateItem(usingCurrentState item: any DynamicItem) throws(DynamicsError) {
        guard contains(item) else { throw .unknownItem(center: item.center) }
        try item.check(origin: origin)
        itemsToUpdate.append(item)
        isStructureChanged = true
        wake()
    }

    private func contains(_ item: any DynamicItem) -> Bool {
        if !isStructureChanged { return bodies[item] != nil }
        return behaviors.contains { $0.descendants.contains { $0.allItems.contains { $0 === item } } }
    }

    /// Throws an error if an item that the animator does not know yet cannot be simulated.
    func checkNewItem(_ item: any DynamicItem) throws(DynamicsError) {
        guard bodies[item] == nil else { return }
        try item.check(origin: origin)
        if let reference, !item.overlaps(reference) {
            throw .itemOutsideReference(center: item.center, size: item.bounds, reference: reference)
        }
    }

    func state(of item: any DynamicItem) -> World.BodyMotion? {
        guard let body = bodies[item] else { return nil }
        return try? world.state(of: body.number)
    }

    // MARK: Changes

    /// Records a change of a behaviour for the next tick and resumes.
    func note(_ change: DynamicBehavior.Change, of behavior: DynamicBehavior) {
        switch change {
        case .value:
            if !changedBehaviors.contains(where: { $0 === behavior }) { changedBehaviors.append(behavior) }
        case .structure: isStructureChanged = true
        }
        wake()
    }

    private func wake() {
        guard !isTicking else {
            isWakeRequested = true
            return
        }
        resume()
    }

    /// Makes the animator run, unless it has no items.
    func resume() {
        guard !isRunning, !behaviors.isEmpty || !bodies.isEmpty else { return }
        isRunning = true
        delegate?.animatorWillResume(self)
    }
}
