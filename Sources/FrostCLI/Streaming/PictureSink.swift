import Frost
import FrostImages
import Glibc

/// The output of a picture. The input may turn out to be corrupt after a part of the output was made, so no part of an
/// incomplete picture may reach the target. The bytes for a file go to a temporary file in the target's folder. Bytes
/// that are sent to standard output, a pipe or a device cannot be taken back, so the bytes for such a target stay in
/// memory until the picture is complete.
struct PictureSink: ByteSink, ~Copyable {
    let name: String
    /// The output file; nil for standard output.
    private var file: AtomicFile?
    private let isHeld: Bool
    private var held = MemorySink()

    /// Opens the output.
    ///
    /// - Parameters:
    ///   - path: the path of the output, or "-" for standard output.
    ///   - options: how to replace a file.
    init(path: FilePath, _ options: AtomicFile.Options) throws(ImageError) {
        guard path != "-" else {
            name = "standard output"
            file = nil
            isHeld = true
            return
        }
        let file = try AtomicFile(path: path, options: options)
        name = path.text
        isHeld = file.temporaryPath == nil
        self.file = consume file
    }

    mutating func write(_ bytes: RawSpan) throws(ImageError) {
        if isHeld { held.write(bytes) } else { try file?.write(bytes) }
    }

    /// Writes the complete picture to its final destination.
    consuming func commit() throws(ImageError) {
        let (held, isHeld) = (held.bytes, isHeld)
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        let bytes = unsafe held.span.bytes
        guard var file = consume file else {
            var output = DescriptorSink(descriptor: STDOUT_FILENO, name: name)
            return try output.write(bytes)
        }
        if isHeld { try file.write(bytes) }
        try file.commit()
    }
}
