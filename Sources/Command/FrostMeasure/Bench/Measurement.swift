import Frost
import FrostCLI
import FrostGLES

/// The measured times and errors of one blur.
struct Measurement {
    var size: PictureSize
    var format: BenchFormat
    var effect: Effect
    /// The backend that was requested. `backend` is the backend that was used.
    var asked: Backend
    var backend: Backend
    var device: String?
    /// The number of CPU threads; nil on a GPU.
    var threads: Int?
    var blur: Timing
    /// The times of a memcpy of the picture's bytes, measured alternately with the blur.
    var memcpy: Timing
    /// The times of the blur alone, for an effect with output stages. They are measured alternately with the effect.
    var plain: Timing?
    /// The times of the blur from and into memory of the renderer, which the GPU reads and writes by itself; nil if the
    /// renderer has no such memory.
    var pinned: Timing?
    /// The times of such a blur in a stream, in which several blurs are in progress at the same time.
    var stream: Timing?
    /// The time of the upload to the GPU in the fastest run, in milliseconds; nil on the CPU.
    var upload: Double?
    var readback: Double?
    /// The error bound of the plan, in 8-bit steps before rounding.
    var errorBound: Double
    /// The reason for the choice of the backend.
    var reason: String
    var warning: String?
    /// The error compared with the exact result; nil if the command line does not request this comparison.
    var error: Comparison?

    /// The result of ``BenchBaseline/ratio(of:)``; nil if there is no baseline.
    var baselineRatio: Double?

    static let schema = "frost.bench/1"

    /// The time of the fastest blur, divided by the time of the fastest memcpy.
    var ratio: Double { blur.minimum / memcpy.minimum }

    /// The sigma of a Gaussian in pixels; 0 for other kernels.
    var sigma: Double { effect.gaussian?.sigmaX ?? 0 }

    /// The time of an effect with output stages divided by the time of its blur alone.
    var stageRatio: Double? { plain.map { blur.minimum / $0.minimum } }

    /// Whether the measured error is within Frost's guarantee. True if no error was measured.
    var keepsPromise: Bool { (error?.maximum ?? 0) <= format.promise }

    /// The name of the requested renderer, for example "cpu, 2 threads" or "gpu (llvmpipe)". For the automatic choice,
    /// the name is only "auto", without the backend that was chosen.
    var subject: String { Self.subject(asked, device: device, threads: threads) }

    /// Whether the GPU is a software renderer.
    var isSoftware: Bool { device.map(DeviceInfo.namesSoftware) ?? false }

    static func subject(_ backend: Backend, device: String?, threads: Int?) -> String {
        if backend == .auto { return backend.rawValue }
        if let device { return "\(backend.rawValue) (\(device))" }
        guard let threads else { return backend.rawValue }
        return "\(backend.rawValue), \(threads) thread" + (threads == 1 ? "" : "s")
    }
}

extension Measurement {
    /// The measurement as a row. The JSON object has all values.
    var row: BenchRow {
        func ms(_ value: Double?) -> JSONValue { .number(value, decimals: 5) }
        return BenchRow(
            columns: [
                ("size", 11, size.description), ("sigma", 6, effect.sigmaCell),
                ("min ms", 9, significant(blur.minimum)),
                ("median", 9, significant(blur.median)), ("memcpy", 9, significant(memcpy.minimum)),
                ("ratio", 8, fixed(ratio, 2)), ("bound", 6, fixed(errorBound, 2)),
            ],
            subject: ("on", subject + remarks),
            json: .joined(
                ["schema": .string(Self.schema)], size.json,
                [
                    "sigma": .number(effect.gaussian?.sigmaX, decimals: 6), "backend": .string(backend.rawValue),
                    "device": .optional(device), "threads": .int(threads), "min_ms": ms(blur.minimum),
                    "median_ms": ms(blur.median), "memcpy_ms": ms(memcpy.minimum),
                    "ratio": .number(ratio, decimals: 3), "memcpy_median_ms": ms(memcpy.median),
                    "upload_ms": ms(upload), "readback_ms": ms(readback), "runs": .int(blur.runs),
                    "format": .string(format.rawValue), "edge": .string(effect.edge.rawValue),
                    "errorBound": .number(errorBound, decimals: 4), "maxError": .number(error?.maximum, decimals: 4),
                    "effect": .string(effect.name), "plain_ms": ms(plain?.minimum),
                    "plain_ratio": .number(stageRatio, decimals: 3), "meanError": .number(error?.mean, decimals: 5),
                    "pinned_ms": ms(pinned?.minimum), "stream_ms": ms(stream?.minimum),
                    "asked": .string(asked.rawValue), "reason": .string(reason), "warning": .optional(warning),
                    "baseline_ratio": .number(baselineRatio, decimals: 3),
                ]))
    }

    private var remarks: String {
        let chosen = asked == .auto ? " (\(Self.subject(backend, device: device, threads: threads)))" : ""
        let stages = stageRatio.map { "; \(effect.name): \(fixed($0, 2)) times its blur" } ?? effect.nameEnding
        let decimals = format.pixels.sample.isEightBit ? 3 : 5
        let error = error.map { "; error \(fixed($0.maximum, decimals)) max, \(fixed($0.mean, decimals)) mean" } ?? ""
        let baseline = baselineRatio.map { "; \(fixed($0, 2)) times the baseline" } ?? ""
        let memory =
            if let pinned, let stream {
                "; \(significant(pinned.minimum)) in pinned memory, \(fixed(1000 / stream.minimum, 0)) a second"
            } else { "" }
        return chosen + stages + error + memory + baseline
    }
}
