import Frost
import FrostImages
import FrostPipeline
import Glibc

/// The output of a picture. The input may turn out to be corrupt after a part of the output was made, so no part of an
/// incomplete picture may reach the target. The bytes for a file go to a temporary file in the target's folder. Bytes
/// that are sent to standard output, a pipe or a device cannot be taken back, so the bytes for such a target stay in
/// memory until the picture is complete.
struct PictureSink: ByteSink, ~Copyable {
    let name: String
    /// The output file; nil for standard output.
    private var file: AtomicFile?
    /// The bytes that must be held; nil if they are written immediately.
    private var held: HeldSink?

    /// Opens the output.
    ///
    /// - Parameters:
    ///   - path: the path of the output, or "-" for standard output.
    ///   - options: how to replace a file.
    ///   - budget: the memory that is left for bytes that must be held; nil if the bytes need not be held, because the
    ///     whole result is ready.
    init(path: FilePath, _ options: AtomicFile.Options, _ budget: HeldBudget?) throws(ImageError) {
        guard path != "-" else {
            let name = "standard output"
            self.name = name
            file = nil
            held = budget.map { HeldSink(name: name, $0) }
            return
        }
        let file = try AtomicFile(path: path, options: options)
        let name = path.text
        self.name = name
        held = file.temporaryPath == nil ? budget.map { HeldSink(name: name, $0) } : nil
        self.file = consume file
    }

    mutating func write(_ bytes: RawSpan) throws(ImageError) {
        if held != nil { try held?.write(bytes) } else { try writeOut(bytes) }
    }

    private mutating func writeOut(_ bytes: RawSpan) throws(ImageError) {
        if file != nil {
            try file?.write(bytes)
        } else {
            var output = DescriptorSink(descriptor: STDOUT_FILENO, name: name)
            try output.write(bytes)
        }
    }

    /// Writes the complete picture to its final destination.
    consuming func commit() throws(ImageError) {
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        if let held { try writeOut(unsafe held.bytes.span.bytes) }
        try file.take()?.commit()
    }
}
