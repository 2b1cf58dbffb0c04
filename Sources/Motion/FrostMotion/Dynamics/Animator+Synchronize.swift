extension Animator {
    /// Passes the changes since the last tick on to the simulated world.
    ///
    /// - Throws: the error of an invalid value, before anything is passed on.
    func synchronize() throws(DynamicsError) {
        guard isStructureChanged || !changedBehaviors.isEmpty else { return }
        if isStructureChanged {
            try synchronizeStructure()
        } else {
            for behavior in changedBehaviors where behavior.animator === self {
                try behavior.checkValues(for: self)
            }
        }
        isStructureChanged = false
        changedBehaviors = []
        world.wake()
    }

    private func synchronizeStructure() throws(DynamicsError) {
        let behaviors = behaviors.flatMap(\.descendants)
        for behavior in behaviors { try behavior.check(for: self) }
        let attachments = behaviors.compactMap { $0 as? AttachmentBehavior }
        let collisions = behaviors.compactMap { $0 as? CollisionBehavior }
        let items = distinctItems(of: behaviors)
        // Joints go before bodies, because a body takes its joints along.
        try destroyJoints(except: attachments)
        try destroyBodies(except: items)
        try destroyBoundaries(except: collisions)
        // A contact may have ended with its body. Its numbers mean something else once there are new bodies.
        contacts.note(world.takeEvents())
        try createBodies(items)
        try updateItems()
        try createBoundaries(collisions)
        try setGroups(collisions)
        let itemBehaviors = behaviors.compactMap { $0 as? ItemBehavior }
        try setMaterials(itemBehaviors)
        try createJoints(attachments)
        for behavior in behaviors { behavior.targets = behavior.allItems.compactMap { bodies[$0]?.number } }
        try addVelocities(itemBehaviors)
        active = behaviors
        forces = behaviors.compactMap { $0 as? any ForceBehavior }
    }

    // MARK: Bodies

    private func distinctItems(of behaviors: [DynamicBehavior]) -> [any DynamicItem] {
        var seen: Set<ObjectIdentifier> = []
        return behaviors.flatMap(\.allItems).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    private func destroyBodies(except items: [any DynamicItem]) throws(DynamicsError) {
        for body in bodies.removeAll(except: Set(items.map { ObjectIdentifier($0) })) {
            try world.destroy(body: body.number)
        }
    }

    private func createBodies(_ items: [any DynamicItem]) throws(DynamicsError) {
        for item in items where bodies[item] == nil {
            let number = try world.createBody(center: item.center, rotation: item.rotation, size: item.bounds)
            bodies.append(Body(item: item, number: number))
            try world.setMaterial(Material(), of: number)
        }
    }

    /// Carries out the calls of ``updateItem(usingCurrentState:)``.
    private func updateItems() throws(DynamicsError) {
        for item in itemsToUpdate {
            guard let body = bodies[item] else { continue }
            // The item may have changed since the call.
            try item.check(origin: origin)
            try world.move(body.number, to: item.center, rotation: item.rotation)
            if item.bounds != body.size {
                try world.resize(body.number, to: item.bounds)
                body.size = item.bounds
            }
        }
        itemsToUpdate = []
    }

    private func setMaterials(_ behaviors: [ItemBehavior]) throws(DynamicsError) {
        var materials: [ObjectIdentifier: Material] = [:]
        for behavior in behaviors {
            for item in behavior.items { behavior.override(&materials[ObjectIdentifier(item), default: Material()]) }
        }
        for body in bodies.list {
            let material = materials[ObjectIdentifier(body.item)] ?? Material()
            guard material != body.material else { continue }
            try world.setMaterial(material, of: body.number)
            body.material = material
        }
    }

    private func addVelocities(_ behaviors: [ItemBehavior]) throws(DynamicsError) {
        for behavior in behaviors {
            for (item, velocity, angular) in behavior.takeVelocities() {
                guard let body = bodies[item] else { continue }
                try world.addVelocity(velocity, angular: angular, to: body.number)
            }
        }
    }

    // MARK: Collisions

    private func destroyBoundaries(except collisions: [CollisionBehavior]) throws(DynamicsError) {
        var wanted: [BoundaryKey: [Point]] = [:]
        for behavior in collisions {
            for (identifier, points) in behavior.boundaries(in: reference) {
                wanted[BoundaryKey(behavior: ObjectIdentifier(behavior), identifier: identifier)] = points
            }
        }
        // The order of a dictionary differs from run to run, and that of the numbers must not.
        let removed = boundaries.filter { wanted[$0.key] != $0.value.points }
        for (key, boundary) in removed.sorted(by: { $0.value.number < $1.value.number }) {
            try world.destroy(body: boundary.number)
            boundaries[key] = nil
        }
    }

    private func createBoundaries(_ collisions: [CollisionBehavior]) throws(DynamicsError) {
        for behavior in collisions {
            let group = group(of: behavior)
            for (identifier, points) in behavior.boundaries(in: reference) {
                let key = BoundaryKey(behavior: ObjectIdentifier(behavior), identifier: identifier)
                guard boundaries[key] == nil else { continue }
                let number = try world.createBoundary(points, group: group)
                boundaries[key] = Boundary(
                    behavior: behavior, identifier: identifier, points: points, number: number)
            }
        }
    }

    func group(of behavior: CollisionBehavior) -> UInt32 {
        if let known = groups[ObjectIdentifier(behavior)] { return known.group }
        defer { nextGroup += 1 }
        groups[ObjectIdentifier(behavior)] = (behavior, nextGroup)
        return nextGroup
    }

    private func setGroups(_ collisions: [CollisionBehavior]) throws(DynamicsError) {
        let identities = Set(collisions.map { ObjectIdentifier($0) })
        groups = groups.filter { identities.contains($0.key) }
        var wanted: [ObjectIdentifier: CollisionGroups] = [:]
        for (group, behavior) in collisions.map({ (group(of: $0), $0) }).sorted(by: { $0.0 < $1.0 }) {
            for item in behavior.items {
                if behavior.collidesWithItems {
                    wanted[ObjectIdentifier(item), default: CollisionGroups()].items.append(group)
                }
                if behavior.collidesWithBoundaries {
                    wanted[ObjectIdentifier(item), default: CollisionGroups()].boundaries.append(group)
                }
            }
        }
        for body in bodies.list {
            let groups = wanted[ObjectIdentifier(body.item)] ?? CollisionGroups()
            guard groups != body.groups else { continue }
            try world.setGroups(groups, of: body.number)
            body.groups = groups
        }
    }

    // MARK: Attachments

    /// Destroys the joints of attachments that are gone or changed. An anchor that only moved keeps its joint.
    private func destroyJoints(except attachments: [AttachmentBehavior]) throws(DynamicsError) {
        var wanted: [ObjectIdentifier: Joint] = [:]
        for attachment in attachments { wanted[ObjectIdentifier(attachment)] = attachment.joint }
        let removed = joints.filter { wanted[$0.key] != $0.value.joint }
        for (key, record) in removed.sorted(by: { $0.value.number < $1.value.number }) {
            try world.destroy(joint: record.number)
            if let anchor = record.anchor { try world.destroy(body: anchor) }
            joints[key] = nil
        }
    }

    private func createJoints(_ attachments: [AttachmentBehavior]) throws(DynamicsError) {
        for attachment in attachments {
            let key = ObjectIdentifier(attachment)
            if let record = joints[key] {
                if let anchor = record.anchor, record.anchorPoint != attachment.anchorPoint {
                    try world.move(anchor, to: attachment.anchorPoint)
                    joints[key]?.anchorPoint = attachment.anchorPoint
                }
                continue
            }
            let numbers = attachment.items.compactMap { bodies[$0]?.number }
            guard let item = numbers.first else { continue }
            let anchor = numbers.count == 1 ? try world.createAnchor(at: attachment.anchorPoint) : nil
            let number = try world.createJoint(attachment.joint, from: anchor ?? numbers[1], to: item)
            joints[key] = JointRecord(
                behavior: attachment, number: number, joint: attachment.joint, anchor: anchor,
                anchorPoint: attachment.anchorPoint)
        }
    }
}
