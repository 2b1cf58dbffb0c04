import Frost
import FrostImages

/// The command lines with which ffmpeg decodes the frames of a file and encodes the processed frames.
///
/// One ffmpeg decodes to a NUT stream of raw video, which Frost passes on to another ffmpeg with the same headers and
/// timestamps. The second one reads all other streams from the file.
struct VideoCommands {
    let source: VideoSource
    let format: DecodedFormat
    let container: VideoContainer
    let encoder: VideoEncoder
    let arguments: Arguments
    let turn: FrameTurn
    /// Whether the effect hides rectangles.
    let hides: Bool

    /// - Parameter hides: whether the effect hides rectangles. What they hide must not be mixed into pixels beside them.
    init(
        _ arguments: Arguments, _ source: VideoSource, output: FilePath, hides: Bool
    ) throws(CommandError) {
        (self.arguments, self.source, self.hides) = (arguments, source, hides)
        container = try VideoContainer.named(by: output)
        let video = source.video
        turn = FrameTurn(video)
        guard let format = DecodedFormat(video, turn: turn) else {
            let name = video.pixelFormat ?? "of an unknown codec"
            throw .video(path: source.path.text, reason: "frames in the pixel format \(name) are not supported")
        }
        guard !source.isInterlaced || arguments.has(.deinterlace) else {
            throw .video(
                path: source.path.text,
                reason: "its frames are interlaced, and an effect would mix rows of different times; use --deinterlace")
        }
        if hides, let reason = Self.mixing(source, format, turn) {
            throw .video(path: source.path.text, reason: reason)
        }
        self.format = format
        encoder =
            arguments.value(.videoCodec).map(VideoEncoder.init(named:))
            ?? VideoEncoder(for: video, format, in: container)
        guard !container.hasNoName(for: encoder) else {
            throw .usage(
                "--video-codec \(encoder.name): .\(container.suffixes[0]) cannot hold its codec; use another container or "
                    + "encoder")
        }
        guard encoder.name != "copy" else { throw .usage("--video-codec copy would leave the frames as they are") }
    }

    /// Whether faults of the input are accepted.
    var acceptsFaults: Bool { arguments.value(.videoFailOn, as: FailOn.self) == FailOn.none }

    private var general: [String] { FFmpeg.general + (acceptsFaults ? [] : ["-xerror"]) }

    /// The command line of the program that decodes. It turns the frames as players do, so that they are upright.
    var decoding: [String] {
        var words = general
        if let name = arguments.value(.hwaccel) { words += ["-hwaccel", name] }
        if let name = source.video.alphaDecoder { words += ["-c:v", name] }
        switch turn {
        case .none, .free: break
        case .exact: words.append("-noautorotate")
        }
        words.append("-copyts")
        words += opening
        words += ["-map", "0:\(source.video.index)", "-map_chapters", "-1"]
        words += ["-vf", decodingFilters.joined(separator: ","), "-sws_flags", scaler]
        words += ["-c:v", "rawvideo", "-pix_fmt", format.name]
        return words + timing + ["-write_index", "0", "-f", "nut", "pipe:1"]
    }

    /// The words that open the input. Both programs shift its times equally, so that none is negative: NUT cannot hold such
    /// times.
    private var opening: [String] {
        (shift != 0 ? ["-itsoffset", "\(shift)us"] : []) + FFmpeg.opening(source.path)
    }

    /// The time that is added to all times between the programs, in microseconds. If it makes negative times positive, the
    /// second program takes it away again. The times of MPEG streams begin anywhere; they begin at 0 in the output.
    private var shift: Int {
        // ffmpeg would replace the exact time by the beginning of the streams that it reads, which differ between the programs.
        // A microsecond is less than half of the unit of times in MPEG streams.
        if source.isMPEGStream { return 1 - source.start }
        return max(0, -source.start)
    }

    /// The words that keep the times of all frames.
    private var timing: [String] {
        ["-fps_mode", "passthrough", "-enc_time_base", source.video["time_base"] ?? "1/90000"]
    }

    /// The streams of the input in the order of the output.
    var kept: [VideoSource.Stream] {
        source.streams.filter { stream in
            if stream.kind == "data" { return container.holdsData && !stream.codec.isEmpty && !stream.isWrittenAnew }
            if stream.isCover { return container.holdsCovers }
            return stream.kind != "unknown"
        }
    }

