import FrostCore
import FrostImages
import FrostMotion
import FrostTestSupport
import Testing

@testable import FrostCLI

/// Tests how the command line chooses the destination and the timing of an animation.
@Suite struct SequenceOutputTests {
    private func output(
        _ output: String, _ format: String? = nil, frames: Int = 72, force: Bool = false, isTerminal: Bool = false
    ) throws(CommandError) -> SequenceOutput {
        try SequenceOutput(FilePath(output), format: format, frames: frames, force: force, isTerminal: isTerminal)
    }

    private func error(
        _ text: String, _ format: String? = nil, frames: Int = 72, isTerminal: Bool = false
    ) -> String {
        do throws(CommandError) {
            _ = try output(text, format, frames: frames, isTerminal: isTerminal)
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    private func path(_ output: SequenceOutput, _ frame: Int) -> String? {
        if case .files(let path) = output.target { path(frame).text } else { nil }
    }

    @Test("The name or --format determines the format")
    func formats() throws {
        #expect(try output("out.y4m").format == .y4m)
        #expect(try output("a.b/OUT.WEBP").format == .webp)
        #expect(try output("out.apng").format == .apng)
        #expect(try output("-").format == .y4m)
        #expect(try output("-", "webp").format == .webp)
        #expect(try output("/dev/stdout", "apng").format == .apng)
        #expect(try output("none", "apng").format == .apng)
        #expect(try output("none/{frame}.png").format == .pictures(.png))
        #expect(try output("none/{frame}.webp").format == .pictures(.webp))
        #expect(try output("none/{frame}.webp", "webp").format == .pictures(.webp))
        #expect(try output("none/{frame}", "jpg").format == .pictures(.jpeg))
        #expect(try output("none/").format == .pictures(.png))
        #expect(try output("none/", "webp").format == .pictures(.webp))
    }

    @Test("A single frame may be a picture")
    func single() throws {
        for (name, format) in [("a.png", ImageFormat.png), ("a.jpg", .jpeg), ("a.webp", .webp)] {
            #expect(try output(name, frames: 1).format == .pictures(format))
        }
        #expect(try output("a.apng", frames: 1).format == .apng)
        #expect(try output("-", "png", frames: 1).format == .pictures(.png))
    }

    @Test("Frames are numbered from 0, with as many zeros as the last number needs")
    func numbersOfFrames() throws {
        let names = try output("none/f{frame}-{frame}.png")
        #expect(path(names, 0) == "none/f0000-0000.png" && path(names, 71) == "none/f0071-0071.png")
        #expect(path(try output("none/{frame}.png", frames: 10_000), 9999) == "none/9999.png")
        #expect(path(try output("none/{frame}.png", frames: 10_001), 9999) == "none/09999.png")
        #expect(path(try output("none/"), 3) == "none/0003.png")
        #expect(path(try output("none/", "jpeg"), 3) == "none/0003.jpg")
        #expect(path(try output("out.y4m"), 3) == nil)
    }

    @Test("Names that cannot hold the frames are errors that tell what to do")
    func refused() {
        #expect(
            error("dir/out.png")
                == "dir/out.png: PNG holds one picture, not 72 frames; use a template such as dir/out-{frame}.png, or "
                + "the suffix .y4m, .webp or .apng")
        #expect(error("-", "png").contains("use --format y4m, webp or apng"))
        #expect(error("out.y4n").contains("unknown output format") && error("out.y4n").contains("(did you mean y4m?)"))
        #expect(error("none").contains("--format NAME"))
        #expect(error("none", "y4n").contains("did you mean y4m"))
        #expect(
            error("out.webp", "apng")
                == "out.webp: the file name means animated WebP, but --format selects animated PNG")
        #expect(error("out.png", "y4m").contains("the file name means PNG, but --format selects Y4M"))
        #expect(error("{frame}.png", "jpg").contains("the file name means PNG, but --format selects JPEG"))
        #expect(error("{frame}.y4m").contains("Y4M holds all frames in one file"))
        #expect(error("{frame}", "apng").contains("animated PNG holds all frames in one file"))
        #expect(error("none/", "y4m") == "none/: Y4M holds all frames in one file, but --output names a folder")
        #expect(error("{frame}").contains("unknown output format"))
        #expect(error("{stem}.png") == "--output: unknown placeholder {stem}; allowed: {frame}")
        #expect(error("{frame.png").contains("unknown placeholder"))
        #expect(error("a{frame").contains("format"))
        #expect(error("a.{frame", "png").contains("does not end"))
        #expect(error("-", isTerminal: true).contains("standard output is a terminal"))
        #expect(error("out.y4m", isTerminal: true) == "no error")
    }

