import Frost
import FrostImages

/// A container for video that Frost writes through ffmpeg.
struct VideoContainer {
    /// The name of the container in ffmpeg.
    let muxer: String
    /// The suffixes of its files.
    let suffixes: [String]
    /// The codecs that Frost keeps in the container, by their names in ffprobe; nil for all. Videos in other codecs are encoded
    /// by ``encoder``.
    let codecs: [String]?
    let encoder: String
    /// Whether all frames last equally long, so that timestamps are numbers of frames.
    var hasConstantRate = false
    /// Whether the container is that of QuickTime or MP4, which can hold tags with any names.
    var isQuickTime = false

    /// Whether ffmpeg can copy a cover picture into the container as a stream.
    var holdsCovers: Bool { muxer == "mp4" }
    /// Whether ffmpeg can write a cover picture into the container as an attached file.
    var attachesCovers: Bool { muxer == "matroska" }

    /// Whether the container has the alpha of VP8 and VP9.
    var holdsAlphaOfVP: Bool { ["webm", "matroska"].contains(muxer) }

    /// Whether ffmpeg can copy a stream of data, such as the positions of a camera, into the container.
    var holdsData: Bool { isQuickTime || ["mpegts", "nut"].contains(muxer) }

    /// Whether ffmpeg writes what an encoder makes into the container without its name, so that nobody can read it.
    func hasNoName(for encoder: VideoEncoder) -> Bool {
        switch muxer {
        case "mpegts":
            [
                "ffv1", "rawvideo", "prores", "jpeg", "vpx", "vp8", "vp9", "av1", "theora", "png", "qtrle", "huff",
                "utvideo", "dnxhd", "gif",
            ].contains { encoder.name.contains($0) }
        case "mov", "mp4": encoder.name == "rawvideo"
        case "matroska": encoder.name == "qtrle"
        default: false
        }
    }

    private static let all = [
        VideoContainer(
            muxer: "mp4", suffixes: ["mp4", "m4v"], codecs: ["h264", "hevc", "av1", "vp9", "mpeg4"], encoder: "libx264",
            isQuickTime: true),
        VideoContainer(
            muxer: "mov", suffixes: ["mov", "qt"], codecs: ["h264", "hevc", "mpeg4", "prores", "mjpeg"],
            encoder: "libx264", isQuickTime: true),
        VideoContainer(muxer: "matroska", suffixes: ["mkv"], codecs: nil, encoder: "libx264"),
        VideoContainer(muxer: "webm", suffixes: ["webm"], codecs: ["vp8", "vp9", "av1"], encoder: "libvpx-vp9"),
        VideoContainer(
            muxer: "mpegts", suffixes: ["ts", "m2ts", "mts"], codecs: ["h264", "hevc", "mpeg2video"], encoder: "libx264"
        ),
        VideoContainer(
            muxer: "avi", suffixes: ["avi"], codecs: ["h264", "mpeg4", "mjpeg", "ffv1"], encoder: "libx264",
            hasConstantRate: true),
        VideoContainer(muxer: "3gp", suffixes: ["3gp"], codecs: ["h264", "mpeg4"], encoder: "libx264"),
        VideoContainer(muxer: "flv", suffixes: ["flv"], codecs: ["h264"], encoder: "libx264"),
        VideoContainer(muxer: "ogg", suffixes: ["ogv"], codecs: ["theora"], encoder: "libtheora"),
        VideoContainer(
            muxer: "mxf", suffixes: ["mxf"], codecs: ["mpeg2video"], encoder: "mpeg2video", hasConstantRate: true),
        VideoContainer(muxer: "nut", suffixes: ["nut"], codecs: nil, encoder: "ffv1"),
    ]

    /// The suffixes of all containers, for help and errors.
    static let suffixList = all.map { ".\($0.suffixes[0])" }.joined(separator: ", ")

    /// Returns the container that the suffix of a file selects.
    static func named(by output: FilePath) throws(CommandError) -> VideoContainer {
        let suffix = ImageFormat.suffix(of: output)?.lowercased()
        guard let found = all.first(where: { suffix.map($0.suffixes.contains) ?? false }) else {
            let words = all.flatMap(\.suffixes)
            throw .usage(
                "\(output.shownName): unknown video format; use \(suffixList)"
                    + (suffix.map { Suggestion.phrase(for: $0, among: words) } ?? ""))
        }
        return found
    }
}
