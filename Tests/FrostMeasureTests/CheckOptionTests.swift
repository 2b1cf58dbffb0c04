import FrostCLITestSupport
import FrostCore
import Testing

@testable import FrostCLI
@testable import FrostMeasure

/// Tests the options that `frost check` has for blurs and effects.
@Suite struct CheckOptionTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("a.png", 40, 30)
        try scratch.picture("label.png", 9, 7, PixelFormat(.rgba), seed: 5)
    }

    private func subjects(_ words: String...) throws -> [String] {
        let outcome = try scratch.run(Program.path, ["check", "a.png", "--json"] + words)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try outcome.objects.compactMap { $0["subject"] as? String }
    }

    /// The parameters of effects are options. Such an option applies to every listed effect that has this parameter.
    @Test func parameters() throws {
        let plain = try subjects("--effect", "blur-dark,box,tint")
        let given = try subjects("--effect", "blur-dark,box,tint", "--radius", "7", "--noise", "0.1")
        #expect(zip(plain, given).map { $0 != $1 } == [true, true, false])
        try scratch.frost("check", "a.png", "--effect", "tint", "--radius", "3").expectError(2, "--radius; tint takes")
        try scratch.frost("check", "a.png", "--radius", "3").expectError(2, "--radius")
        try scratch.frost("check", "a.png", "--effect", "blur-dark", "--radius", "999")
            .expectError(2, "--radius 999", "0 to 300")
    }

    /// --edge applies to the blurs and to every effect that has an edge option.
    @Test func edge() throws {
        #expect(try subjects("--sigma", "2", "--effect", "light", "--edge", "mirror").count == 2)
    }

    @Test func linear() throws {
        #expect(try subjects("--sigma", "3", "--effect", "blur-dark", "--linear").count == 2)
    }

    /// With rectangles, the results of the backends match the exact result. The test uses rectangles that have rounded
    /// corners, are cut by the picture's edge, overlap, contain content, or are bounded.
    @Test(arguments: [
        ["--rect", "3,4,20,15"], ["--rect", "3,4,20,15", "--rect", "10,9,40,40", "--corner-radius", "5"],
        ["--rect", "2,2,15,12", "--rect", "20,10,30,15", "--bounded", "--corner-radius", "3"],
        ["--rect", "2,2,15,12", "--rect", "20,10,15,15", "--content", "label.png", "--vibrancy", "label"],
    ]) func rectangles(words: [String]) throws {
        try scratch.picture("clear.png", 40, 30, PixelFormat(.greyAlpha), seed: 3)
        for name in ["a.png", "clear.png"] {
            let words = ["check", name, "--effect", "blur-dark,material-thin-light", "--report", "out.html"] + words
            let outcome = try scratch.run(Program.path, words)
            #expect(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
            #expect(outcome.lines.count >= 2)
        }
    }

    @Test func rectanglesRefused() throws {
        try scratch.frost("check", "a.png", "--rect", "0,0,9,9", "--rect", "8,8,9,9", "--bounded")
            .expectError(2, "--rect", "overlap", "--bounded")
        try scratch.frost("check", "a.png", "--corner-radius", "3").expectError(2, "--corner-radius needs --rect")
        let outside = try scratch.frost("check", "a.png", "--sigma", "2", "--rect", "90,90,9,9")
        #expect(outside.code == 2 && outside.output.isEmpty)
    }

    /// Plain content is drawn over every blur and every effect, but vibrant content only over styles. A message names the
    /// blurs and effects over which vibrant content is not drawn.
    @Test func content() throws {
        _ = try subjects("--sigma", "3", "--effect", "light", "--content", "label.png", "--content-mode", "center")
        let mixed = try scratch.frost(
            "check", "a.png", "--sigma", "2,3", "--effect", "tint,light", "--content", "label.png", "--vibrancy",
            "label")
        #expect(mixed.code == 0, "\(mixed.errors)")
        #expect(mixed.errors.contains("drawn without content, because they have no vibrancy: gaussian, tint\n"))
        try scratch.frost(
            "check", "a.png", "--effect", "tint", "--content", "label.png", "--vibrancy", "label"
        ).expectError(2, "--vibrancy: none of the chosen effects has vibrancy", "material-thin-dark")
        try scratch.frost("check", "a.png", "--vibrancy", "label").expectError(2, "--vibrancy needs --content")
        try scratch.frost("check", "-", "--content", "-").expectError(2, "standard input can be used only once")
    }
}
