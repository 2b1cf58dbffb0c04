import FrostCore
import Synchronization

/// The places of a scene's items over time.
///
/// An ``Animator`` carries out steps of 1/120 s from time 0, and each step is recorded. So the places at a time depend only
/// on the scene and the time, in whatever order times are asked for. Only the items that panels follow are recorded, and
/// only up to the last time that was asked for.
///
/// Thread safety: may be used from any thread; one at a time simulates.
final class SceneSimulation: Sendable {
    private let dynamics: SceneDynamics
    private let reference: Rect
    private let followed: [Int]
    private let run = Mutex<Run?>(nil)

    /// Creates the simulation, and checks all items and behaviours at the beginning.
    ///
    /// - Parameter followed: the ids of the items that panels follow.
    /// - Throws: ``SceneError/dynamics(_:_:)``.
    init(_ dynamics: SceneDynamics, reference: Rect, followed: Set<String>) throws(SceneError) {
        self.dynamics = dynamics
        self.reference = reference
        self.followed = dynamics.items.indices.filter { followed.contains(dynamics.items[$0].id) }
        // Behaviours that begin later are checked now, so that a scene fails when it is read.
        let trial = try Run(dynamics, reference, followed: [])
        for index in dynamics.behaviors.indices { try trial.add(index) }
    }

    /// Where an item is: its centre in pixels, and its angle in degrees, clockwise.
    struct Place: Sendable {
        let center: SIMD2<Double>
        let rotation: Double
    }

    /// Returns the places of the followed items at a time in seconds.
    ///
    /// - Complexity: proportional to the steps since the last time that was asked for, at most.
    /// - Throws: ``SceneError/dynamics(_:_:)``.
    func places(at time: Double) throws(SceneError) -> [String: Place] {
        let step = Int((time / World.step + 1e-6).rounded(.down))
        let result: Result<[Place], SceneError> = run.withLock { run in
            do throws(SceneError) {
                let current: Run
                if let known = run {
                    current = known
                } else {
                    current = try Run(dynamics, reference, followed: followed)
                    run = current
                }
                return .success(try current.places(atStep: step))
            } catch {
                // A simulation that failed halfway begins anew.
                run = nil
                return .failure(error)
            }
        }
        let places = try result.get()
        return Dictionary(uniqueKeysWithValues: zip(followed.map { dynamics.items[$0].id }, places))
    }

    /// A simulation in progress.
    private final class Run {
        private let dynamics: SceneDynamics
        private let followed: [Int]
        private let animator: Animator
        private let items: [DynamicBox]
        private let indices: [String: Int]
        private var added: [Int: [DynamicBehavior]] = [:]
        /// The times at which behaviours that wait for a contact began to act.
        private var begun: [Int: Double] = [:]
        private let contacts = SceneContacts()
        /// The places of the followed items after each step; the first at the beginning.
        private var record: [[Place]] = []

        init(_ dynamics: SceneDynamics, _ reference: Rect, followed: [Int]) throws(SceneError) {
            self.dynamics = dynamics
            self.followed = followed
            animator = try rethrow(
                Animator(reference: reference), as: { SceneError.dynamics(.root.member("dynamics"), $0) })
            items = dynamics.items.map { item in
                DynamicBox(
                    center: Point(item.center), bounds: Size(width: item.size.x, height: item.size.y),
                    rotation: item.rotation * .pi / 180)
            }
            indices = Dictionary(uniqueKeysWithValues: dynamics.items.enumerated().map { ($1.id, $0) })
            record = [places]
        }

        private var places: [Place] {
            followed.map { index in
                let item = items[index]
                return Place(
                    center: SIMD2(item.center.x, item.center.y), rotation: item.rotation * 180 / .pi)
            }
        }

