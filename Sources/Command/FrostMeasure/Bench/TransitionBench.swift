import Frost
import FrostCLI
import Glibc

/// Implements `frost bench --transition`. It measures how long a frame of a transition takes, at several times, relative to a
/// memcpy of both pictures on one thread.
struct TransitionBench {
    let request: BenchRequest

    /// Options that cannot be combined with `--transition`, because they concern only blurs.
    static let excluded: [Option] = [
        .benchBackdrop, .benchSigmas, .benchEffects, .edge, .benchVerify, .benchBaseline, .benchMaxLoss, .benchCSV,
        .benchMarkdown, .benchPlot,
    ]

    /// The times of the measured frames. The slowest of them counts.
    private static let times = [0.13, 0.5, 0.82]

    /// The measurement of one transition at one time.
    private struct Row {
        let name: String
        let size: PictureSize
        let backend: Backend
        let device: String?
        let threads: Int
        let time: Double
        let render: Measurement.Timing
        let copy: Measurement.Timing

        var ratio: Double { render.minimum / copy.minimum }

        static var header: String { "       size     min ms     memcpy   ratio  at    transition" }

        var text: String {
            func padded(_ text: String, _ width: Int) -> String {
                String(repeating: " ", count: max(0, width - text.count)) + text
            }
            let cells = [
                padded(size.description, 11), padded(Measurement.significant(render.minimum), 9),
                padded(Measurement.significant(copy.minimum), 9), padded(fixed(ratio, 2), 6), fixed(time, 2), name,
            ]
            return cells.joined(separator: "  ")
                + ", \(Measurement.subject(backend, device: device, threads: device == nil ? threads : nil))"
        }

        var members: [(String, JSON)] {
            [
                ("schema", .string("frost.bench.transition/1")), ("transition", .string(name)),
                ("width", .int(size.width)), ("height", .int(size.height)), ("time", .number(time, decimals: 3)),
                ("backend", .string(backend.rawValue)), ("device", device.map { .string($0) } ?? .null),
                ("threads", .int(threads)), ("min_ms", .number(render.minimum, decimals: 5)),
                ("median_ms", .number(render.median, decimals: 5)),
                ("memcpy_ms", .number(copy.minimum, decimals: 5)), ("ratio", .number(ratio, decimals: 3)),
                ("runs", .int(render.runs)),
            ]
        }
    }

    func run(
        _ transitions: [Transition], _ sizes: [PictureSize], _ picture: BenchPicture, _ console: Console
    ) throws(CommandError) -> ExitCode {
        if !console.json, !console.quiet { console.result(Row.header) }
        let threads: [Int?] = request.threads.isEmpty ? [nil] : request.threads.map { $0 }
        var isWithinBound = true
        for size in sizes {
            let source = try picture.pixels(size, request.format)
            let target = source.turned()
            for backend in request.backends ?? [.cpu] {
                for count in backend == .gpu ? [nil] : threads {
                    let renderer: Renderer
                    do throws(FrostError) {
                        renderer = try Renderer(backend: backend, device: request.device, threads: count)
                    } catch {
                        throw .frost(error)
                    }
                    for transition in transitions {
                        let row = try slowest(transition, source, target, size, renderer)
                        console.json ? console.result(.object(row.members)) : console.result(row.text)
                        if let bound = request.maximumRatio, row.ratio > bound {
                            console.note(
                                "\(transition.name): \(fixed(row.ratio, 2)) times a memcpy, over the bound of "
                                    + decimal(bound))
                            isWithinBound = false
                        }
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
        var slowest: Row?
        for time in Self.times {
            let row: Row
            do throws(FrostError) {
                row = try measure(transition, at: time, source, target, size, renderer)
            } catch {
                throw .frost(error)
            }
            if slowest.map({ row.ratio > $0.ratio }) ?? true { slowest = row }
        }
        guard let slowest else { throw .usage("no time to measure") }
        return slowest
    }

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
        var (renders, copies): ([Double], [Double]) = ([], [])
        var device: String?
        let clock = ContinuousClock()
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
                        let began = clock.now
                        // The first two runs fill the caches and are not measured.
                        for run in 0... {
                            let start = clock.now
                            unsafe memcpy(copy, from, bytes)
                            unsafe memcpy(copy + bytes, to, bytes)
                            let middle = clock.now
                            let report = try unsafe renderer.render(
                                transition, at: time, images, mask: mask, into: PixelTarget(out, layout: layout))
                            device = report.device
                            guard run > 1 else { continue }
                            copies.append((middle - start).milliseconds)
                            renders.append((clock.now - middle).milliseconds)
                            let milliseconds = (clock.now - began).milliseconds
                            if !BenchSubject.goesOn(runs: renders.count, of: request.runs, milliseconds: milliseconds) {
                                break
                            }
                        }
                    }
                }
            }
        }
        return Row(
            name: transition.name, size: size, backend: renderer.backend, device: device, threads: renderer.threads,
            time: time, render: Measurement.Timing(renders), copy: Measurement.Timing(copies))
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
