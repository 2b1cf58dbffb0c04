public import FrostCore
import FrostThreads
import Glibc

/// Executes plans on the CPU.
///
/// Thread safety: a value without mutable state; may be used from any thread.
public struct CPUExecutor: Sendable {
    /// The maximum number of threads that a call uses.
    public let threads: Int

    /// Creates an executor.
    ///
    /// - Parameter threads: 1 to 256; nil means ``defaultThreads``.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``, and
    ///   ``ParameterError/malformed(parameter:value:expected:)`` if the environment variable FROST_KERNELS names no instruction
    ///   set of this processor.
    public init(threads: Int? = nil) throws(ParameterError) {
        _ = try KernelSet.chosen.get()
        let wanted = threads ?? Self.defaultThreads
        guard Self.allowedThreads.contains(wanted) else {
            throw .outOfRange(
                parameter: "threads", value: Double(wanted),
                allowed: Double(Self.allowedThreads.lowerBound)...Double(Self.allowedThreads.upperBound))
        }
        self.threads = wanted
    }

    /// The accepted numbers of threads.
    public static let allowedThreads = 1...ThreadPool.maximum

    /// The instruction set of the inner loops: "baseline", "avx2" or "avx512". It is the one with the widest vectors that this
    /// processor supports, or the one that the environment variable FROST_KERNELS names.
    public static var instructionSet: String { KernelSet.best.name }

    /// The number of threads that work uses if nobody chose one, at most 256: the value of the environment variable
    /// `OMP_NUM_THREADS`, or else the processors that are online and that the process may use. Affinity and the quotas of
    /// control groups limit these; a part of a processor counts as one.
    public static var defaultThreads: Int { min(Processors.byDefault, ThreadPool.maximum) }

    /// Executes a plan: computes `plan.region` from an image that covers `plan.extent`.
    ///
    /// The result has the same bits for every number of threads.
    ///
    /// - Parameters:
    ///   - source: an image of the extent's size. Not read after the call.
    ///   - mask: the mask image, if the plan's output stages or blend have a mask that is an image.
    ///   - target: an image of the region's size, in the source's format. Two differences from the source's format are
    ///     allowed: the target may have an additional alpha channel, and its alpha may be straight or premultiplied.
    ///     The target may be the same memory as the source. The source is then not copied, unless the plan is a zoom. If
    ///     both overlap in another way, and share pixels, the source is copied.
    /// - Throws: ``CPUError``. Cancellation takes effect within a few rows.
    @unsafe public func execute(
        _ plan: Plan, source: PixelSource, mask: MaskImage? = nil, target: PixelTarget,
        cancellation: Cancellation? = nil
    ) throws(CPUError) {
        try unsafe rethrow(plan.check(source: source.layout, target: target.layout), as: CPUError.pixels)
        let canReplace = unsafe target.canReplace(source, isWhole: plan.region == plan.extent)
        let isInPlace = unsafe canReplace && source.base == UnsafeRawPointer(target.base)
        // A copy reads each row only once, before its own copy and the copies of later rows are written. So source and target
        // of a copy may overlap in any way.
        let copy = try canReplace || plan.isCopy ? nil : unsafe rethrow(PixelCopy(source), as: CPUError.memory)
        defer { withExtendedLifetime(copy) {} }
        let source = unsafe copy?.source ?? source
        let key = unsafe PreparedPlan.Key(
            plan: plan, source: source.layout.format, target: target.layout.format, threads: threads,
            isInPlace: isInPlace)
        // A plan that was prepared with a mask image contains values of that image, so it is not cached.
        let prepared = mask == nil ? PreparedPlans.shared.take(key) : nil
        let work = if let prepared { prepared } else { try PreparedPlan(key, mask: mask) }
        try unsafe work.run(source: source, target: target, cancellation: cancellation)
        if mask == nil {
            unsafe PreparedPlans.shared.give(work, bytes: source.layout.byteCount + target.layout.byteCount)
        }
    }
}
