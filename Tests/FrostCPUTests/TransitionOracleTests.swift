import FrostCPU
import FrostCore
import FrostTestSupport
import Testing

/// Checks the exact reference of transitions against the laws of ``TransitionLaws``.
struct TransitionOracleTests {
    static let names = TransitionCatalog.all.map(\.name)

    /// The reference in Double. Colours are rounded only where images are.
    static let laws = TransitionLaws("exact", error: 1e-9) { transition, time, pictures, region in
        try transition.exact(at: time, pictures, region: region).rows
    }

    private func description(_ name: String) throws -> TransitionDescription { try TransitionCatalog.transition(name) }

    @Test("at time 0 the result is the source, and at time 1 the target", arguments: names)
    func ends(_ name: String) throws { try Self.laws.ends(description(name)) }

    @Test("the result begins near the source and ends near the target", arguments: names)
    func nearEnds(_ name: String) throws { try Self.laws.nearEnds(description(name)) }

    @Test("the target's share never falls", arguments: names)
    func neverFalls(_ name: String) throws { try Self.laws.neverFalls(description(name)) }

    @Test("equal images of one colour give this colour", arguments: names)
    func constants(_ name: String) throws { try Self.laws.constants(description(name)) }

    @Test("half a turn of everything is half a turn of the result", arguments: names)
    func halfTurn(_ name: String) throws { try Self.laws.halfTurn(description(name)) }

    @Test("moved images and a moved extent move the result", arguments: names)
    func moves(_ name: String) throws { try Self.laws.moves(description(name)) }

    @Test("every parameter and every image changes the result", arguments: names)
    func parameters(_ name: String) throws { try Self.laws.everyParameterCounts(description(name)) }
}
