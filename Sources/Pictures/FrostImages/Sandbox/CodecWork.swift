import FrostCore
import Glibc

/// What a ``CodecProcess`` does, and the message that asks for it.
///
/// The message has two bytes, the work and the format, and five descriptors: the input, the socket for messages, the request, the
/// memory of the rows, and the socket by which the starter says how the process ended.
enum CodecWork: UInt8 {
    case decode, encode, colors, sequence

    /// The number of descriptors of the message.
    static let descriptorCount = 5

    /// The descriptors of the request and of the memory of the rows in the process. The input is descriptor 0, and the socket for
    /// messages descriptor 1.
    static let requestDescriptor: Int32 = 3
    static let rowsDescriptor: Int32 = 4

    /// Reads the request of this process. Returns nil if it is damaged.
    ///
    /// - Parameters:
    ///   - blank: any request, whose values are replaced.
    ///   - code: the function that describes the request's bytes.
    static func request<Request>(_ blank: Request, _ code: (inout WireCoder, inout Request) -> Void) -> Request? {
        var coder = WireCoder(reading: (try? Descriptor.readAll(requestDescriptor)) ?? [])
        close(requestDescriptor)
        var request = blank
        code(&coder, &request)
        return coder.isComplete ? request : nil
    }

    /// The first message of a starter, by which it is told from other programs.
    static let greeting = Array("frost codecs 3".utf8)

    /// The bytes of the message.
    func message(_ format: ImageFormat) -> [UInt8] {
        [rawValue, UInt8(ImageFormat.allCases.firstIndex(of: format) ?? 0)]
    }

    /// Reads the message. Returns nil if it is damaged.
    static func read(_ bytes: [UInt8]) -> (work: CodecWork, format: ImageFormat)? {
        guard bytes.count == 2, let work = CodecWork(rawValue: bytes[0]),
            ImageFormat.allCases.indices.contains(Int(bytes[1]))
        else { return nil }
        return (work, ImageFormat.allCases[Int(bytes[1])])
    }
}

/// How a ``CodecProcess`` ended.
enum CodecEnd: Equatable {
    /// The process ended; the number is that of waitpid.
    case ended(Int32)
    /// The system did not fork; the number is that of errno.
    case notForked(Int32)
    /// Nothing is known, because the starter has ended.
    case unknown

    /// The number of bytes of the message from the starter.
    static let byteCount = 5

    var bytes: [UInt8] {
        let (kind, number): (UInt8, Int32) =
            switch self {
            case .ended(let status): (0, status)
            case .notForked(let error): (1, error)
            case .unknown: (2, 0)
            }
        return [kind] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    init(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] < 2 else {
            self = .unknown
            return
        }
        let number = bytes[1...].reversed().reduce(Int32(0)) { $0 << 8 | Int32($1) }
        self = bytes[0] == 0 ? .ended(number) : .notForked(number)
    }
}

extension Duration {
    /// The whole seconds with which a process is limited: more than the duration, and at most a number that all kernels take.
    var secondsOfLimit: UInt64 { UInt64(max(0, min(components.seconds, 1 << 32))) + 1 }
}
