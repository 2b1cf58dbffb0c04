public import FrostCore

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
        guard Self.allowedThreads.contains(wanted) else {
            throw .outOfRange(
                parameter: "threads", value: Double(wanted),
                allowed: Double(Self.allowedThreads.lowerBound)...Double(Self.allowedThreads.upperBound))
        }
        self.threads = wanted
    }

    /// Numbers of threads that are accepted.
    public static let allowedThreads = 1...Workers.maximum

    /// The instruction set of the inner loops: "baseline", "avx2" or "avx512".
    public static var instructionSet: String { KernelSet.best.name }

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
    ///   - mask: where the plan's finish or blend has one that is an image.
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
        guard !plan.isCopy else {
            return try unsafe copy(plan, source, reader, target, writer, cancellation)
        }

        // One thread needs no parts: nothing overlaps. But work in place, which reads all before it writes, has to have two
        // or take a copy.
        let isInPlace = unsafe target.overlaps(source)
        let isWhole = (!isInPlace || plan.blend != nil) && PreparedPlan.bands(plan.region, threads: threads) == 1
        // Every row is read before the row that replaces it is written only within one band, read forwards; and a finish
        // may ask for pixels of the original again.
        let needsCopy =
            isInPlace && (plan.bandedParts.count == 1 || plan.blend != nil || plan.outputStages.readsOriginal)
        let copy = needsCopy ? unsafe PixelCopy(source) : nil
        defer { withExtendedLifetime(copy) {} }
        let source = unsafe copy?.source ?? source

        if let blend = plan.blend {
            let work = try unsafe BlendWork(
                plan, blend, source: source, target: target, reader: reader, writer: writer, image: mask,
                threads: threads, isWhole: isWhole, cancellation: cancellation)
            return try work.run(threads: threads)
        }
        let shape = PreparedPlan.Shape(
            plan: plan, source: reader.format, target: writer.format, threads: threads, isWhole: isWhole)
        // What is prepared for a mask image holds parts of it: that is not kept.
        let prepared = mask == nil ? PreparedPlans.shared.take(shape) : nil
        let work = prepared ?? PreparedPlan(shape, mask: mask)
        try unsafe work.run(source: source, target: target, cancellation: cancellation)
        if mask == nil {
            unsafe PreparedPlans.shared.give(work, bytes: source.layout.byteCount + target.layout.byteCount)
        }
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
