package import Frost
import FrostImages
import Glibc

/// The boxes of a file, such as the faces that a detector has found: a table in the format CSV with a header, or an object in the
/// format JSON on each line.
///
/// A box may belong to one picture, by its name, and to one frame of a video, by its number from 0. Its numbers may be fractions; a
/// box covers every pixel that it touches.
package struct BoxFile: Sendable {
    /// The path of the file.
    package let path: FilePath
    package let boxes: [Box]
    /// The places in ``boxes`` of those with a name, by the last component of the name, and of those without one.
    private let places: [FilePath?: [Int]]

    /// A box of a file.
    package struct Box: Sendable, Hashable {
        /// The line of the file, counted from 1.
        package let line: Int
        /// The picture to which the box belongs; nil for every picture.
        package let name: FilePath?
        /// The frame to which the box belongs, counted from 0; nil for every frame.
        package let frame: Int?
        /// The pixels of the box; nil for a line that names a picture or a frame without a box.
        package let rect: Rect?
    }

    /// The maximum size of a file in bytes.
    static let sizeLimit = 1 << 28

    /// Reads a file.
    ///
    /// - Parameter path: the path, or - for standard input.
    package init(path: FilePath) throws(BoxFileError) {
        let bytes: [UInt8]
        do throws(Errno) {
            let descriptor = path == "-" ? 0 : try path.open(O_RDONLY | O_CLOEXEC)
            defer { if descriptor != 0 { close(descriptor) } }
            bytes = try Descriptor.readAll(descriptor, limit: Self.sizeLimit + 1)
        } catch {
            throw BoxFileError(path, nil, "cannot be read: \(error.message)")
        }
        guard bytes.count <= Self.sizeLimit else {
            throw BoxFileError(path, nil, "the file has more than \(Self.sizeLimit) bytes")
        }
        try self.init(path: path, bytes: bytes)
    }

    /// Reads the bytes of a file.
    package init(path: FilePath, bytes: [UInt8]) throws(BoxFileError) {
        self.path = path
        // Excel begins a file with a byte order mark.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw BoxFileError(path, nil, "the text is UTF-16; save it as UTF-8")
        }
        let first = content.first { !BoxTable.isSpace($0) && $0 != 0x0A }
        guard first != UInt8(ascii: "[") else {
            throw BoxFileError(path, 1, "expected a table, or a JSON object on each line, not an array")
        }
        do throws(BoxLineError) {
            let found = first == UInt8(ascii: "{") ? try BoxObjects.boxes(content) : try BoxTable.boxes(content)
            boxes = found.map { box in
                Box(line: box.line, name: box.name.map { Self.plain($0) }, frame: box.frame, rect: box.rect)
            }
        } catch {
            throw BoxFileError(path, error.line, error.reason)
        }
        places = Dictionary(grouping: boxes.indices) { [boxes] in boxes[$0].name?.name }
    }

    /// Returns the boxes of a picture: those with its name, and those without a name.
    ///
    /// A name is that of a picture if it is the end of the picture's absolute path, from a slash on.
    ///
    /// - Parameter picture: the path of the picture; nil for the boxes without a name.
    /// - Complexity: independent of the boxes of pictures whose names have another last component.
    package func boxes(of picture: FilePath?) -> [Box] {
        let unnamed = places[nil] ?? []
        guard let full = picture.map({ Self.plain($0.absolute) }) else { return unnamed.map { boxes[$0] } }
        let named = (places[full.name] ?? []).filter { place in
            boxes[place].name.map { Self.matches($0, full) } ?? false
        }
        return (unnamed + named).sorted().map { boxes[$0] }
    }

    /// Checks that every name in the file is that of one of some pictures, and of only one.
    package func check(names pictures: [FilePath]) throws(BoxFileError) {
        var seen: Set<FilePath> = []
        let full = pictures.map { Self.plain($0.absolute) }
        let places = Dictionary(grouping: pictures.indices) { full[$0].name }
        for box in boxes {
            guard let name = box.name, seen.insert(name).inserted else { continue }
            let found = (places[name.name] ?? []).filter { Self.matches(name, full[$0]) }.map { pictures[$0] }
            guard let first = found.first else {
                throw BoxFileError(path, box.line, "no input has the name \(name.shownName)")
            }
            if found.count > 1 {
                throw BoxFileError(
                    path, box.line,
                    "several inputs have the name \(name.shownName), such as \(first.shownName) and "
                        + "\(found[1].shownName); add the folder to the name")
            }
        }
    }

    private static func matches(_ name: FilePath, _ picture: FilePath) -> Bool {
        let (name, picture) = (name.bytes, picture.bytes)
        guard picture.count >= name.count, picture.suffix(name.count).elementsEqual(name) else { return false }
        return picture.count == name.count || picture[picture.count - name.count - 1] == UInt8(ascii: "/")
    }
}

extension BoxFile {
    /// Returns a path without the components that stand for the folder before them.
    private static func plain(_ path: FilePath) -> FilePath {
        let parts = path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
            .filter { $0 != [UInt8(ascii: ".")] }
        let joined = Array(parts.joined(separator: [UInt8(ascii: "/")]))
        return FilePath(bytes: path.isAbsolute ? [UInt8(ascii: "/")] + joined : joined)
    }
}

/// The reason why the boxes of a file cannot be used.
package struct BoxFileError: Error, Sendable, Equatable, CustomStringConvertible {
    package let path: FilePath
    /// The line, counted from 1; nil if the whole file is concerned.
    package let line: Int?
    package let reason: String

    package init(_ path: FilePath, _ line: Int?, _ reason: String) {
        (self.path, self.line, self.reason) = (path, line, reason)
    }

    package var description: String {
        (path == "-" ? "standard input" : path.shownName) + (line.map { ":\($0)" } ?? "") + ": \(reason)"
    }
}

/// The reason why a line of a file of boxes cannot be used.
struct BoxLineError: Error {
    let line: Int
    let reason: String
}
