import Frost
import FrostCore
import Glibc

/// A cover picture that becomes an attached file in Matroska. ffmpeg reads such files as streams of one frame, but would write a
/// video track of these.
struct CoverPicture {
    /// The descriptor of the file's bytes, in memory.
    let descriptor: Int32
    let name: String
    let type: String

    private static let largest = 1 << 26
    private static let types = [
        "png": ("png", "image/png"), "mjpeg": ("jpg", "image/jpeg"), "gif": ("gif", "image/gif"),
        "bmp": ("bmp", "image/bmp"), "webp": ("webp", "image/webp"), "tiff": ("tif", "image/tiff"),
    ]

    /// Reads the picture from a file; nil if ffmpeg cannot read it, or if it is not of a known type.
    init?(_ stream: VideoSource.Stream, of source: FilePath, with program: FilePath) throws(Errno) {
        guard let (suffix, type) = Self.types[stream.codec] else { return nil }
        let words =
            FFmpeg.general + FFmpeg.opening(source)
            + ["-map", "0:\(stream.index)", "-c", "copy", "-frames:v", "1", "-f", "rawvideo", "pipe:1"]
        let tool = try StreamingTool(program, words, isReader: false)
        defer { tool.closePipe() }
        let bytes = try Descriptor.readAll(tool.pipe, limit: Self.largest)
        guard !bytes.isEmpty, bytes.count < Self.largest, tool.wait() == .exit(0) else { return nil }
        descriptor = try Descriptor.inMemory(bytes)
        name = stream["tags.filename"] ?? "cover.\(suffix)"
        self.type = type
    }
}
