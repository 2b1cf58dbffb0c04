public import FrostCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Carries out plans on the CPU.
///
/// Thread safety: a value without state; may be used from any thread.
public struct CPUExecutor: Sendable {
    /// Threads that a call may use.
    public let threads: Int

    /// - Parameter threads: 1 to 256; all processors available to this process by default.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public init(threads: Int? = nil) throws(ParameterError) {
        let wanted = threads ?? min(Self.processors, Workers.maximum)
        guard (1...Workers.maximum).contains(wanted) else {
            throw .outOfRange(
                parameter: "threads", value: Double(wanted), allowed: 1...Double(Workers.maximum))
        }
        self.threads = wanted
    }

    /// Processors that are online.
    public static var processors: Int {
        max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// Computes `plan.region` from an image that covers `plan.extent`.
    ///
    /// The result is the same to the bit for every number of threads.
    ///
    /// - Parameters:
    ///   - source: sized as the extent. Not read after the call.
    ///   - mask: where the plan's finish has one that is an image.
    ///   - target: sized as the region; the source's format, with or without an alpha channel added, straight or
    ///     premultiplied as the caller likes. May be the same memory as the source.
    /// - Throws: ``CPUError``; cancellation is noticed within a few rows.
    @unsafe public func execute(
        _ plan: Plan, source: PixelSource, mask: MaskImage? = nil, target: PixelTarget,
        cancellation: Cancellation? = nil
    ) throws(CPUError) {
        do throws(PixelError) { try unsafe plan.check(source: source.layout, target: target.layout) } catch {
            throw .pixels(error)
        }
        let addsAlpha = unsafe target.layout.format.channels.hasAlpha
        let reader = unsafe RowConversion(format: source.layout.format, addingAlpha: addsAlpha)
        let writer = unsafe RowConversion(format: target.layout.format)
        guard !plan.passes.isEmpty else {
            return try unsafe copy(plan, source, reader, target, writer, cancellation)
        }

        // One thread needs no parts: nothing overlaps. But work in place, which reads all before it writes, has to have two
        // or take a copy.
        let isWhole = unsafe bands(plan.region) == 1 && !target.overlaps(source)
        let cuts = isWhole ? [0..<plan.passes.count] : plan.bandedParts
        var source = unsafe source
        var snapshot: UnsafeMutableRawBufferPointer?
        defer { unsafe snapshot?.deallocate() }
        if cuts.count == 1, unsafe target.overlaps(source) {
            // Every row is read before the row that replaces it is written only within one band, read forwards.
            let copy = unsafe UnsafeMutableRawBufferPointer.allocate(byteCount: source.layout.byteCount, alignment: 64)
            unsafe copy.copyMemory(
                from: UnsafeRawBufferPointer(start: source.base, count: source.layout.byteCount))
            unsafe snapshot = copy
            if let base = copy.baseAddress {
                unsafe source = PixelSource(UnsafeRawPointer(base), layout: source.layout)
            }
        }

        let arithmetic = Arithmetic(plan, reader: reader, writer: writer)
        let original = unsafe source
        var input = unsafe RowEnd.pixels(source, reader, extent: plan.extent, edge: plan.rowEdge)
        for (index, passes) in cuts.enumerated() {
            let place = plan.passes[passes.upperBound - 1].to
            let isLast = index == cuts.count - 1
            let output: RowEnd =
                unsafe isLast
                ? .target(target, writer, region: plan.region)
                : .plane(
                    RowPlane(
                        window: plan.window(of: place), channels: arithmetic.channels,
                        kind: arithmetic.kind(place, of: plan)))
            let work = unsafe BandWork(
                plan: plan, passes: passes, input: input, output: output, arithmetic: arithmetic, source: original,
                reader: reader, mask: mask, cancellation: cancellation)
            try run(work)
            input = output
        }
    }

    /// How many threads share the rows of a window: a band has to be worth waking a thread for.
    private func bands(_ window: Rect) -> Int {
        max(1, min(threads, window.height / 4, window.height * window.width / 4096))
    }

    /// Runs some of a plan's passes in bands of output rows, one band per thread.
    private func run(_ work: BandWork) throws(CPUError) {
        let window = work.plan.window(of: work.plan.passes[work.passes.upperBound - 1].to)
        let rows = window.rows
        let bands = bands(window)
        let failure = Mutex<CPUError?>(nil)
        Workers.shared.run(bands) { band in
            let from = rows.lowerBound + rows.count * band / bands
            let to = rows.lowerBound + rows.count * (band + 1) / bands
            do throws(CPUError) { try work.run(from..<to) } catch { failure.withLock { $0 = error } }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// A plan without passes: the region cut out of the source, byte for byte where the formats agree.
    private func copy(
        _ plan: Plan, _ source: PixelSource, _ reader: RowConversion, _ target: PixelTarget, _ writer: RowConversion,
        _ cancellation: Cancellation?
    ) throws(CPUError) {
        let width = plan.region.width
        let offset = (plan.region.x - plan.extent.x) * reader.format.bytesPerPixel
        let values = RowStorage(rows: 1, floats: width * reader.working.count)
        for y in 0..<plan.region.height {
            if cancellation?.isCancelled == true { throw .cancelled }
            let from = unsafe source.row(plan.region.y - plan.extent.y + y) + offset
            if reader.format.channels == writer.format.channels, reader.format.alpha == writer.format.alpha {
                unsafe memmove(target.row(y), from, width * reader.format.bytesPerPixel)
            } else {
                unsafe reader.load(from, count: width, into: values.row(0))
                unsafe writer.store(values.row(0), count: width, into: target.row(y))
            }
        }
    }
}

extension Plan {
    /// The passes in parts that are each run over the whole image before the next begins.
    ///
    /// Bands of output rows overlap in what they read, and the lower the resolution the larger the overlap. So the
    /// full-resolution work down and up is cut off at an eighth of the height, where the overlap of a band is still a
    /// few dozen rows and the image between the parts is small. A plan that keeps the height, or half of it, is one part.
    fileprivate var bandedParts: [Range<Int>] {
        let lowest = slots.map(\.levelY).max() ?? 0
        guard lowest > 1 else { return [0..<passes.count] }
        let cut = min(lowest, 3)
        // The pass along x of the same level belongs to the same part: it makes the image between them small.
        var down = slots.firstIndex { $0.levelY == cut } ?? 0
        while down + 1 < slots.count, case .decimate = passes[down + 1].operation, passes[down + 1].axis == .x {
            down += 1
        }
        guard lowest > 3, let up = slots.lastIndex(where: { $0.levelY == cut }) else {
            return [0..<down + 1, down + 1..<passes.count]
        }
        return [0..<down + 1, down + 1..<up + 1, up + 1..<passes.count]
    }
}
