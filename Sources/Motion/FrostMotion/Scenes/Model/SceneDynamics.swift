/// The items of a scene that an ``Animator`` moves, and the behaviours that move them. Panels follow the items.
public struct SceneDynamics: Sendable, Hashable {
    /// A rectangle that the animator moves.
    public struct Item: Sendable, Hashable {
        /// The name by which panels and behaviours refer to the item.
        public let id: String
        /// The centre in pixels at the beginning.
        public let center: SIMD2<Double>
        /// The size in pixels.
        public let size: SIMD2<Double>
        /// The angle in degrees at the beginning, clockwise.
        public let rotation: Double
        let path: ScenePath
    }

    /// The items.
    public let items: [Item]
    /// The behaviours, in the order in which they are added.
    public let behaviors: [SceneBehavior]

    private static let idField = Field<String>("id", .text("a name"), "name by which panels and behaviours refer to it")
    private static let centerField = Field<SIMD2<Double>>(
        "center", .pair(sceneCoordinates, "two numbers: x, y"), "centre in pixels at the beginning")
    private static let sizeField = Field<SIMD2<Double>>(
        "size", .pair(DynamicsLimits.side, "two numbers: width, height"), "width and height in pixels")
    private static let rotationField = Field<Double>(
        "rotation", .number(-36_000...36_000), default: 0, "angle in degrees at the beginning, clockwise")

    private static let itemShape = JSONForm<Item>.object(
        "an item: {\"id\": …, \"center\": [x, y], \"size\": [w, h]}",
        [idField.declaration, centerField.declaration, sizeField.declaration, rotationField.declaration]
    ) { (object) throws(SceneError) in
        Item(
            id: try object(idField), center: try object(centerField), size: try object(sizeField),
            rotation: try object(rotationField), path: object.node.path)
    }.named("item")

    private static let itemsField = Field<[Item]>(
        "items", .list(of: itemShape, "an array of items", minimum: 1), "rectangles that move")
    private static let behaviorsField = Field<[SceneBehavior]>(
        "behaviors", .list(of: SceneBehavior.jsonForm, "an array of behaviours"), "what moves them")

    static let jsonForm = JSONForm.object(
        "dynamics: an object with items and behaviors", [itemsField.declaration, behaviorsField.declaration]
    ) { (object) throws(SceneError) in
        let dynamics = SceneDynamics(items: try object(itemsField), behaviors: try object(behaviorsField))
        var ids: Set<String> = []
        for item in dynamics.items where !ids.insert(item.id).inserted {
            throw .invalid(item.path.member("id"), value: "\"\(item.id)\"", expected: "an id that no other item has")
        }
        for behavior in dynamics.behaviors {
            if let contact = behavior.contact {
                for (member, id) in [("item", contact.item), ("with", contact.other)] {
                    guard let id, !ids.contains(id) else { continue }
                    throw .unknownWord(contact.path.member(member), value: id, kind: "item", allowed: ids.sorted())
                }
            }
            for (index, id) in (behavior.items ?? []).enumerated() where !ids.contains(id) {
                throw .unknownWord(
                    behavior.path.member("items").element(index), value: id, kind: "item", allowed: ids.sorted())
            }
        }
        return dynamics
    }.named("dynamics")
}
