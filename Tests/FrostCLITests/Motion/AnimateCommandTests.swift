import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests `frost animate`.
struct AnimateCommandTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.folder("scenes")
        try scratch.folder("frames")
        try scratch.picture("scenes/a.png", 64, 48)
        try scratch.write(Array(Self.scene.utf8), "scenes/scene.json")
    }

    private static let scene = """
        {"size": [64, 48], "duration": 0.5, "fps": 12, "backdrop": {"picture": "a.png"},
         "panels": [{"effect": "dark", "size": [30, 20], "corner-radius": 5,
                     "position": [{"at": 0, "value": [2, 3]}, {"at": 0.5, "value": [30, 20]}]}]}
        """

    @Test("A frame that is taken alone equals that frame of the sequence, for any number of threads")
    func alone() throws {
        let all = try scratch.frost("animate", "scenes/scene.json", "-o", "frames/{frame}.png", "--threads", "1", "-q")
        #expect(all.code == 0 && all.errors.isEmpty, "\(all.errors)")
        #expect(try scratch.entries("frames").sorted() == (0..<6).map { "000\($0).png" })
        for frame in [0, 3, 5] {
            let alone = try scratch.frost(
                "animate", "scenes/scene.json", "-o", "alone.png", "--at", "\(Double(frame) / 12)", "--threads", "3",
                "-q")
            #expect(alone.code == 0, "\(alone.errors)")
            #expect(try scratch.image("alone.png") == scratch.image("frames/000\(frame).png"))
        }
        #expect(try scratch.image("frames/0000.png") != scratch.image("frames/0005.png"))
    }

    @Test("A scene can be scaled, played at another rate, and described as JSON")
    func options() throws {
        let outcome = try scratch.frost(
            "animate", "scenes/scene.json", "-o", "out.y4m", "--size", "128x96", "--fps", "30", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        for member in [
            "\"frames\":15", "\"width\":128", "\"height\":96", "\"fps\":30", "\"schema\":\"frost.animation/1\"",
        ] {
            #expect(outcome.text.contains(member), "\(outcome.text)")
        }
        let header = String(decoding: try scratch.bytes("out.y4m").prefix(40), as: UTF8.self)
        #expect(header.hasPrefix("YUV4MPEG2 W128 H96 F30:1"))
        try scratch.frost("animate", "scenes/scene.json", "-o", "out.png", "--at", "0", "--size", "128x95")
            .expectError(2, "needs a height of 96")
    }

    @Test("The report states the colours of content that were chosen")
    func contentColors() throws {
        let scene = """
            {"size": [64, 48], "duration": 1, "fps": 12, "backdrop": {"color": "black"}, "panels": [
                {"effect": "dark", "size": [9, 9]},
                {"effect": "gaussian", "size": [20, 20], "parameters": {"sigma": 3, "min-contrast": 4.5}},
                {"effect": "light", "id": "a", "size": [20, 20], "position": [30, 5],
                 "parameters": {"min-contrast": 4.5, "tint": "white,0.9"}}]}
            """
        try scratch.write(Array(scene.utf8), "scenes/chosen.json")
        let outcome = try scratch.frost("animate", "scenes/chosen.json", "-o", "out.y4m", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let wanted = ##""contentColors":[{"panel":1,"color":"#ffffffff"},{"panel":2,"id":"a","color":"#000000ff"}]"##
        #expect(outcome.text.contains(wanted), "\(outcome.text)")
    }

    @Test("A video as a backdrop shows its own frames, and one that is cut off is refused before anything is written")
    func video() throws {
        #expect(
            try scratch.frost("animate", "scenes/scene.json", "-o", "scenes/v.y4m", "--chroma", "444", "-q").code == 0)
        let scene = #"{"size": [64, 48], "duration": 1, "fps": 12, "backdrop": {"video": "v.y4m", "loop": true}}"#
        try scratch.write(Array(scene.utf8), "scenes/video.json")
        let outcome = try scratch.frost("animate", "scenes/video.json", "-o", "frames/{frame}.png", "-q")
        #expect(outcome.code == 0, "\(outcome.errors)")
        // The video has 6 frames, and begins again after them.
        for frame in 0..<6 {
            #expect(
                try scratch.image("frames/000\(frame).png")
                    == scratch.image("frames/00\(frame + 6 < 10 ? "0" : "")\(frame + 6).png"))
        }
        let bytes = try scratch.bytes("scenes/v.y4m")
        try scratch.write(Array(bytes.dropLast(10)), "scenes/v.y4m")
        try scratch.frost("animate", "scenes/video.json", "-o", "cut.webp").expectError(3, "backdrop.video", "frame 6")
        #expect(!scratch.exists("cut.webp"))
    }

    @Test("Errors name the scene's file, the member and what is allowed, and write nothing")
    func errors() throws {
        func expect(_ scene: String, _ code: Int32, _ evidence: String) throws {
            try scratch.write(Array(scene.utf8), "scenes/bad.json")
            try scratch.frost("animate", "scenes/bad.json", "-o", "bad.webp").expectError(code, evidence)
            #expect(!scratch.exists("bad.webp"))
        }
        try expect(
            Self.scene.replacing("dark", with: "drak"), 3,
            "panels[0].effect: unknown effect \"drak\" (did you mean dark?)")
        try expect(Self.scene.replacing("a.png", with: "b.png"), 3, "backdrop.picture")
        try expect(Self.scene.replacing("\"at\": 0.5", with: "\"at\": 0"), 3, "panels[0].position[1].at")
        try expect("{", 3, "line 1")
        try scratch.frost("animate", "missing.json", "-o", "bad.webp").expectError(3, "missing.json")
        try scratch.frost("animate", "-o", "bad.webp").expectError(2, "one scene is required")
        try scratch.frost("animate", "scenes/scene.json").expectError(2, "--output")
    }

    @Test("A time after the end of the scene is refused with the allowed range")
    func times() throws {
        try scratch.frost("animate", "scenes/scene.json", "-o", "x.png", "--at", "5").expectError(
            2, "--at 5 is out of range (allowed: 0 to 0.5")
        #expect(!scratch.exists("x.png"))
        #expect(try scratch.frost("animate", "scenes/scene.json", "-o", "x.png", "--at", "0.5", "-q").code == 0)
    }

    @Test("The frames' memory is judged before it is allocated, with both figures, and nothing is written")
    func memory() throws {
        let large = #"{"size": [20000, 20000], "duration": 1, "backdrop": {"color": "navy"}}"#
        try scratch.write(Array(large.utf8), "scenes/large.json")
        for (scene, words) in [
            ("large", []), ("large", ["--max-memory", "2G"]), ("scene", ["--size", "30720x23040"]),
            ("scene", ["--size", "1600x1200", "--max-memory", "16M"]),
        ] {
            for output in ["x.webp", "x.y4m", "x.apng", "f/{frame}.png"] {
                let words = ["animate", "scenes/\(scene).json", "-o", output] + words
                try scratch.run(Program.path, words).expectError(
                    4, "scenes/\(scene).json: not enough memory: needs ", " are available")
            }
        }
        #expect(try scratch.entries() == ["frames", "scenes"])
        let outcome = try scratch.frost(
            "animate", "scenes/scene.json", "-o", "x.png", "--at", "0", "--size", "1600x1200", "--max-memory", "128M",
            "-q")
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test("A file of the scene over a limit has the exit code of a limit, and names the member")
    func limits() throws {
        for option in [["--max-side", "10"], ["--max-pixels", "10"]] {
            try scratch.run(Program.path, ["animate", "scenes/scene.json", "-o", "x.webp"] + option).expectError(
                4, "scenes/scene.json: backdrop.picture: ", "a.png: its ", "exceeds the limit of 10")
        }
        #expect(
            try scratch.frost("animate", "scenes/scene.json", "-o", "scenes/v.y4m", "--chroma", "444", "-q").code == 0)
        let scene = #"{"size": [64, 48], "duration": 1, "fps": 12, "backdrop": {"video": "v.y4m"}}"#
        try scratch.write(Array(scene.utf8), "scenes/video.json")
        try scratch.frost("animate", "scenes/video.json", "-o", "x.webp", "--max-side", "10").expectError(
            4, "backdrop.video", "exceeds the limit of 10")
        #expect(!scratch.exists("x.webp"))
    }

    @Test("--first-frame reads a scene's animated pictures, and without it the error names it")
    func firstFrame() throws {
        #expect(try scratch.frost("animate", "scenes/scene.json", "-o", "scenes/b.apng", "-q").code == 0)
        try scratch.write(Array(Self.scene.replacing("a.png", with: "b.apng").utf8), "scenes/moving.json")
        try scratch.frost("animate", "scenes/moving.json", "-o", "x.webp").expectError(3, "--first-frame")
        #expect(try scratch.frost("animate", "scenes/moving.json", "-o", "x.webp", "--first-frame", "-q").code == 0)
    }

    @Test("Y4M refuses transparent frames without --background; --keep, which has no effect, is not an option")
    func refused() throws {
        let clear = Self.scene.replacing("\"backdrop\"", with: "\"background\": \"transparent\", \"backdrop\"")
            .replacing("\"a.png\"}", with: "\"a.png\", \"mode\": \"center\"}")
            .replacing("[64, 48]", with: "[96, 48]")
        try scratch.write(Array(clear.utf8), "scenes/clear.json")
        try scratch.frost("animate", "scenes/clear.json", "-o", "x.y4m").expectError(
            6, "x.y4m", "Y4M cannot hold transparency, which frame 0 has", "--background")
        #expect(!scratch.exists("x.y4m"))
        #expect(
            try scratch.frost("animate", "scenes/clear.json", "-o", "x.y4m", "--background", "white", "-q").code == 0)
        try scratch.frost("animate", "scenes/scene.json", "-o", "x.webp", "--keep", "all").expectError(2, "--keep")
    }

    @Test("The schema is printed without a scene")
    func schema() throws {
        let outcome = try scratch.frost("animate", "--schema")
        #expect(outcome.code == 0 && outcome.text.hasPrefix("{") && outcome.text.contains("\"corner-radius\""))
    }

    @Test("A scene's rate is any number that the schema allows, and a redaction that shows the original is refused")
    func rates() throws {
        func write(_ scene: String) throws { try scratch.write(Array(scene.utf8), "scenes/own.json") }
        for (rate, header) in [
            ("23.976023976023978", "F24000:1001"), ("59.94005994005994", "F60000:1001"),
            ("33.333333333333336", "F100:3"), ("59.94", "F2997:50"),
        ] {
            try write(Self.scene.replacing("\"fps\": 12", with: "\"fps\": \(rate)"))
            let outcome = try scratch.frost("animate", "scenes/own.json", "-o", "own.y4m", "-q")
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(try String(decoding: scratch.bytes("own.y4m").prefix(60), as: UTF8.self).contains(" \(header) "))
        }
        try write(
            Self.scene.replacing("\"fps\": 12", with: "\"fps\": 1000").replacing(": 0.5, \"fps", with: ": 86400, \"fps")
        )
        try scratch.frost("animate", "scenes/own.json", "-o", "x.webp").expectError(
            3, "scenes/own.json: duration 86400: too many frames")
        try scratch.frost("animate", "scenes/own.json", "-o", "x.webp", "--fps", "500").expectError(2, "duration 86400")
        try write(
            Self.scene.replacing("\"dark\"", with: "\"redact\", \"parameters\": {\"seed\": 1}"))
        try scratch.frost("animate", "scenes/own.json", "-o", "x.webp").expectError(
            3, "scenes/own.json: panels[0].corner-radius cannot be 5")
    }

    @Test("--size is at fault if it is too large for the scene")
    func largeSize() throws {
        let scene = #"{"size": [10, 10], "duration": 1, "backdrop": {"color": "red"}}"#
        try scratch.write(Array(scene.utf8), "scenes/small.json")
        try scratch.frost("animate", "scenes/small.json", "-o", "x.webp", "--size", "32768x32768").expectError(
            2, "--size 32768x32768: the scene is 10x10, and the scale 3276.8 is out of range (allowed: 0.1 to 1000)")
    }
}
