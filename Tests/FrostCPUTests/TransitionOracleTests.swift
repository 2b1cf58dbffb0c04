import FrostExact
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

    @Test(
        "half a turn of everything is half a turn of the result", arguments: names.filter { $0 != "accordion-fold" })
    func halfTurn(_ name: String) throws { try Self.laws.halfTurn(description(name)) }

    @Test("moved images and a moved extent move the result", arguments: names)
    func moves(_ name: String) throws { try Self.laws.moves(description(name)) }

    @Test("every parameter and every image changes the result", arguments: names)
    func parameters(_ name: String) throws { try Self.laws.everyParameterCounts(description(name)) }
}

/// Checks what the exact reference refuses, and that its result does not depend on threads and regions.
struct TransitionExecutionTests {
    static func pictures(_ format: PixelFormat = PixelFormat(.rgba)) throws -> TransitionPictures {
        TransitionPictures(
            try TestImage.make(.uniformNoise, 31, 20, format, seed: 1),
            try TestImage.make(.uniformNoise, 23, 26, format, seed: 2),
            mask: MaskImage(try TestImage.make(.uniformNoise, 9, 9, PixelFormat(.grey))),
            backside: try TestImage.make(.uniformNoise, 12, 10, format, seed: 3),
            shading: try TestImage.make(.uniformNoise, 8, 8, format, seed: 4))
    }

    @Test("the result has the same bits for every number of threads and region", arguments: TransitionOracleTests.names)
    func threads(_ name: String) throws {
        var generator = SeededGenerator(seed: 21)
        let transition = try TransitionCatalog.transition(name).random(using: &generator)
        let pictures = try Self.pictures()
        let whole = try transition.exact(at: 0.4, pictures, threads: 1)
        for threads in [2, 3, 8] {
            #expect(try transition.exact(at: 0.4, pictures, threads: threads).values == whole.values)
        }
        let region = Rect(x: 5, y: 9, width: 11, height: 12)
        let part = try transition.exact(at: 0.4, pictures, region: region)
        for y in 0..<region.height { #expect(part.rows[y][...] == whole.rows[y + 9][5 * 4..<16 * 4]) }
        let outside = try transition.exact(at: 0.4, pictures, region: Rect(x: -3, y: -2, width: 3, height: 40))
        #expect(outside.values.allSatisfy { $0 == 0 })
    }

    @Test("times outside 0...1 are refused", arguments: TransitionOracleTests.names)
    func times(_ name: String) throws {
        let transition = try TransitionCatalog.transition(name).make()
        for time in [-0.1, 1.1, .nan, .infinity, -.infinity, -Double.leastNonzeroMagnitude] {
            #expect {
                try transition.exact(at: time, Self.pictures())
            } throws: { error in
                guard case .parameter(.outOfRange("time", let value, 0...1))? = error as? ExactError else {
                    return false
                }
                return value == time || (value.isNaN && time.isNaN)
            }
            #expect(throws: ParameterError.self) { try transition.cpu(at: time, Self.pictures()) }
        }
    }

    @Test("a missing mask, empty rectangles, unequal samples and cancellation are refused")
    func refusals() throws {
        let mask = try TransitionCatalog.transition("disintegrate-with-mask").make()
        var pictures = try Self.pictures()
        pictures.mask = nil
        #expect(throws: ExactError.parameter(.extraImage("mask", needed: true))) { try mask.exact(at: 0.5, pictures) }
        var swipe = try TransitionCatalog.transition("swipe").make()
        swipe.extent = Rect(x: 0, y: 0, width: 0, height: 3)
        #expect(throws: ExactError.parameter(.emptyRegion(Rect(x: 0, y: 0, width: 0, height: 3)))) {
            try swipe.exact(at: 0.5, pictures)
        }
        let large = Rect(x: .max, y: 0, width: 1, height: 1)
        swipe.extent = large
        #expect(throws: ExactError.parameter(.coordinatesTooLarge(large, limit: 1 << 24))) {
            try swipe.exact(at: 0.5, pictures)
        }
        swipe.extent = nil
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: ExactError.cancelled) { try swipe.exact(at: 0.5, pictures, cancellation: cancellation) }
        pictures.target = try TestImage.make(.gradient, 4, 4, PixelFormat(.rgba, .u16))
        #expect {
            try swipe.exact(at: 0.5, pictures)
        } throws: { error in
            if case .pixels(.mismatch("sample type", _, _))? = error as? ExactError { true } else { false }
        }
    }
}

/// Checks that the laws notice backends that break them.
struct TransitionLawTests {
    /// The laws for a backend that draws something other than what is asked for.
    private static func wrong(
        _ change: @escaping @Sendable (inout Transition, inout Double) throws -> Void
    ) -> TransitionLaws {
        TransitionLaws("wrong", error: 1e-9) { transition, time, pictures, region in
            var (transition, time) = (transition, time)
            try change(&transition, &time)
            return try transition.exact(at: time, pictures, region: region).rows
        }
    }

    @Test("each law fails for a backend that breaks it")
    func failures() throws {
        let swipe = try TransitionCatalog.transition("swipe")
        let dissolve = try TransitionCatalog.transition("dissolve")
        withKnownIssue("late by 1 %") { try Self.wrong { $1 = max(0, $1 - 0.01) }.ends(dissolve) }
        withKnownIssue("early by 1 %") { try Self.wrong { $1 = $1 > 0 ? min(1, $1 + 0.01) : 0 }.nearEnds(dissolve) }
        withKnownIssue("backwards") { try Self.wrong { $1 = 1 - $1 }.neverFalls(swipe) }
        withKnownIssue("a gleam") {
            let gleam = try swipe.make(["opacity": .number(0.1), "color": .color(.init(red: 1, green: 0, blue: 0))])
            try Self.wrong { transition, _ in transition = gleam }.constants(swipe)
        }
        withKnownIssue("an extent that does not turn") {
            try Self.wrong { transition, _ in transition.extent = Rect(x: 0, y: 0, width: 9, height: 17) }.halfTurn(
                swipe)
        }
        withKnownIssue("an extent that does not move") {
            try Self.wrong { transition, _ in transition.extent = Rect(x: 190, y: 190, width: 21, height: 16) }.moves(
                swipe)
        }
        withKnownIssue("parameters without an effect") {
            let plain = try swipe.make()
            try Self.wrong { transition, _ in transition = plain }.everyParameterCounts(swipe)
        }
    }
}
