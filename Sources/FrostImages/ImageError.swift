import Glibc

/// Why an image cannot be read or written. Every case begins with the path, or with another name of the input.
public enum ImageError: Error, Sendable, Equatable {
    /// The system refused to open or to read the file.
    case cannotRead(path: String, errno: Int32)
    /// The path names a directory; an image was to be read from it.
    case isDirectory(path: String)
    /// The file is something else than the format that was expected, or than any that is read where that is nil.
    case unrecognised(path: String, expected: ImageFormat?, reason: String)
    /// The file is of the format, but uses what is not read here.
    case unsupported(path: String, format: ImageFormat, reason: String)
    /// The file is of the format and has many frames, and it was not said that the first is to be taken.
    case animated(path: String, format: ImageFormat)
    /// The file is of the format, but broken. The offset is how far reading got, in bytes, where that is known.
    case corrupt(path: String, format: ImageFormat, reason: String, offset: UInt64?)
    /// A stream of frames is broken, or of a kind that is not read. Of what, in words: "a Y4M stream".
    case badStream(path: String, expected: String, reason: String)
    /// The image is larger than ``ImageLimits`` allow.
    case overLimit(path: String, what: String, value: Int, limit: Int)
    /// There is more of something than any honest file has.
    case tooComplex(path: String, reason: String)
    /// The pixels do not fit in memory.
    case outOfMemory(path: String, bytes: Int)
    /// The format has no room for something that the picture has, and nothing was said about giving it up.
    case cannotHold(path: String, format: ImageFormat, what: String, remedy: String)
    /// The name of a file to be written ends in nothing that is known.
    case unknownSuffix(path: String)
    /// The encoder refused the image or its metadata.
    case cannotEncode(path: String, reason: String)
    /// The system refused to create or to write the file. What stood there before is untouched.
    case cannotWrite(path: String, errno: Int32)

    /// What a caller can do about it.
    public enum Kind: Sendable, Hashable {
        /// The input is missing, unreadable or corrupt.
        case unreadable
        /// The input is larger than allowed, or than memory.
        case overLimit
        /// The output cannot be made.
        case unwritable
    }

    /// The error's class.
    public var kind: Kind {
        switch self {
        case .cannotRead, .isDirectory, .unrecognised, .unsupported, .animated, .corrupt, .badStream:
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
        case .cannotRead(let path, let errno): "\(path): cannot be read: \(text(errno))"
        case .isDirectory(let path): "\(path): cannot be read: it is a directory"
        case .unrecognised(let path, let expected, let reason):
            "\(path): not \(expected?.traits.anyOfIt ?? "a picture that can be read"): \(reason)"
        case .unsupported(let path, _, let reason): "\(path): \(reason)"
        case .animated(let path, let format):
            "\(path): it is \(format.traits.several); --first-frame takes the first"
        case .corrupt(let path, let format, let reason, let offset):
            "\(path): not \(format.traits.anyOfIt): \(reason)" + (offset.map { " at byte \($0)" } ?? "")
        case .badStream(let path, let expected, let reason): "\(path): not \(expected): \(reason)"
        case .overLimit(let path, let what, let value, let limit):
            "\(path): its \(what), \(value), is over the limit of \(limit)"
        case .tooComplex(let path, let reason): "\(path): refused: \(reason)"
        case .outOfMemory(let path, let bytes): "\(path): there is no memory for its \(bytes) bytes of pixels"
        case .cannotHold(let path, let format, let what, let remedy):
            "\(path): \(format.traits.title) cannot hold \(what); \(remedy)"
        case .unknownSuffix(let path):
            if let format = OptionalFormat.missing(suffixOf: path) {
                "\(path): \(format.absence)"
            } else {
                "\(path): its format is not known; names end in \(ImageFormat.suffixList), or --format NAME says it"
            }
        case .cannotEncode(let path, let reason): "\(path): cannot be encoded: \(reason)"
        case .cannotWrite(let path, let errno): "\(path): cannot be written: \(text(errno))"
        }
    }

    private func text(_ code: Int32) -> String {
        // SAFETY: glibc returns a string of its own, valid until this thread's next call; it is copied at once.
        unsafe String(cString: strerror(code))
    }
}
