import CZlib

/// A zlib compressor for one thread. It makes raw deflate data, without zlib's header and checksum.
///
/// SAFETY: zlib keeps a pointer to the stream, which therefore is allocated on its own and freed with the object.
@safe final class Deflate {
    /// Which matches deflate searches for. Frequent bytes always get short codes.
    enum Method: Hashable, Sendable {
        /// No matches. Smallest for data without repetitions, such as most filtered photographs.
        case huffman
        /// Runs of a single byte. Smallest for nearly uniform data, and as fast as `huffman`.
        case runs
        /// Any match in the last 32 KiB, with the effort of zlib's level. Smallest for drawings and text, and by far
        /// the slowest. Level 0 stores the bytes uncompressed.
        case matches(level: Int)
    }

    /// The header of a zlib stream: deflate, a window of 32 KiB, and the flag of a fast algorithm.
    static let header: [UInt8] = [0x78, 0x5E]

    private let stream: UnsafeMutablePointer<z_stream>

    /// nil if memory is short.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // Negative window bits: raw deflate data. 8 is zlib's default memory level.
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
    ///   - bytes: up to 2^31 of them.
    /// - history: the bytes that precede them, in which matches may be found.
    /// - isLast: whether the stream ends here. Otherwise the output ends at a byte boundary, so more can follow.
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
        // zlib's bound for a single call, and the empty block that a flush appends.
        let room = unsafe Int(deflateBound(stream, uLong(bytes.count))) + 16
        // SAFETY: zlib reads and writes only within the sizes that it is given, during the call.
        return unsafe [UInt8](unsafeUninitializedCapacity: room) { out, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = out.baseAddress
                unsafe stream.pointee.avail_out = UInt32(room)
                let status = unsafe deflate(stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
                // deflate cannot fail with enough room and a state that it initialised.
                precondition(status == (isLast ? Z_STREAM_END : Z_OK), "zlib's deflate has returned \(status)")
                count = unsafe room - Int(stream.pointee.avail_out)
            }
        }
    }
}

/// zlib's checksum. Those of parts can be combined.
struct Adler32: Sendable {
    private(set) var value: UInt = 1

    init() {}

    init(_ bytes: [UInt8]) {
        // SAFETY: zlib reads as many bytes as it is given.
        unsafe bytes.withUnsafeBufferPointer { unsafe value = adler32_z(1, $0.baseAddress, $0.count) }
    }

    /// The big-endian bytes that end a zlib stream.
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// Extends the checksum by that of the `count` bytes that follow.
    mutating func append(_ other: Adler32, count: Int) { value = adler32_combine(value, other.value, count) }
}
