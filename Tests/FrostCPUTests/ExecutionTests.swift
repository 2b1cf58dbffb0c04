import FrostCPU
import FrostExact
import FrostCore
import FrostTestSupport
import Testing

/// Tests that places and sizes of images do not change the pixels, and what the executor refuses. PropertyTests and InPlaceTests
/// of FrostTests vary threads, parts, padding and memory.
struct ExecutionTests {
    static let sigmas = [0.7, 2, 3.3, 8, 25, 90]

    @Test(
        "a region outside the image equals that of a larger image with the edge drawn, to the bit",
        arguments: EdgeMode.allCases)
    func outside(_ edge: EdgeMode) throws {
        let extent = Rect(x: 3, y: -8, width: 45, height: 27)
        for sigma in [0.1, 0.7, 2, 3.3, 8] {
            let blur = try GaussianBlur(sigma: sigma, edge: edge)
            let image = try TestImage.make(.uniformNoise, 45, 27, PixelFormat(.rgba, alpha: .premultiplied))
            let margin = 130
            let large = try image.rearranged(width: 45 + 2 * margin, height: 27 + 2 * margin) { x, y in
                guard let column = edge.map(x - margin, into: 0..<45), let row = edge.map(y - margin, into: 0..<27)
                else {
                    return nil
                }
                return (column, row)
            }
            let around = Rect(x: 3 - margin, y: -8 - margin, width: 45 + 2 * margin, height: 27 + 2 * margin)
            for region in [
                Rect(x: -17, y: -28, width: 85, height: 67), Rect(x: 50, y: 21, width: 9, height: 9),
                Rect(x: -20, y: 0, width: 5, height: 3),
            ] {
                let result = try Blurring.cpu(blur, image, extent: extent, region: region).image
                let drawn = try Blurring.cpu(blur, large, extent: around, region: region).image
                try expectIdentical(result, drawn, "\(blur), region \(region)")
            }
        }
    }

    @Test("pixels far from the origin are blurred like those at it")
    func farAway() throws {
        let image = try TestImage.make(.uniformNoise, 50, 40, PixelFormat(.rgb))
        for edge in EdgeMode.allCases {
            for sigma in Self.sigmas {
                let blur = try GaussianBlur(sigma: sigma, edge: edge)
                let near = try Blurring.cpu(blur, image).image
                let far = Rect(x: 1 << 40, y: -(1 << 40), width: 50, height: 40)
                try expectIdentical(Blurring.cpu(blur, image, extent: far).image, near, "\(blur)")
            }
        }
    }

    @Test("source and target in one buffer, with different strides, are blurred as in two buffers")
    func overlapping() throws {
        // The target begins one row after the source, in the same memory.
        let (width, height) = (40, 60)
        let format = PixelFormat(.rgba)
        let image = try TestImage.make(.uniformNoise, width, height, format)
        for sigma in [1.5, 9] {
            let result = try Blurring.cpu(GaussianBlur(sigma: sigma), image)
            var bytes = image.bytes + [UInt8](repeating: 0, count: width * 4)
            let executor = try CPUExecutor(threads: 2)
            var span = bytes.mutableSpan
            // SAFETY: both image views lie within `bytes`.
            try unsafe span.withUnsafeMutableBytes { memory in
                guard let base = memory.baseAddress else { return }
                try unsafe executor.execute(
                    result.plan, source: PixelSource(UnsafeRawPointer(base), layout: image.layout),
                    target: PixelTarget(base + width * 4, layout: image.layout))
            }
            #expect(Array(bytes[(width * 4)...]) == result.image.pixelBytes, "sigma \(sigma)")
        }
    }

