import FrostCore
import Synchronization

/// The least serious fault for which Frost refuses a file. Less serious faults become warnings.
public enum FailOn: String, Sendable, Hashable, CaseIterable {
    /// No fault is refused. The decoded pixels are returned, and missing pixels become grey.
    case none
    /// A file that ends before its last pixel is refused.
    case truncated
    /// A file with missing or damaged pixels is refused. This is the default.
    case error
    /// Any message of a codec library causes refusal, even if all pixels were decoded.
    case warning

    /// The kinds of faults in a file with a readable header.
    enum Fault { case warning, damage, truncation }

    /// Whether this level accepts a picture with pixels that could not be decoded.
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

/// The faults of a picture that was nevertheless read, as texts. The list is complete after the last row has been read.
///
/// Thread-safety: may be used from any thread.
public final class ReadProblems: Sendable {
    private let all = Mutex<[String]>([])

    /// No problems yet.
    public init() {}

    /// Notes why pixels are missing.
    ///
    /// - Throws: the error itself, if it is not a fault of the file's pixels or if `failOn` refuses that fault.
    func accept(_ error: ImageError, _ failOn: FailOn) throws(ImageError) {
        guard let fault = error.fault, !failOn.refuses(fault) else { throw error }
        add("\(error.reason ?? "damaged"); missing pixels are grey")
    }

    /// The problems so far, in words.
    public var texts: [String] { all.withLock { $0 } }

    func add(_ text: String) { all.withLock { $0.append(text) } }
}

extension ImageError {
    /// The kind of fault in the pixels of a file; nil for errors that do not concern the pixels.
    var fault: FailOn.Fault? {
        switch self {
        case .corrupt: .damage
        case .truncated: .truncation
        case .cannotRead, .isDirectory, .unrecognised, .unsupported, .animated, .badStream, .overLimit, .tooComplex,
            .outOfMemory, .cannotHold, .unknownSuffix, .cannotEncode, .cannotWrite:
            nil
        }
    }

    /// The reason without the path, for a damaged or truncated file; nil for other errors.
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

/// Fills the pixels that a damaged file lacks with opaque mid-grey.
enum MissingPixels {
    static func fill(_ row: inout MutableRawSpan, _ layout: PixelLayout) {
        // SAFETY: the row holds one row of the layout; the caller has checked this.
        unsafe row.withUnsafeMutableBytes { bytes in
            unsafe fill(UnsafeMutableRawBufferPointer(rebasing: bytes[..<layout.rowByteCount]), layout.format)
        }
    }

    /// Fills the buffer with opaque mid-grey.
    ///
    /// - Parameter bytes: a whole number of pixels.
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
