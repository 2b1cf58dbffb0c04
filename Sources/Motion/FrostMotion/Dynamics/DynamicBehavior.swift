/// A rule for how items move. Subclasses of this class can combine other behaviours: they add them as children.
///
/// A behaviour takes effect while it is part of an ``Animator``. Changes of its properties take effect at the next tick.
/// An invalid value makes ``Animator/addBehavior(_:)`` throw, or the next ``Animator/tick(_:)`` if the behaviour is part
/// of an animator already; nothing moves then until the value is valid.
///
/// Thread-safety: one thread at a time may use an animator, its behaviours and its items.
open class DynamicBehavior {
    /// A function that the animator calls once per tick, after the items moved and the collision delegates were called.
    /// The changes that it makes take effect at the next tick.
    public var action: (() -> Void)?
    /// The behaviours that take effect together with this one, in the order in which they were added.
    public private(set) var childBehaviors: [DynamicBehavior] = []

    /// The bodies of the behaviour's items, in the same order. The animator sets them before it uses the behaviour.
    final var targets: [BodyNumber] = []

    private weak var parent: DynamicBehavior?
    /// The animator to which the behaviour itself was added.
    private weak var owner: Animator?

    /// Creates a behaviour without children.
    public init() {}

    /// The animator that the behaviour is part of, itself or by its parent.
    public var animator: Animator? {
        var behavior = self
        while let parent = behavior.parent { behavior = parent }
        return behavior.owner
    }

    /// Adds a behaviour as the last child.
    ///
    /// - Throws: ``DynamicsError/behaviorAlreadyAdded(type:)`` or ``DynamicsError/behaviorContainsItself(type:)``. If
    ///   this behaviour is part of an animator, also the errors of ``Animator/addBehavior(_:)``.
    public final func addChildBehavior(_ behavior: DynamicBehavior) throws(DynamicsError) {
        guard !behavior.descendants.contains(where: { $0 === self }) else {
            throw .behaviorContainsItself(type: behavior.typeName)
        }
        guard !behavior.isPart else { throw .behaviorAlreadyAdded(type: behavior.typeName) }
        if let animator {
            for descendant in behavior.descendants { try descendant.check(for: animator) }
            behavior.announceMove(to: animator)
        }
        behavior.parent = self
        childBehaviors.append(behavior)
        animator?.note(.structure, of: self)
    }

    /// Removes a child. Does nothing if the behaviour is not a child.
    public final func removeChildBehavior(_ behavior: DynamicBehavior) {
        guard let index = childBehaviors.firstIndex(where: { $0 === behavior }) else { return }
        if animator != nil { behavior.announceMove(to: nil) }
        childBehaviors.remove(at: index)
        behavior.parent = nil
        animator?.note(.structure, of: self)
    }

    /// Called before the behaviour becomes part of an animator, and with nil before it leaves one. Subclasses override
    /// it; the method of this class does nothing.
    open func willMove(to animator: Animator?) {}

    // MARK: For the animator

    /// Whether the behaviour is part of an animator or of another behaviour.
    final var isPart: Bool { parent != nil || owner != nil }

    final var typeName: String { "\(type(of: self))" }

    /// The behaviour and its descendants, parents first.
    final var descendants: [DynamicBehavior] {
        var result = [self]
        // A list instead of a recursion, because a deep hierarchy would exhaust the stack.
        var index = 0
        while index < result.count {
            result.insert(contentsOf: result[index].childBehaviors, at: index + 1)
            index += 1
        }
        return result
    }

    final func setOwner(_ animator: Animator?) { owner = animator }

    final func announceMove(to animator: Animator?) {
        for descendant in descendants { descendant.willMove(to: animator) }
    }

    /// Tells the animator that the behaviour changed.
    final func changed(_ change: Change) { animator?.note(change, of: self) }

    /// The kinds of changes of a behaviour.
    enum Change {
        /// A number that the behaviour reads in each step.
        case value
        /// Something that the animator must pass on to the simulated world.
        case structure
    }

    /// The items that the behaviour acts on. Subclasses of this module override it.
    var allItems: [any DynamicItem] { [] }

    /// Throws an error if a property of the behaviour is invalid. Subclasses of this module override it.
    func checkValues(for animator: Animator) throws(DynamicsError) {}

    /// Throws an error if a property or an item of the behaviour is invalid.
    final func check(for animator: Animator) throws(DynamicsError) {
        try checkValues(for: animator)
        for item in allItems { try animator.checkNewItem(item) }
    }
}

/// A behaviour that accelerates its items in each step.
protocol ForceBehavior: DynamicBehavior {
    /// Applies the forces that act at the start of a tick only.
    func applyOnce(in world: World) throws(DynamicsError)

    /// Applies the forces of one step.
    func applyForces(in world: World) throws(DynamicsError)
}

extension ForceBehavior {
    func applyOnce(in world: World) throws(DynamicsError) {}
}
