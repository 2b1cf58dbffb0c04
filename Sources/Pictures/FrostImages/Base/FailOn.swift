import FrostCore
import FrostThreads

/// The least serious fault for which Frost refuses a file. Less serious faults become warnings.
public enum FailOn: String, Sendable, Hashable, CaseIterable {
    /// No file is refused because of its pixels. The pixels that can be decoded are returned, and missing pixels become
    /// grey.
    case none
    /// A file that ends before its last pixel is refused.
    case truncated
    /// A file with missing or damaged pixels is refused. This is the default.
    case error
    /// A file is refused if a codec library reports any fault, even if all pixels were decoded.
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

/// Collects what a user may want to know of a file that Frost reads: texts about faults that Frost tolerates, and the
/// names of parts that Frost does not keep. The collection is complete after the last row has been read.
///
/// Thread-safety: several threads may use this object at the same time.
public final class ReadProblems: Sendable {
    private let all = Lock<[String]>([])
    private let names = Lock<[String]>([])
    /// The largest number of names of parts that are collected. A file may have any number of parts.
    private static let maximumNames = 64

    /// Creates an empty collection.
    public init() {}

    /// Adds a text that states why pixels are missing.
    ///
    /// - Throws: `error`, if it does not concern the pixels of the file, or if `failOn` refuses this kind of fault.
    func accept(_ error: ImageError, _ failOn: FailOn) throws(ImageError) {
        guard let fault = error.fault, !failOn.refuses(fault) else { throw error }
        add("\(error.reason ?? "damaged"); missing pixels are grey")
    }

    /// A text for each problem that has been found so far.
    public var texts: [String] { all.withLock { $0 } }

    /// Adds a text, once: each frame of an animation may have the same problem.
    package func add(_ text: String) { all.withLock { if !$0.contains(text) { $0.append(text) } } }

    /// The parts of the file that are never kept, for example "EXIF tag 0x927C (maker's note)": they may contain pictures,
    /// or Frost does not know them. At most 64 names are collected.
    public var leftOut: [String] { names.withLock { $0 } }

    func leaveOut(_ name: String) {
        names.withLock { names in
            if names.count < Self.maximumNames, !names.contains(name) { names.append(name) }
        }
    }
}

extension ImageError {
    /// The kind of fault in the pixels of a file; nil for errors that do not concern the pixels.
    var fault: FailOn.Fault? {
        switch self {
        case .corrupt: .damage
        case .truncated: .truncation
        case .cannotRead, .isDirectory, .unrecognised, .notAllowed, .unsupported, .animated, .badStream, .overLimit,
            .tooComplex, .overMemory, .overTime, .outOfMemory, .decoderEnded, .cannotIsolate, .cannotHold,
            .unknownSuffix, .cannotEncode, .encoderEnded, .cannotWrite:
            nil
        }
    }

    /// For a damaged or truncated file, the reason of the error without the path; nil for other errors.
    var reason: String? {
        switch self {
        case .corrupt(_, _, let reason, let offset), .truncated(_, _, let reason, let offset):
            reason + (offset.map { " at byte \($0)" } ?? "")
        case .cannotRead, .isDirectory, .unrecognised, .notAllowed, .unsupported, .animated, .badStream, .overLimit,
            .tooComplex, .overMemory, .overTime, .outOfMemory, .decoderEnded, .cannotIsolate, .cannotHold,
            .unknownSuffix, .cannotEncode, .encoderEnded, .cannotWrite:
            nil
        }
    }
}

/// Fills pixels with opaque mid-grey. Readers use this for the pixels that are missing from a damaged file.
enum MissingPixels {
    static func fill(_ row: inout MutableRawSpan, _ layout: PixelLayout) {
        // SAFETY: the row holds one row of the layout; the caller has checked this.
        unsafe row.withUnsafeMutableBytes { bytes in
            unsafe fill(UnsafeMutableRawBufferPointer(rebasing: bytes[..<layout.rowByteCount]), layout.format)
        }
    }

    /// Fills the buffer with opaque mid-grey.
    ///
    /// - Parameter bytes: memory for a whole number of pixels.
    @unsafe static func fill(_ bytes: UnsafeMutableRawBufferPointer, _ format: PixelFormat) {
        guard let base = bytes.baseAddress else { return }
        let (count, sample) = (format.channels.count, format.sample)
        let grey = sample.isFloat ? 0.5 : (sample.maximum + 1) / 2
        for i in 0..<bytes.count / sample.size {
            let isAlpha = format.channels.hasAlpha && i % count == count - 1
            unsafe sample.store(isAlpha ? sample.maximum : grey, base, at: i)
        }
    }
}
