import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostPipeline
import FrostTestSupport
import Testing

@testable import FrostCLI

/// Tests files of boxes and `--rects`, with its relatives `--ellipse`, `--feather` and `--invert-rects`.
struct BoxFileTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static func boxes(_ text: String) throws -> [BoxFile.Box] {
        try BoxFile(path: "boxes.csv", bytes: Array(text.utf8)).boxes
    }

    @Test("every form of a box is the smallest rectangle of pixels that contains it")
    func forms() throws {
        let wanted = Rect(x: 1, y: 2, width: 4, height: 5)
        for text in [
            "x,y,w,h\n1.5,2.1,3,4", "X,Y,Width,Height\r\n1.5,2.1,3,4\r\n", "left,top,width,height\n1.5,2.1,3,4",
            "x1,y1,x2,y2\n1.5,2.1,4.5,6.1", "x0;y0;x1;y1\n1;2;5;7", "xmin\tymin\txmax\tymax\n1\t2\t5\t7",
            "left,top,right,bottom\n\n 1 , 2 ,5,7 \n\n", "\u{FEFF}score,\"x\",y,w,h\n0.5,\"1\",2,4,5",
            "{\"x\":1.5,\"y\":2.1,\"w\":3,\"h\":4}", "{ \"xywh\" : [1.5, 2.1, 3, 4], \"label\": \"a\" }\n\n",
            "{\"xyxy\":[[1,2,5,7]]}", "{\"xmin\":1,\"ymin\":2,\"xmax\":5,\"ymax\":7,\"score\":null}",
            "{\"file\":null,\"xyxy\":null,\"labels\":[\"face]\",{\"a\":[true]}],\"m\":{},\"x\":1,\"y\":2,\"w\":4,\"h\":5,\"m\":1}",
        ] {
            let boxes = try Self.boxes(text)
            #expect(boxes.map(\.rect) == [wanted], "\(text)")
            #expect(boxes.allSatisfy { $0.name == nil && $0.frame == nil })
        }
        #expect(try Self.boxes("x,y,w,h\n").isEmpty)
        #expect(try Self.boxes("x,y,w,h\n-0.5,-3,1,1").map(\.rect) == [Rect(x: -1, y: -3, width: 2, height: 1)])
    }

    @Test("names, frames and lines are those of the file") func fields() throws {
        let table = try Self.boxes("file,frame,x,y,w,h\n\"a \"\"b\"\",\n.png\",,1,2,3,4\nc.png,7.0,1,2,3,4\n")
        #expect(table.map(\.name) == ["a \"b\",\n.png", "c.png"])
        #expect(table.map(\.frame) == [nil, 7])
        #expect(table.map(\.line) == [2, 4])
        let objects = try Self.boxes(
            "{\"image\":\"a.png\",\"frame\":null,\"xywh\":[]}\n{\"frame\":3,\"xyxy\":[[0,0,1,1],[2,2,4,4]]}")
        #expect(
            objects.map(\.rect) == [nil, Rect(x: 0, y: 0, width: 1, height: 1), Rect(x: 2, y: 2, width: 2, height: 2)])
        #expect(objects.map(\.frame) == [nil, 3, 3] && objects.map(\.line) == [1, 2, 2])
    }

    @Test("a line that cannot be read is an error with its number")
    func faults() throws {
        for (text, line, evidence) in [
            ("", 1, "empty"), ("1,2,3,4\n", 1, "columns"), ("x,y,w\n1,2,3", 1, "columns"),
            ("x,y,w,h\n1,2,3,4\n1,2,3", 3, "3 fields"), ("x,y,w,h\n1,2,a,4", 2, "a is not"),
            ("x,y,w,h\n1,2,,4", 2, "empty field"), ("x,y,w,h\n1,2,0,4", 2, "no width"),
            ("x1,y1,x2,y2\n5,2,1,7", 2, "no width"), ("x,y,w,h\n1,2,inf,4", 2, "inf"), ("x,y,w,h\n1,2,nan,4", 2, "nan"),
            ("x,y,w,h\n1,2,1e300,4", 2, "1e300"), ("file,x,y,w,h\n,1,2,3,4", 2, "file is empty"),
            ("frame,x,y,w,h\n-1,1,2,3,4", 2, "-1 is not"), ("frame,x,y,w,h\n1.5,1,2,3,4", 2, "1.5 is not"),
            ("x,y,w,h\n\"1,2,3,4", 2, "not closed"), ("x,y,w,h\n\"1\"a,2,3,4", 2, "follows"),
            ("{\"x\":1}", 1, "no numbers"), ("{\"xywh\":[1,2,3]}", 1, "four numbers"),
            ("{\"xywh\":[[1,2,3,4],5]}", 1, "four numbers"), ("{\"xywh\":[1,2,3,4]}\n{", 2, "not a JSON object"),
            ("{\"xywh\":[[[1,2,3,4]]]}", 1, "four numbers"), ("{\"xywh\":{\"a\":1}}", 1, "four numbers"),
            ("{\"xyxy\":[1,2,3,4],\"xyxy\":[5,6,7,8]}", 1, "the member xyxy stands twice"),
            ("{\"x\":1,\"y\":2,\"w\":3,\"h\":4,\"X\":5}", 1, "the member x stands twice"),
            ("{\"file\":[\"a\"],\"xywh\":[1,2,3,4]}", 1, "file must be"),
            ("{\"xywh\":[1,2,3,4],\"labels\":[\"a\"}", 1, "not a JSON object"),
            ("x,y,w,h\n1,2,3,2\u{0}0", 2, "is not a length"), ("x,y,w,h\n0x10,2,3,4", 2, "0x10 is not"),
        ] {
            let error = #expect(throws: BoxFileError.self, "\(text)") { try Self.boxes(text) }
            let message = error.map { "\($0)" } ?? ""
            #expect(message.hasPrefix("boxes.csv:\(line): ") && message.contains(evidence), "\(text): \(message)")
        }
    }

    @Test("boxes of a file give the picture of the same --rect") func rects() throws {
        try scratch.folder("d")
        try scratch.folder("out")
        for (name, seed) in [("a.png", 1), ("d/b.png", 2)] as [(String, UInt64)] {
            try scratch.picture(name, 60, 40, seed: seed)
        }
        try scratch.write(
            Array("name,x1,y1,x2,y2\na.png,3.5,4,20.2,30\nd/b.png,10,10,30,25\na.png,40,5,70,20\n".utf8), "f.csv")
        for extra in [[], ["--ellipse", "--feather", "4"], ["--invert-rects"]] {
            for name in ["a.png", "d/b.png"] {
                let words = name == "a.png" ? ["3,4,18,26", "40,5,30,15"] : ["10,10,20,15"]
                let given = words.flatMap { ["--rect", $0] }
                let direct = try scratch.run(
                    Program.path, ["blur", name, "-o", "direct.png", "--sigma", "5"] + given + extra)
                #expect(direct.code == 0, "\(direct.errors)")
                let all = try scratch.run(
                    Program.path,
                    ["blur", "a.png", "d/b.png", "-o", "out/", "--force", "--sigma", "5", "--rects", "f.csv"] + extra)
                #expect(all.code == 0, "\(all.errors)")
                let made = name == "a.png" ? "out/a.png" : "out/b.png"
                #expect(try scratch.image(made).bytes == scratch.image("direct.png").bytes, "\(name) \(extra)")
                #expect(try scratch.image(made).bytes != scratch.image(name).bytes)
            }
        }
    }

    @Test("every --rects counts, with every --rect") func severalFiles() throws {
        try scratch.picture("a.png", 60, 40)
        try scratch.write(Array("x,y,w,h\n1,2,10,8\n".utf8), "f.csv")
        try scratch.write(Array("{\"file\":\"a.png\",\"xyxy\":[30,20,45,38]}\n".utf8), "g.jsonl")
        let direct = try scratch.frost(
            "effect", "redact", "a.png", "-o", "direct.png", "--fill", "black", "--rect", "1,2,10,8", "--rect",
            "30,20,15,18", "--rect", "50,0,5,5")
        let all = try scratch.frost(
            "effect", "redact", "a.png", "-o", "all.png", "--fill", "black", "--rects", "f.csv", "--rect", "50,0,5,5",
            "--rects", "g.jsonl")
        #expect(direct.code == 0 && all.code == 0, "\(direct.errors)\(all.errors)")
        #expect(try scratch.image("all.png").bytes == scratch.image("direct.png").bytes)
        try scratch.frost(
            "effect", "redact", "a.png", "-o", "g.jsonl", "--force", "--format", "png", "--rects", "f.csv", "--rects",
            "g.jsonl"
        )
        .expectError(2, "--rects g.jsonl is also the output")
        try scratch.frost("blur", "a.png", "-o", "o.png", "--sigma", "2", "--rects", "f.csv", "--rects", "none.csv")
            .expectError(3, "none.csv")
    }

    @Test("names without an input, boxes outside and redactions without a box are errors") func errors() throws {
        try scratch.picture("a.png", 60, 40)
        try scratch.picture("b.png", 60, 40)
        try scratch.write(Array("file,x,y,w,h\na.png,1,2,3,4\nc.png,1,2,3,4\n".utf8), "unknown.csv")
        try scratch.write(Array("file,x,y,w,h\na.png,1,2,3,4\na.png,60,2,3,4\n".utf8), "outside.csv")
        try scratch.write(Array("file,x,y,w,h\na.png,1,2,3,4\n".utf8), "one.csv")
        try scratch.frost("blur", "a.png", "-o", "o.png", "--sigma", "2", "--rects", "unknown.csv")
            .expectError(3, "unknown.csv:3", "no input has the name c.png")
        try scratch.frost("blur", "a.png", "-o", "o.png", "--sigma", "2", "--rects", "outside.csv")
            .expectError(3, "outside.csv:3", "outside the picture of 60x40")
        try scratch.frost("blur", "a.png", "-o", "o.png", "--sigma", "2", "--rects", "none.csv")
            .expectError(3, "none.csv", "No such file")
        try scratch.frost("effect", "redact", "a.png", "b.png", "-o", "out/", "--rects", "one.csv")
            .expectError(3, "b.png", "no box", "hide nothing")
        #expect(!scratch.exists("o.png") && !scratch.exists("out"))
        let warned = try scratch.frost("blur", "a.png", "b.png", "-o", "out/", "--sigma", "2", "--rects", "one.csv")
        #expect(warned.code == 0 && warned.errors.contains("b.png: --rects has no box"), "\(warned.errors)")
        #expect(try scratch.image("out/b.png").bytes == scratch.image("b.png").bytes)
        // A still picture has frame 0 only, so a redaction of another frame would hide nothing.
        try scratch.write(Array("frame,x,y,w,h\n3,1,2,30,20\n".utf8), "frame.csv")
        try scratch.frost("effect", "redact", "a.png", "-o", "o.png", "--rects", "frame.csv")
            .expectError(3, "frame.csv:2", "frame 3 does not exist: the input has 1 frame,")
        try scratch.frost("effect", "redact", "a.png", "-o", "o.png", "--rect", "1,2,30,20", "--resize", "20")
            .expectError(2, "--resize cannot be combined with redact")
        try scratch.shell("cat a.png | \"$FROST\" blur - -o o.png --sigma 2 --rects -").expectError(2, "only once")
        try scratch.frost("blur", "a.png", "-o", "one.csv", "--format", "png", "--sigma", "2", "--rects", "one.csv")
            .expectError(2, "one.csv is also the output")
        // Nor does a picture replace the other files that the command line names.
        try scratch.write([UInt8](repeating: 7, count: 32), "key.png")
        for (words, file) in [
            (["blur", "--sigma", "2", "--mask"], "b.png"), (["effect", "light", "--content"], "b.png"),
            (["effect", "redact", "--key"], "key.png"),
        ] {
            try scratch.run(Program.path, words + [file, "a.png", "-o", file, "--force"])
                .expectError(2, "\(file) is also the output for a.png")
        }
        try scratch.write(Array("file,x,y,w,h\n./a.png,1,2,3,4\n\(scratch.file("a.png")),9,2,3,4\n".utf8), "full.csv")
        let full = try scratch.frost("blur", "./a.png", "-o", "full.png", "--sigma", "2", "--rects", "full.csv")
        #expect(full.code == 0, "\(full.errors)")
        for words in [["--ellipse"], ["--feather", "3"], ["--invert-rects"]] {
            try scratch.run(Program.path, ["blur", "a.png", "-o", "o.png", "--sigma", "2"] + words)
                .expectError(2, "needs --rect or --rects")
            if words != ["--ellipse"] {
                try scratch.run(
                    Program.path,
                    ["blur", "a.png", "-o", "o.png", "--sigma", "2", "--rect", "1,2,9,9", "--bounded"] + words
                ).expectError(2, "cannot be combined with --bounded")
            }
        }
        try scratch.frost("effect", "redact", "a.png", "-o", "o.png", "--rects", "one.csv", "--feather", "2")
            .expectError(2, "--feather cannot be combined with redact")
        try scratch.frost("effect", "glass", "a.png", "-o", "o.png", "--rect", "1,2,30,20", "--ellipse")
            .expectError(2, "an ellipse cannot be combined with")
        // A report must not replace the boxes, and a check of no box would pass without a check.
        let check = ["check", "a.png", "--sigma", "2", "--backend", "cpu", "--rects"]
        try scratch.run(Program.path, check + ["one.csv", "--report", "one.csv"]).expectError(2, "one.csv")
        try scratch.run(Program.path, check + ["full.csv", "--junit", "one.csv", "--mask", "one.csv"])
            .expectError(2, "one.csv")
        try scratch.write(Array("file,x,y,w,h\nother.png,1,2,3,4\n".utf8), "other.csv")
        try scratch.run(Program.path, check + ["other.csv"]).expectError(3, "no input has the name other.png")
        for (option, words) in [("feather", ["--feather", "2"]), ("invert-rects", ["--invert-rects"])] {
            try scratch.run(
                Program.path, ["effect", "glass", "a.png", "-o", "o.png", "--rect", "1,2,30,20"] + words
            ).expectError(2, "--\(option) cannot be combined with glass")
        }
    }

    @Test("content of an animation is decided by the first frame with a box, or by what pads it")
    func content() throws {
        func animation(_ name: String, _ values: UInt8...) throws {
            let layout = try PixelLayout(width: 32, height: 24, format: PixelFormat(.rgb))
            for (picture, value) in zip(["a.png", "b.png"], values) {
                let bytes = [UInt8](repeating: value, count: layout.byteCount)
                try PNG.write(
                    DecodedImage(pixels: PixelBuffer(layout: layout, bytes: bytes)), path: scratch.file(picture))
            }
            let made = try scratch.frost("transition", "a.png", "b.png", "--duration", "0.3", "--fps", "10", "-o", name)
            #expect(made.code == 0, "\(made.errors)")
        }
        try animation("light.apng", 250, 200)
        try animation("dark.apng", 20, 60)
        try scratch.write(Array("frame,x,y,w,h\n1,4,4,16,12\n".utf8), "late.csv")
        for words in [
            ["light.apng", "--rects", "late.csv"], ["dark.apng", "--pad", "60x24", "--pad-with", "white"],
        ] {
            let outcome = try scratch.run(
                Program.path,
                ["blur"] + words + ["-o", "out.apng", "--sigma", "1", "--min-contrast", "7", "--json", "--force"])
            #expect(outcome.code == 0, "\(outcome.errors)")
            let report = try #require(outcome.objects.first?["contrast"] as? [String: Any])
            #expect((report["content"] as? String)?.hasPrefix("#000000") == true, "\(report)")
        }
    }

    @Test("a frame of a video is changed in its own boxes only") func frames() throws {
        var file = Array("YUV4MPEG2 W32 H24 F25:1 C444\n".utf8)
        var frames: [[UInt8]] = []
        for frame in 0..<4 {
            frames.append(
                try (0..<3).flatMap { try noise(32, 24, PixelFormat(.grey), seed: UInt64(10 * frame + $0 + 1)).bytes })
            file += Array("FRAME\n".utf8) + frames[frame]
        }
        try scratch.write(file, "in.y4m")
        try scratch.write(Array("frame,x,y,w,h\n1,4,5,8,6\n2,10,2,6,6\n,0,20,3,4\n".utf8), "f.csv")
        let outcome = try scratch.frost("blur", "in.y4m", "-o", "out.y4m", "--sigma", "3", "--rects", "f.csv", "-q")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let bytes = try scratch.bytes("out.y4m")
        let always = Rect(x: 0, y: 20, width: 3, height: 4)
        let own: [Rect?] = [nil, Rect(x: 4, y: 5, width: 8, height: 6), Rect(x: 10, y: 2, width: 6, height: 6), nil]
        let start = 29
        for frame in 0..<4 {
            let first = start + frame * (6 + 3 * 32 * 24) + 6
            var changed = 0
            for (index, old) in frames[frame].enumerated() {
                let (x, y) = (index % 32, index / 32 % 24)
                let isInside = [always, own[frame]].contains {
                    $0.map { $0.columns.contains(x) && $0.rows.contains(y) } ?? false
                }
                if !isInside { #expect(bytes[first + index] == old, "\(frame): \(x),\(y)") }
                if bytes[first + index] != old { changed += 1 }
            }
            #expect(changed > 3 * 10)
        }
        try scratch.write(Array("frame,x,y,w,h\n4,4,5,8,6\n".utf8), "late.csv")
        try scratch.frost("blur", "in.y4m", "-o", "late.y4m", "--sigma", "3", "--rects", "late.csv")
            .expectError(3, "late.csv:2", "frame 4 does not exist: the input has 4 frames")
        #expect(!scratch.exists("late.y4m"))
        try scratch.write(Array("frame,x,y,w,h\n".utf8), "none.csv")
        try scratch.frost("effect", "redact", "in.y4m", "-o", "none.y4m", "--rects", "none.csv")
            .expectError(3, "no box")
        let unchanged = try scratch.frost("blur", "in.y4m", "-o", "same.y4m", "--sigma", "3", "--rects", "none.csv")
        #expect(unchanged.code == 0, "\(unchanged.errors)")
        #expect(try scratch.bytes("same.y4m") == file)
    }
}
