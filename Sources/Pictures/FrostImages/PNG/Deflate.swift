import CZlib

/// A zlib compressor for one thread. It produces raw deflate data, without zlib's header and checksum.
///
/// SAFETY: zlib keeps a pointer to the z_stream. The z_stream therefore has its own allocation, which is freed with
/// this object.
@safe final class Deflate {
    /// The repetitions (matches) that deflate searches for. With every method, frequent bytes also get short codes.
    enum Method: Hashable, Sendable {
        /// Searches for no matches. This gives the smallest result for data without repetitions, such as most filtered
        /// photographs.
        case huffman
        /// Searches for runs of a single byte. This gives the smallest result for nearly uniform data, and is as fast
        /// as `huffman`.
        case runs
        /// Searches for any match in the last 32 KiB, with the effort of the given zlib level. This gives the smallest
        /// result for drawings and text, and is by far the slowest method. Level 0 stores the bytes uncompressed.
        case matches(level: Int)
    }

    /// The header of a zlib stream. It states the deflate method, a window of 32 KiB, and a fast algorithm.
    static let header: [UInt8] = [0x78, 0x5E]

    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a compressor. Returns nil if memory runs out.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // Negative window bits select raw deflate data. The value 8 is zlib's default memory level.
        let status = unsafe deflateInit2_(
            stream, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        if status != Z_OK { return nil }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Compresses bytes independently of earlier calls.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to compress, at most 2^31.
    ///   - history: the bytes that precede `bytes` in the stream. Matches may refer to them.
    ///   - isLast: whether the stream ends here. Otherwise the output ends at a byte boundary, so that more output can
    ///     follow.
    func compress(
        _ bytes: ArraySlice<UInt8>, after history: ArraySlice<UInt8> = [], by method: Method, isLast: Bool
    ) -> [UInt8] {
        let (level, strategy): (Int32, Int32) =
            switch method {
            case .huffman: (1, Z_HUFFMAN_ONLY)
            case .runs: (1, Z_RLE)
            case .matches(let level): (Int32(level), Z_DEFAULT_STRATEGY)
            }
        unsafe deflateReset(stream)
        unsafe deflateParams(stream, level, strategy)
        if case .matches = method {
            unsafe history.withUnsafeBufferPointer {
                _ = unsafe deflateSetDictionary(stream, $0.baseAddress, UInt32($0.count))
            }
        }
        // The capacity is zlib's bound for a single call, plus 16 bytes for the empty block that a flush appends.
        let room = unsafe Int(deflateBound(stream, uLong(bytes.count))) + 16
        // SAFETY: zlib reads and writes only within the given sizes, and only during the call.
        return unsafe [UInt8](unsafeUninitializedCapacity: room) { out, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = out.baseAddress
                unsafe stream.pointee.avail_out = UInt32(room)
                let status = unsafe deflate(stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
                // deflate cannot fail, because the output has enough room and zlib itself initialised the state.
                precondition(status == (isLast ? Z_STREAM_END : Z_OK), "zlib's deflate has returned \(status)")
                count = unsafe room - Int(stream.pointee.avail_out)
            }
        }
    }
}

/// zlib's Adler-32 checksum. The checksums of consecutive parts can be combined.
struct Adler32: Sendable {
    private(set) var value: UInt = 1

    init() {}

    init(_ bytes: [UInt8]) {
        // SAFETY: zlib reads exactly the given number of bytes.
        unsafe bytes.withUnsafeBufferPointer { unsafe value = adler32_z(1, $0.baseAddress, $0.count) }
    }

    /// The checksum as the four big-endian bytes that end a zlib stream.
    var bytes: [UInt8] { UInt32(truncatingIfNeeded: value).bigEndianBytes }

    /// Extends this checksum by the checksum of the next `count` bytes.
    mutating func append(_ other: Adler32, count: Int) { value = adler32_combine(value, other.value, count) }
}

/// zlib's CRC-32 checksum, which ends each chunk of a PNG.
enum CRC32 {
    static func of(_ bytes: some Collection<UInt8>) -> Int {
        let bytes = Array(bytes)
        // SAFETY: zlib reads exactly the given number of bytes.
        return unsafe bytes.withUnsafeBufferPointer { unsafe Int(crc32_z(0, $0.baseAddress, $0.count)) }
    }
}
