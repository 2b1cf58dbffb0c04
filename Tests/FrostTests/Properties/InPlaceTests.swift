import FrostCore
import FrostTestSupport
import Testing

@testable import Frost
@testable import FrostCPU

/// Renders random cases in place, and in blocks of rows, with so little memory that even small images have several blocks.
/// `FROST_SEED=N Tools/test --quick --filter InPlaceTests` runs the case N alone.
struct InPlaceTests {
    private static let groups = 4

    private static func seeds(_ group: Int) -> [UInt64] {
        if let seed = environment("FROST_SEED").flatMap({ UInt64($0) }) { return group == 0 ? [seed] : [] }
        let count: UInt64 = TestCases.every ? 9000 : 320
        return (0..<count).filter { $0 % UInt64(groups) == UInt64(group) }
    }

    @Test(
        "in place and in blocks of rows, every plan gives the bits that it gives in separate memory at once",
        arguments: 0..<groups)
    func sameBits(group: Int) throws {
        var blockCounts: [Int] = []
        for seed in Self.seeds(group) {
            let random = try RandomCase(seed: seed)
            let (image, extent) = (random.image, random.image.layout.extent)
            let format = random.effect.outputFormat(for: image.format)
            let plan = try random.effect.plan(
                extent: extent, region: extent, accuracy: random.accuracy, mask: random.mask)
            func prepared(isInPlace: Bool, threads: Int, limit: Int) throws -> PreparedPlan {
                try PreparedPlan(
                    PreparedPlan.Key(
                        plan: plan, source: image.format, target: format, threads: threads, isInPlace: isInPlace),
                    mask: random.mask, memoryLimit: limit)
            }
            let expected = try Self.render(prepared(isInPlace: false, threads: 1, limit: .max), image, format)
            var sizes = SeededGenerator(seed: seed)
            for (threads, limit) in [
                (1, 1), (random.threads, 1), (16, 1), (random.threads, Int.random(in: 1...60_000, using: &sizes)),
                (random.threads, Int.max),
            ] {
                let words = "\(threads) threads, \(limit) bytes, \(random)"
                let blocks = try prepared(isInPlace: false, threads: threads, limit: limit)
                try expectIdentical(Self.render(blocks, image, format), expected, "in blocks, \(words)")
                guard format.bytesPerPixel == image.format.bytesPerPixel else { continue }
                let own = try prepared(isInPlace: true, threads: threads, limit: limit)
                blockCounts.append(own.stepCount)
                try expectIdentical(Self.renderInPlace(own, image, format), expected, "in place, \(words)")
            }
        }
        // Many images are high enough for several blocks.
        if blockCounts.count > 100 { #expect(blockCounts.filter { $0 > 6 }.count > blockCounts.count / 20) }
    }

    @Test("wide images in blocks are divided into strips, which do not show", arguments: EdgeMode.allCases)
    func wideImagesInStrips(_ edge: EdgeMode) throws {
        let effects = [
            Effect(try GaussianBlur(sigma: 1.3, edge: edge)), Effect(try GaussianBlur(sigma: 9, edge: edge)),
            Effect(try GaussianBlur(sigmaX: 60, sigmaY: 30, edge: edge)),
            try EffectCatalog.effect("tilt-shift").make(parsing: "radius=9"),
            try EffectCatalog.effect("disc").make(parsing: "radius=3"),
            try EffectCatalog.effect("light").make(),
        ]
        let image = try TestImage.make(.softAlpha, 4999, 70, PixelFormat(.rgba))
        for effect in effects {
            let plan = try effect.plan(extent: image.layout.extent)
            func prepared(isInPlace: Bool, threads: Int, limit: Int) throws -> PreparedPlan {
                try PreparedPlan(
                    PreparedPlan.Key(
                        plan: plan, source: image.format, target: image.format, threads: threads,
                        isInPlace: isInPlace), mask: nil, memoryLimit: limit)
            }
            guard plan.region == plan.extent, effect.outputFormat(for: image.format) == image.format else { continue }
            let expected = try Self.render(prepared(isInPlace: false, threads: 1, limit: .max), image, image.format)
            for limit in [1, 300_000] {
                let own = try prepared(isInPlace: true, threads: 16, limit: limit)
                try expectIdentical(
                    Self.renderInPlace(own, image, image.format), expected, "\(effect), \(edge), \(limit) bytes")
            }
        }
    }

    @Test("without rows that wait, a blur in place reads pixels that it has already written")
    func needsWaiting() throws {
        let image = try TestImage.make(.uniformNoise, 40, 90, PixelFormat(.rgba, .f32))
        let plan = try GaussianBlur(sigmaX: 0, sigmaY: 1.5).plan(extent: image.layout.extent)
        let results = try [true, false].map { isInPlace in
            let shape = PreparedPlan.Key(
                plan: plan, source: image.format, target: image.format, threads: 1, isInPlace: isInPlace)
            return try Self.renderInPlace(PreparedPlan(shape, mask: nil), image, image.format)
        }
        #expect(results[0] == (try Blurring.execute(plan, image, padding: 0)))
        #expect(results[1] != results[0])
    }

    /// Renders an image to memory of its own.
    private static func render(
        _ plan: PreparedPlan, _ image: PixelBuffer, _ format: PixelFormat
    ) throws -> PixelBuffer {
        var result = try TestImage.blank(image.width, image.height, format, padding: 0)
        let layout = result.layout
        try unsafe image.withUnsafeBytes { source in
            try unsafe result.withUnsafeMutableBytes { target in
                try unsafe plan.run(
                    source: PixelSource(#require(source.baseAddress), layout: image.layout),
                    target: PixelTarget(#require(target.baseAddress), layout: layout), cancellation: nil)
            }
        }
        return result
    }

    /// Renders an image to its own memory, and checks that the bytes between the rows do not change.
    private static func renderInPlace(
        _ plan: PreparedPlan, _ image: PixelBuffer, _ format: PixelFormat
    ) throws -> PixelBuffer {
        var image = image
        let layout = image.layout
        let target = try PixelLayout(
            width: layout.width, height: layout.height, format: format, bytesPerRow: layout.bytesPerRow)
        try unsafe image.withUnsafeMutableBytes { bytes in
            let base = try unsafe #require(bytes.baseAddress)
            try unsafe plan.run(
                source: PixelSource(UnsafeRawPointer(base), layout: layout), target: PixelTarget(base, layout: target),
                cancellation: nil)
        }
        #expect(image.hasUntouchedPadding)
        let packed = try PixelLayout(width: layout.width, height: layout.height, format: format)
        return try PixelBuffer(layout: packed, bytes: image.pixelBytes)
    }
}
