import FrostCore
import FrostDrawing
@testable import FrostGLES
import FrostTestSupport
import Testing

@testable import FrostGPU

/// Tests the choice between fragment shaders and compute shaders. These tests need no GL.
@Suite struct ShaderChoiceTests {
    private static func times(copy: Double = 2, taps: Double = 2, lookups: Double = 2) -> ShaderTimes {
        var times = ShaderTimes()
        for (shape, compute) in [(ShaderShape.copy, copy), (.taps, taps), (.lookups, lookups)] {
            times.add(compute, shape, .compute)
            times.add(1, shape, .fragment)
        }
        return times
    }

    @Test("each shape of work gets the kind of shaders that is faster by more than a twentieth")
    func fasterKind() {
        let choice = ShaderChoice(Self.times(copy: 0.94, taps: 0.96, lookups: 0.1), isSoftware: false)
        #expect(choice.path(.copy) == .compute && choice.path(.lookups) == .compute)
        #expect(choice.path(.taps) == .fragment)
        #expect(choice.description.hasPrefix("compute shaders for copy, lookups: "), "\(choice)")
        func kinds(_ ratio: Double, isSoftware: Bool) -> String {
            ShaderChoice(Self.times(copy: ratio, taps: ratio, lookups: ratio), isSoftware: isSoftware).description
        }
        for (ratio, isSoftware) in [(1.0, false), (1, true), (0.6, true)] {
            #expect(kinds(ratio, isSoftware: isSoftware).hasPrefix("fragment shaders: "))
        }
        for (ratio, isSoftware) in [(0.6, false), (0.1, false), (0.4, true)] {
            #expect(kinds(ratio, isSoftware: isSoftware).hasPrefix("compute shaders: "))
        }
    }

    @Test("times are read as they were written, and damaged text is not used") func text() throws {
        let times = Self.times(copy: 0.00021, taps: 1.5e-5)
        #expect(ShaderTimes(times.text) == times)
        let lines = times.text.split(separator: "\n").map(String.init)
        for index in lines.indices {
            var without = lines
            without.remove(at: index)
            #expect(ShaderTimes(without.joined(separator: "\n")) == nil, "without \(lines[index])")
            for line in [
                "", "copy", "copy compute", "copy compute x", "copy compute 0", "copy compute -1", "copy gpu 1",
            ] {
                var other = lines
                other[index] = line
                #expect(ShaderTimes(other.joined(separator: "\n")) == nil, "\(line) in place of \(lines[index])")
            }
        }
    }

    @Test(
        "the environment variable selects a kind",
        arguments: [
            ("compute", ShaderPath.compute), ("fragment", .fragment), ("auto", nil), ("", nil), ("Compute", nil),
        ]) func variable(_ text: String, _ path: ShaderPath?)
    {
        #expect(GPUOptions.shaders { $0 == "FROST_GPU_SHADERS" ? text : nil } == path)
        #expect(GPUOptions.shaders { _ in nil } == nil)
    }
}

