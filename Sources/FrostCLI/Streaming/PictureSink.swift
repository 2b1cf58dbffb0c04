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
    /// Checks the memory for the held bytes.
    private let budget: HeldBudget

    /// Opens the output.
    ///
    /// - Parameters:
    ///   - path: the path of the output, or "-" for standard output.
    ///   - options: how to replace a file.
    ///   - budget: the memory that is left for bytes that must be held.
    init(path: FilePath, _ options: AtomicFile.Options, _ budget: HeldBudget) throws(ImageError) {
        self.budget = budget
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
        guard isHeld else {
            try file?.write(bytes)
            return
        }
        try budget.check(held.bytes.count + bytes.byteCount)
        held.write(bytes)
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

/// The memory that is left for the encoded bytes of a picture that must be held until it is complete. The size of these
/// bytes is not known before the picture is encoded.
struct HeldBudget {
    let limits: ImageLimits
    /// The memory that the picture takes besides.
    let need: Int
    /// The name of the picture, for the error.
    let name: String

    /// Checks whether `count` bytes may be held. The memory of an array grows by doubling.
    func check(_ count: Int) throws(ImageError) { try limits.check(memory: need + 2 * count, name: name) }
}
