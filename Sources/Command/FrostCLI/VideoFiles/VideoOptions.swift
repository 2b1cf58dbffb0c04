import FrostImages

extension Option {
    static let videoOutput = output.described(
        as: "the video file to write; its suffix chooses the container: \(VideoContainer.suffixList)")
    static let videoEffect = effectName.described(
        as: "apply this effect instead of a Gaussian; its parameters can be given as options")
    static let videoCodec = Option(
        "video-codec", value: "NAME", default: .words("one for the input's codec"),
        "ffmpeg's name of the encoder for the video, for example libx265, h264_nvenc or h264_vaapi")
    static let crf = Option(
        "crf", value: "N", kind: .number(0...63), default: .words("visually lossless, 18 for H.264"),
        "the encoder's constant quality: a smaller number gives a better picture and a larger file")
    static let bitrate = Option(
        "bitrate", value: "RATE",
        "bits a second of the encoded video, such as 8M or 500k, instead of a constant quality")
    static let videoPreset = Option(
        "video-preset", value: "NAME", default: .words("the encoder's"),
        "the encoder's preset for its speed, for example fast or slow")
    static let hwaccel = Option(
        "hwaccel", value: "NAME", "decode with this hardware interface of ffmpeg, for example vaapi, cuda or auto")
    static let deinterlace = Option(
        "deinterlace", "make progressive frames of interlaced ones, which are refused otherwise")
    static let videoFailOn = Option(
        "fail-on", value: "LEVEL", kind: .word([FailOn.error.rawValue, FailOn.none.rawValue]),
        default: .value(FailOn.error),
        "which faults of the input count as errors. error: damaged frames and truncated files; none: nothing, and the "
            + "decoder hides the damage")

    /// The options that control how a video file is read and written.
    static let videoFiles: [Option] = [
        .videoCodec, .crf, .bitrate, .videoPreset, .hwaccel, .deinterlace, .videoFailOn, .noFollow, .maxSide,
        .maxPixels,
        .maxMemory, .allow,
    ]
}
