import FrostCore
import FrostCPU
import FrostGLES
import FrostGPU
import FrostThreads

/// Compares a new GPU's blur of a small picture with the CPU's blur, so that a driver that draws wrongly never processes a
/// user's picture. The check runs once per process and device, because it takes milliseconds. It also compiles the programs
/// that most blurs need.
enum StartUpCheck {
    /// The maximum difference between the two results, in 8-bit steps. Each result is within one step of the exact blur.
    private static let tolerance = 2
    private static let passed = Lock<Set<String>>([])

    /// Returns a description of the device's fault; nil if the device draws correctly.
    ///
    /// - Throws: the device's error.
    static func fault(of gpu: GPUExecutor, _ cpu: CPUExecutor) throws(GPUError) -> String? {
        let key = "\(gpu.device.costIdentity); \(gpu.options.context.libraryName)"
        if passed.withLock({ $0.contains(key) }) { return nil }
        let shaders = gpu.options.shaders.map(\.rawValue) ?? "any"
        let name = "start-up check of Frost \(frostVersion), \(gpu.options.context.libraryName), \(shaders)"
        if try gpu.hasPassed(name) {
            passed.withLock { _ = $0.insert(key) }
            return nil
        }
        guard let (plan, source) = try? picture() else { return nil }
        var (expected, drawn) = (source, source)
        try unsafe source.withUnsafeBytes { (from) throws(GPUError) in
            guard let from = unsafe from.baseAddress.map({ unsafe PixelSource($0, layout: source.layout) }) else {
                return
            }
            try unsafe drawn.withUnsafeMutableBytes { (to) throws(GPUError) in
                guard let to = to.baseAddress else { return }
                // SAFETY: both buffers have this layout and outlive the call.
                _ = try unsafe gpu.execute(plan, source: from, target: PixelTarget(to, layout: source.layout))
            }
            try unsafe expected.withUnsafeMutableBytes { (to) throws(GPUError) in
                guard let to = to.baseAddress else { return }
                do throws(CPUError) {
                    // SAFETY: the buffer has this layout and outlives the call.
                    try unsafe cpu.execute(plan, source: from, target: PixelTarget(to, layout: source.layout))
                } catch {
                    // Without the CPU's picture the device would seem to draw wrongly.
                    if case .outOfMemory(let bytes) = error { throw .outOfMemory(bytes: bytes) }
                }
            }
        }
        let worst = zip(drawn.bytes, expected.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
        guard worst <= tolerance else {
            return "\(gpu.device.renderer) blurs a test picture wrongly: the error is \(worst) 8-bit steps"
        }
        passed.withLock { _ = $0.insert(key) }
        try gpu.keepPassed(name)
        return nil
    }

    /// Returns a test picture and its plan. The pixels are random, because a picture of one colour would look right however
    /// it is drawn. The sides are odd, and the blur reaches pixels outside the edges.
    private static func picture() throws -> (Plan, PixelBuffer) {
        let format = PixelFormat(.rgba, alpha: .premultiplied)
        var image = PixelBuffer(layout: try PixelLayout(width: 37, height: 29, format: format))
        // SAFETY: each index is in the buffer's range.
        unsafe image.withUnsafeMutableBytes { bytes in
            for index in bytes.indices {
                unsafe bytes[index] =
                    index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: PixelHash.bits(x: index, row: 0) >> 24)
            }
        }
        return (try GaussianBlur(sigma: 3, edge: .mirror).plan(extent: image.layout.extent), image)
    }
}
