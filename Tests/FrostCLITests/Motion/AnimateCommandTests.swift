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

    @Test("The schema is printed without a scene")
    func schema() throws {
        let outcome = try scratch.frost("animate", "--schema")
        #expect(outcome.code == 0 && outcome.text.hasPrefix("{") && outcome.text.contains("\"corner-radius\""))
    }
}
