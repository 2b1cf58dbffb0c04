import FrostCore

/// A message from a ``CodecProcess``: its kind, the number of its bytes, and the bytes.
///
/// A decoder sends a head, then the rows, with problems and names between them. The rows are in the blocks of ``SharedRows``, or in the
/// messages if a row does not fit into a block. An encoder says when it has taken the rows of a block, and sends the file. A failure or
/// a refusal is the last message.
///
/// The program sends a byte for each block of rows that it has taken from a decoder, or that it has filled for an encoder.
enum ProcessMessage: UInt8 {
    /// A ``DecodedHead``.
    case head
    /// One or more whole rows of pixels.
    case rows
    /// The number of rows that are in the next block.
    case block
    /// An encoder has taken the rows of a block. Has no bytes.
    case taken
    /// A text for ``ReadProblems``.
    case problem
    /// A ``WireError``.
    case failure
    /// The text of the reason why the process cannot be isolated.
    case refusal
    /// The name of a part of the file, for ``ReadProblems/leftOut``.
    case leftOut
    /// Bytes of an encoded file; none at its end.
    case file

    /// The number of bytes before those of the message: its kind and its length.
    static let headerByteCount = 9

    /// The largest message that is accepted, except for rows: more than the limit of metadata.
    static let maximumByteCount = 1 << 26

    /// Writes a message of this kind.
    func write(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) {
        let header = WireCoder.bytes(of: (kind: self, count: bytes.count), Self.codeHeader)
        // Short messages take one call.
        for part in bytes.count < 1 << 12 ? [header + bytes] : [header, bytes] {
            // SAFETY: the call only reads the bytes.
            if let error = unsafe Descriptor.write(descriptor, part.span.bytes) { throw error }
        }
    }

    /// The bytes of a number of rows.
    static func bytes(ofRows count: Int) -> [UInt8] { WireCoder.bytes(of: count) { $0.code(&$1) } }

    /// Reads a number of rows. Returns nil if it is damaged.
    static func rows(in bytes: [UInt8]) -> Int? {
        var coder = WireCoder(reading: bytes)
        var count = 0
        coder.code(&count)
        return coder.isComplete ? count : nil
    }

    /// Reads the header of a message. Returns nil if it is damaged.
    ///
    /// - Parameter rows: the largest number of bytes of rows that may come.
    static func header(_ bytes: [UInt8], rows: Int) -> (kind: ProcessMessage, count: Int)? {
        var coder = WireCoder(reading: bytes)
        var header = (kind: ProcessMessage.failure, count: 0)
        codeHeader(&coder, &header)
        let limit = header.kind == .rows ? rows : maximumByteCount
        guard coder.isComplete, (0...limit).contains(header.count) else { return nil }
        return header
    }

    private static func codeHeader(_ coder: inout WireCoder, _ header: inout (kind: ProcessMessage, count: Int)) {
        coder.code(&header.kind)
        coder.code(&header.count)
    }
}
