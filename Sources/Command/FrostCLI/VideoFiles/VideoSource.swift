import Frost
import FrostImages
import FrostThreads
import Glibc
import Synchronization

/// What ffprobe reports about a video file.
struct VideoSource {
    let path: FilePath
    let streams: [Stream]
    /// The stream whose frames are processed: the first that is video and not a cover picture.
    let video: Stream
    /// The time at which the file begins, in microseconds.
    let start: Int
    /// The time at which the last frame of the video ends, in seconds; nil if the container does not state it exactly.
    let end: Double?
    /// Whether the container is a stream of MPEG, whose times begin anywhere.
    let isMPEGStream: Bool
    /// The kinds of the data beside the samples of the video.
    let sideData: [String]
    let hdr: HDRMetadata?
    /// The number of frames, which may be an estimate; nil if it is not known.
    let frames: Int?
    /// ffprobe's description of the first frame; nil if it was not read.
    let first: Stream?
    /// The number of chapters.
    let chapters: Int
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
        /// Whether the stream is data that the container writes from the chapters or the timecode in the metadata.
        var isWrittenAnew: Bool { kind == "data" && ["text", "tmcd"].contains(self["codec_tag_string"] ?? "") }
        /// The decoder that reads transparency, if the stream has any that the usual decoder ignores.
        var alphaDecoder: String? {
            guard values.contains(where: { $0.key.lowercased() == "tags.alpha_mode" && $0.value == "1" }) else {
                return nil
            }
            return ["vp8": "libvpx", "vp9": "libvpx-vp9"][codec]
        }
        /// The pixel format of the frames.
        var pixelFormat: String? { alphaDecoder == nil ? self["pix_fmt"] : "yuva420p" }
        var hasOddSide: Bool { ["width", "height"].contains { (self[$0].flatMap { Int($0) } ?? 0) % 2 != 0 } }
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
    ///
    /// - Parameter readsFrame: whether to read the first frame, too.
    init(_ path: FilePath, readsFrame: Bool = true) throws(CommandError) {
        let status: stat
        do throws(Errno) { status = try path.status() } catch { throw CommandError.cannotRead(path)(error) }
        if status.kind == S_IFDIR {
            throw .image(.isDirectory(path: path.text))
        }
        guard path.descriptor == nil, status.kind == S_IFREG else {
            throw .video(
                path: path.text,
                reason: "not a file; frost video reads its input several times")
        }
        do throws(Errno) { try path.checkAccess(R_OK) } catch { throw CommandError.cannotRead(path)(error) }
        // Many files say only in their frames that these are interlaced, and which metadata of HDR they have.
        let examined = try Self.probe(
            path, [["-show_streams", "-show_format", "-show_chapters"]] + (readsFrame ? [Self.frame(of: "V:0")] : []))
        let (found, format, chapters) = try Self.answer(examined[0], path)
        let streams = found.enumerated().map { Stream(index: $0, $1) }
        guard let video = streams.first(where: { $0.isVideo && !$0.isCover }) else {
            throw .video(path: path.text, reason: "the file has no video stream")
        }
        (self.path, self.streams, self.video) = (path, streams, video)
        start = Int((Double(format["start_time"] ?? "") ?? 0) * 1e6)
        let isQuickTime = (format["format_name"] ?? "").hasPrefix("mov,")
        let times = ["start_time", "duration"].compactMap { video[$0].flatMap { Double($0) } }
        end = isQuickTime && times.count == 2 ? times[0] + times[1] : nil
        isMPEGStream = ["mpegts", "mpeg"].contains(format["format_name"] ?? "")
        // ffprobe prints the dots of such names as underscores.
        hasQuickTimeTags = format.keys.contains { $0.hasPrefix("tags.com_") }
        frames = Self.frames(video, format)
        self.chapters = chapters
        // A frame that cannot be decoded is reported by ffmpeg.
        var shown = examined.dropFirst().first.flatMap { try? Self.answer($0, path) }?.items.first
        if let frame = shown, frame["stream_index"] != "\(video.index)" {
            shown = try Self.probe(path, [Self.frame(of: "\(video.index)")]).first.flatMap {
                try? Self.answer($0, path)
            }?
            .items.first
        }
        first = shown.map { Stream(index: video.index, $0) }
        let all = [video] + (first.map { [$0] } ?? [])
        sideData = Set(all.flatMap(\.sideData)).sorted()
        hdr = HDRMetadata { name in all.lazy.compactMap { $0.sideData(name) }.first }
    }

    /// Whether the frames are interlaced.
    var isInterlaced: Bool { video.isInterlaced || first?["interlaced_frame"] == "1" }

    /// Returns a side of the frames.
    func side(_ name: String) -> Int? { (first?[name] ?? video[name]).flatMap { Int($0) } }

    /// The words that show the first frame of a stream.
    private static func frame(of stream: String) -> [String] {
        ["-select_streams", stream, "-show_frames", "-read_intervals", "%+#1"]
    }

    /// Runs ffprobe once for each list of words, all at the same time.
    private static func probe(_ path: FilePath, _ questions: [[String]]) throws(CommandError) -> [Subprocess] {
        let program = try FFmpeg.program("ffprobe", for: path).text
        let pieces = WorkPieces(questions.count)
        let answers = Mutex([Subprocess?](repeating: nil, count: questions.count))
        Thread.perform(questions.count, "frost-probe") {
            while let index = pieces.take() {
                let words = ["-v", "error", "-of", "flat"] + questions[index] + FFmpeg.opening(path)
                let answer = Subprocess.run(words, program: program, seconds: patience)
                answers.withLock { $0[index] = answer }
            }
        }
        return answers.withLock { $0.compactMap(\.self) }
    }

    /// Returns what a run of ffprobe has printed: the values of each stream or frame, those of the format, and the number of
    /// chapters.
    private static func answer(
        _ done: Subprocess, _ path: FilePath
    ) throws(CommandError) -> (items: [[String: String]], format: [String: String], chapters: Int) {
        guard done.end == .exit(0) else { throw FFmpeg.failure(done.end, "ffprobe", done.errors, path: path) }
        return values(done.output)
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
    private static func values(
        _ text: String
    ) -> (items: [[String: String]], format: [String: String], chapters: Int) {
        var (items, format, chapters): ([[String: String]], [String: String], Int) = ([], [:], 0)
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            var value = line[line.index(after: equals)...]
            if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") { value = value.dropFirst().dropLast() }
            let names = line[..<equals].split(separator: ".", maxSplits: 3).map(String.init)
            if names.count == 4, ["streams", "frames"].contains(names[0]), let index = Int(names[2]) {
                // ffprobe reports streams and frames in order.
                if index == items.count { items.append([:]) }
                if index < items.count { items[index][names[3]] = String(value) }
            } else if names.count == 4, names[0] == "chapters", let index = Int(names[2]) {
                chapters = max(chapters, index + 1)
            } else if names[0] == "format" {
                format[names.dropFirst().joined(separator: ".")] = String(value)
            }
        }
        return (items, format, chapters)
    }
}
