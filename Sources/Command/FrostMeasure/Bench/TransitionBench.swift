import Frost
import FrostCLI

/// Measures how long a frame of a transition takes, at several times, relative to a memcpy of both pictures on one thread.
struct TransitionBench {
    let transition: Transition
    let source: PixelBuffer
    let runs: Int

    /// The times of the measured frames. The slowest of them counts.
    private static let times = [0.13, 0.5, 0.82]

    /// Returns the row of the slowest frame, and its time divided by that of a memcpy.
    func row(on subject: BenchSubject) throws(FrostError) -> (row: BenchRow, ratio: Double) {
        let target = source.turned()
        let rows = try Self.times.map { (time) throws(FrostError) in
            try measure(at: time, target, subject.renderer)
        }
        return rows.max { $0.ratio < $1.ratio } ?? rows[0]
    }

    private enum Operation { case copy, render }

    /// Measures the transition and a memcpy of both pictures alternately.
    private func measure(
        at time: Double, _ target: PixelBuffer, _ renderer: Renderer
    ) throws(FrostError) -> (row: BenchRow, ratio: Double) {
        let format = try rethrow(
            transition.outputFormat(from: source.layout, to: target.layout), as: FrostError.pixels)
        var output = PixelBuffer(
            layout: try rethrow(
                PixelLayout(width: source.width, height: source.height, format: format), as: FrostError.pixels))
        var copied = [source, target].map { PixelBuffer(layout: $0.layout) }
        let mask = transition.extraImages.contains(.mask) ? MaskImage(source) : nil
        var device: String?
        let times = try Stopwatch(runs: runs).times(of: [Operation.copy, .render]) {
            (operation, _) throws(FrostError) in
            switch operation {
            case .copy:
                copied[0].copyBytes(of: source)
                copied[1].copyBytes(of: target)
            case .render: device = try render(at: time, target, mask, into: &output, renderer).device
            }
        }
        let (frame, copy) = (times[.render], times[.copy])
        let ratio = frame.minimum / copy.minimum
        return (row(at: time, frame, copy, ratio, renderer, device: device), ratio)
    }

    private func render(
        at time: Double, _ target: PixelBuffer, _ mask: MaskImage?, into output: inout PixelBuffer,
        _ renderer: Renderer
    ) throws(FrostError) -> RenderReport {
        let layout = output.layout
        // SAFETY: all memory is as large as its layout, and is used only during the call.
        return try unsafe source.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe target.withUnsafeBytes { (to) throws(FrostError) in
                try unsafe output.withUnsafeMutableBytes { (out) throws(FrostError) in
                    guard let from = from.baseAddress, let to = to.baseAddress, let out = out.baseAddress else {
                        throw .pixels(.tooFewBytes(have: 0, need: 1))
                    }
                    return try unsafe renderer.render(
                        transition, at: time,
                        TransitionImages(
                            source: PixelSource(from, layout: source.layout),
                            target: PixelSource(to, layout: target.layout)),
                        mask: mask, into: PixelTarget(out, layout: layout))
                }
            }
        }
    }

    private func row(
        at time: Double, _ render: Timing, _ copy: Timing, _ ratio: Double, _ renderer: Renderer, device: String?
    ) -> BenchRow {
        let size = PictureSize(width: source.width, height: source.height)
        let place = Measurement.subject(
            renderer.backend, device: device, threads: device == nil ? renderer.threads : nil)
        return BenchRow(
            columns: [
                ("size", 11, size.description), ("min ms", 9, significant(render.minimum)),
                ("memcpy", 9, significant(copy.minimum)), ("ratio", 6, fixed(ratio, 2)), ("at", 4, fixed(time, 2)),
            ],
            subject: ("transition", "\(transition.name), \(place)"),
            json: .joined(
                ["schema": "frost.bench.transition/1", "transition": .string(transition.name)], size.json,
                [
                    "time": .number(time, decimals: 3), "backend": .string(renderer.backend.rawValue),
                    "device": .optional(device), "threads": .int(renderer.threads),
                ], render.json(),
                [
                    "memcpy_ms": .number(copy.minimum, decimals: 5), "ratio": .number(ratio, decimals: 3),
                    "runs": .int(render.runs),
                ]))
    }
}

extension PixelBuffer {
    /// The same pixels turned by half a turn, as a second picture.
    fileprivate func turned() -> PixelBuffer {
        var turned = self
        let (size, count) = (format.bytesPerPixel, width * height)
        // SAFETY: both images have the same layout without gaps between rows, and every index is within it.
        unsafe withUnsafeBytes { from in
            unsafe turned.withUnsafeMutableBytes { to in
                for index in 0..<count {
                    let pixel = unsafe UnsafeRawBufferPointer(rebasing: from[index * size..<(index + 1) * size])
                    let end = (count - index) * size
                    unsafe UnsafeMutableRawBufferPointer(rebasing: to[end - size..<end]).copyMemory(from: pixel)
                }
            }
        }
        return turned
    }
}
