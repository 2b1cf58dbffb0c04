/// An item in the simulated world.
final class Body {
    let item: any DynamicItem
    let number: BodyNumber
    var size: Size
    var material = Material()
    var groups = CollisionGroups()
    /// Whether the item was moving after the last tick. An item that has come to rest is written once more.
    var wasAwake = true

    init(item: any DynamicItem, number: BodyNumber) {
        self.item = item
        self.number = number
        size = item.bounds
    }
}

/// The items in the simulated world, in the order in which they were added.
struct Bodies {
    private(set) var list: [Body] = []
    private var byItem: [ObjectIdentifier: Body] = [:]
    private var byNumber: [BodyNumber: Body] = [:]

    var isEmpty: Bool { list.isEmpty }

    subscript(item: any DynamicItem) -> Body? { byItem[ObjectIdentifier(item)] }

    subscript(number: BodyNumber) -> Body? { byNumber[number] }

    mutating func append(_ body: Body) {
        list.append(body)
        byItem[ObjectIdentifier(body.item)] = body
        byNumber[body.number] = body
    }

    /// Removes the bodies of all items that are not in a set, and returns them.
    mutating func removeAll(except items: Set<ObjectIdentifier>) -> [Body] {
        let removed = list.filter { !items.contains(ObjectIdentifier($0.item)) }
        guard !removed.isEmpty else { return [] }
        list.removeAll { !items.contains(ObjectIdentifier($0.item)) }
        for body in removed {
            byItem[ObjectIdentifier(body.item)] = nil
            byNumber[body.number] = nil
        }
        return removed
    }
}

/// What identifies a boundary: its behaviour and its identifier. The identifier nil stands for the reference bounds.
struct BoundaryKey: Hashable {
    let behavior: ObjectIdentifier
    let identifier: String?
}

/// A boundary in the simulated world.
struct Boundary {
    let behavior: CollisionBehavior
    let identifier: String?
    let points: [Point]
    let number: BodyNumber
}

/// An attachment in the simulated world.
struct JointRecord {
    /// Keeps the identity of the attachment from being used again.
    let behavior: AttachmentBehavior
    let number: JointNumber
    let joint: Joint
    /// The body that stands for the anchor of an attachment to an anchor, and where it is.
    let anchor: BodyNumber?
    var anchorPoint: Point
}
