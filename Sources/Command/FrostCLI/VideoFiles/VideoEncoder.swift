import Frost
import FrostImages

/// An encoder of ffmpeg, and the words that control its quality.
struct VideoEncoder {
    let name: String

    /// The encoders for codecs, by the codecs' names in ffprobe.
    private static let usual = [
        "h264": "libx264", "hevc": "libx265", "vp8": "libvpx", "vp9": "libvpx-vp9", "av1": "libsvtav1",
        "mpeg4": "mpeg4", "mpeg2video": "mpeg2video", "mpeg1video": "mpeg1video", "mjpeg": "mjpeg",
        "prores": "prores_ks", "ffv1": "ffv1", "theora": "libtheora", "rawvideo": "rawvideo", "utvideo": "utvideo",
        "huffyuv": "huffyuv", "ffvhuff": "ffvhuff", "qtrle": "qtrle", "png": "png",
    ]

    /// Chooses the encoder that writes the codec of a stream, or the usual one of the container if that cannot hold the codec.
    init(for stream: VideoSource.Stream, _ format: DecodedFormat, in container: VideoContainer) {
        let codec = stream.codec
        let isHeld = container.codecs.map { $0.contains(codec) } ?? true
        guard isHeld, let usual = Self.usual[codec] else {
            name = container.encoder
            return
        }
        switch usual {
        case "libx264" where format.isRGB && format.scalerMatrix == nil: name = "libx264rgb"
        // SVT-AV1 writes 4:2:0 with even sides only.
        case "libsvtav1" where !format.name.contains("420") || stream.hasOddSide: name = "libaom-av1"
        default: name = usual
        }
    }

    init(named name: String) { self.name = name }

    private func isFor(_ hardware: String) -> Bool { name.hasSuffix("_\(hardware)") }

    /// Whether the encoder reads frames in the memory of a GPU.
    var takesUploadedFrames: Bool { isFor("vaapi") }

    /// Whether the sides of a frame must be multiples of the number of pixels in a chroma sample.
    var needsWholeChroma: Bool {
        ["libx264", "libx265", "libsvtav1"].contains(name)
            || ["vaapi", "nvenc", "qsv", "v4l2m2m", "amf"].contains { isFor($0) }
    }

    /// Whether the encoder stores red, green and blue.
    var storesRGB: Bool {
        ["libx264rgb", "ffv1", "rawvideo", "utvideo", "huffyuv", "ffvhuff", "qtrle", "png"].contains(name)
    }

    /// Whether the standard of the codec knows only a few frame rates, or coarse timestamps.
    func needsConstantRate(timeBase: String) -> Bool {
        if ["mpeg1video", "mpeg2video", "libtheora"].contains(name) { return true }
        let denominator = timeBase.split(separator: "/").last.flatMap { Int($0) } ?? 0
        return ["mpeg4", "libxvid"].contains(name) && denominator > 65535
    }

    /// Returns the pixel format that the encoder gets for frames with alpha; nil if ffmpeg chooses the right one.
    func alphaFormat(in container: VideoContainer) -> String? {
        switch name {
        case "libvpx", "libvpx-vp9": container.holdsAlphaOfVP ? "yuva420p" : "yuv420p"
        case "prores_ks": "yuva444p10le"
        case "utvideo": "gbrap"
        case "huffyuv": "bgra"
        default: nil
        }
    }

    /// Returns the pixel formats without alpha that the encoder gets for red, green and blue. ffmpeg takes the first that the
    /// encoder knows.
    func plainFormat(isDeep: Bool) -> String {
        if name == "prores_ks" { return "yuv422p10le" }
        return isDeep ? "yuv420p10le|yuv420p" : "yuv420p"
    }

    // MARK: Quality

    /// The option of the encoder that sets a constant quality, the words that go with it, and a value with which no difference is
    /// visible.
    private var scale: (option: String, value: String, others: [String])? {
        switch name {
        case "libx264", "libx264rgb", "libx265": ("crf", "18", [])
        case "libvpx-vp9", "libaom-av1": ("crf", "18", ["-b:v", "0"])
        case "libvpx": ("crf", "8", ["-b:v", "100M"])
        case "libsvtav1": ("crf", "20", [])
        case "libtheora": ("q:v", "9", [])
        case _ where isFor("nvenc"): ("cq", "19", ["-rc", "vbr", "-b:v", "0"])
        case _ where isFor("vaapi"): ("global_quality", "19", ["-rc_mode", "CQP"])
        case _ where isFor("qsv"): ("global_quality", "19", [])
        case _ where isFor("v4l2m2m") || isFor("amf"), "prores_ks": nil
        case _ where storesRGB: nil
        default: ("q:v", "2", [])
        }
    }

    /// Words that make the encoder faster without a visible difference, unless `--video-preset` is given.
    private var speed: [String] {
        switch name {
        case "libsvtav1": ["-preset", "8"]
        case "libvpx-vp9": ["-row-mt", "1", "-cpu-used", "2"]
        case "libvpx": ["-cpu-used", "2"]
        case "libaom-av1": ["-row-mt", "1", "-cpu-used", "6"]
        default: []
        }
    }

    /// Whether Frost can give the encoder the metadata of HDR.
    var keepsHDR: Bool { ["libx265", "libsvtav1"].contains(name) }

    private func parameters(_ hdr: HDRMetadata?) -> [String] {
        switch name {
        // x265 reports its settings on standard error otherwise.
        case "libx265": ["-x265-params", (["log-level=error"] + (hdr?.x265 ?? [])).joined(separator: ":")]
        case "libsvtav1": hdr.map { ["-svtav1-params", $0.svtav1.joined(separator: ":")] } ?? []
        default: []
        }
    }

    /// Whether a word is a number of bits a second: digits with one point at most, and a unit.
    static func isRate(_ word: String) -> Bool {
        let unit =
            switch word.last {
            case "k", "K": 1e3
            case "M": 1e6
            case _: 1.0
            }
        let digits = word.dropLast(unit == 1 ? 0 : 1)
        guard digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let number = Double(digits) else {
            return false
        }
        return (1...1e11).contains(number * unit)
    }

    /// Returns the words for the quality that the command line asks for, and for the metadata of HDR.
    ///
    /// - Parameter hasAlpha: whether the frames have alpha.
    func words(_ arguments: Arguments, _ hdr: HDRMetadata?, hasAlpha: Bool) throws(CommandError) -> [String] {
        var words = parameters(hdr)
        // VP8 stores no alpha with frames that are not shown.
        if name == "libvpx", hasAlpha { words += ["-auto-alt-ref", "0"] }
        words += arguments.value(.videoPreset).map { ["-preset", $0] } ?? speed
        if let rate = arguments.value(.bitrate) {
            guard !arguments.has(.crf) else { throw .usage("--crf and --bitrate cannot be combined") }
            guard Self.isRate(rate) else {
                throw .usage("--bitrate \(rate): not a number of bits a second, such as 8M or 500k")
            }
            return words + ["-b:v", rate]
        }
        guard let scale else {
            guard !arguments.has(.crf) else { throw .usage("--crf does not apply to the encoder \(name)") }
            return words
        }
        let value = arguments.value(.crf, as: Double.self).map { numberText($0) } ?? scale.value
        return words + ["-\(scale.option)", value] + scale.others
    }
}
