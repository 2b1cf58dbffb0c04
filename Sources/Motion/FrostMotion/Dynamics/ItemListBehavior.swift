/// A behaviour that acts on any number of items. Items can be added and removed at any time.
public class ItemListBehavior: DynamicBehavior {
    /// The items in the order in which they were added, each once.
    public private(set) var items: [any DynamicItem] = []
    private var identifiers: Set<ObjectIdentifier> = []

    init(items: [any DynamicItem]) {
        super.init()
        for item in items { append(item) }
    }

    /// Adds an item. Does nothing if the behaviour contains the item already.
    ///
    /// - Throws: if the behaviour is part of an animator, the errors of ``Animator/addBehavior(_:)`` for items.
    public final func addItem(_ item: any DynamicItem) throws(DynamicsError) {
        try animator?.checkNewItem(item)
        append(item)
        changed(.structure)
    }

    /// Removes an item. Does nothing if the behaviour does not contain the item. O(n).
    public final func removeItem(_ item: any DynamicItem) {
        guard identifiers.remove(ObjectIdentifier(item)) != nil else { return }
        items.removeAll { $0 === item }
        didRemove(item)
        changed(.structure)
    }

    private func append(_ item: any DynamicItem) {
        if identifiers.insert(ObjectIdentifier(item)).inserted { items.append(item) }
    }

    final func contains(_ item: any DynamicItem) -> Bool { identifiers.contains(ObjectIdentifier(item)) }

    /// Called after an item was removed. Subclasses override it to forget what they know about the item.
    func didRemove(_ item: any DynamicItem) {}

    override final var allItems: [any DynamicItem] { items }
}
