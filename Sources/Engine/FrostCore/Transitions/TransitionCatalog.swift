/// The catalogue of all named transitions.
public enum TransitionCatalog {
    /// All named transitions, from the simplest to the most elaborate.
    public static let all: [TransitionDescription] = kinds.flatMap { $0.descriptions }

    /// The types of all kinds of transitions. The shader's constants TRANSITION_… are indices of this list.
    package static let kinds: [any TransitionKind.Type] = [
        Dissolve.self, Swipe.self, CopyMachine.self, BarsSwipe.self, Mod.self, Disintegrate.self, Ripple.self,
        Flash.self, AccordionFold.self, PageCurl.self,
    ]

    /// Returns the index of a kind in the list of all kinds.
    package static func index(of kind: any TransitionKind.Type) -> Int {
        kinds.firstIndex { $0 == kind } ?? kinds.count
    }

    /// Returns the transition with a given name, or with one of its ``Synonyms``.
    ///
    /// - Throws: ``ParameterError/unknownTransition(_:allowed:)``.
    public static func transition(_ name: String) throws(ParameterError) -> TransitionDescription {
        let own = Synonyms.name(for: name, among: all.lazy.map(\.name))
        guard let known = all.first(where: { $0.name == own }) else {
            throw .unknownTransition(name, allowed: all.map(\.name))
        }
        return known
    }
}