/// Tests that both kinds of shaders compute the same plans.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct ShaderPathTests {
    private static func executor(
        _ path: ShaderPath?, coversWhole: Bool? = nil, cache: ProgramCacheLocation = .off
    ) throws -> GPUExecutor {
        var options = GPUOptions(programCache: cache)
        options.shaders = path
        options.coversWhole = coversWhole
        return try GPUExecutor(device: .any, options: options)
    }

    private static let effects: [(String, Effect)] = {
        let sigmas = [0.7, 2, 5, 8, 30, 200].map { sigma in
            ("sigma \(sigma)", try? Effect(GaussianBlur(sigma: sigma, edge: .mirror)))
        }
        let edges = EdgeMode.allCases.map { edge in
            ("edge \(edge)", try? Effect(GaussianBlur(sigmaX: 9, sigmaY: 1.5, edge: edge)))
        }
        let others = ["light", "progressive", "zoom", "disc", "material-thin-light"].map { name in
            (name, try? EffectCatalog.effect(name).make())
        }
        return (sigmas + edges + others).compactMap { name, effect in effect.map { (name, $0) } }
    }()

    @Test(
        "compute shaders run where they are requested, and differ from fragment shaders by at most a step",
        arguments: [true, false])
    func samePictures(coversWhole: Bool) throws {
        let compute = try Self.executor(.compute, coversWhole: coversWhole)
        try #require(!compute.limits.storableFormats.isEmpty)
        let fragment = try Self.executor(.fragment)
        let formats = [PixelFormat(.rgba), PixelFormat(.rgba, alpha: .straight), PixelFormat(.rgba, .u16)]
        for (number, format) in formats.enumerated() {
            let source = try Samples.noise(203, 150, format)
            for (name, effect) in TestCases.share(Self.effects, of: 3, from: number) {
                let plan = try effect.plan(extent: source.layout.extent)
                let one = try compute.run(plan, on: source, format: effect.outputFormat(for: format))
                let other = try fragment.run(plan, on: source, format: effect.outputFormat(for: format))
                #expect(
                    one.report.shaders == Set([ShaderPath.compute])
                        && other.report.shaders == Set([ShaderPath.fragment]), "\(name)")
                // Rounding differs where drivers contract products and sums in one kind only.
                let difference = try Comparison(SampleRows(one.output), SampleRows(other.output)).maximum
                #expect(difference <= 1, "\(name), \(format)")
            }
        }
        // Tiles have the bits of the whole, and a picture may be smaller than the filter.
        let small = try Samples.noise(90, 61, PixelFormat(.rgba))
        for sigma in [2.0, 6, 40] {
            let blur = try GaussianBlur(sigma: sigma, edge: .mirror)
            let whole = try compute.run(blur.plan(extent: small.layout.extent), on: small).output
            let part = Rect(x: 17, y: 9, width: 40, height: 33)
            let tile = try compute.run(blur.plan(extent: small.layout.extent, region: part), on: small).output
            #expect(try tile == whole.cropped(to: part), "sigma \(sigma)")
        }
        // The comparison sees a difference: another sigma.
        let source = try Samples.noise(203, 150, PixelFormat(.rgba))
        let blurs = try [2.0, 2.5].map { try GaussianBlur(sigma: $0).plan(extent: source.layout.extent) }
        let outputs = try blurs.map { try compute.run($0, on: source).output }
        #expect(try Comparison(SampleRows(outputs[0]), SampleRows(outputs[1])).maximum > 1)
    }

    @Test("without a request the device is measured once, and the times are kept beside the programs")
    func measured() throws {
        let scratch = try ScratchFolder()
        let gpu = try Self.executor(nil, cache: .folder(scratch.path))
        let unmeasured = GPUStatistics().shaders
        let source = try Samples.noise(64, 48, PixelFormat(.rgba))
        let plan = try GaussianBlur(sigma: 2).plan(extent: source.layout.extent)
        // Software GL is measured after two images.
        for _ in 0..<(gpu.device.isSoftware ? 2 : 0) {
            #expect(gpu.statistics.shaders == unmeasured)
            try gpu.run(plan, on: source)
        }
        #expect(gpu.statistics.shaders == unmeasured)
        try gpu.run(plan, on: source)
        let description = gpu.statistics.shaders
        #expect(description.contains("times of compute shaders / fragment shaders: copy "), "\(description)")
        let again = try Self.executor(nil, cache: .folder(scratch.path))
        try again.run(try GaussianBlur(sigma: 2).plan(extent: source.layout.extent), on: source)
        #expect(again.statistics.shaders == description)
        #expect(again.statistics.programsCompiled == 0 || !TestGPU.hasBinaries)
    }

    @Test("times that are kept belong to one device and driver") func kept() throws {
        let scratch = try ScratchFolder()
        var times = ShaderTimes()
        for shape in ShaderShape.allCases {
            for path in ShaderPath.allCases { times.add(0.25, shape, path) }
        }
        let thread = try GLThread.open(.any)
        defer { thread.shutdown() }
        let (found, foreign) = try thread.perform { (gl) throws(GLError) in
            var binaries = ProgramBinaries(ProgramCache(.folder(scratch.path)), in: gl)
            binaries.keep(times.text, as: "times", of: gl.device)
            let other = DeviceInfo(
                index: 0, platform: nil, renderNode: nil, pciPath: nil, eglVendor: "", eglVersion: "", vendor: "other",
                renderer: gl.device.renderer, version: gl.device.version, shadingLanguage: gl.device.shadingLanguage,
                isSoftware: false)
            return (binaries.note("times", of: gl.device), binaries.note("times", of: other))
        }
        #expect(found.flatMap(ShaderTimes.init) == times && foreign == nil)
    }
}
