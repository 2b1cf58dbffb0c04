public import FrostCore
import Glibc

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
    ///   - mask: where the plan's output stages or blend have one that is an image.
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
        let use = unsafe plan.memoryUse(overlaps: target.overlaps(source))
        let copy = use.copiesSource ? unsafe PixelCopy(source) : nil
        defer { withExtendedLifetime(copy) {} }
        let source = unsafe copy?.source ?? source
        let shape = unsafe PreparedPlan.Shape(
            plan: plan, source: source.layout.format, target: target.layout.format, threads: threads,
            isWhole: use.allowsOneSweep && PlanPart.bands(plan.region, threads: threads) == 1)
        // What is prepared for a mask image holds parts of it: that is not kept.
        let prepared = mask == nil ? PreparedPlans.shared.take(shape) : nil
        let work = prepared ?? PreparedPlan(shape, mask: mask)
        try unsafe work.run(source: source, target: target, cancellation: cancellation)
        if mask == nil {
            unsafe PreparedPlans.shared.give(work, bytes: source.layout.byteCount + target.layout.byteCount)
        }
    }
}

extension Plan {
    /// How source and target may share memory.
    ///
    /// - Parameter overlaps: whether they do.
    /// - Returns: whether the source has to be copied first, and whether one sweep may do everything on one thread, which
    ///   spares what bands and parts read twice.
    fileprivate func memoryUse(overlaps: Bool) -> (copiesSource: Bool, allowsOneSweep: Bool) {
        switch work {
        case .copy: (false, true)
        // Levels read the source at different times.
        case .blend: (overlaps, true)
        case .kernel2D: (overlaps, !overlaps)
        // With several parts the first has read all rows before the last writes one; but output stages may ask for pixels
        // of the original again.
        case .passes(let passes):
            (overlaps && (passes.bandedParts.count == 1 || outputStages.readsOriginal), !overlaps)
        }
    }
}
