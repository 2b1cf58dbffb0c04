public import FrostCore
public import Testing

/// Expects two images to be equal within a tolerance. A failure names the place and channel of the largest difference. It
/// also attaches both images and their difference as PAM files; `swift test --attachments-path DIR` keeps them.
///
/// - Parameters:
///   - tolerance: the largest difference allowed.
///   - context: a description of the case, for the failure message.
/// - Returns: the comparison, for further expectations.
/// - Throws: `PixelError` if the sizes differ.
@discardableResult
public func expectClose(
    _ actual: SampleRows, _ expected: SampleRows, within tolerance: Tolerance,
    _ context: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Comparison {
    let comparison = try Comparison(actual, expected)
    // The comparison is negated so that NaN fails.
    guard !(comparison.maximum <= tolerance.steps) else { return comparison }
    let report = ImageReport(actual: actual, expected: expected, comparison: comparison)
    report.attach(sourceLocation: sourceLocation)
    Issue.record(
        "\(context()): \(report.summary); allowed is \(tolerance)", sourceLocation: sourceLocation)
    return comparison
}

/// Expects two images in memory to be equal within a tolerance. It behaves like the function of the same name for
/// `SampleRows`.
///
/// - Returns: the comparison, for further expectations.
/// - Throws: `PixelError` if the sizes differ.
@discardableResult
public func expectClose(
    _ actual: PixelBuffer, _ expected: PixelBuffer, within tolerance: Tolerance,
    _ context: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
) throws -> Comparison {
    try expectClose(
        SampleRows(actual), SampleRows(expected), within: tolerance, context(), sourceLocation: sourceLocation)
}

/// Expects two images to have the same format and the same bytes in every pixel. Their strides may differ.
///
/// - Throws: `PixelError` if the sizes differ.
public func expectIdentical(
    _ actual: PixelBuffer, _ expected: PixelBuffer, _ context: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    guard actual.format != expected.format || actual.pixelBytes != expected.pixelBytes else { return }
    let (first, second) = (SampleRows(actual), SampleRows(expected))
    let report = try ImageReport(actual: first, expected: second, comparison: Comparison(first, second))
    report.attach(sourceLocation: sourceLocation)
    Issue.record("\(context()): not identical: \(report.summary)", sourceLocation: sourceLocation)
}

/// The report of a failed comparison of two images.
struct ImageReport {
    let actual: SampleRows
    let expected: SampleRows
    let comparison: Comparison

    /// One line of text: the largest difference, the pixel where it occurs, that pixel's actual and expected samples, the
    /// number of pixels that differ, and the mean difference.
    var summary: String {
        let pixels = actual.width * actual.height
        var text = "\(comparison.maximum) 8-bit steps apart"
        if let worst = comparison.worst {
            text += " at \(worst.x),\(worst.y) in \(worst.channel)"
            text += ": \(pixel(actual, worst)) instead of \(pixel(expected, worst))"
        }
        return text + "; \(comparison.differingPixels) of \(pixels) pixels differ, mean \(comparison.mean)"
    }

    private func pixel(_ rows: SampleRows, _ place: Comparison.Location) -> [Double] {
        let count = rows.channels.count
        return rows[place.y][place.x * count..<(place.x + 1) * count].map { $0 * 255 }
    }

    /// Attaches the actual image, the expected image and their difference to the test. The difference is scaled so that its
    /// maximum is white.
    func attach(sourceLocation: SourceLocation) {
        let difference = SampleRows(width: actual.width, height: actual.height, channels: .rgb) { y in
            zip(actual.expanded(to: .rgba)[y], expected.expanded(to: .rgba)[y]).enumerated().compactMap { index, pair in
                // The difference image has no alpha channel. The summary reports differences of alpha.
                index % 4 == 3 ? nil : abs(pair.0 - pair.1) * 255 / max(comparison.maximum, 1e-30)
            }
        }
        for (name, rows) in [("actual", actual), ("expected", expected), ("difference", difference)] {
            Attachment.record(PortableMap.encode(rows), named: "\(name).pam", sourceLocation: sourceLocation)
        }
        Attachment.record(summary, named: "summary.txt", sourceLocation: sourceLocation)
    }
}

/// An encoder for Netpbm's PAM format with 16 bits per sample: a text header, then big-endian samples.
enum PortableMap {
    static func encode(_ rows: SampleRows) -> [UInt8] {
        let type =
            switch rows.channels {
            case .grey: "GRAYSCALE"
            case .greyAlpha: "GRAYSCALE_ALPHA"
            case .rgb: "RGB"
            case .rgba, .bgra: "RGB_ALPHA"
            }
        var bytes = Array(
            ("P7\nWIDTH \(rows.width)\nHEIGHT \(rows.height)\nDEPTH \(rows.channels.count)\nMAXVAL 65535\n"
                + "TUPLTYPE \(type)\nENDHDR\n").utf8)
        for y in 0..<rows.height {
            for value in rows[y] {
                let sample = value > 0 ? UInt16((min(value, 1) * 65535).rounded()) : 0
                bytes += [UInt8(sample >> 8), UInt8(sample & 255)]
            }
        }
        return bytes
    }
}
