import Foundation
import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests the commands compare, plan and devices.
@Suite struct OtherCommandTests {
    private let scratch: Scratch
    private let picture: PixelBuffer

    init() throws {
        scratch = try Scratch()
        picture = try scratch.picture("a.png", 20, 15)
    }

    /// Writes a copy of the picture with one sample changed.
    private func changed(_ name: String, x: Int, y: Int, channel: Int, to value: UInt8) throws {
        var bytes = picture.bytes
        bytes[(y * 20 + x) * 3 + channel] = value
        try PNG.write(DecodedImage(pixels: PixelBuffer(layout: picture.layout, bytes: bytes)), path: scratch.file(name))
    }

    @Test func identical() throws {
        let outcome = try scratch.frost("compare", "a.png", "a.png", "--max", "0")
        #expect(outcome.code == 0)
        #expect(outcome.text == "identical\n")
        let object = try #require(try scratch.frost("compare", "a.png", "a.png", "--json").objects.first)
        #expect(object["schema"] as? String == "frost.compare/1")
        #expect(object["max"] as? Double == 0 && object["mean"] as? Double == 0 && object["ssim"] as? Double == 1)
        #expect(object["psnr"] is NSNull && object["worst"] is NSNull)
        #expect(object["differing"] as? Int == 0)
    }

    /// compare detects a single changed sample of a single pixel and reports its position and channel.
    @Test func different() throws {
        let place: Int = (4 * 20 + 7) * 3 + 2
        let old = picture.bytes[place]
        try changed("b.png", x: 7, y: 4, channel: 2, to: old > 127 ? old - 100 : old + 100)
        // As for cmp and diff, different pictures are a failure unless --max allows the difference.
        #expect(try scratch.frost("compare", "a.png", "b.png").code == 1)
        #expect(try scratch.frost("compare", "a.png", "b.png", "--max", "100").code == 0)
        let outcome = try scratch.frost("compare", "a.png", "b.png", "--max", "99.9", "--json")
        #expect(outcome.code == 1)
        let object = try #require(try outcome.objects.first)
        #expect(object["status"] as? String == "failed")
        #expect(object["max"] as? Double == 100)
        #expect(object["differing"] as? Int == 1)
        let worst = try #require(object["worst"] as? [String: Any])
        #expect(worst["x"] as? Int == 7 && worst["y"] as? Int == 4 && worst["channel"] as? String == "blue")
        let text = try scratch.frost("compare", "a.png", "b.png", "--max", "1")
        #expect(text.code == 1)
        #expect(text.text.contains("max 100.000 steps at 7,4 blue"))
        #expect(text.errorLines.count == 1)
    }

    /// compare counts a difference in alpha even if the colours are equal. It ignores the colour of pixels that are
    /// transparent in both pictures.
    @Test func alphaCounts() throws {
        let layout = try PixelLayout(width: 2, height: 1, format: PixelFormat(.rgba))
        func write(_ name: String, _ bytes: [UInt8]) throws {
            try PNG.write(DecodedImage(pixels: PixelBuffer(layout: layout, bytes: bytes)), path: scratch.file(name))
        }
        try write("opaque.png", [0, 0, 0, 255, 0, 0, 0, 255])
        try write("clear.png", [0, 0, 0, 255, 0, 0, 0, 0])
        try write("hidden.png", [0, 0, 0, 255, 200, 100, 50, 0])
        #expect(try scratch.frost("compare", "opaque.png", "clear.png", "--max", "254").code == 1)
        #expect(try scratch.frost("compare", "hidden.png", "clear.png", "--max", "0").code == 0)
    }

    @Test func diffPicture() throws {
        try changed("b.png", x: 7, y: 4, channel: 0, to: picture.bytes[(4 * 20 + 7) * 3] ^ 0x80)
        let outcome = try scratch.frost("compare", "a.png", "b.png", "--max", "1", "--diff", "diff.png")
        #expect(outcome.code == 1)
        try scratch.frost("compare", "a.png", "b.png", "--diff", "./a.png").expectError(
            2, "--diff ./a.png would overwrite the input a.png")
        let diff = try scratch.image("diff.png")
        #expect(diff.width == 20 && diff.height == 15)
        #expect(diff.bytes.enumerated().filter { $1 != 0 }.map { $0.offset } == [(4 * 20 + 7) * 3])
        // The gain is the largest power of two with which the largest difference still fits into a byte. For a
        // difference of 128 the gain is 1.
        #expect(diff.bytes[(4 * 20 + 7) * 3] == 128 && outcome.errors.contains("diff.png: differences times 1"))
        try changed("c.png", x: 7, y: 4, channel: 0, to: picture.bytes[(4 * 20 + 7) * 3] ^ 0x08)
        let small = try scratch.frost("compare", "a.png", "c.png", "--diff", "small.png", "--json")
        #expect(try small.objects.first?["diffGain"] as? Double == 16)
        #expect(try scratch.image("small.png").bytes[(4 * 20 + 7) * 3] == 128)
    }

