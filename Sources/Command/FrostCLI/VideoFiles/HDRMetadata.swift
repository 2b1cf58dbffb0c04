import Frost

/// The metadata of HDR that is not in the tags of colours: the display on which the video was graded, and how bright the video is.
struct HDRMetadata {
    /// Chromaticities of green, blue, red and white, and luminances in candela per square metre; nil if they are not known.
    private let display: (points: [(x: Double, y: Double)], largest: Double, smallest: Double)?
    /// The luminance of the brightest pixel, and the largest mean of a frame; nil if they are not known.
    private let light: (content: Int, average: Int)?

    /// Reads the metadata from the side data that ffprobe reports; nil if there are none.
    ///
    /// - Parameter value: returns a value of the side data by its name.
    init?(_ value: (String) -> String?) {
        func number(_ name: String) -> Double? {
            guard let text = value(name) else { return nil }
            let parts = text.split(separator: "/").compactMap { Double($0) }
            guard parts.count == 2, (0...1e5).contains(parts[0] / parts[1]) else { return nil }
            return parts[0] / parts[1]
        }
        let points = ["green", "blue", "red", "white_point"].compactMap { name in
            number("\(name)_x").flatMap { x in number("\(name)_y").map { (x: x, y: $0) } }
        }
        if points.count == 4, let largest = number("max_luminance"), let smallest = number("min_luminance") {
            display = (points, largest, smallest)
        } else {
            display = nil
        }
        if let content = value("max_content").flatMap({ Int($0) }),
            let average = value("max_average").flatMap({ Int($0) })
        {
            light = (content, average)
        } else {
            light = nil
        }
        if display == nil, light == nil { return nil }
    }

    /// The parameters of x265, whose units are 1/50000 and 1/10000.
    var x265: [String] {
        var words: [String] = []
        if let display {
            words.append("master-display=" + text(display) { value, unit in "\(Int((value * unit).rounded()))" })
        }
        if let light { words.append("max-cll=\(light.content),\(light.average)") }
        return words
    }

    /// The parameters of SVT-AV1.
    var svtav1: [String] {
        var words: [String] = []
        if let display {
            words.append("mastering-display=" + text(display) { value, _ in numberText(value, decimals: 5) })
        }
        if let light { words.append("content-light=\(light.content),\(light.average)") }
        return words
    }

    private func text(
        _ display: (points: [(x: Double, y: Double)], largest: Double, smallest: Double),
        _ number: (Double, Double) -> String
    ) -> String {
        let points = zip(["G", "B", "R", "WP"], display.points).map { name, point in
            "\(name)(\(number(point.x, 50000)),\(number(point.y, 50000)))"
        }
        return points.joined() + "L(\(number(display.largest, 10000)),\(number(display.smallest, 10000)))"
    }
}
