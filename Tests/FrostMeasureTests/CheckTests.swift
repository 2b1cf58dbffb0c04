import Foundation
import Frost
import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostTestSupport
import Testing

@testable import FrostMeasure

/// Tests `frost check` with blurs and effects.
@Suite struct CheckTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("a.png", 20, 15)
        try scratch.picture("in.png", 40, 30)
    }

    /// Every backend is compared with every other backend and with the exact result.
    @Test func check() throws {
        let outcome = try scratch.frost("check", "a.png", "--sigma", "0.7,3", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let objects = try outcome.objects
        #expect(objects.map { $0["subject"] as? String } == ["gaussian sigma 0.7", "gaussian sigma 3"])
        for object in objects {
            #expect(object["schema"] as? String == "frost.check/1")
            #expect(object["input"] as? String == "a.png")
            #expect(object["status"] as? String == "ok")
            let pairs = try #require(object["pairs"] as? [[String: Any]])
            let names = pairs.map { "\($0["a"] as? String ?? "?") \($0["b"] as? String ?? "?")" }
            #expect(names.first == "cpu exact")
            if TestGPU.isWanted {
                #expect(names.count >= 3)
                #expect(names[1].hasPrefix("gpu:") && names[1].hasSuffix(" exact"))
                #expect(names[2].hasPrefix("gpu:") && names[2].hasSuffix(" cpu"))
            }
            for pair in pairs {
                #expect(try #require(pair["max"] as? Double) <= 1)
                #expect(pair["mean"] is Double && pair["ssim"] is Double)
                #expect(pair["psnr"] is Double || pair["psnr"] is NSNull)
            }
        }
    }

    @Test func checkOfOtherFormats() throws {
        for (name, format) in [("deep.png", PixelFormat(.rgba, .u16)), ("grey.png", PixelFormat(.greyAlpha))] {
            try scratch.picture(name, 19, 13, format)
            for edge in ["mirror", "repeat", "clear"] {
                let outcome = try scratch.frost("check", name, "--sigma", "2", "--edge", edge)
                #expect(outcome.code == 0, "\(outcome.text)")
                #expect(outcome.lines.allSatisfy { $0.hasPrefix("ok ") })
            }
        }
    }

    /// No result can meet a bound of 0.01 steps, because rounding alone causes an error of half a step.
    @Test func checkFails() throws {
        let outcome = try scratch.frost("check", "a.png", "--sigma", "3", "--max", "0.01")
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("FAIL a.png gaussian sigma 3: cpu against exact"))
        let unreadable = try scratch.frost("check", "none.png", "--sigma", "2")
        #expect(unreadable.code == 3)
        #expect(unreadable.output.isEmpty)
        // The error is in the last line. On a machine without a GPU, an earlier line says that there is no GPU.
        #expect(unreadable.errorLines.last?.hasPrefix("frost: none.png: cannot be read") == true)
        try scratch.frost("check", "a.png", "--sigma", "2", "--device", "nonsense").expectError(5, "nonsense")
        let some = try scratch.frost("check", "none.png", "a.png", "--sigma", "2")
        #expect(some.code == 1)
        #expect(some.text.contains("a.png"))
    }

    /// Without EGL, only the CPU is checked. The missing GPU then counts as a failure unless an option allows it.
    @Test func checkWithoutEGL() throws {
        let none = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"]
        let outcome = try scratch.frost("check", "a.png", "--sigma", "3", environment: none)
        #expect(outcome.code == 5)
        #expect(outcome.lines.count == 1)
        #expect(outcome.errors.contains("frost: no GPU was checked"))
        let allowed = try scratch.frost("check", "a.png", "--sigma", "3", "--allow-missing-gpu", environment: none)
        #expect(allowed.code == 0 && allowed.lines == outcome.lines)
        #expect(allowed.errors.contains("frost: warning: no GPU was checked"))
    }

    /// Without dither, the result of every backend matches the exact result and the other backends' results within the
    /// guaranteed error of one step.
    @Test func checkOfEffects() throws {
        let outcome = try scratch.frost("check", "in.png", "--effect", "light,tilt-shift", "--json")
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        let objects = try outcome.objects
        let subjects = objects.compactMap { $0["subject"] as? String }
        #expect(subjects.count == 2)
        #expect(zip(subjects, ["light", "tilt-shift"]).allSatisfy { $0.hasPrefix($1) })
        for object in objects {
            let pairs = try #require(object["pairs"] as? [[String: Any]])
            let names = pairs.map { "\($0["a"] as? String ?? "?") \($0["b"] as? String ?? "?")" }
            #expect(names.first == "cpu exact")
            guard TestGPU.isWanted else { continue }
            #expect(names.contains { $0.hasPrefix("gpu:") && $0.hasSuffix(" exact") }, "\(outcome.errors)")
            #expect(names.contains { $0.hasPrefix("gpu:") && $0.hasSuffix(" cpu") })
        }
        if TestGPU.isWanted { #expect(outcome.errors.isEmpty, "\(outcome.errors)") }
        let both = try scratch.frost("check", "in.png", "--effect", "dark", "--sigma", "2", "--edge", "mirror")
        #expect(both.code == 0)
        #expect(both.text.contains("gaussian sigma 2") && both.text.contains(" dark ("))
    }

    /// A picture passes if every pixel has the contrast, within the rectangles if there are any; the smallest one is stated with
    /// its place.
    @Test func contrast() throws {
        // Dark, with a grey pixel whose contrast to white is 4.54, and a light one.
        let levels = (0..<300).map { $0 == 4 * 20 + 7 ? 118 : $0 == 12 * 20 + 15 ? 230 : UInt8(26) }
        try scratch.write(Array("P5 20 15 255\n".utf8) + levels, "shot.pgm")
        let words = ["check", "shot.pgm", "--content-color", "white", "--min-contrast"]
        let inside = ["--rect", "2,2,10,10"]
        let passed = try scratch.run(Program.path, words + ["4.5"] + inside)
        #expect(passed.code == 0 && passed.lines == ["ok   shot.pgm picture: contrast 4.54 to #ffffff at 7,4"])
        #expect(passed.errors.isEmpty, "no GPU is needed: \(passed.errors)")
        let failed = try scratch.run(Program.path, words + ["4.6"] + inside)
        #expect(failed.code == 1)
        #expect(failed.lines == ["FAIL shot.pgm picture: contrast 4.54 to #ffffff at 7,4; the minimum is 4.6"])
        let whole = try scratch.run(
            Program.path, words + ["4.5", "--json", "--report", "out.html", "--junit", "out.xml"])
        let object = try #require(whole.objects.first)
        let contrast = try #require((object["contrasts"] as? [[String: Any]])?.first)
        #expect(whole.code == 1 && object["status"] as? String == "failed" && object["pairs"] == nil)
        #expect(contrast["x"] as? Int == 15 && contrast["y"] as? Int == 12 && contrast["minimum"] as? Double == 4.5)
        #expect((contrast["smallest"] as? Double).map { abs($0 - 1.26) < 0.02 } == true, "\(contrast)")
        let page = String(decoding: try scratch.bytes("out.html"), as: UTF8.self)
        #expect(page.contains("1 of 1 check failed") && page.contains("at least 4.5") && page.contains("15,12"))
        let suite = String(decoding: try scratch.bytes("out.xml"), as: UTF8.self)
        #expect(suite.contains("failures=\"1\"") && suite.contains("to #ffffff at 15,12; the minimum is 4.5"))
        // Without a colour, black or white content has to fit; black does not fit the dark pixels either.
        #expect(try scratch.frost("check", "shot.pgm", "--min-contrast", "4.5", "--rect", "0,0,5,5").code == 0)
        #expect(try scratch.frost("check", "shot.pgm", "--min-contrast", "4.5").code == 1)
        // A circle that covers no pixel wholly shows nothing.
        let none = try scratch.run(
            Program.path, words + ["4.5", "--rect", "2,2,1,1", "--corner-radius", "50%"])
        #expect(none.code == 1 && none.text.contains("no pixel is opaque and completely covered"), "\(none.text)")
    }

    /// With effects and blurs, the results of all backends have the contrast that their options demand.
    @Test func contrastOfEffects() throws {
        let outcome = try scratch.frost(
            "check", "in.png", "--effect", "light,glass", "--sigma", "3", "--min-contrast", "4.5", "--rect",
            "4,4,30,20",
            "--corner-radius", "5", "--json")
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        let objects = try outcome.objects
        #expect(objects.count == 3)
        for object in objects {
            let contrasts = try #require(object["contrasts"] as? [[String: Any]])
            #expect(contrasts.first?["a"] as? String == "cpu" && contrasts.count == (TestGPU.isWanted ? 2 : 1))
            #expect(contrasts.allSatisfy { ($0["smallest"] as? Double ?? 0) >= 4.5 && $0["x"] is Int })
        }
        try scratch.frost("check", "in.png", "--content-color", "white").expectError(
            2, "--content-color", "min-contrast")
        try scratch.frost("check", "in.png", "--min-contrast", "21", "--content-color", "#888")
            .expectError(2, "--min-contrast 21 cannot be reached")
        try scratch.frost("check", "in.png", "--min-contrast", "3", "--device", "0").expectError(2, "--device needs")
    }

    /// `check` skips an effect that exceeds a GPU's limits. Every other GPU error is a failure.
    @Test func checkPassesOverLimits() {
        #expect(CheckCommand.limit(.deviceFailed(device: "g", .unsupportedOutputStages("x")))?.contains("g: ") == true)
        for error: FrostError in [
            .deviceUnavailable(reason: "x"), .cancelled, .deviceFailed(device: "g", .unsupportedFormat("x")),
            .deviceFailed(device: "g", .invalidPlan("x")),
        ] {
            #expect(CheckCommand.limit(error) == nil)
        }
    }
}
