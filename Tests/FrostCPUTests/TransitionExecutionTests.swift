import FrostExact
import FrostCore
import FrostTestSupport
import Testing

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

    @Test(
        "the result has the same bits for every number of threads and region", arguments: TransitionAccuracyTests.names)
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
        let flash = try TransitionCatalog.transition("flash")
        let bar = try TransitionCatalog.transition("copy-machine").make()
        withKnownIssue("a coloured bar that hides the picture") {
            try Self.wrong { transition, _ in transition = bar }.onlyAddsLight(flash)
        }
        withKnownIssue("a flash that is early by 3 %") { try Self.wrong { $1 *= 0.97 }.flashIsWhite() }
        withKnownIssue("a jump") {
            try Self.wrong { transition, time in
                if case .flash(let flash) = transition.kind, time > flash.fadeThreshold { time += 0.02 }
            }.flashDoesNotJump()
        }
        withKnownIssue("a narrow bar") {
            let narrow = try TransitionCatalog.transition("copy-machine").make(["width": .number(9)])
            try Self.wrong { transition, _ in transition = narrow }.softBar()
        }
        withKnownIssue("faint folds") {
            let faint = try TransitionCatalog.transition("accordion-fold").make(["fold-shadow-amount": .number(0.09)])
            try Self.wrong { transition, _ in transition = faint }.visibleFolds()
        }
        withKnownIssue("a page that is late") { try Self.wrong { $1 -= 0.005 }.curlEdge() }
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