    /// With --json, the error object names the file that cannot be read.
    @Test func missingFile() throws {
        let outcome = try scratch.frost("compare", "a.png", "none.png", "--json")
        #expect(outcome.code == 3)
        let object = try #require(try outcome.objects.first)
        #expect(object["schema"] as? String == "frost.error/1" && object["input"] as? String == "none.png")
    }

    /// An option has the same meaning whether it stands before or after the command's name.
    @Test func optionsBeforeTheCommand() throws {
        for words in [
            ["--json", "compare", "a.png", "a.png"], ["--max", "0", "--json", "compare", "a.png", "a.png"],
            ["--max=0", "compare", "--json", "a.png", "a.png"],
        ] {
            let outcome = try scratch.run(Program.path, words)
            #expect(outcome.code == 0)
            #expect(try outcome.objects.first?["status"] as? String == "ok", "\(words)")
        }
        #expect(try scratch.frost("-V").text == scratch.frost("--version").text)
        try scratch.frost("--jsn", "compare").expectError(2, "--jsn")
    }

    /// Equal samples with different colours are a difference; a description that means sRGB equals none.
    @Test func colorsCount() throws {
        func write(_ name: String, _ change: (inout ImageMetadata) -> Void) throws {
            var image = DecodedImage(pixels: picture)
            change(&image.metadata)
            try PNG.write(image, path: scratch.file(name))
        }
        try write("srgb.png") { $0.renderingIntent = .perceptual }
        try write("gamma.png") { $0.gamma = 100_000 / 2 }
        try write("linear.png") { $0.gamma = 100_000 }
        try write("wide.png") {
            $0.chromaticities = Chromaticities(
                white: .init(x: 31270, y: 32900), red: .init(x: 70800, y: 29200), green: .init(x: 17000, y: 79700),
                blue: .init(x: 13100, y: 4600))
        }
        try write("pq.png") { $0.codePoints = CodePoints(primaries: 9, transfer: 16) }
        #expect(try scratch.frost("compare", "a.png", "srgb.png").code == 0)
        for name in ["gamma.png", "linear.png", "wide.png", "pq.png"] {
            let differing = try scratch.frost("compare", "a.png", name)
            #expect(differing.code == 1 && differing.text == "identical\n")
            #expect(differing.errors.contains(name) && differing.errors.contains("different colours"))
            #expect(try scratch.frost("compare", name, name).code == 0)
            let outcome = try scratch.frost("compare", "a.png", name, "--pixels", "--json")
            #expect(outcome.code == 0 && outcome.errors.contains("warning"))
            #expect(try outcome.objects.first?["sameColors"] as? Bool == false)
        }
    }

    @Test func sizesDiffer() throws {
        try scratch.picture("b.png", 20, 16)
        let outcome = try scratch.frost("compare", "a.png", "b.png")
        outcome.expectError(1, "20x15", "20x16")
        #expect(!outcome.errors.contains("warning"))
    }

    @Test func unreadableComparison() throws {
        try scratch.frost("compare", "a.png", "none.png").expectError(3, "none.png")
        try scratch.frost("compare", "a.png", "a.png", "--max", "-1").expectError(2, "--max")
        try scratch.frost("compare", "a.png", "a.png", "--max-side", "4").expectError(
            4, "width of 20 exceeds the limit of 4")
    }

