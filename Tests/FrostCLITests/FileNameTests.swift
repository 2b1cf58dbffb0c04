import Foundation
import FrostCLITestSupport
import FrostCore
import FrostImages
import Glibc
import Testing

@testable import FrostCLI

/// Tests file names that text cannot hold as it is, or that are equal or split differently as text: bytes that are not
/// UTF-8, names that show the same characters, combining marks, control characters, braces.
@Suite struct FileNameTests {
    private let scratch: Scratch
    private let picture: [UInt8]

    private static let names: [FilePath] = [
        FilePath(bytes: Array("caf".utf8) + [0xE9] + Array(".png".utf8)),
        FilePath(bytes: [0x80, 0xFF] + Array("x.png".utf8)),
        "\u{E9}.png", "e\u{301}.png", "\u{301}mark.png", "line\r\nbreak.png", "{stem}.png", "a b'\"\\.png",
        FilePath(bytes: Array("\u{10FF80}.png".utf8)),
    ]

    init() throws {
        scratch = try Scratch()
        try scratch.picture("a.png")
        picture = try scratch.bytes("a.png")
    }

    private func path(_ name: FilePath) -> FilePath { FilePath(scratch.path).appending(name) }

    private func write(_ name: FilePath) throws {
        let file = try path(name).open(O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        defer { close(file) }
        #expect(unsafe Descriptor.write(file, picture.span.bytes) == nil)
    }

    private func read(_ name: FilePath) throws -> [UInt8] {
        let file = try path(name).open(O_RDONLY)
        defer { close(file) }
        return try Descriptor.readAll(file)
    }

    /// Runs frost in the folder with words that may be any bytes.
    private func frost(_ words: FilePath...) throws -> Outcome { try frost(words) }

    private func frost(_ words: [FilePath]) throws -> Outcome {
        // printf of the shell writes the bytes, and xargs passes them on.
        let octal = words.map { word in
            word.bytes.map { byte in
                "\\" + String(repeating: "0", count: 3 - String(byte, radix: 8).count) + String(byte, radix: 8)
            }
            .joined()
        }
        return try scratch.shell("printf '\(octal.joined(separator: "\\000"))\\000' | xargs -0 \"$FROST\"")
    }

    private func fill() throws {
        try scratch.folder("in")
        try path(Self.folder).makeFolder(mode: 0o755)
        for name in Self.names {
            try write("in/\(name)")
            try write("\(Self.folder)/\(name)")
        }
    }

    private static let folder = FilePath(bytes: Array("in/d".utf8) + [0xFE])

    @Test("a folder of any names is blurred whole, and resumed from its manifest")
    func recursive() throws {
        try fill()
        let words: [FilePath] = [
            "blur", "-r", "in", "-o", "out/", "--sigma", "2", "--manifest", FilePath(bytes: [0xF0, 0x2E, 0x6A]),
            "--json",
        ]
        let first = try frost(words + ["--force"])
        #expect(first.code == 0, "\(first.errors)")
        let made = Folder.entries(in: path("out"))
        #expect(made == (Self.names + [Self.folder.name]).sorted())
        #expect(Folder.entries(in: path("out").appending(Self.folder.name)) == Self.names.sorted())
        for name in Self.names { #expect(try read("out/\(name)") != picture) }
        // The manifest gives back every path.
        let again = try frost(words + ["--resume"])
        #expect(again.code == 0, "\(again.errors)")
        #expect(again.lines.count { $0.contains("\"skipped\":\(2 * Self.names.count)") } == 1, "\(again.text)")
        #expect(again.lines.count { $0.contains("\"status\":\"skipped\"") } == 2 * Self.names.count)
    }

    @Test("the JSON of a path gives its bytes back")
    func json() throws {
        for name in Self.names {
            let text = (["path": .path(name)] as JSONValue).line
            #expect(text.utf8.allSatisfy { $0 >= 0x20 })
            let read = try #require(FlatJSON.members(text[...])?["path"])
            #expect(FilePath(read) == name, "\(text)")
        }
    }

    @Test("a link to any name stays, and the file behind it is replaced", arguments: names)
    func links(_ name: FilePath) throws {
        try write(name)
        #expect(unsafe name.withCString { unsafe symlink($0, scratch.file("link.png")) } == 0)
        #expect(try scratch.frost("blur", "a.png", "-o", "link.png", "--sigma", "2").code == 0)
        #expect(try path("link.png").linkContent() == name)
        #expect(try read(name) != picture)
        #expect(Folder.entries(in: path(".")) == ["a.png", "link.png", name].sorted())
    }

    @Test(
        "templates, masks, differences and animations take any names",
        arguments: names.filter { !$0.bytes.contains(UInt8(ascii: "{")) })
    func otherOptions(_ name: FilePath) throws {
        try write(name)
        let template = FilePath(bytes: [0xFD] + Array("-{stem}.{ext}".utf8))
        let blurred = try frost("blur", name, "-o", template, "--mask", name, "--sigma", "2")
        #expect(blurred.code == 0, "\(blurred.errors)")
        let output = FilePath(bytes: [0xFD, 0x2D] + name.bytes)
        #expect(path(output).exists)
        let compared = try frost(
            "compare", name, output, "--max", "255", "--diff", FilePath(bytes: [0xFC] + Array("d.png".utf8)))
        #expect(compared.code == 0, "\(compared.errors)")
        #expect(path(FilePath(bytes: [0xFC] + Array("d.png".utf8))).exists)
        let frames = try frost(
            "transition", "a.png", name, "--duration", "0.05", "--fps", "40", "--output={frame}-\(name)")
        #expect(frames.code == 0, "\(frames.errors)")
        #expect(path("0000-\(name)").exists && path("0001-\(name)").exists)
    }

    @Test("errors name the file so that a terminal and a shell can show it")
    func messages() throws {
        let missing = try frost("blur", FilePath(bytes: [0x1B, 0x5B, 0xFF, 0x0A]), "-o", "out.png", "--sigma", "2")
        #expect(
            missing.errors.hasPrefix("frost: ''$'\\033''['$'\\377\\n': cannot be read: No such file"),
            "\(missing.errors)")
    }

    @Test("options whose values begin with a combining mark")
    func marks() throws {
        let attached = try frost("blur", "a.png", "--output=\u{338}x.png", "--sigma=2")
        #expect(attached.code == 0, "\(attached.errors)")
        let short = try frost("blur", "a.png", "-o\u{301}y.png", "--sigma=2")
        #expect(short.code == 0, "\(short.errors)")
        #expect(path("\u{338}x.png").exists && path("\u{301}y.png").exists)
    }
}