        func places(atStep step: Int) throws(SceneError) -> [Place] {
            while record.count <= step {
                let time = Double(record.count - 1) * World.step
                let isChanged = try update(at: time)
                // While all items rest, time passes without work and without new records.
                if !animator.isRunning, !isChanged, let next = nextChange(after: time) {
                    guard Double(step) * World.step >= next else { break }
                } else if !animator.isRunning, !isChanged {
                    break
                }
                try rethrow(animator.tick(World.step), as: { SceneError.dynamics(.root.member("dynamics"), $0) })
                noteContacts(at: Double(record.count) * World.step)
                record.append(places)
            }
            return record[min(step, record.count - 1)]
        }

        /// Notes the behaviours that begin because of the contacts of the last step, which ended at a time.
        private func noteContacts(at time: Double) {
            let found = contacts.take()
            guard !found.isEmpty else { return }
            for (index, behavior) in dynamics.behaviors.enumerated() {
                guard let contact = behavior.contact, begun[index] == nil, behavior.from <= time + 1e-9 else {
                    continue
                }
                let item = indices[contact.item].map { ObjectIdentifier(items[$0]) }
                let other = contact.other.flatMap { indices[$0] }.map { ObjectIdentifier(items[$0]) }
                let isMet = found.contains { first, second in
                    first == item && (other == nil || second == other)
                        || second == item && (other == nil || first == other)
                }
                if isMet { begun[index] = time }
            }
        }

        /// Returns the time during which a behaviour acts; nil if it waits for a contact.
        private func span(_ index: Int) -> (from: Double, to: Double)? {
            let behavior = dynamics.behaviors[index]
            let end = behavior.to ?? .infinity
            guard behavior.contact != nil else { return (behavior.from, end) }
            return begun[index].map { ($0, min(end, $0 + (behavior.length ?? .infinity))) }
        }

        /// Adds and removes the behaviours that begin and end at a time or before. Returns whether any did.
        private func update(at time: Double) throws(SceneError) -> Bool {
            var isChanged = false
            for index in dynamics.behaviors.indices {
                let isActive = span(index).map { $0.from <= time + 1e-9 && time < $0.to } ?? false
                if isActive, added[index] == nil {
                    try add(index)
                    isChanged = true
                } else if !isActive, let old = added[index], !old.isEmpty {
                    for behavior in old { animator.removeBehavior(behavior) }
                    added[index] = []
                    isChanged = true
                }
            }
            return isChanged
        }

        private func nextChange(after time: Double) -> Double? {
            dynamics.behaviors.indices.compactMap { span($0) }.flatMap { [$0.from, $0.to] }
                .filter { $0 > time && $0 < .infinity }.min()
        }

        func add(_ index: Int) throws(SceneError) {
            let description = dynamics.behaviors[index]
            let targets = description.items?.compactMap { indices[$0] } ?? Array(items.indices)
            let behaviors = try description.behaviors(for: targets.map { items[$0] })
            for behavior in behaviors {
                (behavior as? CollisionBehavior)?.collisionDelegate = contacts
                try rethrow(animator.addBehavior(behavior), as: { SceneError.dynamics(description.path, $0) })
            }
            added[index] = behaviors
        }
    }
}

/// The contacts that began during a step.
private final class SceneContacts: CollisionBehaviorDelegate {
    private var found: [(first: ObjectIdentifier, second: ObjectIdentifier?)] = []

    func collisionBehavior(
        _: CollisionBehavior, beganContactFor first: any DynamicItem, with second: any DynamicItem, at _: Point
    ) {
        found.append((ObjectIdentifier(first), ObjectIdentifier(second)))
    }

    func collisionBehavior(
        _: CollisionBehavior, beganContactFor item: any DynamicItem, withBoundary _: String?, at _: Point
    ) {
        found.append((ObjectIdentifier(item), nil))
    }

    /// Returns the contacts since the last call.
    func take() -> [(first: ObjectIdentifier, second: ObjectIdentifier?)] {
        defer { found = [] }
        return found
    }
}