    @Test("Existing frames are kept unless --force is given")
    func existing() throws {
        let scratch = try ScratchFolder()
        try ScratchFolder.write("\(scratch.path)/0002.png", [1])
        let pattern = "\(scratch.path)/{frame}.png"
        #expect(error(pattern).contains("0002.png: file exists"))
        #expect(error(pattern, frames: 2) == "no error")
        #expect(try output(pattern, force: true).format == .pictures(.png))
        #expect(error(scratch.path).contains("0002.png: file exists"))
    }

    @Test("The folder of the frames is created, and the frames are written into it")
    func folder() throws {
        let scratch = try ScratchFolder()
        let layout = try PixelLayout(width: 3, height: 2, format: PixelFormat(.rgb))
        func write(_ pattern: String) throws {
            let output = try output(pattern, frames: 3)
            var writer = try output.writer(layout, try FrameRate(25), SequenceOptions())
            for _ in 0..<3 { try writer.write(PixelBuffer(layout: layout)) }
            try writer.finish()
        }
        try write("\(scratch.path)/a/b/")
        #expect(Folder.names(in: "\(scratch.path)/a/b").sorted() == ["0000.png", "0001.png", "0002.png"])
        try write("\(scratch.path)/new/{frame}.png")
        #expect(Folder.names(in: "\(scratch.path)/new").sorted() == ["0000.png", "0001.png", "0002.png"])
        // A folder that cannot be created is an error about the first file.
        try ScratchFolder.write("\(scratch.path)/file", [1])
        let error = #expect(throws: ImageError.self) { try write("\(scratch.path)/file/{frame}.png") }
        #expect(error.map { "\($0)".contains("file/0000.png: cannot be written") } == true)
    }

    @Test("The number of frames is the duration times the rate")
    func timing() throws {
        func arguments(_ words: String...) throws -> Arguments {
            try Arguments(words[...], options: Option.sequences, environment: { _ in nil })
        }
        func error(_ words: String...) -> String {
            do {
                _ = try FrameTimes(try Arguments(words[...], options: Option.sequences, environment: { _ in nil }))
                return "no error"
            } catch {
                return "\(error)"
            }
        }
        let times = try FrameTimes(try arguments("--duration", "1.2"))
        #expect(times.values.count == 72)
        #expect(try times.rate == FrameRate(60))
        #expect(times.values.first == 0 && times.values.last == 1)
        #expect(try FrameTimes(try arguments("--duration", "10", "--fps", "30000/1001")).values.count == 300)
        #expect(try FrameTimes(try arguments("--duration", "0.01")).values == [0])
        #expect(error("--fps", "30") == "--duration SECONDS is required")
        #expect(
            error("--duration", "0.008")
                == "--duration 0.008: shorter than a frame at 60 frames per second; use at least 0.0167 seconds")
        #expect(error("--duration", "16667").contains("allowed: up to 1000000 frames, or 16666 seconds"))
        #expect(error("--duration", "0").contains("is out of range"))
        #expect(error("--duration", "1", "--fps", "0").contains("--fps 0: frame rate 0 is out of range"))
        #expect(error("--duration", "1", "--fps", "1001").contains("allowed: 0.01 to 1000"))
        #expect(error("--duration", "1", "--fps", "fast").contains("--fps fast: not frames per second"))
    }

    @Test("Options that do not apply to the output are errors")
    func options() throws {
        let all: [FrostCLI.Option] = Option.sequences + Option.pictures + [.threads]
        func error(_ name: String, _ words: String...) -> String {
            do {
                let arguments = try Arguments(words[...], options: all, environment: { _ in nil })
                _ = try output(name).format.options(arguments, picture: ImageWriteOptions(), threads: 1)
                return "no error"
            } catch {
                return "\(error)"
            }
        }
        #expect(error("a.y4m", "--quality", "5") == "--quality does not apply to Y4M output")
        #expect(error("a.y4m", "--loop", "5") == "--loop does not apply to Y4M output")
        #expect(error("a.y4m", "--keep", "all") == "--keep does not apply to Y4M output")
        #expect(error("a.y4m", "--depth", "16") == "--depth 16 does not apply to Y4M output")
        #expect(error("a.y4m", "--depth", "8") == "no error")
        #expect(error("a.webp", "--chroma", "444") == "--chroma does not apply to animated WebP output")
        #expect(error("a.apng", "--quality", "5") == "--quality does not apply to PNG output")
        #expect(error("none/{frame}.png", "--loop", "1") == "--loop does not apply to PNG output")
        #expect(error("a.webp", "--quality", "5", "--loop", "65535") == "no error")
        #expect(error("a.y4m", "--chroma", "444", "--background", "white") == "no error")
        let arguments = try Arguments(["--loop", "3", "--threads", "2"], options: all, environment: { _ in nil })
        let options = try output("a.webp").format.options(
            arguments, picture: ImageWriteOptions(), threads: arguments.threads)
        #expect(options.plays == 3 && options.threads == 2 && options.chroma == .quarter)
    }
}
