import Glibc

/// The path of a file, as bytes.
///
/// The system compares paths byte by byte, and separates their components at the byte `/`. Swift's strings do neither:
/// two strings are equal if they show the same characters, and a slash with a combining mark behind it is not the
/// character `/`. So Frost converts every text that names a file to this type before it compares, splits or opens the
/// path.
///
/// ```swift
/// let path: FilePath = "photos/a.png"
/// let picture = try PNG.read(path: FilePath(bytes: nameFromTheSystem))
/// ```
public struct FilePath: Sendable, Hashable {
    /// The bytes of the path. A path with a zero byte names no file, because the system's functions read only the bytes
    /// before it. Frost refuses such a path with the error EINVAL.
    public let bytes: [UInt8]

    /// Creates a path from bytes of the system.
    ///
    /// - Parameter bytes: the bytes, without a zero byte at the end.
    public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Creates a path from text: the bytes of its UTF-8 form. A code point from U+10FF80 to U+10FFFF stands for one byte
    /// that is not part of a valid character, as in ``text``.
    ///
    /// - Parameter text: the text.
    public init(_ text: String) { bytes = FileName.bytes(of: text) }

    /// The path as text. Each byte that is not part of a valid UTF-8 character becomes the code point U+10FF00 plus the
    /// byte. Different paths have different texts, and `FilePath(path.text)` equals `path`.
    public var text: String { FileName.decode(bytes) }
}

extension FilePath: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// Creates a path from a string literal.
    ///
    /// - Parameter value: the text of the literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// The same as ``text``.
    public var description: String { text }
}

extension FilePath: Comparable {
    /// Orders paths by their bytes.
    public static func < (a: FilePath, b: FilePath) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

// MARK: - Descriptors

extension FilePath {
    /// The number of the open descriptor that the path names, as /dev/stdout and /dev/fd/3 do; nil for other paths.
    package var descriptor: Int32? {
        switch self {
        case "/dev/stdin": return 0
        case "/dev/stdout": return 1
        case "/dev/stderr": return 2
        default: break
        }
        for folder: FilePath in ["/dev/fd/", "/proc/self/fd/"] where hasPrefix(folder) {
            return Int32(text.dropFirst(folder.bytes.count))
        }
        return nil
    }

    /// Whether bytes can be read from the path only once: from standard input, a pipe, a socket or a character device.
    package var isReadOnce: Bool {
        if self == "-" { return true }
        guard let kind = (try? status())?.kind else { return false }
        return kind == S_IFIFO || kind == S_IFSOCK || kind == S_IFCHR
    }

    /// Whether bytes that are written to the path go to a stream and not into a file: to "-", a descriptor such as
    /// /dev/fd/3, a pipe, a socket or a character device. Files below /dev, such as those of /dev/shm, are files.
    package var isStream: Bool {
        self == "-" || descriptor != nil || isReadOnce
    }

    /// Whether the path stands for standard output: "-", or a name of its descriptor.
    package var isStandardOutput: Bool { self == "-" || descriptor == 1 }
}

// MARK: - Components

extension FilePath {
    private static let slash = UInt8(ascii: "/")

    package var isEmpty: Bool { bytes.isEmpty }
    package var isAbsolute: Bool { bytes.first == Self.slash }
    package var endsInSlash: Bool { bytes.last == Self.slash }

    /// The last component: the bytes after the last slash.
    package var name: FilePath { FilePath(bytes: bytes[nameStart...]) }

    /// The folder of the last component: "." for a path without a slash, "/" for a path whose only slash is its first byte.
    package var folder: FilePath {
        switch nameStart {
        case 0: "."
        case 1: "/"
        default: FilePath(bytes: bytes[..<(nameStart - 1)])
        }
    }

    /// The last component without its suffix. A component that begins with its only dot has no suffix.
    package var stem: FilePath { FilePath(bytes: bytes[nameStart..<(suffixDot ?? bytes.endIndex)]) }

    /// The part of the last component after its last dot; nil if the component has no dot after its first byte.
    package var suffix: FilePath? { suffixDot.map { FilePath(bytes: bytes[($0 + 1)...]) } }

    package var withoutSuffix: FilePath { FilePath(bytes: bytes[..<(suffixDot ?? bytes.endIndex)]) }

    private var nameStart: Int { bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0 }

    private var suffixDot: Int? {
        let start = nameStart
        return bytes[start...].lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > start ? $0 : nil }
    }

    /// Returns whether the path begins with the same bytes as another one.
    package func hasPrefix(_ prefix: FilePath) -> Bool { bytes.starts(with: prefix.bytes) }

    /// Returns the path of a file in this folder. An absolute `name` is returned unchanged.
    package func appending(_ name: FilePath) -> FilePath {
        if name.isAbsolute || isEmpty { return name }
        return FilePath(bytes: endsInSlash ? bytes + name.bytes : bytes + [Self.slash] + name.bytes)
    }
}

// MARK: - Display

extension FilePath {
    /// The path for display; see ``Swift/String/shownName``.
    package var shownName: String { text.shownName }
}
