import Glibc
import Testing

@testable import FrostCore

@Suite struct FilePathTests {
    /// Paths that text does not represent as it is: bytes that are not UTF-8, cut-off and overlong characters, the code
    /// points that stand for bytes, and a surrogate.
    private static let odd: [[UInt8]] = [
        [], [0x80], [0xFF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xC0, 0xAF], [0xED, 0xB2, 0x80],
        Array("\u{10FF80}".utf8), Array("\u{10FFFF}a".utf8), Array("a/\u{301}b.png".utf8), [0xC3, 0xA9, 0xE9],
        [0xF4, 0x8F, 0xBE], Array(1...255),
    ]

    @Test("text keeps every byte", arguments: odd)
    func text(_ bytes: [UInt8]) {
        let path = FilePath(bytes: bytes)
        #expect(FilePath(path.text).bytes == bytes)
        #expect(FilePath("\(path)").bytes == bytes)
        for end in bytes.indices {
            // Two parts of a character, joined as texts, are the character again.
            let (first, second) = (FilePath(bytes: bytes[..<end]), FilePath(bytes: bytes[end...]))
            #expect(("\(first)\(second)" as FilePath).bytes == bytes)
        }
    }

    @Test("different bytes have different texts")
    func differences() {
        var texts: Set<[UInt32]> = []
        for bytes in Self.odd { texts.insert(FilePath(bytes: bytes).text.unicodeScalars.map(\.value)) }
        #expect(texts.count == Self.odd.count)
    }

    @Test("paths that only look the same differ")
    func equality() {
        let (composed, decomposed): (FilePath, FilePath) = ("\u{E9}.png", "e\u{301}.png")
        #expect(composed.text == decomposed.text, "Swift's strings compare characters")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(FilePath("b") < "\u{E9}" && FilePath("B") < "a")
    }

    @Test(
        "components",
        arguments: [
            ("a.png", ".", "a.png", "a", "png"), ("/a", "/", "a", "a", nil), ("x/y/a.b.c", "x/y", "a.b.c", "a.b", "c"),
            ("x/", "x", "", "", nil), ("x/.hidden", "x", ".hidden", ".hidden", nil),
            ("...png", ".", "...png", "..", "png"),
            ("a.", ".", "a.", "a", ""), ("", ".", "", "", nil), ("d.e/f", "d.e", "f", "f", nil),
            ("x/\u{301}a.\u{338}p", "x", "\u{301}a.\u{338}p", "\u{301}a", "\u{338}p"),
        ] as [(FilePath, FilePath, FilePath, FilePath, FilePath?)])
    func components(_ path: FilePath, _ folder: FilePath, _ name: FilePath, _ stem: FilePath, _ suffix: FilePath?) {
        #expect(path.folder == folder)
        #expect(path.name == name)
        #expect(path.stem == stem)
        #expect(path.suffix == suffix)
    }

    @Test func appending() {
        #expect(FilePath("a").appending("b") == "a/b")
        #expect(FilePath("a/").appending("b") == "a/b")
        #expect(FilePath("").appending("b") == "b")
        #expect(FilePath("a").appending("/b") == "/b")
        #expect(FilePath("/").appending("\u{301}") == FilePath(bytes: [0x2F, 0xCC, 0x81]))
    }

    @Test("a path with a zero byte opens no file")
    func zero() {
        let path = FilePath("/dev/null\0.png")
        #expect(throws: Errno(code: EINVAL)) { try path.open(O_RDONLY) }
        #expect(throws: Errno(code: EINVAL)) { try FilePath("/tmp").rename(to: path) }
        #expect(path.identity == nil && path.canonical == nil && !path.exists)
        #expect(Folder.entries(in: "/dev\0/x").isEmpty)
    }
}