    /// The cover pictures that the output gets as attached files.
    var attachedCovers: [VideoSource.Stream] { container.attachesCovers ? source.streams.filter(\.isCover) : [] }

    /// The command line of the program that encodes.
    ///
    /// - Parameters:
    ///   - size: the size of the frames.
    ///   - covers: the files of ``attachedCovers``, which the program has as the descriptors from 3 on.
    ///   - output: the file to write.
    func encoding(
        _ size: VideoFormat, _ covers: [CoverPicture], to output: FilePath
    ) throws(CommandError) -> [String] {
        var words = general + ["-y", "-copyts"]
        if encoder.takesUploadedFrames { words += ["-init_hw_device", "vaapi=frost", "-filter_hw_device", "frost"] }
        words += colors(size) + ["-f", "nut", "-i", "pipe:0"]
        words += opening
        for (number, stream) in kept.enumerated() {
            words += ["-map", stream.index == source.video.index ? "0:v:0" : "1:\(stream.index)"]
            words += ["-disposition:\(number)", stream.disposition]
        }
        let number = kept.firstIndex { $0.index == source.video.index } ?? 0
        words += ["-map_metadata", "1", "-map_chapters", "1", "-c", "copy", "-c:\(number)", encoder.name]
        words += try encoder.words(arguments, source.hdr, hasAlpha: alphaFormat != nil)
        // The tag of the input is that of its codec. The containers that have it write it themselves.
        words += ["-metadata:s:\(number)", "alpha_mode="]
        let filters = filters(size)
        if !filters.isEmpty { words += ["-filter:\(number)", filters.joined(separator: ",")] }
        words += ending(number)
        let isConstant =
            container.hasConstantRate || encoder.needsConstantRate(timeBase: source.video["time_base"] ?? "")
        words += isConstant ? ["-fps_mode", "passthrough"] : timing
        if container.isQuickTime, source.hasQuickTimeTags { words += ["-movflags", "+use_metadata_tags"] }
        let attachments = kept.count { $0.kind == "attachment" }
        for (index, cover) in covers.enumerated() {
            words += ["-attach", "file:/proc/self/fd/\(index + 3)"]
            for (tag, value) in [("filename", cover.name), ("mimetype", cover.type)] {
                words += ["-metadata:s:t:\(attachments + index)", "\(tag)=\(value)"]
            }
        }
        if source.start < 0, !source.isMPEGStream { words += ["-output_ts_offset", "\(source.start)us"] }
        return words + ["-max_muxing_queue_size", "4096", "-f", container.muxer, FFmpeg.file(output)]
    }

    /// The words that keep the duration of the last frame, if QuickTime or MP4 is written from one of them. The pipe has no
    /// durations, and the container takes them from the next frame, which the last frame does not have.
    ///
    /// - Parameter number: the number of the video among the streams of the output.
    private func ending(_ number: Int) -> [String] {
        guard container.isQuickTime, !acceptsFaults, let end = source.end, kept.count(where: \.isVideo) == 1,
            let base = source.video["time_base"], base.hasPrefix("1/"), let scale = Int(base.dropFirst(2)),
            (1...1 << 30).contains(scale), (0...1e9).contains(end)
        else { return [] }
        let time = Int(((end + Double(shift) / 1e6) * Double(scale)).rounded())
        // The container uses the last of these durations, that of a frame which may be shown before others. The variable 0 is the
        // latest time until then. The times that the filter reads have the unit of the file, which must therefore be that of the input.
        return [
            "-video_track_timescale", "\(scale)", "-bsf:\(number)",
            "setts=pts=PTS:dts=DTS:duration='max(\(time)-st(0,max(ld(0),PTS)),0)'",
        ]
    }

    // MARK: Colours

    /// Names that ffprobe prints and ffmpeg does not read, with the names that it reads.
    private static let otherNames = ["bt470m": "gamma22", "bt470bg": "gamma28"]

