import FrostExact
import FrostCore
import FrostTestSupport
import Testing
@testable import Frost

/// Renders random cases on the CPU and the GPU, and checks the laws that hold for all of them. A failure prints the case's
/// seed. `FROST_SEED=N Tools/test --quick --filter PropertyTests` runs the case N alone. With `FROST_EVERY_CASE=1` there are
/// 10,000 cases, and the largest errors are printed.
struct PropertyTests {
    /// Returns the seeds of a group of cases.
    private static func seeds(_ worker: Worker, _ group: Int) -> [UInt64] {
        if let seed = environment("FROST_SEED").flatMap({ UInt64($0) }) { return group == 0 ? [seed] : [] }
        let count: UInt64 =
            switch worker {
            case .cpu: TestCases.every ? 9000 : 260
            case .gpu: TestCases.every ? 1000 : 40
            }
        return (0..<count).filter { $0 % UInt64(groups) == UInt64(group) }
    }

    private static let groups = 4

    @Test(
        "the error is within the bound; bits do not depend on threads, parts and places; no other byte is written",
        arguments: Worker.wanted, 0..<groups)
    func laws(worker: Worker, group: Int) throws {
        let renderers = try Renderers(worker)
        var largest: [String: (share: Double, error: Double, seed: UInt64)] = [:]
        for seed in Self.seeds(worker, group) {
            // Software GL compiles programs for most effects, so most cases on the GPU have one of a few effects.
            let isFamiliar = worker == .gpu && (seed < 100 || seed % 4 != 0)
            let random = try RandomCase(seed: seed, isFamiliar: isFamiliar)
            do {
                guard let error = try Laws(random, renderers).check() else { continue }
                let kind = "\(random.image.format.sample)\(random.isDithered ? ", dithered" : "")"
                if error.share > largest[kind]?.share ?? 0 { largest[kind] = (error.share, error.steps, seed) }
            } catch {
                Issue.record("\(worker), \(random): \(error)")
            }
        }
        guard TestCases.every else { return }
        for (sample, worst) in largest.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            print(
                "properties, \(worker), \(sample): \(worst.error) steps, \(worst.share) of the bound, seed \(worst.seed)"
            )
        }
    }

    /// The renderers of a backend.
    struct Renderers {
        let worker: Worker
        let single: Renderer

        init(_ worker: Worker) throws {
            self.worker = worker
            single = worker == .gpu ? try worker.renderer() : try Renderer(backend: .cpu, threads: 1)
        }

        /// Returns a renderer with several threads; nil for a GPU.
        func several(_ threads: Int) throws -> Renderer? {
            worker == .gpu ? nil : try Renderer(backend: .cpu, threads: threads)
        }
    }
}

/// The laws for one case.
private struct Laws {
    let random: RandomCase
    let renderers: PropertyTests.Renderers

    init(_ random: RandomCase, _ renderers: PropertyTests.Renderers) {
        self.random = random
        self.renderers = renderers
    }

    /// Checks all laws. Returns the largest error in steps of 1/255, and its share of what is allowed; nil if the backend
    /// cannot render the case.
    func check() throws -> (steps: Double, share: Double)? {
        let result: PixelBuffer, report: RenderReport
        do {
            (result, report) = try render(renderers.single, random.region)
        } catch FrostError.deviceFailed(_, .unsupportedOutputStages) where renderers.worker == .gpu {
            // A GPU has room for fewer clips than the CPU.
            return nil
        }
        if let several = try renderers.several(random.threads) {
            try expectIdentical(
                render(several, random.region).0, result, "\(random.threads) threads, \(renderers.worker), \(random)")
        }
        let part = random.part
        let place = Rect(
            x: part.x - random.region.x, y: part.y - random.region.y, width: part.width, height: part.height)
        try expectIdentical(
            render(renderers.single, part).0, result.cropped(to: place), "part \(part), \(renderers.worker), \(random)")
        try checkInPlace(result)
        try checkClip(result)
        return try checkError(result, report)
    }

