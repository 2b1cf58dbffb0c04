import Frost
import FrostCore

/// How Frost calls the programs ffmpeg and ffprobe.
enum FFmpeg {
    /// The containers that ffmpeg may open. Others are playlists, which name further files and addresses, or pictures and
    /// texts, which ffmpeg would show as video.
    private static let demuxers = [
        "mov", "matroska", "avi", "mpegts", "mpeg", "mpegvideo", "m4v", "flv", "asf", "ogg", "mxf", "nut", "ivf", "dv",
        "h264", "hevc", "obu", "av1", "vc1", "rm", "wtv", "gif", "yuv4mpegpipe",
    ]

    /// The words with which every command line of ffmpeg begins.
    static let general = ["-hide_banner", "-nostdin", "-nostats", "-v", "error"]

    /// Returns the path of one of the programs.
    ///
    /// - Parameter input: the video that needs the program, for the error.
    static func program(_ name: FilePath, for input: FilePath) throws(CommandError) -> FilePath {
        if let path = Environment.program(name) { return path }
        throw .video(
            path: input.text, reason: "\(name) is not installed; it is part of the Debian package ffmpeg")
    }

    /// The words that open a file. The prefix makes any name a file's name: ffmpeg would read others as an option, the address
    /// of a server, or a pattern of several names.
    static func opening(_ input: FilePath) -> [String] {
        [
            "-protocol_whitelist", "file,pipe", "-format_whitelist", demuxers.joined(separator: ","), "-i",
            file(input),
        ]
    }

    static func file(_ path: FilePath) -> String { "file:" + path.text }

    /// Returns the error for a program that has ended without success.
    ///
    /// - Parameters:
    ///   - words: what the program has written to standard error.
    ///   - isOutput: whether the program writes the output.
    static func failure(
        _ end: Subprocess.End, _ name: String, _ words: String, path: FilePath, isOutput: Bool = false
    ) -> CommandError {
        let how =
            switch end {
            case .exit(let code): "ended with exit code \(code)"
            case .signal(let number): "was ended by signal \(number)"
            case .timeout: "took too long"
            case .notStarted(let reason): "cannot be started: \(reason)"
            }
        if words.contains("not on whitelist") {
            return .video(
                path: path.text, reason: "not a video file in a container that Frost opens, such as mp4 or mkv")
        }
        let last = ending(of: lines(words, path))
        let task = isOutput ? "cannot be written" : "cannot be read"
        return .video(
            path: path.text, reason: "\(task): \(name) \(how)" + (last.isEmpty ? "" : ": \(last)"), isOutput: isOutput)
    }

    /// Returns the last lines as one text, which usually have the reason of a failure.
    static func ending(of lines: [String]) -> String { lines.suffix(3).joined(separator: "; ") }

    /// Returns the lines of a program's words, without what only programmers can use.
    static func lines(_ words: String, _ path: FilePath) -> [String] {
        words.split(whereSeparator: { $0 == "\n" || $0 == "\r" }).map { plain(String($0), path) }
            .filter { !$0.isEmpty && !$0.contains("[info]") && !$0.hasPrefix("Svt[") }
    }

    /// Returns a line without the addresses of objects and the name of the file: "[mp4 @ 0x55d0c8] text" becomes "[mp4] text".
    private static func plain(_ line: String, _ path: FilePath) -> String {
        var line = line
        if line.hasPrefix(file(path) + ": ") { line.removeFirst(file(path).count + 2) }
        while let last = line.last, last == " " || last == "-" { line.removeLast() }
        guard line.hasPrefix("["), let end = line.firstIndex(of: "]"), let mark = line[..<end].firstIndex(of: "@")
        else {
            return line
        }
        return line[..<mark].split(separator: " ").joined(separator: " ") + line[end...]
    }
}
