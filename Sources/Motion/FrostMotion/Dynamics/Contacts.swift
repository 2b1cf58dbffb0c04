/// Two bodies in ascending order of their numbers.
struct BodyPair: Hashable {
    let first, second: BodyNumber
}

/// Counts the contacts of each pair of bodies, because an item can touch several edges of a boundary at a time, and finds
/// out which pairs began or ceased to touch during a tick.
struct ContactTracker {
    private var counts: [BodyPair: Int] = [:]
    /// The pairs with an event during the tick, in the order of their first event, and whether they touched before.
    private var changed: [(pair: BodyPair, touchedBefore: Bool)] = []
    private var points: [BodyPair: Point] = [:]
    private var seen: Set<BodyPair> = []

    /// A pair that began to touch at a point, or ceased to touch.
    struct Change {
        let pair: BodyPair
        let point: Point?
    }

    /// Records events.
    mutating func note(_ events: [World.Event]) {
        for event in events {
            let pair = BodyPair(first: event.first, second: event.second)
            let count = counts[pair] ?? 0
            if seen.insert(pair).inserted { changed.append((pair, count > 0)) }
            if let point = event.point {
                counts[pair] = count + 1
                if points[pair] == nil { points[pair] = point }
            } else {
                counts[pair] = count > 1 ? count - 1 : nil
            }
        }
    }

    /// Returns the contacts that began and those that ended since the last call. A pair that touched before and after is
    /// in neither list; a pair that touched only in between is in both.
    mutating func takeChanges() -> (began: [Change], ended: [Change]) {
        var (began, ended): ([Change], [Change]) = ([], [])
        for (pair, touchedBefore) in changed {
            let touches = counts[pair] != nil
            if !touchedBefore, let point = points[pair] { began.append(Change(pair: pair, point: point)) }
            if !touches { ended.append(Change(pair: pair, point: nil)) }
        }
        changed = []
        points = [:]
        seen = []
        return (began, ended)
    }
}

extension Animator {
    /// A call of a collision delegate.
    private enum Report {
        case items(CollisionBehavior, any DynamicItem, any DynamicItem, Point?)
        case boundary(CollisionBehavior, any DynamicItem, String?, Point?)

        func deliver() {
            switch self {
            case .items(let behavior, let first, let second, let point?):
                behavior.collisionDelegate?.collisionBehavior(
                    behavior, beganContactFor: first, with: second, at: point)
            case .items(let behavior, let first, let second, nil):
                behavior.collisionDelegate?.collisionBehavior(behavior, endedContactFor: first, with: second)
            case .boundary(let behavior, let item, let identifier, let point?):
                behavior.collisionDelegate?.collisionBehavior(
                    behavior, beganContactFor: item, withBoundary: identifier, at: point)
            case .boundary(let behavior, let item, let identifier, nil):
                behavior.collisionDelegate?.collisionBehavior(
                    behavior, endedContactFor: item, withBoundary: identifier)
            }
        }
    }

    /// Calls the collision delegates for the contacts of a tick: those that began, then those that ended.
    func reportContacts() {
        let (began, ended) = contacts.takeChanges()
        guard !began.isEmpty || !ended.isEmpty else { return }
        let collisions = active.compactMap { $0 as? CollisionBehavior }.map { (group(of: $0), $0) }
        var boundariesByNumber: [BodyNumber: Boundary] = [:]
        for boundary in boundaries.values { boundariesByNumber[boundary.number] = boundary }
        // All reports are prepared before the first delegate is called, because a delegate may change the behaviours.
        let reports = (began + ended).flatMap { change -> [Report] in
            let (first, second) = (bodies[change.pair.first], bodies[change.pair.second])
            if let first, let second {
                return collisions.filter { group, _ in
                    first.groups.items.contains(group) && second.groups.items.contains(group)
                }.map { .items($0.1, first.item, second.item, change.point) }
            }
            guard let body = first ?? second,
                let boundary = boundariesByNumber[first == nil ? change.pair.first : change.pair.second]
            else { return [] }
            return [.boundary(boundary.behavior, body.item, boundary.identifier, change.point)]
        }
        for report in reports { report.deliver() }
    }
}
