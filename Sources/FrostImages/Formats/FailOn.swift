import FrostCore
import Synchronization

/// The least serious fault of a file for which it is refused; less serious ones are warnings.
public enum FailOn: String, Sendable, Hashable, CaseIterable {
    /// Nothing: what was decoded is returned, the rest is grey.
    case none
    /// The file ends within its pixels.
    case truncated
    /// Pixels are missing or damaged. The default.
    case error
    /// Any message of a codec library, though all pixels were decoded.
    case warning

    /// What can be wrong with a file whose header was read.
    enum Fault { case warning, damage, truncation }

    /// Whether a picture may have pixels that were not decoded.
    var toleratesMissingPixels: Bool { !refuses(.damage) || !refuses(.truncation) }

    func refuses(_ fault: Fault) -> Bool {
        switch self {
        case .none: false
        case .truncated: fault == .truncation
        case .error: fault == .truncation || fault == .damage
        case .warning: true
        }
    }
}

/// What was wrong with a picture that was read all the same, in words. It is complete once the last row has been read.
///
/// Thread-safety: may be used from any thread.
public final class ReadProblems: Sendable {
    private let all = Mutex<[String]>([])

    /// No problems yet.
    public init() {}

    public var texts: [String] { all.withLock { $0 } }

    func add(_ text: String) { all.withLock { $0.append(text) } }
}

extension ImageError {
    /// What is wrong with the pixels of a file; nil for all other errors.
    var fault: FailOn.Fault? {
        switch self {
        case .corrupt: .damage
        case .truncated: .truncation
        case .cannotRead, .isDirectory, .unrecognised, .unsupported, .animated, .badStream, .overLimit, .tooComplex,
            .outOfMemory, .cannotHold, .unknownSuffix, .cannotEncode, .cannotWrite:
            nil
        }
    }

    /// The reason alone, of a damaged or truncated file.
    var reason: String? {
        switch self {
        case .corrupt(_, _, let reason, let offset), .truncated(_, _, let reason, let offset):
            reason + (offset.map { " at byte \($0)" } ?? "")
        case .cannotRead, .isDirectory, .unrecognised, .unsupported, .animated, .badStream, .overLimit, .tooComplex,
            .outOfMemory, .cannotHold, .unknownSuffix, .cannotEncode, .cannotWrite:
            nil
        }
    }
}

/// The colour of pixels that a damaged file does not have: opaque mid-grey.
enum MissingPixels {
    static func fill(_ row: inout MutableRawSpan, _ layout: PixelLayout) {
        // SAFETY: a row of the layout, which the caller has checked for.
        unsafe row.withUnsafeMutableBytes { bytes in
            unsafe fill(UnsafeMutableRawBufferPointer(rebasing: bytes[..<layout.rowByteCount]), layout.format)
        }
    }

    /// - Parameter bytes: whole pixels.
    @unsafe static func fill(_ bytes: UnsafeMutableRawBufferPointer, _ format: PixelFormat) {
        let (count, size) = (format.channels.count, format.sample.size)
        for i in 0..<bytes.count / size {
            let isAlpha = format.channels.hasAlpha && i % count == count - 1
            switch format.sample {
            case .u8: unsafe bytes.storeBytes(of: isAlpha ? 255 : 128, toByteOffset: i, as: UInt8.self)
            case .u16: unsafe bytes.storeBytes(of: isAlpha ? 65535 : 32768, toByteOffset: 2 * i, as: UInt16.self)
            case .f32: unsafe bytes.storeBytes(of: isAlpha ? 1 : 0.5, toByteOffset: 4 * i, as: Float.self)
            }
        }
    }
}
