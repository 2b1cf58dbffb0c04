import FrostCPU
import FrostCore
import FrostGLES
import FrostGPU
import Synchronization

/// Has a GPU that was just opened blur a small picture, and compares that with what the CPU makes of it: a driver that draws
/// nonsense is not let near a user's picture. Done once a process for each device, since it takes milliseconds, and programs
/// that most blurs need are compiled for it.
enum StartUpCheck {
    /// Both are within a step of the exact blur.
    private static let tolerance = 2
    private static let passed = Mutex<Set<String>>([])

    /// What is wrong with the device; nil if nothing is.
    ///
    /// - Throws: what the device fails with.
    static func fault(of gpu: GPUExecutor, _ cpu: CPUExecutor) throws(GPUError) -> String? {
        let key = "\(gpu.device.costIdentity); \(gpu.options.context.libraryName)"
        if passed.withLock({ $0.contains(key) }) { return nil }
        guard let (plan, source) = try? picture() else { return nil }
        var (expected, drawn) = (source, source)
        try unsafe source.withUnsafeBytes { (from) throws(GPUError) in
            guard let from = unsafe from.baseAddress.map({ unsafe PixelSource($0, layout: source.layout) }) else {
                return
            }
            try unsafe drawn.withUnsafeMutableBytes { (to) throws(GPUError) in
                guard let to = to.baseAddress else { return }
                // SAFETY: both buffers are laid out so and outlive the call.
                _ = try unsafe gpu.execute(plan, source: from, target: PixelTarget(to, layout: source.layout))
            }
            unsafe expected.withUnsafeMutableBytes { to in
                guard let to = to.baseAddress else { return }
                // SAFETY: as above.
                try? unsafe cpu.execute(plan, source: from, target: PixelTarget(to, layout: source.layout))
            }
        }
        let worst = zip(drawn.bytes, expected.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
        guard worst <= tolerance else {
            return "\(gpu.device.renderer) blurs a test picture wrongly, by \(worst) of 255 steps"
        }
        passed.withLock { _ = $0.insert(key) }
        return nil
    }

    /// Noise, since a flat picture would look right however it is drawn; odd sizes, and edges within reach.
    private static func picture() throws -> (Plan, PixelBuffer) {
        let format = PixelFormat(.rgba, alpha: .premultiplied)
        var image = PixelBuffer(layout: try PixelLayout(width: 37, height: 29, format: format))
        // SAFETY: each index is in the buffer's range.
        unsafe image.withUnsafeMutableBytes { bytes in
            for index in bytes.indices {
                let noise = UInt32(truncatingIfNeeded: index / 4 * 4 + index % 4 % 3) &* 0x9E37_79B1
                unsafe bytes[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: noise >> 24)
            }
        }
        return (try GaussianBlur(sigma: 3, edge: .mirror).plan(extent: image.layout.extent), image)
    }
}
