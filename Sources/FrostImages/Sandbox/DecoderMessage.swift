import FrostCore

/// A message from the process of a sandbox: a byte for its kind, four bytes for its length with the lowest first, and that
/// many bytes.
///
/// The process sends a head, then the rows, with problems between them. A failure or a refusal is its last message.
enum DecoderMessage: UInt8 {
    /// A ``DecodedHead``.
    case head
    /// One or more whole rows of pixels.
    case rows
    /// A text for ``ReadProblems``.
    case problem
    /// A ``WireError``.
    case failure
    /// The text of the reason why the process cannot be isolated.
    case refusal

    static let headerByteCount = 5

    /// The largest message that is accepted, except for rows: more than the limit of metadata.
    static let maximumByteCount = 1 << 26

    /// The number of rows in a message: as many as fit in 256 KiB, and at least one.
    static func rows(_ layout: PixelLayout) -> Int { max(1, (1 << 18) / layout.rowByteCount) }

    /// Writes a message of this kind.
    func write(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) {
        let count = UInt32(bytes.count)
        let header = [rawValue] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
        for part in [header, bytes] {
            // SAFETY: the call only reads the bytes.
            if let error = unsafe Descriptor.write(descriptor, part.span.bytes) { throw error }
        }
    }

    /// Reads the header of a message. Returns nil if it is damaged.
    ///
    /// - Parameter rows: the largest number of bytes of rows that may come.
    static func header(_ bytes: [UInt8], rows: Int) -> (kind: DecoderMessage, byteCount: Int)? {
        guard let kind = DecoderMessage(rawValue: bytes[0]) else { return nil }
        let count = bytes[1..<headerByteCount].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= (kind == .rows ? rows : maximumByteCount) else { return nil }
        return (kind, count)
    }
}