    @Test("a target may be straight or premultiplied, in either order of colours, with alpha added")
    func targetFormats() throws {
        let image = try TestImage.make(.softAlpha, 31, 27, PixelFormat(.rgba))
        let exact = try Blurring.exact(GaussianBlur(sigma: 4), image)
        for format in TestImage.formats where format.sample == .u8 && format.channels.count == 4 {
            let result = try Blurring.cpu(GaussianBlur(sigma: 4), image, format: format).image
            try expectClose(SampleRows(result), exact.rows, within: .promise8, "\(format)")
        }
        let opaque = try TestImage.make(.photograph, 31, 27, PixelFormat(.rgb))
        let rgb = try Blurring.exact(GaussianBlur(sigma: 4), opaque)
        let added = try Blurring.cpu(GaussianBlur(sigma: 4), opaque, format: PixelFormat(.bgra)).image
        try expectClose(SampleRows(added), rgb.rows, within: .promise8)
        #expect((0..<27).allSatisfy { y in (0..<31).allSatisfy { added[$0, y, 3] == 255 } })
    }

    @Test("every small size is blurred in every edge mode, by more threads than it has rows")
    func smallSizes() throws {
        for edge in EdgeMode.allCases {
            for sigma in [0.5, 2.6, 5, 40] {
                let blur = try GaussianBlur(sigma: sigma, edge: edge)
                for width in [1, 2, 3, 5, 8, 17] {
                    for height in [1, 2, 4, 7] {
                        let image = try TestImage.make(.binaryNoise, width, height, PixelFormat(.rgb))
                        let exact = try Blurring.exact(blur, image)
                        let result = try Blurring.cpu(blur, image, threads: 8)
                        try expectClose(
                            SampleRows(result.image), exact.rows, within: .bound(of: result.plan, .u8),
                            "\(blur) \(width)x\(height)")
                    }
                }
            }
        }
    }

    @Test("an invalid number of threads is refused with the allowed range")
    func threadCounts() throws {
        for threads in [0, -1, 257, Int.max] {
            #expect(
                throws: ParameterError.outOfRange(parameter: "threads", value: Double(threads), allowed: 1...256)
            ) { try CPUExecutor(threads: threads) }
        }
        for threads in [1, 256] { #expect(try CPUExecutor(threads: threads).threads == threads) }
        #expect(try CPUExecutor().threads == CPUExecutor.defaultThreads)
    }

    @Test("pixels whose size does not fit the plan are refused, and nothing is written")
    func misfits() throws {
        let plan = try GaussianBlur(sigma: 2).plan(extent: Rect(x: 0, y: 0, width: 20, height: 10))
        let executor = try CPUExecutor(threads: 1)
        func attempt(_ source: (Int, Int, PixelFormat), _ target: (Int, Int, PixelFormat)) throws -> CPUError? {
            let image = try TestImage.make(.uniformNoise, source.0, source.1, source.2)
            var output = try TestImage.blank(target.0, target.1, target.2)
            let layout = output.layout
            var refusal: CPUError?
            // SAFETY: both buffers have the sizes of their layouts.
            unsafe image.withUnsafeBytes { from in
                unsafe output.withUnsafeMutableBytes { to in
                    guard let source = from.baseAddress, let target = to.baseAddress else { return }
                    do throws(CPUError) {
                        try unsafe executor.execute(
                            plan, source: PixelSource(source, layout: image.layout),
                            target: PixelTarget(target, layout: layout))
                    } catch {
                        refusal = error
                    }
                }
            }
            #expect(output.bytes.allSatisfy { $0 == TestImage.paddingByte } == (refusal != nil))
            return refusal
        }
        let rgb = PixelFormat(.rgb)
        #expect(try attempt((20, 10, rgb), (20, 10, rgb)) == nil)
        let misfits = [
            ((10, 20, rgb), (20, 10, rgb)), ((20, 10, rgb), (20, 11, rgb)),
            ((20, 10, rgb), (20, 10, PixelFormat(.grey))),
            ((20, 10, rgb), (20, 10, PixelFormat(.rgb, .u16))), ((20, 10, PixelFormat(.rgba)), (20, 10, rgb)),
        ]
        for (source, target) in misfits {
            guard case .pixels(.mismatch(let property, let first, let second)) = try attempt(source, target) else {
                Issue.record("accepted: \(source) \(target)")
                continue
            }
            #expect(property.contains("size") || property == "format")
            #expect(first != second)
        }
    }
}
