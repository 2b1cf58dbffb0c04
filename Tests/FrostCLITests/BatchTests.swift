import Frost
import FrostCLITestSupport
import FrostImages
import Glibc
import Testing

@testable import FrostCLI

/// Tests batches: folders as input, several pictures in one run, and manifests.
@Suite struct BatchTests {
    /// Creates in/a.png, in/b.png, in/sub/c.png, in/sub/deep/d.png and files that are not pictures.
    private func tree() throws -> Scratch {
        let scratch = try Scratch()
        try scratch.folder("in/sub/deep")
        for (i, name) in ["in/a.png", "in/b.png", "in/sub/c.png", "in/sub/deep/d.png"].enumerated() {
            try scratch.picture(name, seed: UInt64(i + 1))
        }
        try scratch.write([1, 2, 3], "in/notes.txt")
        try scratch.picture("in/.hidden.png")
        return scratch
    }

    @Test("a folder comes out with its tree, without what is no picture and what is hidden")
    func recursive() throws {
        let scratch = try tree()
        let outcome = try scratch.frost("blur", "-r", "in", "-o", "out/", "--sigma", "2")
        #expect(outcome.code == 0)
        #expect(outcome.errorLines.last?.hasPrefix("4 done, in ") == true)
        #expect(try scratch.entries("out") == ["a.png", "b.png", "sub"])
        #expect(try scratch.entries("out/sub") == ["c.png", "deep"])
        #expect(try scratch.frost("blur", "in/sub/deep/d.png", "-o", "one.png", "--sigma", "2").code == 0)
        #expect(try scratch.bytes("out/sub/deep/d.png") == scratch.bytes("one.png"))
    }

    @Test("what lies in the output's folder is no input")
    func outputInside() throws {
        let scratch = try tree()
        for _ in 0..<2 {
            let outcome = try scratch.frost("blur", "-r", "in", "-o", "in/out/", "--sigma", "2", "--force")
            #expect(outcome.code == 0)
        }
        #expect(try scratch.entries("in/out") == ["a.png", "b.png", "sub"])
        #expect(try scratch.frost("blur", "-r", "in", "-o", "in/out/", "--sigma", "2").code == 6, "they exist")
    }

    @Test("a folder without --recursive, and one without pictures, are named")
    func folders() throws {
        let scratch = try tree()
        let plain = try scratch.frost("blur", "in", "-o", "out.png", "--sigma", "2")
        #expect(plain.code == 3)
        #expect(plain.errors.contains("in: is a folder; use --recursive to process its pictures"))
        try scratch.frost("blur", "in/", "-o", "out/", "--sigma", "2")
            .expectError(3, "in/: is a folder; use --recursive to process its pictures")
        try scratch.folder("empty")
        let empty = try scratch.frost("blur", "-r", "empty", "-o", "out/", "--sigma", "2")
        #expect(empty.code == 3)
        #expect(empty.errors.contains("empty: no pictures in this folder"))
        #expect(try scratch.frost("blur", "-r", "in", "-o", "out.png", "--sigma", "2").code == 2)
        let missing = try scratch.frost("blur", "-r", "none/", "-o", "out/", "--sigma", "2")
        missing.expectError(3, "none/: cannot be read: No such file")
    }

    @Test("a bad file is named and the others are made; --fail-fast begins no more")
    func failures() throws {
        let scratch = try tree()
        try scratch.write([137, 80, 78, 71], "in/aa.png")
        let outcome = try scratch.frost("blur", "-r", "in", "-o", "out/", "--sigma", "2", "--json", "--jobs", "1")
        #expect(outcome.code == 1)
        let objects = try outcome.objects
        #expect(objects.filter { $0["schema"] as? String == "frost.error/1" }.count == 1)
        #expect(objects.filter { $0["status"] as? String == "ok" }.count == 4)
        let summary = try #require(objects.last)
        #expect(summary["schema"] as? String == "frost.summary/1")
        #expect((summary["done"] as? Int, summary["failed"] as? Int) == (4, 1))

        let fast = try scratch.frost("blur", "-r", "in", "-o", "fast/", "--sigma", "2", "--fail-fast", "--jobs", "1")
        #expect(fast.code == 1)
        #expect(fast.errorLines.last?.hasPrefix("1 done, 1 failed, 3 not begun") == true)
    }

