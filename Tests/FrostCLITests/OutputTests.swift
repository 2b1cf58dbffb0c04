import Foundation
import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

/// Tests where the output goes: to folders, to names made from templates, and to pipes. Also tests which files remain after
/// a signal.
@Suite struct OutputTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for name in ["a", "b"] { try scratch.folder(name) }
        try scratch.picture("a/one.png", seed: 1)
        try scratch.picture("a/two.png", seed: 2)
        try scratch.picture("b/one.png", seed: 3)
    }

    @Test func templates() throws {
        let outcome = try scratch.frost(
            "blur", "a/one.png", "a/two.png", "b/one.png", "-o", "{dir}/{stem}-{sigma}.{ext}", "--sigma", "2,40")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try scratch.entries("a") == ["one-2,40.png", "one.png", "two-2,40.png", "two.png"])
        #expect(try scratch.entries("b") == ["one-2,40.png", "one.png"])
    }

    /// The stem of `...png` is "..". It must not become a folder of the output.
    @Test func templateStaysInside() throws {
        try scratch.folder("in")
        try scratch.picture("in/...png")
        let outcome = try scratch.frost("blur", "in/...png", "-o", "{dir}/{stem}/x.png", "--sigma", "2")
        outcome.expectError(2, "in/...png: a part of its name is '..'", "--output {dir}/{stem}/x.png")
        #expect(!scratch.exists("x.png"))
    }

    /// Without --no-follow, the file behind a link is replaced, and it is an input if it is one.
    @Test func links() throws {
        try scratch.picture("a.png")
        try scratch.write([1], "old.png")
        for command in [["blur", "a.png", "--sigma", "2"], ["transition", "a.png", "a.png", "--time", "0.5"]] {
            _ = try scratch.shell("ln -sf old.png b.png")
            #expect(try scratch.run(Program.path, command + ["-o", "b.png", "--no-follow"]).code == 0)
            #expect(try scratch.bytes("old.png") == [1])
            #expect(try scratch.image("b.png").width == 24)
        }
        _ = try scratch.shell("ln -sf a.png b.png")
        let template = ["blur", "a.png", "-o", "{dir}/b.png", "--sigma", "2", "--force", "--manifest", "m.jsonl"]
        #expect(try scratch.run(Program.path, template).code == 2, "a.png would be replaced")
        #expect(try scratch.run(Program.path, template + ["--no-follow"]).code == 0)
    }

    @Test func folders() throws {
        try scratch.folder("out")
        // If the folder exists, its name needs no trailing slash.
        #expect(try scratch.frost("blur", "a/one.png", "a/two.png", "-o", "out", "--sigma", "2").code == 0)
        #expect(try scratch.entries("out") == ["one.png", "two.png"])
        #expect(try scratch.entries("a") == ["one.png", "two.png"])
    }

    /// If two inputs would have the same output name, both are refused before any work begins.
    @Test func collisions() throws {
        try scratch.folder("out")
        let before = try scratch.entries()
        let outcome = try scratch.frost("blur", "a/two.png", "a/one.png", "b/one.png", "-o", "out/", "--sigma", "2")
        outcome.expectError(2, "a/one.png and b/one.png would both be written to out/one.png")
        #expect(try scratch.entries("out").isEmpty)
        #expect(try scratch.entries() == before)
        let same = try scratch.frost("blur", "a/two.png", "a/one.png", "-o", "{sigma}.png", "--sigma", "2")
        same.expectError(2, "2.png")
        #expect(try scratch.entries() == before)
    }

    /// Without --force, no existing file is overwritten if the output is a folder or a name template. The error is reported
    /// before any work begins.
    @Test func overwriting() throws {
        try scratch.folder("out")
        try scratch.write([1, 2, 3], "out/two.png")
        let words = ["blur", "a/one.png", "a/two.png", "-o", "out/", "--sigma", "2"]
        try scratch.run(Program.path, words).expectError(6, "out/two.png: file exists; use --force")
        #expect(try scratch.entries("out") == ["two.png"])
        #expect(try scratch.bytes("out/two.png") == [1, 2, 3])
        #expect(try scratch.run(Program.path, words + ["--force"]).code == 0)
        #expect(try scratch.entries("out") == ["one.png", "two.png"])
        #expect(try scratch.image("out/two.png").width == 24)
    }

    @Test func pipes() throws {
        _ = try scratch.frost("blur", "a/one.png", "-o", "file.png", "--sigma", "2")
        let file = try scratch.bytes("file.png")
        let piped = try scratch.shell("cat a/one.png | \"$FROST\" blur - -o - --sigma 2 -q | cat")
        #expect(piped.code == 0)
        #expect(piped.errors.isEmpty)
        #expect([UInt8](piped.output) == file)
        // Standard input may be a file. If the picture goes to standard output, the JSON report goes to standard error.
        let report = try scratch.frost(
            "blur", "-", "-o", "-", "--sigma", "2", "--json", input: scratch.file("a/one.png"))
        #expect([UInt8](report.output) == file)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(report.errors.utf8)) as? [String: Any])
        #expect(object["output"] as? String == "-")
        // If the output is a named pipe, the data is written to the pipe. No file replaces the pipe.
        let fifo = try scratch.shell(
            "mkfifo p.png && (\"$FROST\" blur a/one.png -o p.png --sigma 2 -q & cat p.png; wait)")
        #expect([UInt8](fifo.output) == file)
    }

    /// A name of an open descriptor stands for the descriptor: the picture begins at its place in the file, and what the file
    /// already holds stays.
    @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]) func namesOfDescriptors(name: String) throws {
        _ = try scratch.frost("blur", "a/one.png", "-o", "file.png", "--sigma", "2")
        let file = try scratch.bytes("file.png")
        let line = "\"$FROST\" blur a/one.png -o \(name) --format png --sigma 2 --json"
        #expect(try scratch.shell("{ echo first; \(line); echo last; } > all").code == 0)
        #expect(try scratch.bytes("all") == Array("first\n".utf8) + file + Array("last\n".utf8))
        #expect(try scratch.shell("\(line) >> all").code == 0)
        #expect(try scratch.bytes("all") == Array("first\n".utf8) + file + Array("last\n".utf8) + file)
        try scratch.shell("\"$FROST\" blur a/one.png -o /dev/fd/77 --format png --sigma 2").expectError(6, "/dev/fd/77")
    }

    /// If the reader of the output closes the pipe early, frost prints no error and ends by SIGPIPE, as other programs do.
    @Test(arguments: ["1", "100"]) func closedPipe(count: String) throws {
        try scratch.picture("large.png", 700, 600)
        let picture = try scratch.shell(
            "{ \"$FROST\" blur large.png -o - --sigma 0.5 -q; echo $? >status; } | head -c\(count) >/dev/null")
        #expect(picture.errors.isEmpty)
        #expect(try scratch.bytes("status") == Array("141\n".utf8))
        #expect(try scratch.entries() == ["a", "b", "large.png", "status"])
    }

    /// A command with text output also ends by SIGPIPE if the reader is gone before the first line.
    @Test func closedPipeOfText() throws {
        let outcome = try scratch.shell(
            "{ sleep 0.1; \"$FROST\" plan --size 3000x2000 --sigma 8; echo $? >status; } | true")
        #expect(outcome.errors.isEmpty)
        #expect(try scratch.bytes("status") == Array("141\n".utf8))
    }

    /// If a signal ends the program during its work, the old output file stays, and no temporary file is left. The exit
    /// status tells the parent process which signal it was.
    @Test(arguments: [
        SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGSYS,
    ])
    func signals(signal: Int32) throws {
        let picture = DecodedImage(pixels: try noise(3000, 3000))
        try PNG.write(picture, path: scratch.file("big.png"), options: PNGWriteOptions(level: 0, filter: .none))
        try scratch.write([1, 2, 3], "old.png")
        let before = try scratch.entries()
        // The signal arrives in one of two phases. With the exact backend it arrives while the program reads and blurs,
        // which would take minutes. With a small sigma it arrives while the program writes, as soon as a temporary file
        // exists.
        for waitsForFile in [false, true] {
            let how = waitsForFile ? ["--sigma", "0.5"] : ["--sigma", "300", "--backend", "exact"]
            let child = try scratch.start(Program.path, ["blur", "big.png", "-o", "old.png"] + how)
            if waitsForFile {
                let end = ContinuousClock.now + .seconds(20)
                while try scratch.entries() == before, ContinuousClock.now < end { usleep(1000) }
                #expect(try scratch.entries() != before)
            } else {
                usleep(100_000)
            }
            child.kill(signal)
            let outcome = try child.wait()
            #expect(outcome.signal == signal, "\(outcome)")
            #expect(outcome.errors.isEmpty)
            #expect(try scratch.bytes("old.png") == [1, 2, 3])
            #expect(try scratch.entries() == before)
        }
    }

    /// If SIGHUP is ignored, as under nohup, it does not end the program.
    @Test func ignoredSignalsStayIgnored() throws {
        let outcome = try scratch.shell(
            "trap '' HUP USR1; \"$FROST\" blur a/one.png -o out.png --sigma 2 -q & kill -HUP $!; kill -USR1 $!; wait $!"
        )
        #expect(outcome.code == 0, "\(outcome)")
        #expect(try scratch.image("out.png").width == 24)
    }
}
