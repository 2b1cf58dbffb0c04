import CFiles
import FrostCore
import FrostImages
import FrostTestSupport
import Glibc
import Testing

/// Tests that a path always holds either the old file or the complete new file.
@Suite struct AtomicFileTests {
    static let old: [UInt8] = Array("old".utf8)
    static let new: [UInt8] = Array("something new".utf8)

    func write(_ bytes: [UInt8], to path: String) throws {
        var file = try AtomicFile(path: path)
        try file.write(unsafe bytes.span.bytes)
        try file.commit()
    }

    @Test("A committed file is there, with the permissions of a new file, and nothing besides it")
    func committed() throws {
        let scratch = try Scratch()
        try write(Self.new, to: scratch.file("a"))
        #expect(scratch.read("a") == Self.new)
        #expect(scratch.entries == ["a"])
        let mask = umask(0)
        umask(mask)
        #expect(scratch.permissions("a") == 0o666 & ~mask)
    }

    @Test("The old file stays until the commit; a dropped file leaves no trace")
    func dropped() throws {
        let scratch = try Scratch()
        scratch.write(Self.old, to: "a")
        do {
            var file = try AtomicFile(path: scratch.file("a"))
            try file.write(unsafe Self.new.span.bytes)
            #expect(scratch.read("a") == Self.old)
            let path = file.temporaryPath?.text
            let temporary = try #require(path)
            #expect(temporary.hasPrefix(scratch.file(".a.frost-\(getpid())-")) && temporary.hasSuffix(".tmp"))
            #expect(scratch.entries.count == 2)
        }
        #expect(scratch.entries == ["a"])
        #expect(scratch.read("a") == Self.old)
    }

    @Test("A replaced file keeps its permissions", arguments: [0o600, 0o640, 0o755] as [mode_t])
    func permissions(_ mode: mode_t) throws {
        let scratch = try Scratch()
        scratch.write(Self.old, to: "a", mode: mode)
        try write(Self.new, to: scratch.file("a"))
        #expect(scratch.read("a") == Self.new)
        #expect(scratch.permissions("a") == mode)
    }

    @Test("Links stay, whether they lead to a file, over another link or nowhere yet")
    func links() throws {
        let scratch = try Scratch()
        scratch.write(Self.old, to: "a")
        _ = unsafe symlink("a", scratch.file("b"))
        _ = unsafe symlink(scratch.file("b"), scratch.file("c"))
        try write(Self.new, to: scratch.file("c"))
        #expect(scratch.read("a") == Self.new)
        _ = unsafe symlink("later", scratch.file("d"))
        try write(Self.new, to: scratch.file("d"))
        #expect(scratch.entries == ["a", "b", "c", "d", "later"])
        _ = unsafe symlink("loop", scratch.file("loop"))
        #expect(imageError { try write(Self.new, to: scratch.file("loop")) }?.kind == .unwritable)
    }

    @Test("A link is replaced if it is not followed, and the new file does not get the link's permissions")
    func linkIsReplaced() throws {
        let scratch = try Scratch()
        scratch.write(Self.old, to: "a", mode: 0o600)
        _ = unsafe symlink("a", scratch.file("b"))
        _ = unsafe symlink("none", scratch.file("c"))
        var options = AtomicFile.Options()
        options.followsLinks = false
        for name in ["b", "c"] {
            var file = try AtomicFile(path: scratch.file(name), options: options)
            try file.write(unsafe Self.new.span.bytes)
            try file.commit()
            #expect(scratch.read(name) == Self.new)
            #expect(try FilePath(scratch.file(name)).status(followsLink: false).kind == S_IFREG)
            #expect(scratch.permissions(name) & 0o111 == 0)
        }
        #expect(scratch.read("a") == Self.old)
        #expect(scratch.entries == ["a", "b", "c"])
    }

    @Test("Other names of a replaced file keep the old content")
    func hardLinks() throws {
        let scratch = try Scratch()
        scratch.write(Self.old, to: "a")
        _ = unsafe link(scratch.file("a"), scratch.file("b"))
        try write(Self.new, to: scratch.file("a"))
        #expect(scratch.read("a") == Self.new && scratch.read("b") == Self.old)
    }

