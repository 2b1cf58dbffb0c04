import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Stages of colour on cells instead of pixels.
struct CellColorTests {
    private static let names = ["light", "dark", "material-thin-light", "material-thick-dark", "material-chrome-light"]

    /// Hard edges between saturated colours, so that blurs are as steep as they can be, and limits are met.
    private static func picture(_ format: PixelFormat) throws -> PixelBuffer {
        try TestImage.make(250, 170, format) { x, y, channel in
            let tile = x / 41 + 3 * (y / 37)
            if channel == 3 { return tile % 5 == 4 ? Double(x) / 250 : 1 }
            return [0b111, 0b000, 0b100, 0b010, 0b001, 0b110][tile % 6] & (1 << channel) == 0 ? 0.02 : 1
        }
    }

    /// Nil where cells are not coloured.
    private static func render(
        _ effect: Effect, _ image: PixelBuffer, _ kernels: KernelSet, x: Int = 0, y: Int = 0
    ) throws -> PixelBuffer? {
        var isColored = false
        let plan = try effect.plan(
            extent: Rect(x: x, y: y, width: image.layout.width, height: image.layout.height))
        var result = try TestImage.blank(image.layout.width, image.layout.height, image.format)
        let layout = result.layout
        let (reader, writer) = (RowConversion(format: image.format), RowConversion(format: image.format))
        let arithmetic = Arithmetic(plan, reader: reader, writer: writer)
        // SAFETY: both buffers are as large as their layouts say and outlive the flow.
        try unsafe image.withUnsafeBytes { source in
            try unsafe result.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                let pixels = unsafe RowEnd.pixels(
                    PixelSource(from, layout: image.layout), reader, extent: plan.extent, edge: plan.rowEdge,
                    decoding: nil)
                let finisher = RowFinisher(
                    plan, reader: reader, writer: writer, arithmetic: arithmetic, mask: nil, kernels: kernels)
                let rows = unsafe TargetRows(PixelTarget(to, layout: layout), region: plan.region)
                let chain = unsafe PassChain(
                    plan.passes[...], of: plan, outputRows: plan.region.rows, arithmetic: arithmetic,
                    finish: FinishTarget(finisher: finisher, rows: rows), kernels: kernels, cancellation: nil)
                isColored = chain.colorsCells
                guard isColored else { return }
                #expect(chain.writesDirectly)
                for index in chain.inputRows {
                    unsafe pixels.read(
                        index, columns: chain.inputColumns, into: chain.inputRow(index), as: chain.inputKind)
                    try chain.commit(index)
                }
            }
        }
        return isColored ? result : nil
    }

    /// How far from the definition, in steps of premultiplied colour.
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

    /// In which nothing bends.
    private static func unbending(_ kernels: KernelSet) -> (KernelSet, UnsafeMutablePointer<frost_kernels>) {
        let table = UnsafeMutablePointer<frost_kernels>.allocate(capacity: 1)
        unsafe table.initialize(to: kernels.table.pointee)
        unsafe table.pointee.find_curve_bends = { _, _, _, _, _ in 0 }
        unsafe table.pointee.find_limit_bends = { _, _, _, _, _, _ in 0 }
        return (unsafe KernelSet(table: UnsafePointer(table)), unsafe table)
    }

    @Test(
        "is within the promise where colours bend, and would not be if bends were not found",
        arguments: [PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb)])
    func promise(_ format: PixelFormat) throws {
        let image = try Self.picture(format)
        let (unbending, table) = unsafe Self.unbending(.best)
        defer { unsafe table.deallocate() }
        for name in Self.names {
            var (colored, worst) = (0, 0.0)
            for sigma in [11.0, 13, 16, 22] {
                var effect = Effect(
                    name: name, kernel: .gaussian(try GaussianBlur(sigma: sigma, edge: .mirror)),
                    finish: try EffectCatalog.effect(name).make().finish)
                effect.finish.dither = nil
                guard let found = try Self.error(effect, image, .best) else { continue }
                #expect(found <= 1, "\(name), sigma \(sigma) of \(format): \(found)")
                worst = max(worst, try Self.error(effect, image, unbending) ?? 0)
                colored += 1
            }
            #expect(colored > 0 && worst > 1, "\(name) of \(format): \(colored) coloured, without bends \(worst)")
        }
    }

    @Test("is the same wherever the picture lies")
    func places() throws {
        let image = try Self.picture(PixelFormat(.rgba, alpha: .premultiplied))
        var effect = try EffectCatalog.effect("material-thin-light").make()
        effect = Effect(
            name: effect.name, kernel: .gaussian(try GaussianBlur(sigma: 13, edge: .mirror)), finish: effect.finish)
        effect.finish.dither = nil
        let there = try #require(try Self.render(effect, image, .best))
        // By whole cells of every level.
        for (x, y) in [(1 << 36, -(1 << 36)), (-(1 << 38), 1 << 33)] {
            let far = try #require(try Self.render(effect, image, .best, x: x, y: y))
            #expect(far.bytes == there.bytes)
        }
    }

    @Test("the variance that numbers can have between cells, and where cells and pixels lie")
    func grid() throws {
        let pass = Pass(
            axis: .x, operation: .interpolate(taps: [0.125, 0.375, 0.375, 0.125]), from: .source, to: .output,
            edge: .clamp)
        let doublings = [Doubling(pass), Doubling(pass)]
        let grid = CellGrid(doublings)
        #expect(grid.most == 2 && doublings.variance > 0.25 && doublings.variance < 0.5)
        for pair in -9...9 {
            for square in -9...9 {
                #expect(grid.squares(pair).contains(square) == grid.pairs(square..<square + 1).contains(pair))
            }
            #expect(grid.pair(grid.pixel(pair)) == pair && grid.pair(grid.pixel(pair) + 1) == pair)
        }
    }
}
