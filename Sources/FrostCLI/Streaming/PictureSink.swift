import FrostImages
import Glibc

/// The output of a picture whose input may still turn out to be corrupt: a temporary file beside the target. For
/// standard output, pipes and devices, whose bytes cannot be taken back, it is memory until the picture is complete.
struct PictureSink: ByteSink, ~Copyable {
    let name: String
    /// Nil for standard output.
    private var file: AtomicFile?
    private let isHeld: Bool
    private var held = MemorySink()

    /// - Parameter path: "-" for standard output.
    init(path: String) throws(ImageError) {
        guard path != "-" else {
            name = "standard output"
            file = nil
            isHeld = true
            return
        }
        let file = try AtomicFile(path: path, willCreate: { Interruption.setTemporaryFile($0) })
        name = path
        isHeld = file.temporaryPath == nil
        self.file = consume file
    }

    mutating func write(_ bytes: RawSpan) throws(ImageError) {
        if isHeld { held.write(bytes) } else { try file?.write(bytes) }
    }

    /// The picture is complete.
    consuming func commit() throws(ImageError) {
        let (held, isHeld) = (held.bytes, isHeld)
        // SAFETY: an array of bytes has no padding that could be read uninitialised.
        let bytes = unsafe held.span.bytes
        guard var file = consume file else {
            var output = DescriptorSink(descriptor: STDOUT_FILENO, name: name)
            return try output.write(bytes)
        }
        if isHeld { try file.write(bytes) }
        try file.commit()
    }
}