    /// Renders a region into memory that has padding after each row, and 64 bytes before and after the image.
    private func render(_ renderer: Renderer, _ region: Rect) throws -> (PixelBuffer, RenderReport) {
        let image = random.image
        let layout = try TestImage.blank(region.width, region.height, random.format, padding: random.padding).layout
        let size = layout.bytesPerRow * layout.height
        var bytes = [UInt8](repeating: TestImage.paddingByte, count: size + 128)
        // SAFETY: both buffers have the sizes of their layouts and outlive the call.
        let report = try unsafe image.withUnsafeBytes { source in
            try unsafe bytes.withUnsafeMutableBytes { target in
                let (from, to) = try unsafe (#require(source.baseAddress), #require(target.baseAddress))
                return try unsafe renderer.render(
                    PixelSource(from, layout: image.layout), random.effect, mask: random.mask, region: region,
                    into: PixelTarget(to + 64, layout: layout), accuracy: random.accuracy)
            }
        }
        let result = try PixelBuffer(layout: layout, bytes: Array(bytes[64..<size + 64]))
        let guards = bytes[..<64] + bytes[(size + 64)...]
        #expect(
            result.hasUntouchedPadding && guards.allSatisfy { $0 == TestImage.paddingByte },
            "bytes outside the region were written, \(renderers.worker), \(random)")
        return (result, report)
    }

    /// A rendering in its own memory has the same bits, if the formats and the region allow it.
    private func checkInPlace(_ result: PixelBuffer) throws {
        guard random.region == random.image.layout.extent, random.format == random.image.format else { return }
        var image = random.image
        let layout = image.layout
        try unsafe image.withUnsafeMutableBytes { bytes in
            let base = try unsafe #require(bytes.baseAddress)
            _ = try unsafe renderers.single.render(
                PixelSource(UnsafeRawPointer(base), layout: layout), random.effect, mask: random.mask,
                region: random.region,
                into: PixelTarget(base, layout: layout), accuracy: random.accuracy)
        }
        try expectIdentical(image, result, "in place, \(renderers.worker), \(random)")
    }

    /// Pixels outside the clip keep their bytes, if the formats allow it.
    private func checkClip(_ result: PixelBuffer) throws {
        let clip = random.effect.outputStages.clip
        guard !clip.isEmpty, random.format == random.image.format,
            let inside = random.region.intersection(random.image.layout.extent)
        else { return }
        let size = random.format.bytesPerPixel
        for y in inside.rows {
            let (from, to) = (random.image.rowBytes(y), result.rowBytes(y - random.region.y))
            for x in inside.columns where clip.allSatisfy({ $0.coverage(x, y) == 0 }) {
                let (old, new) = (from.startIndex + x * size, to.startIndex + (x - random.region.x) * size)
                guard from[old..<old + size] != to[new..<new + size] else { continue }
                Issue.record("\(x),\(y) outside the clip has changed, \(renderers.worker), \(random)")
                return
            }
        }
    }

    /// Compares the result with the definition of the effect.
    private func checkError(_ result: PixelBuffer, _ report: RenderReport) throws -> (steps: Double, share: Double) {
        let image = random.image
        let exact = try unsafe image.withUnsafeBytes { bytes in
            let base = try unsafe #require(bytes.baseAddress)
            return try unsafe ExactEffect.render(
                random.effect, source: PixelSource(base, layout: image.layout), extent: image.layout.extent,
                region: random.region, mask: random.mask, threads: 1)
        }
        let tolerance = self.tolerance(report)
        let comparison = try expectClose(
            SampleRows(result).expanded(to: .rgba), exact.rows.expanded(to: .rgba), within: tolerance,
            "\(renderers.worker), \(random)")
        return (comparison.maximum, comparison.maximum / tolerance.steps)
    }

    /// The report's bound, the error that the documentation allows the arithmetic, and the rounding.
    private func tolerance(_ report: RenderReport) -> Tolerance {
        let sample = random.image.format.sample
        let stages = random.effect.outputStages
        // Dither moves a value by less than 60/64 of a step before it is rounded down.
        let rounding = Tolerance.rounding(sample) * (random.isDithered ? 60 / 32.0 : 1)
        // If the stages amplify errors, half of the budget is left for the amplified errors of the arithmetic.
        let arithmetic = sample == .u8 ? (stages.amplification > 1 ? 0.25 : 0.1) : Tolerance.steps16In8
        return Tolerance(
            "the bound", steps: report.errorBound + rounding + arithmetic,
            reason: "bound \(report.errorBound), rounding \(rounding), arithmetic \(arithmetic)")
    }
}
