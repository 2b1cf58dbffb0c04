import FrostCore

// Behaviours of scenes as behaviours of an animator.

extension Point {
    init(_ pair: SIMD2<Double>) { self.init(x: pair.x, y: pair.y) }
}

extension Vector {
    init(_ pair: SIMD2<Double>) { self.init(dx: pair.x, dy: pair.y) }
}

extension SceneBehavior {
    /// Makes the animator's behaviours.
    ///
    /// - Throws: ``SceneError/invalid(_:value:expected:)`` for the wrong number of items, or a missing anchor.
    func behaviors(for items: [DynamicBox]) throws(SceneError) -> [DynamicBehavior] {
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
        case .field(let field): return [try field.behavior(for: items, path)]
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

extension SceneBehavior.ForceField {
    fileprivate func behavior(for items: [DynamicBox], _ path: ScenePath) throws(SceneError) -> FieldBehavior {
        let field: FieldBehavior
        switch form {
        case .drag: field = .dragField()
        case .vortex: field = .vortexField()
        case .spring: field = .springField()
        case .linearGravity: field = .linearGravityField(direction: Vector(direction))
        case .radialGravity: field = .radialGravityField(position: Point(position))
        }
        do throws(DynamicsError) { for item in items { try field.addItem(item) } } catch {
            throw .dynamics(path, error)
        }
        (field.position, field.strength, field.falloff) = (Point(position), strength, falloff)
        field.minimumRadius = minimumRadius
        if let regionRadius { field.regionRadius = regionRadius }
        return field
    }
}

extension SceneBehavior.Attachment {
    fileprivate func behavior(for items: [DynamicBox], _ path: ScenePath) throws(SceneError) -> AttachmentBehavior {
        guard let first = items.first, items.count <= 2 else {
            throw .invalid(path.member("items"), value: "\(items.count) items", expected: "one item or two")
        }
        let second = items.count == 2 ? items[1] : nil
        if second == nil, otherOffset != .zero {
            throw .invalid(path.member("other-offset"), value: "given", expected: "only with two items")
        }
        if second != nil, anchor != nil, form == .distance || form == .limit {
            throw .invalid(
                path.member("anchor"), value: "given",
                expected: "no point, because the items are attached to each other")
        }
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
