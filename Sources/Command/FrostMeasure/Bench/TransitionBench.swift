import Frost
import FrostCLI
import Glibc

/// Implements `frost bench --transition`. It measures how long a frame of a transition takes, at several times, relative to a
/// memcpy of both pictures on one thread.
struct TransitionBench {
    let request: BenchRequest

    /// The times of the measured frames. The slowest of them counts.
    private static let times = [0.13, 0.5, 0.82]

    /// The measurement of one transition at one time.
    private struct Row: BenchRow {
        let name: String
        let size: PictureSize
        let backend: Backend
        let device: String?
        let threads: Int
        let time: Double
        let render: Timing
        let copy: Timing

        var ratio: Double { render.minimum / copy.minimum }

        static let columns = [("size", 11), ("min ms", 9), ("memcpy", 9), ("ratio", 6), ("at", 4)]
        static let lastTitle = "transition"
        var cells: [String] {
            [
                size.description, significant(render.minimum), significant(copy.minimum), fixed(ratio, 2),
                fixed(time, 2),
            ]
        }
        var ending: String {
            "\(name), \(Measurement.subject(backend, device: device, threads: device == nil ? threads : nil))"
        }

        var members: [(String, JSON)] {
            var members: [(String, JSON)] = [
                ("schema", .string("frost.bench.transition/1")), ("transition", .string(name)),
            ]
            members += size.members
            members += [
                ("time", .number(time, decimals: 3)), ("backend", .string(backend.rawValue)),
                ("device", .optional(device)), ("threads", .int(threads)),
            ]
            members += render.members("")
            members += [
                ("memcpy_ms", .number(copy.minimum, decimals: 5)), ("ratio", .number(ratio, decimals: 3)),
                ("runs", .int(render.runs)),
            ]
            return members
        }
    }

    func run(
        _ transitions: [Transition], _ sizes: [PictureSize], _ picture: BenchPicture, _ console: Console
    ) throws(CommandError) -> ExitCode {
        console.header(of: Row.self)
        var isWithinBound = true
        for size in sizes {
            let source = try picture.pixels(size, request.format)
            let target = source.turned()
            for subject in try BenchSubject.all(request) {
                for transition in transitions {
                    let row = try slowest(transition, source, target, size, subject.renderer)
                    console.result(row)
                    if let bound = request.maximumRatio, row.ratio > bound {
                        console.note(
                            "\(transition.name): \(fixed(row.ratio, 2)) times a memcpy, over the bound of "
                                + decimal(bound))
                        isWithinBound = false
                    }
                }
            }
        }
        return isWithinBound ? .done : .someFailed
    }

    private func slowest(
        _ transition: Transition, _ source: PixelBuffer, _ target: PixelBuffer, _ size: PictureSize,
        _ renderer: Renderer
    ) throws(CommandError) -> Row {
        let rows = try Self.times.map { (time) throws(CommandError) in
            do throws(FrostError) { return try measure(transition, at: time, source, target, size, renderer) } catch {
                throw CommandError.frost(error)
            }
        }
        return rows.max { $0.ratio < $1.ratio } ?? rows[0]
    }

    private enum Work { case copy, render }

    /// Measures the transition and a memcpy of both pictures alternately.
    private func measure(
        _ transition: Transition, at time: Double, _ source: PixelBuffer, _ target: PixelBuffer, _ size: PictureSize,
        _ renderer: Renderer
    ) throws(FrostError) -> Row {
        let layout: PixelLayout
        var copied: PixelBuffer
        var output: PixelBuffer
        do throws(PixelError) {
            let format = try transition.outputFormat(from: source.layout, to: target.layout)
            layout = try PixelLayout(width: source.width, height: source.height, format: format)
            output = PixelBuffer(layout: layout)
            copied = PixelBuffer(
                layout: try PixelLayout(width: source.width, height: 2 * source.height, format: source.format))
        } catch {
            throw .pixels(error)
        }
        let mask = transition.extraImages.contains(.mask) ? MaskImage(source) : nil
        var times = Stopwatch.Times<Work>()
        var device: String?
        let bytes = source.layout.byteCount
        // SAFETY: all memory is as large as its layout, and is used only during the calls.
        try unsafe source.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe target.withUnsafeBytes { (to) throws(FrostError) in
                try unsafe output.withUnsafeMutableBytes { (out) throws(FrostError) in
                    try unsafe copied.withUnsafeMutableBytes { (copy) throws(FrostError) in
                        guard let from = from.baseAddress, let to = to.baseAddress, let out = out.baseAddress,
                            let copy = copy.baseAddress
                        else { return }
                        let images = unsafe TransitionImages(
                            source: PixelSource(from, layout: source.layout),
                            target: PixelSource(to, layout: target.layout))
                        times = try Stopwatch(runs: request.runs).times(of: [.copy, .render]) {
                            (work, _) throws(FrostError) in
                            switch work {
                            case .copy:
                                unsafe memcpy(copy, from, bytes)
                                unsafe memcpy(copy + bytes, to, bytes)
                            case .render:
                                device =
                                    try unsafe renderer.render(
                                        transition, at: time, images, mask: mask,
                                        into: PixelTarget(out, layout: layout)
                                    ).device
                            }
                        }
                    }
                }
            }
        }
        return Row(
            name: transition.name, size: size, backend: renderer.backend, device: device, threads: renderer.threads,
            time: time, render: times[.render], copy: times[.copy])
    }
}

extension PixelBuffer {
    /// The same pixels turned by half a turn, as a second picture.
    fileprivate func turned() -> PixelBuffer {
        var turned = self
        let (size, row) = (format.bytesPerPixel, layout.bytesPerRow)
        // SAFETY: both images have the same layout, and every index is within it.
        unsafe withUnsafeBytes { from in
            unsafe turned.withUnsafeMutableBytes { to in
                guard let from = from.baseAddress, let to = to.baseAddress else { return }
                for y in 0..<height {
                    for x in 0..<width {
                        unsafe (to + (height - 1 - y) * row + (width - 1 - x) * size).copyMemory(
                            from: from + y * row + x * size, byteCount: size)
                    }
                }
            }
        }
        return turned
    }
}
