import Foundation
import Frost
import FrostCLITestSupport
import FrostGLES
import FrostGPU
import Testing

@testable import FrostCLI
@testable import FrostMeasure

/// Tests `frost bench --textures`. No test depends on how much time anything takes.
@Suite(.enabled(if: TestGPU.isWanted, "no EGL device")) struct TextureBenchTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func bench(_ words: String...) throws -> Outcome { try scratch.run(Program.path, ["bench"] + words) }

    @Test func theReportHasABlurAndACopy() throws {
        let outcome = try bench(
            "--textures", "--gpu-shaders", "auto", "--size", "64x48,33x7", "--sigma", "2,8", "--runs", "1", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let objects = try outcome.objects
        #expect(objects.map { $0["sigma"] as? Double } == [2, 8, 2, 8])
        #expect(objects.map { $0["copy_bytes"] as? Int } == [64 * 48, 64 * 48, 33 * 7, 33 * 7].map { $0 * 8 })
        for object in objects {
            #expect(object["schema"] as? String == "frost.bench.textures/1")
            let blur = try #require(object["min_ms"] as? Double)
            let copy = try #require(object["copy_ms"] as? Double)
            #expect(blur > 0 && copy > 0 && (object["runs"] as? Int ?? 0) >= 1)
            // The fastest copy is named, and each kind of shaders has a time.
            #expect(HostTextures.Copy(rawValue: object["copied_by"] as? String ?? "") != nil)
            #expect((object["shaders"] as? String ?? "").contains(" shaders"))
            for path in ShaderPath.allCases where !(object["shaders"] as? String ?? "").contains("has no others") {
                #expect(object["\(path)_ms"] as? Double ?? 0 > 0)
            }
            let ratio = try #require(object["ratio"] as? Double)
            // The printed times have five decimals, so the ratio is that of times that differ by half of the last one.
            #expect(abs(ratio - blur / copy) <= 0.0005 + 5e-6 * (1 + ratio) / copy)
        }
    }

    @Test func optionsOfOtherMeasurementsAreRefused() throws {
        for words in [["--backdrop"], ["--verify"], ["--backend", "cpu"], ["--format", "rgba8"], ["--threads", "1"]] {
            let refused = try scratch.run(Program.path, ["bench", "--textures"] + words)
            refused.expectError(2, "--textures cannot be combined with \(words[0])")
        }
    }

    /// Each copy that is measured copies every pixel, in both directions.
    @Test(arguments: HostTextures.Copy.allCases) func theCopyIsTheWholePicture(_ way: HostTextures.Copy) throws {
        let picture = try BenchPicture.synthetic.pixels(PictureSize(width: 61, height: 37), .rgba8)
        let other = PixelBuffer(layout: picture.layout)
        try GLThread.open(.any).perform { (gl) throws(GLError) in
            let textures = try HostTextures(picture, in: gl)
            // Only contexts before OpenGL ES 3.1 lack a copy.
            guard textures.copies.contains(way) else { return }
            try textures.copy(way, back: false, in: gl)
            #expect(try textures.readTarget(in: gl) == picture.bytes)
            // The target keeps the picture until it is copied again.
            try textures.upload(other, row: 0, in: gl)
            #expect(try textures.readTarget(in: gl) == picture.bytes)
            // The source gets the picture back, so copying it changes nothing. Without the copy back, the target is
            // black.
            try textures.copy(way, back: true, in: gl)
            try textures.copy(way, back: false, in: gl)
            #expect(try textures.readTarget(in: gl) == picture.bytes)
            try textures.upload(other, row: 0, in: gl)
            try textures.copy(way, back: false, in: gl)
            #expect(try textures.readTarget(in: gl) == other.bytes)
            try gl.checkErrors(after: "copies")
        }
    }
}
