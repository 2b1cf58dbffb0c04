import FrostCPU
import FrostCore
import FrostGPU
import FrostTestSupport
import Testing

/// The images of a transition in tests, and the ways to draw a frame of them.
struct TransitionCase {
    var source: PixelBuffer
    var target: PixelBuffer
    var backside: PixelBuffer?
    var shading: PixelBuffer?
    var mask: MaskImage?

    /// Two noisy images of different odd sizes. In both directions one of them is larger than the other.
    init(_ format: PixelFormat, width: Int = 43, height: Int = 59) throws {
        source = try Samples.noise(width, height, format, seed: 3)
        target = try Samples.noise(width + 14, height - 12, format, seed: 4, padding: 2)
    }

    /// Returns the case with all extra images that the transition can use.
    func adding(_ extraImages: Set<Transition.ExtraImage>) throws -> TransitionCase {
        var added = self
        let format = source.format
        for extra in extraImages {
            switch extra {
            case .mask: added.mask = MaskImage(try Samples.noise(13, 9, PixelFormat(.grey, .u16), seed: 7))
            case .shading: added.shading = try Samples.noise(15, 11, format, seed: 5)
            case .backside: added.backside = try Samples.noise(29, 23, format, seed: 6)
            }
        }
        return added
    }

    /// The format of the result in which nothing is lost.
    func format(_ transition: Transition) throws -> PixelFormat {
        try transition.outputFormat(
            from: source.layout, to: target.layout, extraFormats: [backside, shading].compactMap { $0?.format })
    }

    func plan(_ transition: Transition, at time: Double, region: Rect? = nil) throws -> TransitionPlan {
        try transition.plan(at: time, from: source.layout.extent, to: target.layout.extent, region: region)
    }

    /// Draws a frame on the GPU.
    func gpu(
        _ transition: Transition, at time: Double, region: Rect? = nil, format: PixelFormat? = nil,
        _ executor: GPUExecutor? = nil
    ) throws -> PixelBuffer {
        let executor = try executor ?? TestGPU.shared.get()
        let plan = try plan(transition, at: time, region: region)
        return try unsafe draw(plan, format ?? self.format(transition)) { images, layers, target in
            let report = try unsafe executor.execute(plan, images: images, layers: layers, target: target)
            #expect(report.passes == 1)
            #expect(report.bytesRead > 0)
        }
    }

    /// Draws a frame on the CPU.
    func cpu(
        _ transition: Transition, at time: Double, region: Rect? = nil, format: PixelFormat? = nil
    ) throws -> PixelBuffer {
        let plan = try plan(transition, at: time, region: region)
        return try unsafe draw(plan, format ?? self.format(transition)) { images, layers, target in
            try unsafe CPUExecutor(threads: 2).execute(plan, images: images, layers: layers, target: target)
        }
    }

    /// Calls `body` with the images, the layers and memory for a frame, and returns the frame.
    func draw(
        _ plan: TransitionPlan, _ format: PixelFormat,
        _ body: (TransitionImages, TransitionLayers?, PixelTarget) throws -> Void
    ) throws -> PixelBuffer {
        let layout = try PixelLayout(
            width: plan.region.width, height: plan.region.height, format: format,
            bytesPerRow: (plan.region.width * format.channels.count + 3) * format.sample.size)
        var output = PixelBuffer(layout: layout)
        // SAFETY: all images outlive the calls, and have the bytes of their layouts.
        try unsafe source.withUnsafeBytes { from in
            try unsafe target.withUnsafeBytes { to in
                try unsafe (backside ?? source).withUnsafeBytes { back in
                    try unsafe (shading ?? source).withUnsafeBytes { light in
                        try unsafe output.withUnsafeMutableBytes { out in
                            let from = try unsafe #require(from.baseAddress), to = try unsafe #require(to.baseAddress)
                            let back = try unsafe #require(back.baseAddress)
                            let light = try unsafe #require(light.baseAddress)
                            let out = try unsafe #require(out.baseAddress)
                            let images = unsafe TransitionImages(
                                source: PixelSource(from, layout: source.layout),
                                target: PixelSource(to, layout: target.layout),
                                backside: backside.map { unsafe PixelSource(back, layout: $0.layout) },
                                shading: shading.map { unsafe PixelSource(light, layout: $0.layout) })
                            let layers = try unsafe CPUExecutor(threads: 2).layers(of: plan, images: images, mask: mask)
                            try unsafe body(images, layers, PixelTarget(out, layout: layout))
                        }
                    }
                }
            }
        }
        return output
    }
}

/// The largest difference between two images, in 8-bit steps (1/255) of premultiplied colour and alpha.
struct Difference: CustomStringConvertible {
    var steps = 0.0
    var place = ""

    var description: String { "\(steps) steps at \(place)" }

    init(_ first: PixelBuffer, _ second: PixelBuffer) {
        let (a, b) = (
            Samples.image(of: first, at: first.layout.extent), Samples.image(of: second, at: second.layout.extent)
        )
        guard a.window == b.window else {
            (steps, place) = (.infinity, "sizes \(a.window) and \(b.window)")
            return
        }
        for y in a.window.rows {
            for x in a.window.columns {
                for channel in 0..<4 {
                    let error = 255 * abs(a[x, y][channel] - b[x, y][channel])
                    guard error > steps || error.isNaN else { continue }
                    steps = error.isNaN ? .infinity : error
                    place = "(\(x), \(y)) channel \(channel): \(a[x, y][channel] * 255), \(b[x, y][channel] * 255)"
                }
            }
        }
    }
}
