import FrostDrawing

/// The times that a device takes for the same work with both kinds of shaders.
struct ShaderTimes: Hashable {
    /// The seconds of each kind, for each shape of work.
    private(set) var seconds: [ShaderShape: [ShaderPath: Double]] = [:]

    init() {}

    mutating func add(_ time: Double, _ shape: ShaderShape, _ path: ShaderPath) {
        seconds[shape, default: [:]][path] = time
    }

    /// The time of compute shaders in times of that of fragment shaders.
    func ratio(_ shape: ShaderShape) -> Double {
        guard let times = seconds[shape], let compute = times[.compute], let fragment = times[.fragment] else {
            return .infinity
        }
        return compute / fragment
    }

    /// A line of text for each time.
    var text: String {
        ShaderShape.allCases.flatMap { shape in
            ShaderPath.allCases.map { "\(shape.rawValue) \($0.rawValue) \(seconds[shape]?[$0] ?? 0)\n" }
        }.joined()
    }

    /// Returns nil if the text is not one that ``text`` returns.
    init?(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3, let shape = ShaderShape(rawValue: words[0]),
                let path = ShaderPath(rawValue: words[1]),
                let time = Double(words[2]), time > 0
            else { return nil }
            add(time, shape, path)
        }
        guard ShaderShape.allCases.allSatisfy({ ratio($0).isFinite }) else { return nil }
    }
}