    @Test("A replaced file keeps its extended attributes and its access list, and gets none from the folder")
    func attributes() throws {
        let scratch = try Scratch()
        scratch.write(Self.old, to: "a")
        scratch.write(Self.old, to: "b", mode: 0o640)
        let (note, list) = (Array("a note".utf8), "system.posix_acl_access")
        guard unsafe setxattr(scratch.file("a"), "user.note", note, note.count, 0) == 0 else {
            try Test.cancel("the file system has no extended attributes")
        }
        // An access list in the form of the kernel: the version, then tag, permissions and number of each entry. The
        // owner and the user 1234 may read and write, the group may read.
        func entry(_ tag: UInt8, _ permissions: UInt8, _ id: [UInt8] = [255, 255, 255, 255]) -> [UInt8] {
            [tag, 0, permissions, 0] + id
        }
        let access =
            [2, 0, 0, 0] + entry(1, 6) + entry(2, 6, [0xD2, 4, 0, 0]) + entry(4, 4) + entry(0x10, 6) + entry(0x20, 0)
        #expect(unsafe setxattr(scratch.file("a"), list, access, access.count, 0) == 0)
        #expect(unsafe setxattr(scratch.path, "system.posix_acl_default", access, access.count, 0) == 0)
        for name in ["a", "b"] { try write(Self.new, to: scratch.file(name)) }
        func value(_ name: String, of file: String) -> [UInt8]? {
            var value = [UInt8](repeating: 0, count: 200)
            let count = unsafe getxattr(scratch.file(file), name, &value, 200)
            return count < 0 ? nil : Array(value[..<count])
        }
        #expect(scratch.read("a") == Self.new && scratch.read("b") == Self.new)
        #expect(value("user.note", of: "a") == note && value(list, of: "a") == access)
        #expect(scratch.permissions("a") == 0o660)
        #expect(value(list, of: "b") == nil)
        #expect(scratch.permissions("b") == 0o640)
    }

    @Test("A file that is not regular is written to directly")
    func special() throws {
        try write(Self.new, to: "/dev/null")
        var status = stat()
        _ = unsafe stat("/dev/null", &status)
        #expect(status.st_mode & S_IFMT == S_IFCHR)

        let scratch = try Scratch()
        _ = unsafe mkfifo(scratch.file("f"), 0o644)
        let reading = unsafe open(scratch.file("f"), O_RDONLY | O_NONBLOCK)
        try write(Self.new, to: scratch.file("f"))
        #expect(readAll(reading) == Self.new)
        close(reading)
        #expect(scratch.entries == ["f"])
    }

    @Test("A folder that is missing, or a folder as the target, is an error")
    func unwritable() throws {
        let scratch = try Scratch()
        #expect(
            imageError { try write(Self.new, to: scratch.file("no/a")) }
                == .cannotWrite(path: scratch.file("no/a"), errno: ENOENT))
        #expect(imageError { try write(Self.new, to: scratch.path) } == .cannotWrite(path: scratch.path, errno: EISDIR))
        // Even root cannot create files in /proc.
        #expect(imageError { try write(Self.new, to: "/proc/a.png") }?.kind == .unwritable)
        #expect(imageError { try write(Self.new, to: "") }?.kind == .unwritable)
    }

    @Test("A name as long as names can be is written", arguments: [1, 255])
    func longName(_ length: Int) throws {
        let scratch = try Scratch()
        let name = String(repeating: "n", count: length)
        try write(Self.new, to: scratch.file(name))
        #expect(scratch.entries == [name])
    }

    @Test("An image that fails to encode leaves the old file and nothing else")
    func failedImage() throws {
        let scratch = try Scratch()
        scratch.write(Self.old, to: "a.png")
        let format = PixelFormat(.rgb, .f32)
        let image = DecodedImage(pixels: PixelBuffer(layout: try PixelLayout(width: 1, height: 1, format: format)))
        #expect(imageError { try PNG.write(image, path: scratch.file("a.png")) }?.kind == .unwritable)
        #expect(scratch.entries == ["a.png"])
        #expect(scratch.read("a.png") == Self.old)

        try PNG.write(DecodedImage(pixels: try TestImage.noise(3, 3, PixelFormat(.rgb))), path: scratch.file("a.png"))
        #expect(try PNG.read(path: scratch.file("a.png")).pixels.width == 3)
        #expect(scratch.entries == ["a.png"])
    }

    @Test("A writer that stops half way leaves the old file and nothing else")
    func halfWritten() throws {
        let scratch = try Scratch()
        scratch.write(Self.old, to: "a.png")
        let pixels = try TestImage.noise(1000, 400, PixelFormat(.rgba))
        do {
            var writer = try PNGWriter(to: AtomicFile(path: scratch.file("a.png")), layout: pixels.layout)
            for _ in 0..<399 { try writer.writeRow(unsafe pixels.bytes.span.bytes) }
            #expect(scratch.entries.count == 2)
        }
        #expect(scratch.entries == ["a.png"])
        #expect(scratch.read("a.png") == Self.old)
    }

    @Test("A full device is an error")
    func full() throws {
        let image = DecodedImage(pixels: try TestImage.noise(9, 9, PixelFormat(.rgb)))
        #expect(
            imageError { try PNG.write(image, path: "/dev/full") } == .cannotWrite(path: "/dev/full", errno: ENOSPC))
    }
}
