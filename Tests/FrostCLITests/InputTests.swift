import Foundation
import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

/// Tests unusable inputs, devices and outputs. Each must give the documented exit code and a one-line message, and change no
/// file.
@Suite struct InputTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("in.png")
        try scratch.write([1, 2, 3], "old.png")
    }

    private func refused(
        _ input: String, _ code: Int32, _ evidence: String, more: [String] = [], environment: [String: String] = [:]
    ) throws {
        let before = try scratch.entries()
        for output in ["old.png", "new.png"] {
            let words = ["blur", input, "-o", output, "--sigma", "2"] + more
            try scratch.run(Program.path, words, environment: environment).expectError(code, evidence)
        }
        #expect(try scratch.bytes("old.png") == [1, 2, 3])
        #expect(try scratch.entries() == before)
    }

    @Test func missing() throws {
        try refused("none.png", 3, "none.png: cannot be read: No such file")
        try refused("", 3, "No such file")
        try refused("in.png/x.png", 3, "Not a directory")
    }

    @Test func folder() throws {
        try scratch.folder("folder.png")
        try refused("folder.png", 3, "folder.png: is a folder; use --recursive to process its pictures")
    }

    @Test func text() throws {
        try scratch.write(Array("Dear Sir or Madam,\n".utf8), "text.png")
        try refused("text.png", 3, "text.png: not a supported picture")
        try scratch.write([], "empty.png")
        try refused("empty.png", 3, "empty.png: not a supported picture: the file is empty")
        try scratch.write([0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 0, count: 60), "jpeg.png")
        try refused("jpeg.png", 3, "jpeg.png: damaged JPEG")
    }

    @Test func truncated() throws {
        let file = try scratch.bytes("in.png")
        for count in [8, 20, 33, 40, file.count / 2, file.count - 12] {
            try scratch.write(Array(file[..<count]), "cut.png")
            try refused("cut.png", 3, "cut.png: damaged PNG")
        }
    }

    @Test func badCRC() throws {
        var file = try scratch.bytes("in.png")
        let at = try #require(Data(file).range(of: Data("IDAT".utf8))).upperBound + 10
        file[at] ^= 0x55
        try scratch.write(file, "bad.png")
        try refused("bad.png", 3, "bad.png: damaged PNG")
        file = try scratch.bytes("in.png")
        file[30] ^= 1
        try scratch.write(file, "bad.png")
        try refused("bad.png", 3, "CRC mismatch in IHDR")
    }

    /// This file consists of a header only, which declares 14 GB of pixels. The size is refused, not the missing data, so
    /// nothing is read and no memory is allocated for the pixels.
    @Test func huge() throws {
        try scratch.write(header(60000, 60000), "huge.png")
        let outcome = try scratch.frost("blur", "huge.png", "-o", "old.png", "--sigma", "2")
        outcome.expectError(4, "huge.png", "60000", "32768")
        try refused("huge.png", 4, "60000")
        try scratch.write(header(0x7FFF_FFFF, 0x7FFF_FFFF), "huge.png")
        try refused("huge.png", 4, "huge.png")
        try scratch.write(header(0, 5), "huge.png")
        try refused("huge.png", 3, "0x5")
    }

    @Test func limits() throws {
        try refused("in.png", 4, "width of 24 exceeds the limit of 20", more: ["--max-side", "20"])
        try refused("in.png", 4, "432 exceeds the limit of 400", more: ["--max-pixels", "400"])
        let words = ["blur", "in.png", "-o", "fits.png", "--sigma", "2", "--max-side", "24", "--max-pixels", "432"]
        #expect(try scratch.run(Program.path, words).code == 0)
    }

    /// If data from standard input is invalid, the error message calls it "standard input".
    @Test func standardInput() throws {
        let outcome = try scratch.frost("blur", "-", "-o", "old.png", "--sigma", "2")
        outcome.expectError(3, "standard input: not a supported picture")
        #expect(try scratch.bytes("old.png") == [1, 2, 3])
        try scratch.shell("exec \"$FROST\" blur - -o old.png --sigma 2 <&-").expectError(3, "standard input")
    }

    @Test func unwritable() throws {
        let before = try scratch.entries()
        let missing = try scratch.frost("blur", "in.png", "-o", "none/out.png", "--sigma", "2")
        missing.expectError(6, "none/out.png: the folder none does not exist")
        try scratch.frost("blur", "in.png", "-o", "in.png/", "--sigma", "2").expectError(6, "in.png/in.png")
        try scratch.frost("blur", "in.png", "-o", "in.png/out.png", "--sigma", "2").expectError(6, "in.png/out.png")
        try scratch.frost("blur", "in.png", "-o", "/dev/full", "--sigma", "2").expectError(6, "No space left")
        try scratch.frost("compare", "in.png", "in.png", "--diff", "none/out.png").expectError(6, "none/out.png")
        #expect(try scratch.entries() == before)
    }

    /// The output folder is not writable. If the test runs as root, it uses /proc, because permissions do not restrict root
    /// in other folders.
    @Test func unwritableFolder() throws {
        try scratch.folder("locked")
        try scratch.picture("locked/old.png", seed: 7)
        let old = try scratch.bytes("locked/old.png")
        unsafe chmod(scratch.file("locked"), 0o555)
        defer { unsafe chmod(scratch.file("locked"), 0o755) }
        if geteuid() != 0 {
            try scratch.frost("blur", "in.png", "-o", "locked/old.png", "--sigma", "2").expectError(
                6, "Permission denied")
            try scratch.frost("blur", "in.png", "-o", "locked/new.png", "--sigma", "2").expectError(
                6, "Permission denied")
        }
        #expect(try scratch.entries("locked") == ["old.png"])
        #expect(try scratch.bytes("locked/old.png") == old)
        try scratch.frost("blur", "in.png", "-o", "/proc/out.png", "--sigma", "2").expectError(6, "/proc/out.png")
    }

    /// A template creates its folders, as a folder does. If a folder cannot be created, the error is the reason for this. A
    /// plain file name creates no folders.
    @Test(arguments: ["new/sub/{stem}.png", "new-{stem}/x.png", "new/"])
    func foldersOfTemplates(pattern: String) throws {
        #expect(try scratch.frost("blur", "in.png", "-o", pattern, "--sigma", "2").code == 0)
        let (outer, inner) = ("locked", "locked/\(pattern)")
        try scratch.folder(outer)
        unsafe chmod(scratch.file(outer), 0o555)
        defer { unsafe chmod(scratch.file(outer), 0o755) }
        // Permissions do not restrict root, unless it gives up this capability.
        let program = geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override"] : []
        let words = program + [Program.path, "blur", "in.png", "--sigma", "2", "-o", inner]
        try scratch.run("/usr/bin/env", words).expectError(6, "cannot be written: Permission denied")
        #expect(try scratch.entries(outer).isEmpty)
    }

    /// If the user requests a GPU and none is available, the exit code is 5 and Frost does not fall back to the CPU.
    @Test func noDevice() throws {
        let none = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"]
        try refused("in.png", 5, "no EGL device", more: ["--backend", "gpu"], environment: none)
        try refused("in.png", 5, "nonsense", more: ["--device", "nonsense"], environment: none)
        try refused("in.png", 5, "nonsense", more: ["--device", "nonsense"])
        try refused("in.png", 5, "nonsense", more: ["--device", "nonsense", "--backend", "gpu"])
    }

    /// If no GPU is available and the user did not request a backend, Frost falls back to the CPU and reports this.
    @Test func noDeviceAndNoDemand() throws {
        let none = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"]
        let words = ["blur", "in.png", "-o", "new.png", "--sigma", "2", "--verbose"]
        let outcome = try scratch.run(Program.path, words, environment: none)
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("  CPU  ") && outcome.errors.contains("backend: no hardware GPU"))
    }

    /// If one of several inputs fails, the exit code is 1, and one line reports the failure. The other inputs are still
    /// processed.
    @Test func oneOfSeveral() throws {
        try scratch.write(Array("text".utf8), "bad.png")
        try scratch.folder("out")
        let outcome = try scratch.frost(
            "blur", "in.png", "bad.png", "none.png", "-", "-o", "out/", "--sigma", "2", "-q",
            input: scratch.file("in.png"))
        #expect(outcome.code == 1)
        #expect(outcome.errorLines.count == 2)
        #expect(
            outcome.errors.contains("bad.png: not a supported picture")
                && outcome.errors.contains("none.png: cannot be read"))
        #expect(try scratch.entries("out") == ["in.png", "stdin.png"])
        #expect(try scratch.bytes("out/in.png") == scratch.bytes("out/stdin.png"))
    }

    /// With --json, the program writes one object per input. The object of a failed input includes its exit code. A summary
    /// follows.
    @Test func oneOfSeveralAsObjects() throws {
        try scratch.write(Array("text".utf8), "bad.png")
        try scratch.folder("out")
        let outcome = try scratch.frost("blur", "bad.png", "in.png", "-o", "out/", "--sigma", "2", "--json")
        #expect(outcome.code == 1)
        var objects = try outcome.objects
        #expect(objects.removeLast()["schema"] as? String == "frost.summary/1")
        objects.sort { ($0["input"] as? String ?? "") < ($1["input"] as? String ?? "") }
        #expect(objects.map { $0["schema"] as? String } == ["frost.error/1", "frost.result/1"])
        #expect(objects[0]["input"] as? String == "bad.png")
        #expect(objects[0]["code"] as? Int == 3)
        #expect((objects[0]["error"] as? String)?.hasPrefix("bad.png: not a supported picture") == true)
    }

    private func header(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let body = Array("IHDR".utf8) + word(width) + word(height) + [8, 2, 0, 0, 0]
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in body {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return [137, 80, 78, 71, 13, 10, 26, 10] + word(13) + body + word(~crc)
    }
}
