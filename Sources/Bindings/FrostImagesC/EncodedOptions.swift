import CFrostImages
import Frost
import FrostCSupport
import FrostImages
import FrostPipeline

extension frost_encoded_options: SizedStruct {}
extension frost_encoded: SizedStruct {}

extension frost_encoded_options {
    /// How to read the source.
    func reading() throws(Failure) -> ImageReadOptions {
        var limits = ImageLimits()
        limits.maximumSide = try unsafe limit(max_side, "max_side") ?? limits.maximumSide
        limits.maximumPixels = try unsafe limit(max_pixels, "max_pixels") ?? limits.maximumPixels
        limits.maximumPixelsPerByte =
            try unsafe limit(max_pixels_per_byte, "max_pixels_per_byte") ?? limits.maximumPixelsPerByte
        // Without this option, the limits of the process are read only for pictures that take much memory.
        limits.maximumMemory = try unsafe limit(max_memory, "max_memory").map {
            ImageLimits.availableMemory(atMost: $0)
        }
        let time = unsafe max_time
        if time != 0 {
            guard (0.001...1e9).contains(time) else {
                throw .argument("options' max_time \(time) is invalid (allowed: 0, and 0.001 to 1e9 seconds)")
            }
            limits.maximumTime = .seconds(time)
        }
        if let program = unsafe FilePath(lent: sandbox) {
            guard program != "" else { throw .argument("options' sandbox is empty: expected the path of frost") }
            limits.sandbox = DecoderSandbox(program: program)
        }
        if let list = unsafe String(lent: allow) {
            do throws(AllowedFormats.UnknownName) { limits.allowed = try AllowedFormats(parsing: list) } catch {
                throw .argument("options' allow: \(error)")
            }
        }
        let levels: [(Int, FailOn)] = [
            (FROST_FAIL_ON_ERROR, .error), (FROST_FAIL_ON_TRUNCATED, .truncated), (FROST_FAIL_ON_WARNING, .warning),
            (FROST_FAIL_ON_NONE, .none),
        ]
        return ImageReadOptions(
            limits: limits, firstFrame: try unsafe flag(first_frame, "first_frame"),
            failOn: try unsafe Constants.value(fail_on, of: levels, "options' fail_on"))
    }

    /// The format of the result; nil for that of the source.
    func outputFormat() throws(Failure) -> ImageFormat? {
        guard let name = unsafe String(lent: format) else { return nil }
        if let format = ImageFormat(named: name.lowercased()) { return format }
        if let missing = ImageFormat.missing(named: name) { throw .argument("options' format: \(missing.absence)") }
        let names = ImageFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw .argument("options' format \"\(name)\" is invalid (allowed: \(names))")
    }

    /// How to encode the result.
    func encoding() throws(Failure) -> EncodingOptions {
        var encoding = EncodingOptions()
        let quality = unsafe Int(quality)
        guard (0...100).contains(quality) else {
            throw .argument("options' quality \(quality) is invalid (allowed: 1 to 100, and 0 for the default)")
        }
        encoding.quality = quality == 0 ? nil : quality
        encoding.isLossless = try unsafe flag(lossless, "lossless")
        let subsamplings: [(Int, JPEGWriteOptions.Subsampling?)] = [
            (FROST_SUBSAMPLING_DEFAULT, nil), (FROST_SUBSAMPLING_444, JPEGWriteOptions.Subsampling.none),
            (FROST_SUBSAMPLING_422, .horizontal), (FROST_SUBSAMPLING_420, .both),
        ]
        encoding.subsampling = try unsafe Constants.value(subsampling, of: subsamplings, "options' subsampling")
        encoding.isProgressive = try unsafe flag(progressive, "progressive")
        encoding.isOptimized = try unsafe flag(optimize, "optimize")
        let depth = unsafe Int(depth)
        let depths = Set(ImageFormat.allCases.flatMap(\.traits.depths)).sorted()
        guard depth == 0 || depths.contains(depth) else {
            throw .argument(
                "options' depth \(depth) is invalid (allowed: \(ImageFormat.list(([0] + depths).map { "\($0)" }, "and")))"
            )
        }
        encoding.depth = depth == 0 ? nil : depth
        let policies: [(Int, MetadataPolicy)] = [
            (FROST_KEEP_COLOR, .color), (FROST_KEEP_ALL, .all), (FROST_KEEP_NONE, .none),
        ]
        encoding.keep = try unsafe Constants.value(keep, of: policies, "options' keep")
        if let text = unsafe String(lent: background) {
            let color: Color
            do throws(ParameterError) { color = try Color(parsing: text) } catch {
                throw .argument("options' background: \(error)")
            }
            guard color.alpha == 1 else { throw .argument("options' background \(text) must be opaque") }
            encoding.background = color
        }
        return encoding
    }

    /// The rectangles to which the effect is applied.
    func regions() throws(Failure) -> RegionPlaces {
        var places: [RectPlace] = []
        let words = unsafe String(lent: rects).map { $0.split(whereSeparator: \.isWhitespace) }
        if let words, words.isEmpty {
            throw .argument("options' rects names no rectangle; NULL means the whole picture")
        }
        for word in words ?? [] {
            guard let place = RectPlace(written: String(word)) else {
                throw .argument(
                    "options' rects: \"\(word)\" is not X,Y,W,H in pixels or percent, such as 50%,0,50%,100%, or "
                        + "GRAVITY,WxH, such as center,320x200, with W and H above 0")
            }
            places.append(place)
        }
        let (radius, isBounded) = (unsafe corner_radius, try unsafe flag(bounded, "bounded"))
        let corners = try unsafe CornerCurve(corner_curve, parameter: corner_parameter, "options'")
        let (feather, isInverted) = (unsafe feather, try unsafe flag(invert_rects, "invert_rects"))
        guard unsafe reserved == 0 else { throw .argument("options: reserved is \(unsafe reserved), not 0") }
        guard ClipRule.featherRange.contains(feather) else {
            throw Failure(.outOfRange(parameter: "feather", value: feather, allowed: ClipRule.featherRange))
        }
        guard !places.isEmpty || (radius == 0 && corners == .circular && !isBounded && feather == 0 && !isInverted)
        else {
            throw .argument("options' corner_radius, corner_curve, bounded, feather and invert_rects need rects")
        }
        let regions = RegionPlaces(
            places, radius: .pixels(radius), corners: corners, feather: feather, isInverted: isInverted,
            isBounded: isBounded)
        do throws(ParameterError) { try regions.check() } catch { throw Failure(error) }
        return regions
    }

    private func flag(_ value: Int32, _ name: String) throws(Failure) -> Bool {
        try Constants.value(value, of: [(0, false), (1, true)], "options' \(name)")
    }

    /// Returns a limit; nil for the default.
    private func limit(_ value: Int64, _ name: String) throws(Failure) -> Int? {
        guard value >= 0 else { throw .argument("options' \(name) \(value) is negative") }
        return value == 0 ? nil : Int(value)
    }
}
