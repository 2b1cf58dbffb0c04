import FrostCore
import FrostGLES
@testable import FrostGPU
import FrostTestSupport
import Testing

/// Tests GL programs that one executor stores in a cache and later executors reuse.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct ProgramStoreTests {
    private let scratch: ScratchFolder
    private let source: PixelBuffer
    private let plan: Plan

    init() throws {
        scratch = try ScratchFolder()
        source = try Samples.noise(40, 30, PixelFormat(.rgba))
        plan = ExecutorTests.plan(40, 30)
    }

    /// Runs the plan on a new executor and returns its output and statistics. All programs exist after the second image.
    private func run(
        _ location: ProgramCacheLocation, images: Int = 2
    ) throws -> (output: PixelBuffer, statistics: GPUStatistics) {
        let gpu = try GPUExecutor(device: .any, options: GPUOptions(programCache: location))
        for _ in 1..<images { try gpu.run(plan, on: source) }
        return (try gpu.run(plan, on: source).output, gpu.statistics)
    }

    private var files: [String] { Folder.names(in: scratch.path).map { "\(scratch.path)/\($0)" } }

    @Test(
        "without program binaries, the statistics state why nothing is stored",
        .enabled(if: !TestGPU.hasBinaries, "the driver supports them"))
    func withoutBinaries() throws {
        let problem = try run(.folder(scratch.path)).statistics.programCacheProblem
        #expect(problem == "the driver does not support program binaries")
    }

    /// A program with an unrolled filter is compiled for the second image that needs it. The first image is drawn by programs
    /// with loops, which have the same bits.
    @Test("the first image needs fewer programs, and has the bits of the later ones", arguments: EdgeMode.allCases)
    func firstImage(_ edge: EdgeMode) throws {
        for sigma in [0.8, 2, 3, 8, 30] {
            for format in [PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.rgba, .f32, alpha: .premultiplied)] {
                let gpu = try GPUExecutor(device: .any, options: GPUOptions(programCache: .off))
                let image = try Samples.noise(97, 83, format)
                let plan = try GaussianBlur(sigma: sigma, edge: edge).plan(extent: image.layout.extent)
                let runs = try (0..<3).map { _ in try gpu.run(plan, on: image) }
                let programs = runs.map(\.report.newPrograms)
                #expect(
                    programs[0] > 0 && programs[1] > 0 && programs[2] == 0, "sigma \(sigma), \(format): \(programs)")
                let isSame = runs.allSatisfy { $0.output == runs[0].output }
                #expect(isSame, "sigma \(sigma), \(format)")
            }
        }
    }

    /// On software GL, a program with an unrolled filter is compiled by the second process that needs it, and loaded by later
    /// ones. On hardware, processes with one image each never compile it.
    @Test("processes with one image each compile unrolled filters at most once", .needsProgramBinaries)
    func processes() throws {
        let runs = try (0..<4).map { _ in try run(.folder(scratch.path), images: 1) }
        let compiled = runs.map { $0.statistics.programsCompiled > 0 }
        #expect(compiled == [true, TestGPU.isSoftware, false, false])
        let isSame = runs.allSatisfy { $0.output == runs[0].output }
        #expect(isSame)
    }

    @Test("at most the allowed number of programs exist, the last used ones, and results stay the same")
    func limit() throws {
        let plans = try [1.5, 3, 7].flatMap { sigma in
            try [EdgeMode.mirror, .clear].map {
                try GaussianBlur(sigma: sigma, edge: $0).plan(extent: Rect(x: 0, y: 0, width: 40, height: 30))
            }
        }
        let free = try GPUExecutor(device: .any, options: GPUOptions(programCache: .off))
        for plan in plans { try free.run(plan, on: source) }
        let expected = try plans.map { try free.run($0, on: source).output }
        let needed = free.statistics.objects.programs
        let narrow = try GPUExecutor(device: .any, options: GPUOptions(programCache: .off, maximumPrograms: needed - 3))
        for _ in 0..<2 {
            for (plan, expected) in zip(plans, expected) {
                #expect(try narrow.run(plan, on: source).output == expected)
                #expect(narrow.statistics.objects.programs <= needed - 3)
            }
        }
        #expect(narrow.statistics.programsCompiled > needed)
        // The programs that were used last are still there.
        let compiled = narrow.statistics.programsCompiled
        _ = try narrow.run(plans[plans.count - 1], on: source)
        #expect(narrow.statistics.programsCompiled == compiled)
    }

    @Test(.needsProgramBinaries) func theSecondExecutorLoadsWhatTheFirstCompiled() throws {
        let first = try run(.folder(scratch.path))
        #expect(first.statistics.programsCompiled > 0)
        #expect(first.statistics.programsLoaded == 0)
        #expect(first.statistics.programCacheProblem == nil)
        #expect(files.count == first.statistics.programsCompiled)
        let second = try run(.folder(scratch.path))
        #expect(second.statistics.programsCompiled == 0)
        // Only the first image of the first process needs some programs with loops.
        #expect((1...first.statistics.programsCompiled).contains(second.statistics.programsLoaded))
        #expect(second.output == first.output)
        let third = try run(.folder(scratch.path))
        #expect(third.statistics.programsLoaded == second.statistics.programsLoaded)
        #expect(third.statistics.objects.programs == second.statistics.objects.programs)
    }

    /// These files have a valid checksum and a valid key, but contain no valid program. So only the driver can detect the
    /// fault.
    @Test(.needsProgramBinaries, arguments: ["garbage", "cut", "otherFormat"])
    func aPoisonedFileIsRefusedByTheDriverAndWrittenAnew(_ how: String) throws {
        let first = try run(.folder(scratch.path))
        // The programs that a later process needs.
        let needed = try run(.folder(scratch.path)).statistics.programsLoaded
        let good = files.map { ScratchFolder.read($0) }
        for path in files {
            let file = try #require(ScratchFolder.read(path))
            // The number of the key's bytes is in the header, and the key follows the header.
            let count = file[16..<24].reversed().reduce(0) { $0 << 8 + Int($1) }
            let key = Array(file[ProgramFile.headerLength...].prefix(count))
            let binary = try #require(ProgramFile.decode(file, key: key))
            let poison =
                switch how {
                case "garbage":
                    ProgramBinary(
                        format: binary.format, bytes: binary.bytes.indices.map { UInt8(truncatingIfNeeded: $0) })
                case "cut": ProgramBinary(format: binary.format, bytes: Array(binary.bytes.prefix(30)))
                default: ProgramBinary(format: 0x1234, bytes: binary.bytes)
                }
            try ScratchFolder.write(path, ProgramFile.encode(poison, key: key))
        }
        #expect(files.map { ScratchFolder.read($0) } != good)
        let second = try run(.folder(scratch.path))
        #expect(second.output == first.output)
        #expect(needed > 0 && second.statistics.programsRejected == needed)
        #expect(second.statistics.programsCompiled == needed)
        #expect(second.statistics.programsLoaded == 0)
        let third = try run(.folder(scratch.path))
        #expect(third.statistics.programsLoaded == needed)
        #expect(third.output == first.output)
    }

    @Test(.needsProgramBinaries) func itCanBeSwitchedOff() throws {
        let statistics = try run(.off).statistics
        #expect(statistics.programCacheProblem == "switched off")
        #expect(statistics.programsLoaded == 0)
        #expect(statistics.programsCompiled > 0)
    }

    @Test func aRefusedBinaryLeavesNoObjectAndNoError() throws {
        let thread = try GLThread.open(.any)
        let before = thread.objectCounts.total
        #expect {
            try thread.perform { (gl) throws(GLError) in
                let format = gl.limits.programBinaryFormats.first ?? 0
                _ = try Program(ProgramBinary(format: format, bytes: [1, 2, 3]), in: gl)
            }
        } throws: { error in
            if case GLError.link = error { true } else { false }
        }
        try thread.perform { (gl) throws(GLError) in try gl.checkErrors(after: "a refused binary") }
        #expect(thread.objectCounts.total == before)
    }
}