    @Test func plan() throws {
        let outcome = try scratch.frost("plan", "--size", "3840x2160", "--sigma", "8")
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.lines.first == "blur of sigma 8" && outcome.lines[1].hasPrefix("1. decimate "))
        let ofDraws = try #require(outcome.lines.firstIndex(of: "on a GPU, for each pixel of the result:"))
        let ofPlan = outcome.lines[..<ofDraws]
        #expect(ofPlan.last?.hasPrefix("error bound 0.") == true)
        let object = try #require(
            try scratch.frost("plan", "--size", "3840x2160", "--sigma", "8", "--json").objects.first)
        #expect(object["schema"] as? String == "frost.plan/1")
        #expect(object["width"] as? Int == 3840 && object["height"] as? Int == 2160)
        #expect(try #require(object["errorBound"] as? Double) <= 0.4)
        let passes = try #require(object["passes"] as? [[String: Any]])
        #expect(object["sigma"] as? Double == 8)
        // The first line about the plan gives the sigma, the last line gives the error bound, and the line before the
        // last gives the number of bytes moved. The other lines are passes.
        #expect(passes.count == ofPlan.count - 3)
        // Behind them are the draws and their sum.
        let draws = try #require(object["draws"] as? [[String: Any]])
        #expect(draws.count == outcome.lines.count - ofDraws - 2)
        let last = try #require(passes.last)
        #expect(last["width"] as? Int == 3840 && last["height"] as? Int == 2160)
        for pass in passes {
            let taps = try #require(pass["taps"] as? [Double])
            // The taps of each filter sum to 1, so a filter does not change a constant image. The taps are printed with
            // nine decimals.
            let sum = taps.reduce(0, +)
            #expect(abs(sum - 1) < 1e-7)
        }
    }

    @Test func planOfNothing() throws {
        let outcome = try scratch.frost("plan", "--size", "30x20", "--sigma", "0")
        #expect(outcome.code == 0)
        #expect(outcome.lines == ["blur of sigma 0", "copy 30x20 at 0,0", "error bound 0"])
    }

    /// If the user sets a smaller error budget, the plan's error bound stays within this budget.
    @Test func planForABudget() throws {
        for budget in ["0.01", "1"] {
            let object = try #require(
                try scratch.frost("plan", "--size", "640x480", "--sigma", "8", "--accuracy", budget, "--json").objects
                    .first)
            #expect(try #require(object["errorBound"] as? Double) <= Double(budget) ?? 0)
        }
        try scratch.frost("plan", "--size", "640x480", "--sigma", "8", "--accuracy", "2").expectError(2, "--accuracy")
    }

    /// Planning the largest accepted sizes and sigmas does not trap.
    @Test(arguments: ["0.3", "2", "30", "1000"], [[], ["--json"]]) func planOfTheLargest(sigma: String, more: [String])
        throws
    {
        let outcome = try scratch.run(
            Program.path, ["plan", "--size", "1073741824x1073741824", "--sigma", sigma] + more)
        #expect(outcome.code == 0, "signal \(outcome.signal ?? 0)")
    }

    @Test func devices() throws {
        let outcome = try scratch.frost("devices", "--json")
        #expect(outcome.code == 0)
        let objects = try outcome.objects
        for object in objects {
            #expect(object["schema"] as? String == "frost.device/1")
            #expect(["usable", "unusable", "duplicate"].contains(object["status"] as? String))
        }
        let usable = objects.filter { $0["status"] as? String == "usable" }
        if TestGPU.isWanted { #expect(!usable.isEmpty) }
        for object in usable {
            #expect((object["renderer"] as? String)?.isEmpty == false)
            #expect(object["software"] is Bool)
            // --device accepts the index that `frost devices` lists.
            let index = try #require(object["index"] as? Int)
            let blur = try scratch.frost("blur", "a.png", "-o", "out.png", "--sigma", "2", "--device", "\(index)")
            #expect(blur.code == 0, "\(blur.errors)")
        }
        // At most one device is marked as the automatic choice, and it is a hardware device.
        let chosen = usable.filter { $0["auto"] as? Bool == true }
        #expect(chosen.count <= 1)
        #expect(chosen.allSatisfy { $0["software"] as? Bool == false })
        let text = try scratch.frost("devices")
        #expect(text.code == 0)
        #expect(text.lines.count == objects.count)
    }

    @Test func noDevices() throws {
        let none = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"]
        for words in [["devices"], ["devices", "--json"]] {
            let outcome = try scratch.run(Program.path, words, environment: none)
            #expect(outcome.code == 0)
            #expect(!outcome.text.contains("usable\",\"platform"))
        }
    }
}
