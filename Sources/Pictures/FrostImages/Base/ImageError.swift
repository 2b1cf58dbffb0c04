import FrostCore

/// The reason why an image cannot be read or written. The first associated value of every case is the path of the file.
/// For an input without a path, it is the name of the input.
public enum ImageError: Error, Sendable, Equatable {
    /// The system refused to open or to read the file.
    case cannotRead(path: String, errno: Int32)
    /// The path names a directory, not an image.
    case isDirectory(path: String)
    /// The file does not have the expected format. If `expected` is nil, the file has none of the formats that Frost
    /// reads.
    case unrecognised(path: String, expected: ImageFormat?, reason: String)
    /// ``ImageLimits/allowed`` does not list the format of the file. `what` is a phrase for it, for example "a TIFF".
    case notAllowed(path: String, what: String)
    /// The file has the given format, but uses a feature that Frost does not support.
    case unsupported(path: String, format: ImageFormat, reason: String)
    /// The file holds several frames, and the caller did not choose to read only the first one. The option for this is
    /// ``ImageReadOptions/firstFrame``.
    case animated(path: String, format: ImageFormat)
    /// The file has the given format, but its content is damaged. `offset` is the number of bytes read before the
    /// fault, if known.
    case corrupt(path: String, format: ImageFormat, reason: String, offset: UInt64?)
    /// The file ends before its last pixel. `offset` is the number of bytes read, if known.
    case truncated(path: String, format: ImageFormat, reason: String, offset: UInt64?)
    /// A video stream is damaged or unsupported. `expected` describes the expected stream, for example "a Y4M stream".
    case badStream(path: String, expected: String, reason: String)
    /// The image exceeds one of the limits in ``ImageLimits``. `what` names the limited quantity, for example "width".
    case overLimit(path: String, what: String, value: Int, limit: Int)
    /// The file's header announces more data than a genuine file contains, so Frost refuses the file.
    case tooComplex(path: String, reason: String)
    /// The picture needs more memory than ``ImageLimits/maximumMemory`` allows. `needed` and `available` are numbers of
    /// bytes.
    case overMemory(path: String, needed: Int, available: Int)
    /// The work on the picture took longer than ``ImageLimits/maximumTime``, which is `limit`.
    case overTime(path: String, limit: Duration)
    /// The system refused memory for the pixels. `bytes` is 0 if the library that reads or writes the format does not
    /// report the number.
    case outOfMemory(path: String, bytes: Int)
    /// The process of a ``DecoderSandbox`` that decodes the picture ended, or sent something else than a picture.
    case decoderEnded(path: String, reason: String)
    /// The system cannot run or isolate the process of a ``DecoderSandbox``.
    case cannotIsolate(path: String, reason: String)
    /// The format cannot store a property of the picture, and the options do not allow dropping the property. `remedy`
    /// tells the user what to do, for example which option helps.
    case cannotHold(path: String, format: ImageFormat, what: String, remedy: String)
    /// The suffix of the output path belongs to no known format.
    case unknownSuffix(path: String)
    /// The encoder rejected the image or its metadata.
    case cannotEncode(path: String, reason: String)
    /// The process of the encoder ended without a result, usually because it may not take more than `memory` bytes. `memory` is nil
    /// if the process could not be started.
    case encoderEnded(path: String, reason: String, memory: Int?)
    /// The system refused to create or to write the file. An existing file at this path is unchanged.
    case cannotWrite(path: String, errno: Int32)

    /// A coarse class of errors, for callers that do not need the exact case.
    public enum Kind: Sendable, Hashable {
        /// The input is missing, unreadable or corrupt.
        case unreadable
        /// The input exceeds the limits on size, memory or time, or the available memory.
        case overLimit
        /// The output cannot be written.
        case unwritable
    }

