package import Frost

// Describes as text and as JSON how a picture or a stream was rendered.

extension ContrastReport {
    /// The end of a picture's line, for example "contrast 4.61 to #000000ff".
    package var words: String {
        let color = "\(content)".hasSuffix("ff") ? String("\(content)".dropLast(2)) : "\(content)"
        guard let smallest else { return "contrast to \(color): no pixel is opaque and completely covered" }
        // Rounded down, so that the text never shows more than was reached.
        return "contrast \(fixed((smallest * 100).rounded(.down) / 100, 2)) to \(color)"
    }
}

extension ContrastReport {
    /// The report as a JSON object. The place is missing if there is no pixel, or if it lies in one of many frames.
    package var json: JSONValue {
        .joined(
            [
                "minimum": .number(minimum, decimals: 4), "content": .string(content.description),
                "smallest": .number(smallest, decimals: 4),
            ], place.map { ["x": .int($0.x), "y": .int($0.y)] } ?? [:])
    }
}

extension RenderReport {
    /// The processor that rendered: "CPU", "CPU, exact", "GPU (NAME)" or "software GPU (NAME)".
    package var place: String {
        switch backend {
        case .auto, .cpu: "CPU"
        case .exact: "CPU, exact"
        case .gpu: (usesSoftwareGPU ? "software GPU" : "GPU") + (device.map { " (\($0))" } ?? "")
        }
    }
}

extension RenderReport? {
    /// The part of the JSON object `frost.result/1` that describes the rendering. Its members are null if nothing was
    /// rendered.
    var json: JSONValue {
        [
            "backend": .optional(self?.backend.rawValue), "device": .optional(self?.device),
            "shaders": .optional(self?.shaders),
            "reason": .optional(self?.reason), "warning": .optional(self?.warning),
            "errorBound": .number(self?.errorBound, decimals: 4),
        ]
    }

    /// The member `contrast` of the JSON object, if the effect guarantees a contrast.
    var contrastJSON: JSONValue {
        self?.contrast.map { ["contrast": $0.json] } ?? [:]
    }

    /// Returns the JSON object `ms` with the times in milliseconds. It has the member `gpu` only if the time on the GPU
    /// is known.
    func times(decode: Duration, encode: Duration, total: Duration) -> JSONValue {
        func ms(_ value: Double?) -> JSONValue { .number(value ?? 0, decimals: 3) }
        return .joined(
            self?.gpuMilliseconds.map { ["gpu": ms($0)] } ?? [:],
            [
                "decode": ms(decode.milliseconds), "upload": ms(self?.uploadMilliseconds),
                "blur": ms(self?.blurMilliseconds), "readback": ms(self?.readbackMilliseconds),
                "encode": ms(encode.milliseconds), "total": ms(total.milliseconds),
            ])
    }
}
