import Frost

/// How a picture or a stream was rendered, for text and JSON.
extension RenderReport {
    /// "CPU", "CPU, exact", "GPU (NAME)" or "software GPU (NAME)".
    var place: String {
        switch backend {
        case .auto, .cpu: "CPU"
        case .exact: "CPU, exact"
        case .gpu: (usesSoftwareGPU ? "software GPU" : "GPU") + (device.map { " (\($0))" } ?? "")
        }
    }
}

extension RenderReport? {
    /// Members of `frost.result/1`; null if nothing was rendered.
    var members: [(String, JSON)] {
        [
            ("backend", .optional(self?.backend.rawValue)), ("device", .optional(self?.device)),
            ("reason", .optional(self?.reason)), ("warning", .optional(self?.warning)),
            ("errorBound", self.map { .number($0.errorBound, decimals: 4) } ?? .null),
        ]
    }

    /// The object `ms`, with the times of decoding and encoding. It has `gpu` only if the GPU's time is known.
    func times(decode: Duration, encode: Duration, total: Duration) -> JSON {
        func ms(_ value: Double?) -> JSON { .number(value ?? 0, decimals: 3) }
        let gpu = self?.gpuMilliseconds.map { [("gpu", ms($0))] } ?? []
        return .object(
            gpu + [
                ("decode", ms(decode.milliseconds)), ("upload", ms(self?.uploadMilliseconds)),
                ("blur", ms(self?.blurMilliseconds)), ("readback", ms(self?.readbackMilliseconds)),
                ("encode", ms(encode.milliseconds)), ("total", ms(total.milliseconds)),
            ])
    }
}
