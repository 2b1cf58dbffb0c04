import CZlib

/// One thread's zlib compressor: raw deflate data, without the header and the checksum that zlib's format puts around it.
///
/// SAFETY: zlib keeps a pointer to the stream, which therefore has memory of its own, freed with the object.
@safe final class Deflate {
    /// What of deflate's two ideas is used: codes as short as bytes are frequent always are.
    enum Method: Hashable, Sendable {
        /// Bytes alone. Least for what has no repetitions, as most filtered photographs.
        case huffman
        /// Runs of one byte as well. Least for what is nearly even, and as quick.
        case runs
        /// Repetitions of anything in the last 32 KiB, looked for as hard as zlib's level says. Least for drawings and
        /// text, and the slowest by far; 0 stores.
        case matches(level: Int)
    }

    /// What zlib's format begins with: deflate with 32 KiB of window, made by a fast algorithm.
    static let header: [UInt8] = [0x78, 0x5E]

    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil when out of memory.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // Negative bits of window: raw. 8 is zlib's usual memory level.
        let status = unsafe deflateInit2_(
            stream, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        if status != Z_OK { return nil }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Compresses bytes, without regard to what was compressed before.
    ///
    /// - Parameters:
    ///   - bytes: up to 2^31 of them.
    ///   - history: what goes before them, where repetitions may be found.
    ///   - isLast: no more follow in the same stream. Otherwise the data end at a whole byte, so that more can.
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
        // What zlib promises for all of the bytes at once, and the empty block that a flush ends with.
        let room = unsafe Int(deflateBound(stream, uLong(bytes.count))) + 16
        // SAFETY: zlib reads and writes as many bytes as it is told, during the call.
        return unsafe [UInt8](unsafeUninitializedCapacity: room) { out, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = out.baseAddress
                unsafe stream.pointee.avail_out = UInt32(room)
                let status = unsafe deflate(stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
                // It cannot fail where there is room and a state that it made itself.
                precondition(status == (isLast ? Z_STREAM_END : Z_OK), "zlib's deflate has returned \(status)")
                count = unsafe room - Int(stream.pointee.avail_out)
            }
        }
    }
}

/// The checksum of zlib's format, which can be put together from those of parts.
struct Adler32: Sendable {
    private(set) var value: UInt = 1

    init() {}

    init(_ bytes: [UInt8]) {
        // SAFETY: zlib reads as many bytes as it is told.
        unsafe bytes.withUnsafeBufferPointer { unsafe value = adler32_z(1, $0.baseAddress, $0.count) }
    }

    /// As zlib's format ends.
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// Adds what follows.
    mutating func append(_ other: Adler32, count: Int) { value = adler32_combine(value, other.value, count) }
}
