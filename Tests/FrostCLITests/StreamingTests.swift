import Foundation
import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests streaming: a picture is decoded, blurred and encoded in a single pass over its rows.
struct StreamingTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("in.png", 700, 1200)
        _ = try scratch.frost("blur", "in.png", "-o", "whole.png", "--sigma", "4", "--rect", "0,0,700,1200", "-q")
    }

    @Test("The result is that of the whole image, for any number of threads and through pipes")
    func same() throws {
        let expected = try scratch.bytes("whole.png")
        for threads in ["1", "2", "7"] {
            let outcome = try scratch.frost(
                "blur", "in.png", "-o", "out.png", "--sigma", "4", "-q", "--threads", threads)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(try scratch.bytes("out.png") == expected)
        }
        let piped = try scratch.shell("cat in.png | \"$FROST\" blur - -o - --sigma 4 -q | cat")
        #expect([UInt8](piped.output) == expected)
        // The output file is the input file.
        _ = try scratch.frost("blur", "in.png", "-o", "in.png", "--sigma", "4", "-q")
        #expect(try scratch.bytes("in.png") == expected)
        #expect(try scratch.entries() == ["in.png", "out.png", "whole.png"])
    }

    @Test("An input that is broken half-way is exit 3: the old output stays, and nothing is written to a pipe")
    func broken() throws {
        let file = try scratch.bytes("in.png")
        for count in [file.count / 2, file.count - 1] {
            try scratch.write(Array(file[..<count]), "cut.png")
            try scratch.write([1, 2, 3], "old.png")
            for threads in ["1", "4"] {
                try scratch.frost("blur", "cut.png", "-o", "old.png", "--sigma", "4", "--threads", threads)
                    .expectError(3, "cut.png")
                #expect(try scratch.bytes("old.png") == [1, 2, 3])
                try scratch.frost("blur", "cut.png", "-o", "-", "--sigma", "4", "--threads", threads)
                    .expectError(3, "cut.png")
            }
        }
        #expect(try scratch.entries() == ["cut.png", "in.png", "old.png", "whole.png"])
    }

    @Test("A disc that is full is exit 6, and leaves nothing behind")
    func full() throws {
        try scratch.frost("blur", "in.png", "-o", "/dev/full", "--sigma", "1").expectError(6, "No space left on device")
        // `ulimit -f 1024` limits files to 512 KiB, and the result is larger.
        let outcome = try scratch.shell(
            "trap '' XFSZ; ulimit -f 1024; exec \"$FROST\" blur in.png -o out.png --sigma 0.2 -q")
        outcome.expectError(6, "out.png", "File too large")
        #expect(try scratch.entries() == ["in.png", "whole.png"])
    }

    @Test("A run on the CPU opens no library of EGL or OpenGL", arguments: ["cpu", "exact"])
    func cpuOpensNoEGL(_ backend: String) throws {
        #expect(try !opensEGL("--backend", backend))
    }

    @Test(
        "The automatic choice opens no library of EGL without a DRM device",
        .enabled(if: !FileManager.default.fileExists(atPath: "/dev/dri"), "this machine has a DRM device"))
    func automaticChoiceOpensNoEGL() throws {
        #expect(try !opensEGL())
    }

    @Test("A run on the GPU opens EGL", .enabled(if: TestGPU.isWanted, "no EGL device"))
    func gpuOpensEGL() throws {
        #expect(try opensEGL("--backend", "gpu"))
    }

    /// Returns whether a run opens EGL, according to the debug output of glibc's loader.
    private func opensEGL(_ options: String...) throws -> Bool {
        try scratch.picture("small.png", 8, 8)
        let arguments = ["blur", "small.png", "-o", "small.png", "--sigma", "1"] + options
        let outcome = try scratch.run(Program.path, arguments, environment: ["LD_DEBUG": "files"])
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("libpng"))
        return outcome.errors.contains("libEGL")
    }
}