    /// The path of the file. For an input without a path, this is the name of the input.
    public var path: String {
        switch self {
        case .cannotRead(let path, _), .isDirectory(let path), .unrecognised(let path, _, _),
            .notAllowed(let path, _), .unsupported(let path, _, _), .animated(let path, _), .corrupt(let path, _, _, _),
            .truncated(let path, _, _, _),
            .badStream(let path, _, _), .overLimit(let path, _, _, _), .tooComplex(let path, _),
            .overMemory(let path, _, _), .overTime(let path, _), .outOfMemory(let path, _),
            .decoderEnded(let path, _), .cannotIsolate(let path, _), .cannotHold(let path, _, _, _),
            .unknownSuffix(let path),
            .cannotEncode(let path, _), .encoderEnded(let path, _, _), .cannotWrite(let path, _):
            path
        }
    }

    /// The coarse class of this error, for callers that do not need the exact case.
    public var kind: Kind {
        switch self {
        case .cannotRead, .isDirectory, .unrecognised, .notAllowed, .unsupported, .animated, .corrupt, .truncated,
            .badStream, .decoderEnded, .cannotIsolate:
            .unreadable
        case .overLimit, .tooComplex, .overMemory, .overTime, .outOfMemory, .encoderEnded: .overLimit
        case .cannotHold, .unknownSuffix, .cannotEncode, .cannotWrite: .unwritable
        }
    }
}

extension ImageError: CustomStringConvertible {
    /// The error in one line, for example "c.png: not a PNG: CRC mismatch in IDAT at byte 8122".
    public var description: String {
        switch self {
        case .cannotRead(let path, let errno): "\(path.shownName): cannot be read: \(Errno(code: errno).message)"
        case .isDirectory(let path): "\(path.shownName): cannot be read: it is a directory"
        case .unrecognised(let path, let expected, let reason):
            "\(path.shownName): not \(expected?.traits.anyOfIt ?? "a supported picture"): \(reason)"
        case .notAllowed(let path, let what): "\(path.shownName): it is \(what), which --allow does not list"
        case .unsupported(let path, _, let reason): "\(path.shownName): \(reason)"
        case .animated(let path, let format):
            "\(path.shownName): it is \(format.traits.several), not a single picture"
        case .corrupt(let path, let format, let reason, let offset),
            .truncated(let path, let format, let reason, let offset):
            "\(path.shownName): damaged \(format.traits.title): \(reason)" + (offset.map { " at byte \($0)" } ?? "")
        case .badStream(let path, let expected, let reason): "\(path.shownName): not \(expected): \(reason)"
        case .overLimit(let path, let what, let value, let limit):
            "\(path.shownName): its \(what) of \(value) exceeds the limit of \(limit)"
        case .tooComplex(let path, let reason): "\(path.shownName): refused: \(reason)"
        case .overMemory(let path, let needed, let available):
            "\(path.shownName): not enough memory: needs \((needed - 1) >> 20 + 1) MiB, \(max(0, available) >> 20) MiB "
                + "are available"
        case .overTime(let path, let limit):
            "\(path.shownName): took longer than the limit of \(limit.formatted)"
        case .outOfMemory(let path, 0): "\(path.shownName): not enough memory"
        case .outOfMemory(let path, let bytes): "\(path.shownName): not enough memory for \(bytes) bytes of pixels"
        case .decoderEnded(let path, let reason): "\(path.shownName): its decoder \(reason)"
        case .cannotIsolate(let path, let reason): "\(path.shownName): its decoder cannot be isolated: \(reason)"
        case .cannotHold(let path, let format, let what, let remedy):
            "\(path.shownName): \(format.traits.title) cannot hold \(what); \(remedy)"
        case .unknownSuffix(let path):
            if let format = ImageFormat.missing(suffixOf: FilePath(path)) {
                "\(path.shownName): \(format.absence)"
            } else {
                "\(path.shownName): unknown output format; use \(ImageFormat.suffixList), or --format NAME"
            }
        case .cannotEncode(let path, let reason): "\(path.shownName): cannot be encoded: \(reason)"
        case .encoderEnded(let path, let reason, let memory):
            "\(path.shownName): its encoder \(reason)"
                + (memory.map { " (\($0 >> 20) MiB were available to it)" } ?? "")
        case .cannotWrite(let path, let errno): "\(path.shownName): cannot be written: \(Errno(code: errno).message)"
        }
    }
}

extension Duration {
    /// The duration in seconds, for messages, for example "60 s" or "0.5 s".
    fileprivate var formatted: String {
        (seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)") + " s"
    }
}
