@testable import Frost
import FrostCore
import FrostTestSupport
import Synchronization
import Testing

/// Tests how much work the backends do after a cancellation.
///
/// The unit is the check for cancellation. A cancellation that counts its checks shows that checks are frequent (the law of
/// `checksAreFrequent`), and that hardly any work follows the check that reports the cancellation (`workStops`). No test
/// measures time, because the machine may be busy.
@Suite(.serialized) struct CancellationTests {
    /// A cancellation that takes effect at a certain check.
    final class Counter: Sendable {
        private let asked = Atomic<Int>(0)
        private let last: Int

        /// - Parameter last: the number of checks that find no cancellation.
        init(cancelsAfter last: Int = .max) { self.last = last }

        var checks: Int { asked.load(ordering: .relaxed) }
        var cancellation: Cancellation {
            Cancellation { self.asked.add(1, ordering: .relaxed).oldValue >= self.last }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let backend: Backend
        let effect: Effect
        let light: Bool
        var testDescription: String { "\(effect.name) \(backend) \(light ? "linear light" : "")" }

        func rendered(_ renderer: Renderer, _ image: PixelBuffer, _ counter: Counter) throws(FrostError) -> Rendered {
            var effect = effect
            if light { effect.decoding = .sRGB }
            return try renderer.render(image, effect, mask: nil, region: nil, cancellation: counter.cancellation)
        }
    }

    /// Effects that use all kinds of loops: separable blurs of both kinds, kernels in two dimensions, levels, and stages.
    static let cases: [Case] = Backends.wanted(.cpu, .exact, .gpu).flatMap { backend in
        [
            ("gaussian", "sigma=2", false), ("gaussian", "sigma=40", true), ("box", "", false),
            ("disc", "radius=12", false), ("motion", "radius=12", false), ("zoom", "amount=20", false),
            ("redact", "seed=3", false), ("progressive", "", false), ("light", "", false),
        ].compactMap { name, parameters, light in
            (try? EffectCatalog.effect(name, among: EffectCatalog.withGaussian).make(parsing: parameters)).map {
                Case(backend: backend, effect: $0, light: light)
            }
        }
    }

    /// The side of the image. The exact backend checks at least once a row, so a small image is enough for it.
    private static func side(_ backend: Backend) -> Int {
        switch backend {
        case .exact: 160
        case .cpu, .gpu, .auto: 512
        }
    }

    private func subject(_ one: Case) throws -> (Renderer, PixelBuffer) {
        let renderer = one.backend == .gpu ? try TestGPU.renderer() : try Renderer(backend: one.backend, threads: 2)
        return (renderer, try TestImage.make(.uniformNoise, Self.side(one.backend), Self.side(one.backend)))
    }

    @Test("no effect is missing from the list") func list() { #expect(Self.cases.count % 9 == 0) }

    /// A check stands for at most this number of samples: for less than 10 ms on every backend. The exact backend checks at
    /// least once a row. The CPU checks once a chunk of rows. Software GL takes 2^20 fetches, or 2^17 texels of a pass,
    /// between two checks; a hardware GPU is not waited for, so only its transfers count.
    @Test("checks are frequent", arguments: cases) func checksAreFrequent(_ one: Case) throws {
        let (renderer, image) = try subject(one)
        let counter = Counter()
        _ = try one.rendered(renderer, image, counter)
        let samples = image.width * image.height
        let limit =
            switch one.backend {
            case .exact: image.width
            case .cpu, .gpu, .auto: 1 << 17
            }
        #expect(counter.checks >= samples / limit, "\(counter.checks) checks")
        Attachment.record("\(one.testDescription): \(counter.checks) checks", named: "checks.txt")
    }

    @Test("work stops at the check that finds the cancellation", arguments: cases) func workStops(_ one: Case) throws {
        let (renderer, image) = try subject(one)
        let whole = Counter()
        let expected = try one.rendered(renderer, image, whole).image
        // Each of the two threads may have passed its last check when the other one finds the cancellation. Then the callers
        // of the interrupted loop ask, to learn why it ended.
        let unwinding = 6
        for part in [0, 0.1, 0.5, 0.8] {
            let point = Int(part * Double(whole.checks))
            let counter = Counter(cancelsAfter: point)
            let result = Result { () throws(FrostError) in try one.rendered(renderer, image, counter) }
            #expect(counter.checks <= point + unwinding, "\(counter.checks) checks after \(point) of \(whole.checks)")
            // A wait for the GPU asks again and again. So a later run may ask less often, and end before the check that would
            // have cancelled it.
            if one.backend == .gpu, part > 0.1, counter.checks <= point { continue }
            #expect(throws: FrostError.cancelled) { try result.get() }
        }
        // A cancellation leaves nothing behind: the next result is complete.
        try expectIdentical(one.rendered(renderer, image, Counter()).image, expected)
    }

    @Test("transitions stop as well", arguments: Backends.wanted(.cpu, .exact, .gpu))
    func transitions(_ backend: Backend) throws {
        let renderer = backend == .gpu ? try TestGPU.renderer() : try Renderer(backend: backend, threads: 2)
        let images = try (TestImage.make(.uniformNoise, 512, 512), TestImage.make(.softAlpha, 512, 512))
        for name in ["dissolve", "page-curl", "ripple"] {
            let transition = try TransitionCatalog.transition(name).make(parsing: "")
            func rendered(_ counter: Counter) throws {
                _ = try renderer.render(
                    transition, at: 0.4, from: images.0, to: images.1, cancellation: counter.cancellation)
            }
            let whole = Counter()
            try rendered(whole)
            #expect(whole.checks >= 2, "\(name)")
            for point in [0, whole.checks / 2] {
                let counter = Counter(cancelsAfter: point)
                let result = Result { () throws in try rendered(counter) }
                #expect(counter.checks <= point + 6, "\(name): \(counter.checks) of \(whole.checks)")
                // As in `workStops`, a later run may ask less often.
                if backend == .gpu, point > 0, counter.checks <= point { continue }
                #expect(throws: FrostError.cancelled) { try result.get() }
            }
        }
    }
}
