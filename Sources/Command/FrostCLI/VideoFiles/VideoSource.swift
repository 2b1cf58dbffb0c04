import Frost
import FrostImages
import Glibc

/// What ffprobe reports about a video file.
struct VideoSource {
    let path: FilePath
    let streams: [Stream]
    /// The stream whose frames are processed: the first that is video and not a cover picture.
    let video: Stream
    /// The time at which the file begins, in microseconds.
    let start: Int
    /// Whether the container is a stream of MPEG, whose times begin anywhere.
    let isMPEGStream: Bool
    /// The number of frames, which may be an estimate; nil if it is not known.
    let frames: Int?
    /// Whether the file has metadata with names that only QuickTime files have.
    let hasQuickTimeTags: Bool

    /// A stream of the file.
    struct Stream {
        let index: Int
        private let values: [String: String]

        init(index: Int, _ values: [String: String]) { (self.index, self.values) = (index, values) }

        /// Returns a value that ffprobe reports; nil if it is not known.
        subscript(_ name: String) -> String? {
            values[name].flatMap { ["N/A", "unknown", "unspecified", "reserved"].contains($0) ? nil : $0 }
        }

        var kind: String { self["codec_type"] ?? "unknown" }
        var isVideo: Bool { kind == "video" }
        var isCover: Bool { self["disposition.attached_pic"] == "1" }
        var isInterlaced: Bool { ["tt", "bb", "tb", "bt"].contains(self["field_order"] ?? "") }
        var codec: String { self["codec_name"] ?? "" }

        /// The roles of the stream, as ffmpeg reads them.
        var disposition: String {
            let roles = values.filter { $0.key.hasPrefix("disposition.") && $0.value == "1" }
            return roles.isEmpty
                ? "0" : roles.keys.map { $0.dropFirst("disposition.".count) }.sorted().joined(separator: "+")
        }

        /// Returns the kinds of the data that the stream has beside its frames.
        var sideData: [String] {
            values.filter { $0.key.hasSuffix(".side_data_type") }.map(\.value).sorted()
        }

        /// Returns a value of the first side data that has it.
        func sideData(_ name: String) -> String? {
            values.first { $0.key.hasPrefix("side_data_list.") && $0.key.hasSuffix(".\(name)") }?.value
        }
    }

    /// The time after which ffprobe is stopped, in seconds. It reads only the beginning of a file.
    private static let patience = 60

    /// Examines a file.
    init(_ path: FilePath) throws(CommandError) {
        let status: stat
        do throws(Errno) { status = try path.status() } catch { throw CommandError.cannotRead(path)(error) }
        if status.kind == S_IFDIR {
            throw .image(.isDirectory(path: path.text))
        }
        guard path.descriptor == nil, status.kind == S_IFREG else {
            throw .video(
                path: path.text,
                reason: "not a file, but its frames and its other streams are read one after the other")
        }
        do throws(Errno) { try path.checkAccess(R_OK) } catch { throw CommandError.cannotRead(path)(error) }
        let program = try FFmpeg.program("ffprobe", for: path)
        let done = Subprocess.run(
            ["-v", "error", "-of", "flat", "-show_streams", "-show_format"] + FFmpeg.opening(path),
            program: program.text, seconds: Self.patience)
        guard done.end == .exit(0) else {
            throw FFmpeg.failure(done.end, "ffprobe", done.errors, path: path)
        }
        let values = Self.values(done.output)
        let streams = (0..<values.streams.count).map { Stream(index: $0, values.streams[$0]) }
        guard let video = streams.first(where: { $0.isVideo && !$0.isCover }) else {
            throw .video(path: path.text, reason: "the file has no video stream")
        }
        (self.path, self.streams, self.video) = (path, streams, video)
        start = Int((Double(values.format["start_time"] ?? "") ?? 0) * 1e6)
        isMPEGStream = ["mpegts", "mpeg"].contains(values.format["format_name"] ?? "")
        hasQuickTimeTags = values.format.keys.contains { $0.hasPrefix("tags.com.") }
        frames = Self.frames(video, values.format)
    }

    private static func frames(_ video: Stream, _ format: [String: String]) -> Int? {
        if let count = video["nb_frames"].flatMap({ Int($0) }), count > 0 { return count }
        let rate = (video["avg_frame_rate"] ?? "").split(separator: "/").compactMap { Double($0) }
        guard rate.count == 2, rate[1] > 0, let seconds = (video["duration"] ?? format["duration"]).flatMap(Double.init)
        else { return nil }
        let count = (seconds * rate[0] / rate[1]).rounded()
        return count >= 1 && count < 1e9 ? Int(count) : nil
    }

    /// Parses lines such as `streams.stream.0.codec_name="h264"`, whose text values have quotes.
    private static func values(_ text: String) -> (streams: [[String: String]], format: [String: String]) {
        var (streams, format): ([[String: String]], [String: String]) = ([], [:])
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            var value = line[line.index(after: equals)...]
            if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") { value = value.dropFirst().dropLast() }
            let names = line[..<equals].split(separator: ".", maxSplits: 3).map(String.init)
            if names.count == 4, names[..<2] == ["streams", "stream"], let index = Int(names[2]) {
                // ffprobe reports the streams in order.
                if index == streams.count { streams.append([:]) }
                if index < streams.count { streams[index][names[3]] = String(value) }
            } else if names[0] == "format" {
                format[names.dropFirst().joined(separator: ".")] = String(value)
            }
        }
        return (streams, format)
    }
}