    /// The words that give the frames the colours of the input. NUT has no place for them.
    ///
    /// - Parameter size: the size of the frames.
    private func colors(_ size: VideoFormat) -> [String] {
        let video = source.video
        var words: [String] = []
        func add(_ option: String, _ value: String?) {
            if let value { words += ["-\(option)", value] }
        }
        add("color_primaries", video["color_primaries"])
        add("color_trc", video["color_transfer"].map { Self.otherNames[$0] ?? $0 })
        guard !format.isRGB else { return words }
        add("color_range", video["color_range"] ?? (format.name.hasPrefix("yuvj") ? "pc" : nil))
        add("colorspace", video["color_space"].map { $0 == "gbr" ? "rgb" : $0 } ?? format.assumedMatrix(besides: size))
        add("chroma_sample_location", video["chroma_location"])
        return words
    }

    /// The pixel format that the encoder needs for these frames if they have alpha; nil if ffmpeg finds it.
    private var alphaFormat: String? { format.coding.hasAlpha ? encoder.alphaFormat(in: container) : nil }

    /// The column and the row that are added because the encoder writes only whole chroma samples: 0 or 1 of each.
    private func padding(_ size: VideoFormat) -> (right: Int, bottom: Int) {
        let isFull = format.encoded.contains("444") || format.name.hasPrefix("gray")
        guard encoder.needsWholeChroma, !isFull else { return (0, 0) }
        return (size.width % 2, format.isRGB || format.encoded.contains("420") ? size.height % 2 : 0)
    }

    /// The range of the samples of the input, which is limited if it is not stated.
    var range: String { source.video["color_range"] ?? "tv" }

    private func filters(_ size: VideoFormat) -> [String] {
        var filters: [String] = []
        let (right, bottom) = padding(size)
        if right + bottom > 0 {
            filters += [
                "pad=\(size.width + right):\(size.height + bottom)",
                "fillborders=right=\(right):bottom=\(bottom):mode=smear",
            ]
        }
        if format.isRGB, !encoder.storesRGB {
            // Frames that were luma and chroma become that again, with the tags that they had.
            let isBack = format.scalerMatrix != nil
            let plain = isBack ? source.video.pixelFormat : nil
            let isDeep = DecodedFormat.depth(format.name) > 8
            filters += [
                "scale=out_color_matrix=\(format.scalerMatrix ?? "bt709"):out_range=\(isBack ? range : "tv")",
                "format=\(alphaFormat ?? plain ?? encoder.plainFormat(isDeep: isDeep))",
                "setparams=colorspace=\(isBack ? source.video["color_space"] ?? "unknown" : "bt709")"
                    + ":range=\(isBack ? range : "tv")",
            ]
        } else if let alphaFormat {
            filters.append("format=\(alphaFormat)")
        }
        // Copies of chroma samples become one sample again.
        if let stored = format.stored {
            let range = format.name.hasPrefix("yuvj") ? "pc" : source.video["color_range"] ?? "unknown"
            // The filter would otherwise convert full range to limited range.
            let ranges = range == "pc" ? ":in_range=pc:out_range=pc" : ""
            filters += ["scale=flags=area\(ranges)", "format=\(stored)", "setparams=range=\(range)"]
        }
        if encoder.takesUploadedFrames { filters += ["format=nv12|p010", "hwupload"] }
        return filters
    }

    // MARK: Warnings

    /// Describes what the result lacks, and what it still shows.
    func warnings(_ size: VideoFormat) -> [String] {
        var warnings: [String] = []
        let known = Set((kept + attachedCovers).map(\.index))
        for stream in source.streams where stream.index != source.video.index && !stream.isWrittenAnew {
            let kind = stream.isCover ? "a cover picture" : stream.isVideo ? "a second video" : stream.kind
            if !known.contains(stream.index) {
                warnings.append("stream \(stream.index), \(kind), is left out")
            } else if stream.isVideo {
                warnings.append("stream \(stream.index), \(kind), is copied as it is")
            }
        }
        if source.video["closed_captions"] == "1" {
            warnings.append("the captions within the video stream are left out")
        }
        for data in source.sideData where Self.lost.contains(where: { data.contains($0) }) {
            warnings.append("its \(data) is left out")
        }
        if source.hdr != nil, !encoder.keepsHDR {
            warnings.append("its mastering display and light level are left out; libx265 and libsvtav1 keep them")
        }
        if padding(size) != (0, 0) {
            warnings.append("\(encoder.name) needs even sides, so the last row or column is repeated")
        }
        return warnings
    }

    /// Side data that the frames lose on their way.
    private static let lost = ["DOVI", "Dolby", "HDR Dynamic", "Stereo 3D", "Spherical"]
}
