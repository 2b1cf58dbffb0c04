import CFrostKernels
import FrostExact
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Tests colour stages that run on low-resolution samples instead of on pixels.
struct LowResolutionColorTests {
    private static let late = ["light", "dark", "7blur-dark", "7blur-coral"]

    /// Creates an image of saturated tiles with hard edges. After a blur, it has the steepest possible slopes, and the
    /// colour stages clamp some of its colours.
    private static func picture(_ format: PixelFormat) throws -> PixelBuffer {
        try TestImage.make(250, 170, format) { x, y, channel in
            let tile = x / 41 + 3 * (y / 37)
            if channel == 3 { return tile % 5 == 4 ? Double(x) / 250 : 1 }
            return [0b111, 0b000, 0b100, 0b010, 0b001, 0b110][tile % 6] & (1 << channel) == 0 ? 0.02 : 1
        }
    }

    /// Renders the effect. Returns nil if the plan does not run colour stages on low-resolution samples.
    private static func render(
        _ effect: Effect, _ image: PixelBuffer, _ kernels: KernelSet, x: Int = 0, y: Int = 0
    ) throws -> PixelBuffer? {
        let plan = try effect.plan(
            extent: Rect(x: x, y: y, width: image.layout.width, height: image.layout.height))
        let cpu = CPUPlan(plan, source: image.format, target: image.format, kernels: kernels)
        guard case .colored? = cpu.steps(plan.passes.indices).last else { return nil }
        var result = try TestImage.blank(image.layout.width, image.layout.height, image.format)
        let layout = result.layout
        // SAFETY: both buffers have the sizes of their layouts and outlive the driver.
        try unsafe image.withUnsafeBytes { source in
            try unsafe result.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                let pixels = unsafe PixelSource(from, layout: image.layout)
                let memory = unsafe CallerMemory(
                    source: pixels, target: TargetRows(PixelTarget(to, layout: layout), region: plan.region))
                try cpu.driver(plan.region.rows, memory).advance(to: plan.region.rows.upperBound - 1)
            }
        }
        return result
    }

    /// Returns the largest difference from the exact effect, in 8-bit steps of premultiplied colour. Returns nil if the plan
    /// does not run colour stages on low-resolution samples.
    private static func error(_ effect: Effect, _ image: PixelBuffer, _ kernels: KernelSet) throws -> Double? {
        guard let made = try render(effect, image, kernels) else { return nil }
        let actual = SampleRows(made).expanded(to: .rgba)
        let exact = try unsafe image.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { throw PixelError.tooFewBytes(have: 0, need: 1) }
            return try unsafe ExactEffect.render(
                effect, source: PixelSource(base, layout: image.layout), extent: image.layout.extent,
                region: image.layout.extent, threads: 2)
        }
        let expected = exact.rows.expanded(to: .rgba)
        return (0..<actual.height).reduce(0) { worst, y in
            zip(actual[y], expected[y]).reduce(worst) { max($0, abs($1.0 - $1.1) * 255) }
        }
    }

    /// Returns kernels that are wrong on purpose, because they omit the colour limits.
    private static func careless(_ kernels: KernelSet) -> (KernelSet, UnsafeMutablePointer<frost_kernels>) {
        let table = UnsafeMutablePointer<frost_kernels>.allocate(capacity: 1)
        unsafe table.initialize(to: kernels.table.pointee)
        unsafe table.pointee.fixed_limit = { row, limits, pixels in
            guard let row = unsafe row, let limits = unsafe limits?.pointee else { return }
            let (low, add) = ([limits.low.0, limits.low.1, limits.low.2, limits.low.3], limits.add)
            for i in 0..<4 * Int(pixels) {
                unsafe row[i] = (row[i] &- low[i & 3]) &* limits.factor &+ [add.0, add.1, add.2, add.3][i & 3]
            }
        }
        unsafe table.pointee.fixed_interpolate_divided = {
            first, second, taps, n, above, below, count, differences, x, y, limits, opaque, stream in
            var none = unsafe limits?.pointee ?? frost_late_limits()
            none.span = (65535, 65535, 65535, 65535)
            none.opaque = 0
            unsafe withUnsafePointer(to: none) { none in
                unsafe KernelSet.best.table.pointee.fixed_interpolate_divided(
                    first, second, taps, n, above, below, count, differences, x, y, limits == nil ? nil : none,
                    opaque, stream)
            }
        }
        return (unsafe KernelSet(table: UnsafePointer(table)), unsafe table)
    }

    private static func effect(_ name: String, sigma: Double, dither: Dither? = nil) throws -> Effect {
        var effect = Effect(
            name: name, kernel: .gaussian(try GaussianBlur(sigma: sigma, edge: .mirror)),
            outputStages: try EffectCatalog.effect(name).make().outputStages)
        effect.outputStages.dither = dither
        return effect
    }

    @Test(
        "results stay within a step with late limits, and would not without them",
        arguments: [PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgba), PixelFormat(.rgb)])
    func late(_ format: PixelFormat) throws {
        // Without the limits, only straight formats fail. For premultiplied bytes, the interpolation itself applies the
        // limits.
        try check(Self.late, [10, 13, 16, 22], format, fails: format.alpha == .straight)
    }

    private func check(_ names: [String], _ sigmas: [Double], _ format: PixelFormat, fails: Bool) throws {
        let image = try Self.picture(format)
        let (careless, table) = unsafe Self.careless(.best)
        defer { unsafe table.deallocate() }
        for name in names {
            var (colored, worst) = (0, 0.0)
            for sigma in sigmas {
                let effect = try Self.effect(name, sigma: sigma)
                guard let found = try Self.error(effect, image, .best) else { continue }
                #expect(found <= 1, "\(name), sigma \(sigma) of \(format): \(found)")
                worst = max(worst, try Self.error(effect, image, careless) ?? 0)
                colored += 1
            }
            #expect(colored > 0 && (!fails || worst > 1), "\(name) of \(format): \(colored) coloured, else \(worst)")
        }
    }

    @Test(
        "black and white stay what they are, dithered as well, and so does what is transparent",
        arguments: [PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb)])
    func extremes(_ format: PixelFormat) throws {
        for value in [0.0, 1] {
            let image = try TestImage.make(250, 170, format) { x, _, channel in channel == 3 ? 1 : value }
            for saturation in [-1, 1.8, 2] {
                let effect = Effect(
                    name: "saturated", kernel: .gaussian(try GaussianBlur(sigma: 13, edge: .mirror)),
                    outputStages: OutputStages(inside: [.matrix(.saturation(saturation))], dither: Dither(seed: 4)))
                let result = try #require(try Self.render(effect, image, .best))
                #expect(result.bytes == image.bytes, "\(value), saturation \(saturation)")
                guard format.channels.hasAlpha else { continue }
                let clear = try TestImage.blank(250, 170, format)
                #expect(try Self.render(effect, clear, .best)?.bytes == clear.bytes, "saturation \(saturation)")
            }
        }
    }

    @Test(
        "opaque pixels are the same whatever else is in their rows",
        arguments: [PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgba)])
    func opaque(_ format: PixelFormat) throws {
        let sides = try [0.0, 1].map { side in
            // The two images differ in the pixels on the right. In one of the images these pixels are transparent.
            try TestImage.make(330, 90, format) { x, y, channel in
                if channel == 3 { return x > 280 ? side : 1 }
                let tile = x / 41 + 3 * (y / 37)
                return [0b111, 0b000, 0b100, 0b010, 0b001, 0b110][tile % 6] & (1 << channel) == 0 ? 0.02 : 1
            }
        }
        var colored = Set<String>()
        for name in Self.late {
            for (sigma, dither) in [(11.0, nil), (13, Dither(seed: 4)), (16, Dither(seed: 5))] {
                let effect = try Self.effect(name, sigma: sigma, dither: dither)
                let rows = try sides.compactMap { try Self.render(effect, $0, .best) }.map { SampleRows($0) }
                guard rows.count == 2 else { continue }
                colored.insert(name)
                // The images differ only on the right. The blur does not carry this difference into the compared columns.
                for y in 0..<90 {
                    #expect(rows[0][y].prefix(4 * 180) == rows[1][y].prefix(4 * 180), "\(name), row \(y)")
                }
            }
        }
        #expect(!colored.isEmpty, "\(colored)")
    }

    @Test("is the same wherever the picture lies")
    func places() throws {
        let image = try Self.picture(PixelFormat(.rgba, alpha: .premultiplied))
        var effect = try EffectCatalog.effect("light").make()
        effect = Effect(
            name: effect.name, kernel: .gaussian(try GaussianBlur(sigma: 13, edge: .mirror)),
            outputStages: effect.outputStages)
        effect.outputStages.dither = nil
        let there = try #require(try Self.render(effect, image, .best))
        // Each offset is a multiple of the sample size at every resolution level.
        for (x, y) in [(1 << 36, -(1 << 36)), (-(1 << 38), 1 << 33)] {
            let far = try #require(try Self.render(effect, image, .best, x: x, y: y))
            #expect(far.bytes == there.bytes)
        }
    }

    @Test("where samples and pixels lie")
    func grid() throws {
        let pass = Pass(
            axis: .x, operation: .interpolate(taps: [0.125, 0.375, 0.375, 0.125]), from: .source, to: .output,
            edge: .clamp)
        let grid = SampleGrid([InterpolationTaps(pass), InterpolationTaps(pass)])
        #expect(grid.maximumSquares == 2)
        for pair in -9...9 {
            #expect(grid.pair(grid.pixel(pair)) == pair && grid.pair(grid.pixel(pair) + 1) == pair)
            // The range of samples that this pair of pixels reads. It follows from the reach of the passes.
            let between = pass.operation.reach(of: grid.pixel(pair)..<grid.pixel(pair) + 2)
            let read = pass.operation.reach(of: between)
            #expect(read == grid.squares(pair).lowerBound..<grid.squares(pair).upperBound + grid.n - 1)
        }
    }

    @Test("materials, whose curve is not linear, are not coloured so")
    func curves() throws {
        let image = try Self.picture(PixelFormat(.rgb))
        for name in ["material-thin-light", "material-chrome-dark"] {
            #expect(try Self.render(Self.effect(name, sigma: 16), image, .best) == nil, "\(name)")
        }
    }
}
