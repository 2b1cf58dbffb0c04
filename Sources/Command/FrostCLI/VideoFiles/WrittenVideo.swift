import Frost
import FrostImages

/// What a written file has, compared with what it should have. Some containers take a stream and store it without its name, or
/// store nothing of it, and ffmpeg does not fail.
struct WrittenVideo {
    private let result: VideoSource

    /// Examines the file.
    ///
    /// - Parameters:
    ///   - file: the file, which may not have its name yet.
    ///   - output: its name.
    init(_ file: FilePath, output: FilePath, _ encoder: VideoEncoder) throws(CommandError) {
        let reason = "what \(encoder.name) writes cannot be read in this container; use another container or encoder"
        do throws(CommandError) { result = try VideoSource(file, readsFrame: false) } catch {
            throw .video(path: output.text, reason: reason, isOutput: true)
        }
        guard !result.video.codec.isEmpty, result.video.pixelFormat != nil else {
            throw .video(path: output.text, reason: reason, isOutput: true)
        }
    }

    /// Describes what the file lacks.
    ///
    /// - Parameters:
    ///   - kept: the streams that it should have.
    ///   - hasAlpha: whether the frames had alpha.
    func warnings(_ source: VideoSource, _ kept: [VideoSource.Stream], hasAlpha: Bool) -> [String] {
        var warnings: [String] = []
        for kind in ["video", "audio", "subtitle", "attachment", "data"] {
            let (wanted, found) = (count(kind, kept), count(kind, result.streams))
            if found < wanted {
                warnings.append("\(wanted - found) of its \(wanted) streams of \(kind) are left out by the container")
            }
        }
        if result.chapters < source.chapters {
            warnings.append(
                "\(source.chapters - result.chapters) of its \(source.chapters) chapters are left out by the container")
        }
        guard let before = source.video.pixelFormat, let after = result.video.pixelFormat else { return warnings }
        if hasAlpha, !DecodedFormat.hasAlpha(after) { warnings.append("its transparency is left out") }
        let (bits, left) = (DecodedFormat.depth(before), DecodedFormat.depth(after))
        if left < min(bits, 16) { warnings.append("the result has \(left) instead of \(bits) bits per sample") }
        return warnings
    }

    private func count(_ kind: String, _ streams: [VideoSource.Stream]) -> Int {
        streams.count { $0.kind == kind && !$0.isWrittenAnew }
    }
}
