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

    /// Returns the centres of the followed items at a time in seconds.
    ///
    /// - Complexity: proportional to the steps since the last time that was asked for, at most.
    /// - Throws: ``SceneError/dynamics(_:_:)``.
    func centers(at time: Double) throws(SceneError) -> [String: SIMD2<Double>] {
        let step = Int((time / World.step + 1e-6).rounded(.down))
        let result: Result<[SIMD2<Double>], SceneError> = run.withLock { run in
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
        /// The centres of the followed items after each step; the first at the beginning.
        private var record: [[SIMD2<Double>]] = []

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

        private var places: [SIMD2<Double>] {
            followed.map { SIMD2(items[$0].center.x, items[$0].center.y) }
        }

        func places(atStep step: Int) throws(SceneError) -> [SIMD2<Double>] {
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
                record.append(places)
            }
            return record[min(step, record.count - 1)]
        }

        /// Adds and removes the behaviours that begin and end at a time or before. Returns whether any did.
        private func update(at time: Double) throws(SceneError) -> Bool {
            var isChanged = false
            for (index, behavior) in dynamics.behaviors.enumerated() {
                let isActive = behavior.from <= time + 1e-9 && time < behavior.to ?? .infinity
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
            dynamics.behaviors.flatMap { [$0.from, $0.to ?? $0.from] }.filter { $0 > time }.min()
        }

        func add(_ index: Int) throws(SceneError) {
            let description = dynamics.behaviors[index]
            let targets = description.items?.compactMap { indices[$0] } ?? Array(items.indices)
            let behaviors = try description.behaviors(for: targets.map { items[$0] })
            for behavior in behaviors {
                try rethrow(animator.addBehavior(behavior), as: { SceneError.dynamics(description.path, $0) })
            }
            added[index] = behaviors
        }
    }
}

extension Point {
    fileprivate init(_ pair: SIMD2<Double>) { self.init(x: pair.x, y: pair.y) }
}

extension Vector {
    fileprivate init(_ pair: SIMD2<Double>) { self.init(dx: pair.x, dy: pair.y) }
}

extension SceneBehavior {
    /// Makes the animator's behaviours.
    ///
    /// - Throws: ``SceneError/invalid(_:value:expected:)`` for the wrong number of items, or a missing anchor.
    fileprivate func behaviors(for items: [DynamicBox]) throws(SceneError) -> [DynamicBehavior] {
        switch kind {
        case .gravity(let magnitude, let angle):
            let gravity = GravityBehavior(items: items)
            gravity.angle = angle * .pi / 180
            gravity.magnitude = magnitude
            return [gravity]
        case .push(let magnitude, let angle, let isInstantaneous, let offset):
            let push = PushBehavior(items: items, mode: isInstantaneous ? .instantaneous : .continuous)
            push.angle = angle * .pi / 180
            push.magnitude = magnitude
            for item in items where offset != .zero { push.setTargetOffsetFromCenter(Vector(offset), for: item) }
            return [push]
        case .collision(let mode, let insets, let boundaries):
            let collision = CollisionBehavior(items: items)
            collision.collisionMode = mode
            if let insets {
                collision.setTranslatesReferenceBoundsIntoBoundary(
                    with: EdgeInsets(top: insets[0], left: insets[1], bottom: insets[2], right: insets[3]))
            }
            for (index, points) in boundaries.enumerated() {
                collision.addBoundary(
                    withIdentifier: "\(index)", for: points.map { Point($0) }, isClosed: false)
            }
            return [collision]
        case .snap(let point, let damping):
            return items.map { item in
                let snap = SnapBehavior(item: item, snapTo: Point(point))
                snap.damping = damping
                return snap
            }
        case .attachment(let attachment): return [try attachment.behavior(for: items, path)]
        case .properties(let properties):
            let behavior = ItemBehavior(items: items)
            behavior.elasticity = properties.elasticity
            behavior.friction = properties.friction
            behavior.density = properties.density
            behavior.resistance = properties.resistance
            behavior.angularResistance = properties.angularResistance
            behavior.allowsRotation = properties.allowsRotation
            behavior.isAnchored = properties.isAnchored
            do throws(DynamicsError) {
                for item in items {
                    if properties.velocity != .zero {
                        try behavior.addLinearVelocity(Vector(properties.velocity), for: item)
                    }
                    if properties.angularVelocity != 0 {
                        try behavior.addAngularVelocity(properties.angularVelocity * .pi / 180, for: item)
                    }
                }
            } catch {
                throw .dynamics(path, error)
            }
            return [behavior]
        }
    }
}

extension SceneBehavior.Attachment {
    fileprivate func behavior(for items: [DynamicBox], _ path: ScenePath) throws(SceneError) -> AttachmentBehavior {
        guard let first = items.first, items.count <= 2 else {
            throw .invalid(path.member("items"), value: "\(items.count) items", expected: "one item or two")
        }
        let second = items.count == 2 ? items[1] : nil
        func needed() throws(SceneError) -> Point {
            guard let anchor else { throw .missing(path.member("anchor"), expected: "a point [x, y]") }
            return Point(anchor)
        }
        func other() throws(SceneError) -> DynamicBox {
            guard let second else {
                throw .invalid(
                    path.member("items"), value: "1 item", expected: "two items for the form \(form.rawValue)")
            }
            return second
        }
        let behavior: AttachmentBehavior
        switch form {
        case .distance:
            if let second {
                behavior = AttachmentBehavior(
                    item: first, offsetFromCenter: Vector(offset), attachedTo: second,
                    offsetFromCenter: Vector(otherOffset))
            } else {
                behavior = AttachmentBehavior(
                    item: first, offsetFromCenter: Vector(offset), attachedToAnchor: try needed())
            }
        case .limit:
            behavior = .limitAttachment(
                with: first, offsetFromCenter: Vector(offset), attachedTo: try other(),
                offsetFromCenter: Vector(otherOffset))
        case .pin: behavior = .pinAttachment(with: first, attachedTo: try other(), attachmentAnchor: try needed())
        case .fixed: behavior = .fixedAttachment(with: first, attachedTo: try other(), attachmentAnchor: try needed())
        case .sliding:
            guard axis != .zero else {
                throw .invalid(path.member("axis"), value: "[0, 0]", expected: "a direction")
            }
            if let second {
                behavior = .slidingAttachment(
                    with: first, attachedTo: second, attachmentAnchor: try needed(), axisOfTranslation: Vector(axis))
            } else {
                behavior = .slidingAttachment(
                    with: first, attachmentAnchor: try needed(), axisOfTranslation: Vector(axis))
            }
        }
        if let length { behavior.length = length }
        behavior.damping = damping
        behavior.frequency = frequency
        return behavior
    }
}
