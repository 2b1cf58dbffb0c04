import FrostCore

/// What identifies a panel from frame to frame.
enum PanelIdentity: Hashable {
    case id(UInt64)
    case index(Int)

    init(_ panel: Panel, at index: Int) { self = panel.id.map { .id($0) } ?? .index(index) }
}

extension [Panel] {
    /// Checks that no two panels have the same number.
    ///
    /// - Throws: ``ParameterError/malformed(parameter:value:expected:)``.
    package func checkIdentities() throws(ParameterError) {
        var seen: Set<UInt64> = []
        for id in compactMap(\.id) where !seen.insert(id).inserted {
            throw .malformed(parameter: "panel id", value: "\(id)", expected: "a number that no other panel has")
        }
    }
}
