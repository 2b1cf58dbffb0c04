import Frost
import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

@testable import FrostCLI

/// Tests `frost effect --content`, which draws a picture over a panel. Input and output are files.
@Suite struct ContentTests {
    private let scratch: Scratch
    private let picture: PixelBuffer
    private let label: PixelBuffer

    init() throws {
        scratch = try Scratch()
        picture = try scratch.picture("in.png", 40, 30)
        label = try scratch.picture("label.png", 9, 7, PixelFormat(.rgba), seed: 5)
    }

    private func run(_ words: String...) throws -> Outcome {
        try scratch.run(Program.path, ["effect"] + words + ["-o", "out.png", "--backend", "cpu"])
    }

    /// The output file has the same pixels as a panel of the style that the library renders.
    @Test(arguments: [nil] + Vibrancy.Kind.allCases) func writesTheLibrarysPixels(kind: Vibrancy.Kind?) throws {
        for (mode, isGiven) in [(ContentMode.center, false), (.scaleToFill, true), (.bottomRight, true)] {
            let words =
                (kind.map { ["--vibrancy", $0.rawValue] } ?? [])
                + (isGiven ? ["--content-mode", mode.rawValue] : [])
            let outcome = try scratch.run(
                Program.path,
                ["effect", "blur-dark", "in.png", "-o", "out.png", "--backend", "cpu", "--content", "label.png"] + words
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
            let effect = try VisualEffect(.dark) {
                PanelContent(ContentImage(label), vibrancy: kind, mode: mode)
            }.effect()
            let expected = try Renderer(backend: .cpu).render(picture, effect).image
            #expect(try scratch.image("out.png").bytes == expected.bytes)
        }
    }

    /// Each rectangle is a separate panel with its own copy of the content. This also holds if the picture's edge crops the
    /// panel.
    @Test func rectangles() throws {
        let outcome = try run(
            "material-thick-light", "in.png", "--content", "label.png", "--vibrancy", "label", "--content-mode",
            "center", "--rect", "2,3,12,10", "--rect", "30,20,14,12")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let out = try scratch.image("out.png")
        let renderer = try Renderer(backend: .cpu)
        for rect in [Rect(x: 2, y: 3, width: 12, height: 10), Rect(x: 30, y: 20, width: 14, height: 12)] {
            let effect = try VisualEffect(.material(.thick, .light)) {
                PanelContent(ContentImage(label), vibrancy: .label, mode: .center)
            }.effect(bounds: rect)
            let whole = try renderer.render(picture, effect).image
            for y in rect.rows.clamped(to: 0..<30) {
                for x in rect.columns.clamped(to: 0..<40) {
                    let at = (y * 40 + x) * 3
                    #expect(out.bytes[at..<at + 3] == whole.bytes[at..<at + 3], "\(x),\(y)")
                }
            }
        }
    }

    /// Every effect accepts content that keeps its own colours. Only styles whose vibrancy is known accept --vibrancy.
    @Test func otherEffects() throws {
        #expect(try run("gpuimage-ios", "in.png", "--content", "label.png").code == 0)
        #expect(try run("light", "in.png", "--content", "label.png", "--vibrancy", "fill").code == 0)
        try run("tint", "in.png", "--content", "label.png", "--vibrancy", "label")
            .expectError(2, "--vibrancy: tint", "light, extra-light, dark, blur-extra-light", "material-chrome-dark")
    }

    @Test func refusals() throws {
        try run("dark", "in.png", "--vibrancy", "label").expectError(2, "--vibrancy", "--content")
        try run("dark", "in.png", "--content-mode", "center").expectError(2, "--content-mode", "--content")
        try run("dark", "in.png", "--content", "label.png", "--vibrancy", "title")
            .expectError(2, "--vibrancy title", "label, secondary-label, fill, separator, system")
        try run("dark", "in.png", "--content", "label.png", "--content-mode", "tile")
            .expectError(2, "--content-mode tile", "scale-to-fill")
        try run("dark", "in.png", "--content", "none.png").expectError(3, "none.png")
        try run("dark", "-", "--content", "-").expectError(2, "standard input can be used only once")
        try scratch.frost("blur", "in.png", "-o", "out.png", "--sigma", "2", "--content", "label.png")
            .expectError(2, "--content")
    }
}
