import FrostCore

/// Why an image cannot be read or written. Every case begins with the path, or with the input's name.
public enum ImageError: Error, Sendable, Equatable {
    /// The system refused to open or to read the file.
    case cannotRead(path: String, errno: Int32)
    /// The path names a directory, not an image.
    case isDirectory(path: String)
    /// The file is not of the expected format or, if `expected` is nil, of no format that is read.
    case unrecognised(path: String, expected: ImageFormat?, reason: String)
    /// The file is of the format, but uses a feature that is not supported.
    case unsupported(path: String, format: ImageFormat, reason: String)
    /// The file has several frames, and the caller did not choose to read the first.
    case animated(path: String, format: ImageFormat)
    /// The file is of the format, but broken. `offset` is how many bytes were read, if that is known.
    case corrupt(path: String, format: ImageFormat, reason: String, offset: UInt64?)
    /// The file ends within its pixels. `offset` is how many bytes were read, if that is known.
    case truncated(path: String, format: ImageFormat, reason: String, offset: UInt64?)
    /// A video stream is broken or unsupported. `expected` says what was expected, in words: "a Y4M stream".
    case badStream(path: String, expected: String, reason: String)
    /// The image is larger than ``ImageLimits`` allow.
    case overLimit(path: String, what: String, value: Int, limit: Int)
    /// The file announces more of something than a genuine file contains.
    case tooComplex(path: String, reason: String)
    /// The pixels do not fit in memory.
    case outOfMemory(path: String, bytes: Int)
    /// The format cannot hold something that the picture has, and the options do not allow dropping it.
    case cannotHold(path: String, format: ImageFormat, what: String, remedy: String)
    /// The output's suffix names no known format.
    case unknownSuffix(path: String)
    /// The encoder refused the image or its metadata.
    case cannotEncode(path: String, reason: String)
    /// The system refused to create or to write the file. An existing file at the path is unchanged.
    case cannotWrite(path: String, errno: Int32)

    /// What went wrong, as far as it matters to a caller.
    public enum Kind: Sendable, Hashable {
        /// The input is missing, unreadable or corrupt.
        case unreadable
        /// The input is larger than the limits or the memory allow.
        case overLimit
        /// The output cannot be made.
        case unwritable
    }

    /// The file, or the name of the input.
    public var path: String {
        switch self {
        case .cannotRead(let path, _), .isDirectory(let path), .unrecognised(let path, _, _),
            .unsupported(let path, _, _), .animated(let path, _), .corrupt(let path, _, _, _),
            .truncated(let path, _, _, _),
            .badStream(let path, _, _), .overLimit(let path, _, _, _), .tooComplex(let path, _),
            .outOfMemory(let path, _), .cannotHold(let path, _, _, _), .unknownSuffix(let path),
            .cannotEncode(let path, _), .cannotWrite(let path, _):
            path
        }
    }

    public var kind: Kind {
        switch self {
        case .cannotRead, .isDirectory, .unrecognised, .unsupported, .animated, .corrupt, .truncated, .badStream:
            .unreadable
        case .overLimit, .tooComplex, .outOfMemory: .overLimit
        case .cannotHold, .unknownSuffix, .cannotEncode, .cannotWrite: .unwritable
        }
    }
}

extension ImageError: CustomStringConvertible {
    /// One line: "c.png: not a PNG: CRC mismatch in IDAT at byte 8122".
    public var description: String {
        switch self {
        case .cannotRead(let path, let errno): "\(path.shownName): cannot be read: \(Errno(code: errno).message)"
        case .isDirectory(let path): "\(path.shownName): cannot be read: it is a directory"
        case .unrecognised(let path, let expected, let reason):
            "\(path.shownName): not \(expected?.traits.anyOfIt ?? "a supported picture"): \(reason)"
        case .unsupported(let path, _, let reason): "\(path.shownName): \(reason)"
        case .animated(let path, let format):
            "\(path.shownName): it is \(format.traits.several); use --first-frame to read its first"
        case .corrupt(let path, let format, let reason, let offset),
            .truncated(let path, let format, let reason, let offset):
            "\(path.shownName): damaged \(format.traits.title): \(reason)" + (offset.map { " at byte \($0)" } ?? "")
        case .badStream(let path, let expected, let reason): "\(path.shownName): not \(expected): \(reason)"
        case .overLimit(let path, let what, let value, let limit):
            "\(path.shownName): its \(what) of \(value) exceeds the limit of \(limit)"
        case .tooComplex(let path, let reason): "\(path.shownName): refused: \(reason)"
        case .outOfMemory(let path, let bytes): "\(path.shownName): not enough memory for \(bytes) bytes of pixels"
        case .cannotHold(let path, let format, let what, let remedy):
            "\(path.shownName): \(format.traits.title) cannot hold \(what); \(remedy)"
        case .unknownSuffix(let path):
            if let format = OptionalFormat.missing(suffixOf: path) {
                "\(path.shownName): \(format.absence)"
            } else {
                "\(path.shownName): unknown output format; use \(ImageFormat.suffixList), or --format NAME"
            }
        case .cannotEncode(let path, let reason): "\(path.shownName): cannot be encoded: \(reason)"
        case .cannotWrite(let path, let errno): "\(path.shownName): cannot be written: \(Errno(code: errno).message)"
        }
    }
}
