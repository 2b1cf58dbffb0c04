import FrostCore

/// What a process is asked to write: an animation in a single file.
struct SequenceRequest {
    /// The format; no pictures.
    var format: SequenceFormat
    /// A frame: its memory is that which the encoder may take.
    var head: DecodedHead
    var frames: Int
    var rate: FrameRate
    var times: [Int]?
    var options: SequenceOptions
    /// The maximum time, in seconds.
    var seconds: UInt64
    var isolation: Isolation

    private static let formats: [SequenceFormat] = [.y4m, .webp, .apng, .avif]

    static func code(_ coder: inout WireCoder, _ value: inout SequenceRequest) {
        var format = formats.firstIndex(of: value.format) ?? 0
        coder.code(&format)
        guard formats.indices.contains(format) else { return coder.refuse() }
        value.format = formats[format]
        DecodedHead.code(&coder, &value.head)
        coder.code(&value.frames)
        value.codeTimes(&coder)
        value.codeOptions(&coder)
        coder.code(&value.seconds)
        coder.code(&value.isolation)
        if value.frames < 1 || value.times.map({ $0.count != value.frames + 1 }) ?? false { coder.refuse() }
    }

    private mutating func codeTimes(_ coder: inout WireCoder) {
        var (numerator, denominator) = (rate.numerator, rate.denominator)
        coder.code(&numerator)
        coder.code(&denominator)
        guard let rate = try? FrameRate(numerator, per: denominator) else { return coder.refuse() }
        self.rate = rate
        coder.code(&times, []) { $0.code(&$1, 0) { $0.code(&$1) } }
    }

    private mutating func codeOptions(_ coder: inout WireCoder) {
        options.picture.code(&coder)
        var parts = options.picture.background.map { [$0.red, $0.green, $0.blue, $0.alpha].map(\.bitPattern) }
        coder.code(&parts, []) { $0.code(&$1, 0) { $0.code(&$1) } }
        let numbers = (parts ?? []).map { Double(bitPattern: $0) }
        options.picture.background =
            numbers.count == 4
            ? try? Color(red: numbers[0], green: numbers[1], blue: numbers[2], alpha: numbers[3]) : nil
        if (options.picture.background == nil) != (parts == nil) { coder.refuse() }
        var (plays, threads) = (options.plays, options.threads)
        var keyFrames = options.keyFrames.map { [$0.minimum, $0.maximum] }
        var minimizes = options.minimizesSize
        coder.code(&plays)
        coder.code(&threads)
        coder.code(&keyFrames, []) { $0.code(&$1, 0) { $0.code(&$1) } }
        coder.code(&minimizes)
        let distances = keyFrames.flatMap { $0.count == 2 ? try? WebPKeyFrames(minimum: $0[0], maximum: $0[1]) : nil }
        guard (distances == nil) == (keyFrames == nil),
            let read = try? SequenceOptions(
                picture: options.picture, plays: plays, keyFrames: distances, minimizesSize: minimizes, threads: threads
            )
        else { return coder.refuse() }
        options = read
    }
}
