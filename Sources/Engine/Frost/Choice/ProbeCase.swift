import FrostCore
import FrostCPU
import FrostGLES
import FrostGPU

/// A blur that is timed to fit a ``CostModel``.
struct ProbeCase: Sendable, Hashable {
    let side: Int
    let sigma: Double

    /// The cases that are measured on every machine. Small pictures show the costs of calls and passes; large pictures show
    /// the costs of bytes and taps. Some sigmas are below and some are above the sigma from which on plans decimate the
    /// image. 1024x1024 is the largest size that every processor blurs within milliseconds.
    static let usual = cases(64, [0.7, 3, 100]) + cases(1024, [0.7, 2.4, 3, 30])
    /// Additional cases for backends that finish every usual case in less than ``shortest``. On such backends, the fixed
    /// cost of calls is a large part of the measured time. Such backends may also become slower with pictures that are
    /// larger than the caches.
    static let large = cases(2048, [0.7, 2.4, 30])
    /// A time in seconds. If the slowest usual case takes less than this, the usual cases are too short to be measured
    /// precisely.
    static let shortest = 0.002
    /// The number of times that each case is timed. All other cases run in between, because disturbances of a machine come
    /// in bursts.
    static let rounds = 2

    private static func cases(_ side: Int, _ sigmas: [Double]) -> [ProbeCase] {
        sigmas.map { ProbeCase(side: side, sigma: $0) }
    }

    /// Measures the samples for fitting a model.
    ///
    /// - Parameter measure: a function that returns the seconds that a case takes.
    static func samples(
        _ format: PixelFormat, _ measure: (ProbeCase) throws(FrostError) -> Double
    ) throws(FrostError) -> [CostModel.Sample] {
        func samples(_ cases: [ProbeCase]) throws(FrostError) -> [CostModel.Sample] {
            var seconds = [Double](repeating: .infinity, count: cases.count)
            for _ in 0..<rounds {
                for (index, one) in cases.enumerated() { seconds[index] = min(seconds[index], try measure(one)) }
            }
            var samples: [CostModel.Sample] = []
            for (one, seconds) in zip(cases, seconds) {
                do throws(ParameterError) {
                    samples.append(CostModel.Sample(work: Workload(try one.plan(format), format), seconds: seconds))
                } catch {
                    throw .parameter(error)
                }
            }
            return samples
        }
        let first = try samples(usual)
        guard let slowest = first.map(\.seconds).max(), slowest < shortest else { return first }
        return try first + samples(large)
    }

    func plan(_ format: PixelFormat) throws(ParameterError) -> Plan {
        try GaussianBlur(sigma: sigma).plan(
            extent: Rect(x: 0, y: 0, width: side, height: side), accuracy: .suited(to: format.sample))
    }
}

/// The two backends of a renderer, to be timed.
struct ProbeSubjects: Sendable {
    let cpu: CPUExecutor
    let gpu: GPUExecutor

    /// Returns the fastest time of a case, in seconds. The case first runs once to warm up. Then it is timed at least twice,
    /// and at most four times: a third and a fourth run follow only if the timed runs so far have taken less than 3 ms
    /// together.
    func seconds(_ one: ProbeCase, _ format: PixelFormat, on backend: Backend) throws(FrostError) -> Double {
        let plan: Plan
        var source: PixelBuffer
        do throws(ParameterError) { plan = try one.plan(format) } catch { throw .parameter(error) }
        do throws(PixelError) {
            source = PixelBuffer(layout: try PixelLayout(width: one.side, height: one.side, format: format))
        } catch {
            throw .pixels(error)
        }
        // The picture is filled with values, because memory that was never written is a single shared page of zeros, which
        // is faster to read.
        unsafe source.withUnsafeMutableBytes { bytes in
            // SAFETY: each index is in the buffer's range.
            for index in bytes.indices { unsafe bytes[index] = UInt8(truncatingIfNeeded: index) }
        }
        var target = source
        return try unsafe source.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe target.withUnsafeMutableBytes { (to) throws(FrostError) in
                guard let reading = from.baseAddress, let writing = to.baseAddress else { return 0 }
                let layout = source.layout
                return try Self.fastest { () throws(FrostError) in
                    // SAFETY: both buffers have this layout and outlive the call.
                    try unsafe run(
                        plan, PixelSource(reading, layout: layout), PixelTarget(writing, layout: layout), on: backend)
                }
            }
        }
    }

    private func run(
        _ plan: Plan, _ source: PixelSource, _ target: PixelTarget, on backend: Backend
    ) throws(FrostError) {
        guard backend == .gpu else {
            do throws(CPUError) { try unsafe cpu.execute(plan, source: source, target: target) } catch {
                throw FrostError(error)
            }
            return
        }
        do throws(GPUError) { try unsafe gpu.execute(plan, source: source, target: target) } catch {
            throw .deviceFailed(device: gpu.device.renderer, error)
        }
    }

    private static func fastest(_ body: () throws(FrostError) -> Void) throws(FrostError) -> Double {
        let clock = ContinuousClock()
        try body()
        let start = clock.now
        var best = Double.infinity
        for run in 0..<4 where run < 2 || (clock.now - start).milliseconds < 3 {
            let began = clock.now
            try body()
            best = min(best, (clock.now - began).seconds)
        }
        return best
    }
}