    @Test("a subfolder that cannot be read is named like a file, and the rest is done")
    func unreadableFolders() throws {
        let scratch = try tree()
        #expect(unsafe chmod(scratch.file("in/sub"), 0) == 0)
        defer { unsafe chmod(scratch.file("in/sub"), 0o755) }
        // Permissions do not restrict root, unless it gives up these capabilities.
        let program = geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
        func blur(_ words: String...) throws -> Outcome {
            try scratch.run("/usr/bin/env", program + [Program.path, "blur", "-r", "--sigma", "2"] + words)
        }
        let outcome = try blur("in", "-o", "out/", "--json")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("in/sub: cannot be read: Permission denied"))
        #expect(try scratch.entries("out") == ["a.png", "b.png"])
        let objects = try outcome.objects
        let faults = objects.filter { $0["schema"] as? String == "frost.error/1" }
        #expect(faults.map { $0["input"] as? String } == ["in/sub"] && faults.first?["code"] as? Int == 3)
        let summary = try #require(objects.last)
        #expect((summary["done"] as? Int, summary["failed"] as? Int) == (2, 1))

        let dry = try blur("in", "-o", "dry/", "--dry-run")
        #expect(dry.code == 1 && dry.errors.contains("in/sub: cannot be read"))
        #expect(dry.lines == ["in/a.png -> dry/a.png", "in/b.png -> dry/b.png"])
        // A folder on the command line fails alone. As the only input, it gives the exit code of its error.
        let both = try blur("in/sub", "in/a.png", "-o", "both/")
        #expect(both.code == 1 && both.errors.contains("in/sub: cannot be read: Permission denied"))
        #expect(try scratch.entries("both") == ["a.png"])
        try blur("in/sub", "-o", "alone/").expectError(3, "in/sub: cannot be read: Permission denied")
    }

    @Test("an error about one of several pictures names the picture")
    func namesInErrors() throws {
        let scratch = try tree()
        try scratch.picture("in/wide.png", 100, 8)
        let outcome = try scratch.frost(
            "blur", "in/a.png", "in/wide.png", "-o", "out/", "--sigma", "2", "--rect", "5,10,4,4")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("frost: in/wide.png: the rectangle 5,10,4,4"), "\(outcome.errors)")
        #expect(try scratch.entries("out") == ["a.png"])
    }

    @Test("--resume passes over what the manifest proves, and makes again what it does not")
    func resume() throws {
        let scratch = try tree()
        let line = ["blur", "-r", "in", "-o", "out/", "--manifest", "done.jsonl", "--json"]
        func run(_ more: String...) throws -> [String: String] {
            let outcome = try scratch.run(Program.path, line + more)
            #expect(outcome.code == 0, "\(outcome.errors)")
            var states: [String: String] = [:]
            for object in try outcome.objects {
                if let output = object["output"] as? String { states[output] = object["status"] as? String }
            }
            return states
        }
        #expect(try Set(run("--sigma", "2").values) == ["ok"])
        #expect(try Set(run("--sigma", "2", "--resume").values) == ["skipped"])
        // --resume processes a picture again if its input or its output file has changed, or if a parameter has another
        // value.
        try scratch.picture("in/a.png", seed: 99)
        try scratch.write([0], "out/b.png")
        let again = try run("--sigma", "2", "--resume")
        #expect(
            again == [
                "out/a.png": "ok", "out/b.png": "ok", "out/sub/c.png": "skipped", "out/sub/deep/d.png": "skipped",
            ])
        #expect(try Set(run("--sigma", "3", "--resume").values) == ["ok"])
        // The manifest's last line is cut off, so it is not valid JSON.
        try scratch.write(Array(scratch.bytes("done.jsonl").dropLast(9)), "done.jsonl")
        #expect(try run("--sigma", "3", "--resume").values.sorted() == ["ok", "skipped", "skipped", "skipped"])
        #expect(try Set(run("--sigma", "3", "--resume").values) == ["skipped"])
    }

    @Test("--resume makes results again whose key or environment variables were others")
    func resumeWithOtherSettings() throws {
        let scratch = try tree()
        for name in ["one", "two"] { try scratch.folder(name) }
        func state(_ words: [String], _ environment: [String: String] = [:]) throws -> String? {
            let line = words + ["in/a.png", "-o", "out/", "--manifest", "done.jsonl", "--resume", "--json"]
            let outcome = try scratch.run(Program.path, line, environment: environment)
            #expect(outcome.code == 0, "\(outcome.errors)")
            return try outcome.objects.first?["status"] as? String
        }
        let blur = ["blur", "--sigma", "2"]
        #expect(try state(blur) == "ok")
        #expect(try state(blur, ["FROST_BACKEND": "exact"]) == "ok")
        #expect(try state(blur + ["--backend", "exact"]) == "skipped")
        #expect(try state(blur, ["FROST_BACKEND": "exact", "FROST_THREADS": "1"]) == "skipped")
        let redact = ["effect", "redact"]
        let keys = ["one", "two"].map { ["XDG_STATE_HOME": scratch.file($0)] }
        #expect(try state(redact, keys[0]) == "ok")
        #expect(try state(redact, keys[0]) == "skipped")
        #expect(try state(redact + ["--dry-run"], keys[0]) == "skipped")
        let first = try scratch.bytes("out/a.png")
        #expect(try state(redact, keys[1]) == "ok")
        #expect(try scratch.bytes("out/a.png") != first)
    }

    @Test("shards divide the work, a dry run does none")
    func shards() throws {
        let scratch = try tree()
        let dry = try scratch.frost("blur", "-r", "in", "-o", "out/", "--sigma", "2", "--dry-run", "--manifest", "m")
        #expect(dry.code == 0)
        #expect(dry.lines.sorted().first == "in/a.png -> out/a.png" && dry.lines.count == 4)
        #expect(!scratch.exists("out") && !scratch.exists("m"))
        for shard in 1...3 {
            let outcome = try scratch.frost("blur", "-r", "in", "-o", "out/", "--sigma", "2", "--shard", "\(shard)/3")
            #expect(outcome.code == 0)
            #expect(try scratch.entries("out").count >= 1)
        }
        #expect(try scratch.entries("out") == ["a.png", "b.png", "sub"])
        #expect(try scratch.entries("out/sub") == ["c.png", "deep"])
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0", "-9223372036854775808/3"] {
            #expect(try scratch.frost("blur", "a.png", "-o", "b.png", "--sigma", "2", "--shard", wrong).code == 2)
        }
    }

    @Test("--shard auto takes the part of a pod from the environment")
    func automaticShard() throws {
        func shard(_ index: String?, _ count: String?) -> Shard? {
            Shard(written: "auto") { $0 == "JOB_COMPLETION_INDEX" ? index : $0 == "JOB_COMPLETIONS" ? count : nil }
        }
        for count in 1...4 {
            for index in 0..<count { #expect(shard("\(index)", "\(count)") == Shard(written: "\(index + 1)/\(count)")) }
        }
        for (index, count) in [
            (nil, "3"), ("1", nil), ("3", "3"), ("-1", "3"), ("0", "0"), ("a", "3"), ("", ""), ("0", "-1"),
        ] {
            #expect(shard(index, count) == nil, "\(index ?? "nil") of \(count ?? "nil")")
        }
        // This process does not run in a pod, so it lacks the variables.
        let scratch = try tree()
        let refused = try scratch.frost("blur", "a.png", "-o", "b.png", "--sigma", "2", "--shard", "auto")
        #expect(refused.code == 2 && refused.errors.contains("JOB_COMPLETION_INDEX from 0 to N-1 and JOB_COMPLETIONS"))
    }

    @Test("the number of jobs changes no byte")
    func jobs() throws {
        let scratch = try tree()
        for jobs in ["1", "3", "7"] {
            let outcome = try scratch.frost(
                "effect", "light", "-r", "in", "-o", jobs + "/", "--jobs", jobs, "--threads", "4")
            #expect(outcome.code == 0)
            for file in ["a.png", "sub/c.png"] {
                #expect(try scratch.bytes(jobs + "/" + file) == scratch.bytes("1/" + file))
            }
        }
    }

    @Test("--manifest refuses other files of the command line, and files that are not manifests")
    func otherFilesAsManifests() throws {
        let scratch = try tree()
        try scratch.write(Array("a diary\n".utf8), "notes.txt")
        try scratch.write(Array("{\n  \"a\": 1\n}\n".utf8), "a.json")
        try scratch.write(try scratch.bytes("in/a.png"), "other.png")
        let before = (try scratch.bytes("in/a.png"), try scratch.bytes("in/b.png"), try scratch.bytes("notes.txt"))
        let line = ["blur", "in/a.png", "-o", "out.png", "--sigma", "2", "--mask", "in/b.png", "--manifest"]
        for (manifest, evidence) in [
            ("./in/a.png", "would overwrite the input in/a.png"), ("in/b.png", "would overwrite the input in/b.png"),
            ("out.png", "is also the output for in/a.png"), ("notes.txt", "is not a manifest"),
            ("a.json", "is not a manifest"), ("other.png", "is not a manifest"),
            ("-", "--manifest needs a file"), ("/dev/full", "not a regular file"),
        ] {
            for more in [[], ["--resume"]] {
                try scratch.run(Program.path, line + [manifest] + more).expectError(2, evidence)
            }
        }
        #expect(try scratch.bytes("in/a.png") == before.0 && scratch.bytes("in/b.png") == before.1)
        #expect(try scratch.bytes("notes.txt") == before.2)
        // A manifest of an earlier run is continued, also after a last line that was cut off.
        #expect(try scratch.run(Program.path, line + ["m.jsonl"]).code == 0)
        let first = try scratch.bytes("m.jsonl")
        try scratch.write(first + first.prefix(30), "m.jsonl")
        #expect(try scratch.run(Program.path, line + ["m.jsonl"]).code == 0)
        #expect(try scratch.bytes("m.jsonl") == first + first.prefix(30) + [10] + first)
        // After a power failure the first line may be cut off, or consist of zeros or of any bytes.
        for bytes in [
            first.prefix(30) + [10] + first, [0, 0] + first, Array(first.prefix(5)), [0, 0, 0, 10],
            [10] + first.prefix(30), [0, 0] + first.dropFirst(50), [200, 7, 1] + first.dropFirst(50),
        ] as [[UInt8]] {
            try scratch.write(bytes, "m.jsonl")
            #expect(try scratch.run(Program.path, line + ["m.jsonl", "--resume"]).code == 0)
        }
    }

    @Test("lines of a manifest are read as they were written, whatever names hold")
    func flatJSON() {
        let names = ["plain", "with \"quotes\" and \\", "tab\tand\nline", "ünïcode \u{1F600}", "\u{1}\u{1F}"]
        for name in names {
            let line = (["a": .string(name), "n": .int(3), "b": .bool(true), "c": ""] as JSONValue).line
            #expect(FlatJSON.members(line[...]) == ["a": name, "c": ""], "\(line)")
        }
        #expect(FlatJSON.members(#"{ "a" : "\u00e9\ud83d\ude00" }"#) == ["a": "é\u{1F600}"])
        #expect(FlatJSON.members(#"{"a":"b","a":1}"#) == [:])
        #expect(FlatJSON.members(#"{"a":1,"a":"b"}"#) == ["a": "b"])
        for broken in [
            "", "{", "{}x", #"{"a"}"#, #"{"a":"b""#, #"{"a":{"b":"c"}}"#, #"{"a":"\ud83d"}"#, #"["a"]"#,
            #"{"a":"x\ude,"b":true}"#,
        ] {
            #expect(FlatJSON.members(broken[...]) == nil, "\(broken)")
        }
    }
}
