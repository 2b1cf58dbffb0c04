import FrostCore
import FrostGLES
@testable import FrostGPU
import FrostTestSupport
import Testing

/// Tests the GPU executor's resources, the calls that it refuses, and how it recovers from errors.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct ExecutorTests {
    static func plan(_ width: Int, _ height: Int, taps: [Float] = Plans.skewed(3)) -> Plan {
        let extent = Rect(x: 0, y: 0, width: width, height: height)
        return Plans.pyramid(levels: 2, filter: Plans.four, taps: taps, .clamp, extent: extent, region: extent)
    }

    /// The second blur compiles programs with unrolled filters; the third makes nothing.
    @Test func aThirdBlurOfTheSameSizeMakesNothing() throws {
        let gpu = try GPUExecutor(device: .any)
        let source = try Samples.noise(120, 77, PixelFormat(.rgba))
        let first = try gpu.run(Self.plan(120, 77), on: source).output
        try gpu.run(Self.plan(120, 77), on: source)
        let before = gpu.statistics
        let third = try gpu.run(Self.plan(120, 77), on: source).output
        let after = gpu.statistics
        #expect(first == third)
        #expect(after.targetsCreated == before.targetsCreated)
        // Each transfer creates new fences, because a fence marks one moment in time. All other objects are reused.
        #expect(after.objects.withoutFences == before.objects.withoutFences)
        #expect(after.executions == 3)
        #expect(after.passes == 3 * Self.plan(120, 77).separable.list.count)
    }

    @Test func targetsAreSharedWithinAPlan() throws {
        let gpu = try GPUExecutor(device: .any)
        let extent = Rect(x: 0, y: 0, width: 64, height: 64)
        let places: [Place] = [.source, .slot(0), .slot(1), .slot(2), .slot(3), .output]
        let plan = Plan(
            extent: extent, region: extent,
            list: zip(places, places.dropFirst()).map {
                Pass(axis: .x, operation: .convolve(taps: [1]), from: $0, to: $1, edge: .clamp)
            },
            slots: Array(repeating: Slot(window: extent, levelX: 0, levelY: 0, isSigned: false), count: 4))
        try gpu.run(plan, on: Samples.noise(64, 64, PixelFormat(.rgb)))
        // There are three textures: one for the source and two slots, which are used alternately. The output is drawn into
        // the source's texture.
        #expect(gpu.statistics.targetsCreated == 3)
    }

    @Test func nothingLeaks() async {
        // The test runs in a separate process, in which no other test opens files or allocates memory.
        await #expect(processExitsWith: .success) {
            let gpu = try GPUExecutor(device: .any)
            let sizes = [(40, 31), (33, 60), (90, 7)]
            let sources = try sizes.map { try Samples.noise($0.0, $0.1, PixelFormat(.rgba)) }
            func round(_ index: Int) throws {
                let (width, height) = sizes[index % 3]
                try gpu.run(ExecutorTests.plan(width, height), on: sources[index % 3])
            }
            for index in 0..<60 { try round(index) }
            let objects = gpu.statistics.objects.withoutFences
            let before = ProcessState.current
            for index in 0..<200 { try round(index) }
            let after = ProcessState.current
            #expect(gpu.statistics.objects.withoutFences == objects)
            #expect(gpu.statistics.objects.fences <= 6)
            #expect(after.fileDescriptors == before.fileDescriptors, "\(before); \(after)")
            // Each of the 200 runs uses a few KB to 40 KB, both in Frost and in the driver. The driver also has caches of
            // its own.
            #expect(after.residentKiB < before.residentKiB + 2048, "\(before); \(after)")
        }
    }

    @Test func idleMemoryIsBounded() throws {
        let gpu = try GPUExecutor(device: .any, options: GPUOptions(idleBytes: 100_000))
        for side in stride(from: 20, to: 200, by: 17) {
            try gpu.run(Self.plan(side, side), on: Samples.noise(side, side, PixelFormat(.rgba)))
            #expect(gpu.statistics.idleBytes <= 100_000)
        }
        try gpu.trim()
        #expect(gpu.statistics.idleBytes == 0)
        #expect(gpu.statistics.objects.textures == 0)
        #expect(gpu.statistics.objects.framebuffers == 0)
    }

    @Test func executorsComeAndGo() async {
        await #expect(processExitsWith: .success) {
            let source = try Samples.noise(16, 16, PixelFormat(.rgba))
            try GPUExecutor(device: .any).run(ExecutorTests.plan(16, 16), on: source)
            let before = ProcessState.current
            for _ in 0..<8 { try GPUExecutor(device: .any).run(ExecutorTests.plan(16, 16), on: source) }
            #expect(ProcessState.current.fileDescriptors <= before.fileDescriptors)
        }
    }

    @Test func aCancelledExecutionThrowsAndTheNextWorks() throws {
        let gpu = try TestGPU.shared.get()
        let source = try Samples.noise(50, 40, PixelFormat(.rgba))
        let expected = try gpu.run(Self.plan(50, 40), on: source).output
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: GPUError.cancelled) {
            try gpu.run(Self.plan(50, 40), on: source, cancellation: cancellation)
        }
        #expect(try gpu.run(Self.plan(50, 40), on: source, cancellation: Cancellation()).output == expected)
    }

    @Test func cancellingFromAnotherThreadStopsSoon() async throws {
        let gpu = try GPUExecutor(device: .any)
        // On a software renderer, this plan takes much longer than the test waits before it cancels. A fast GPU may finish
        // before the cancellation.
        let extent = Rect(x: 0, y: 0, width: 1500, height: 1500)
        let plan = Plans.pyramid(
            levels: 1, filter: Plans.eight, taps: Plans.skewed(30), .clamp, extent: extent, region: extent)
        let source = PixelBuffer(layout: try PixelLayout(width: 1500, height: 1500, format: PixelFormat(.rgba)))
        let cancellation = Cancellation()
        let run = Task.detached { try gpu.run(plan, on: source, cancellation: cancellation).report }
        try await Task.sleep(for: .milliseconds(60))
        cancellation.cancel()
        let result = await run.result
        if case .failure(let error) = result { #expect(error as? GPUError == .cancelled) }
    }

    /// A hardware GPU might finish the work before the waiting thread first checks the clock. So does a software renderer
    /// while the system runs other programs instead of the waiting thread. The test then repeats with four times the work.
    @Test(.enabled(if: TestGPU.isSoftware, "needs a software renderer")) func aWaitIsBounded() throws {
        let thread = try GLThread.open(.any)
        var failure: GPUError?
        for iterations: Int32 in [2000, 8000, 32000] where failure == nil {
            do throws(GPUError) { try Self.waitNoTime(iterations: iterations, on: thread) } catch { failure = error }
        }
        #expect(failure == GPUError.gl(.timeout(what: "waiting for the GPU", seconds: 0)))
    }

    /// Draws an image of 1024 by 1024 pixels with so many iterations per pixel, and waits for it for 0 seconds.
    private static func waitNoTime(iterations: Int32, on thread: GLThread) throws(GPUError) {
        let fragment = """
            #version 300 es
            precision highp float;
            uniform ivec2 count;
            out vec4 result;
            void main() {
                float sum = gl_FragCoord.x;
                for (int i = 0; i < count.x; ++i) sum = fract(sum * 1.37 + 0.1);
                result = vec4(sum);
            }
            """
        let vertex = """
            #version 300 es
            void main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0, 0.0, 1.0); }
            """
        try thread.perform(failure: GPUError.gl) { (gl) throws(GPUError) in
            let fence = try fromGL { () throws(GLError) in
                let texture = try Texture(.rgba8, width: 1024, height: 1024, in: gl)
                let framebuffer = try Framebuffer(texture, in: gl)
                let program = try Program(vertex: vertex, fragment: fragment, in: gl)
                try program.use(in: gl)
                try program.set(program.uniform("count", in: gl), SIMD2(iterations, 0), in: gl)
                try gl.beginDrawing(into: framebuffer)
                try gl.drawTriangle(columns: 0..<1024, rows: 0..<1024, VertexArray(in: gl))
                return try Fence(in: gl)
            }
            try Patience(seconds: 0, cancellation: nil).wait(for: fence, in: gl)
        }
    }

    @Test func sidesOverTheLimitAreRefusedBeforeAnythingIsMade() throws {
        let gpu = try GPUExecutor(device: .any, options: GPUOptions(maximumTextureSize: 64))
        #expect(gpu.maximumTextureSize == 64)
        let source = try Samples.noise(65, 10, PixelFormat(.rgba))
        #expect(throws: GPUError.imageTooLarge(what: "the output", side: 65, limit: 64)) {
            try gpu.run(Self.plan(65, 10), on: source)
        }
        // A part of a larger image is allowed. Tiles are such parts.
        let extent = Rect(x: 0, y: 0, width: 65, height: 10)
        var plan = Plans.separable(
            Plans.skewed(2), .clamp, extent: extent, region: Rect(x: 0, y: 0, width: 60, height: 10))
        try gpu.run(plan, on: source)
        // The filters also read pixels around the part. The part and these pixels together may exceed the limit.
        plan.region.width = 63
        plan.separable.slots[0].window.width = 63
        #expect(throws: GPUError.imageTooLarge(what: "the image", side: 65, limit: 64)) {
            try gpu.run(plan, on: source)
        }
        #expect(gpu.statistics.executions == 1)
    }

    @Test func contradictoryPlansAreRefused() throws {
        let gpu = try TestGPU.shared.get()
        let source = try Samples.noise(20, 20, PixelFormat(.rgba))
        let good = Plans.separable(Plans.skewed(2), .clamp, extent: source.layout.extent, region: source.layout.extent)
        func refused(_ change: (inout Plan) -> Void) {
            var plan = good
            change(&plan)
            #expect { try gpu.run(plan, on: source) } throws: { error in
                if case GPUError.invalidPlan = error { true } else { false }
            }
        }
        refused { $0.separable.list = [] }
        refused { $0.separable.list.removeLast() }
        refused { $0.separable.list.swapAt(0, 1) }
        refused { $0.separable.list[1].from = .slot(1) }
        refused { $0.separable.list[1].from = .slot(-1) }
        refused { $0.separable.list[0].to = .slot(5) }
        refused { $0.separable.list[0].to = .source }
        refused { $0.separable.list[1].from = .output }
        refused { $0.separable.slots[0].window.width = 19 }
        refused { $0.separable.slots[0].window.x = 1 }
        refused { $0.separable.slots[0].window.width = 0 }
        refused { $0.separable.list[0].operation = .convolve(taps: [1, 2]) }
        refused { $0.separable.list[0].operation = .decimate(taps: [1]) }
        refused { $0.separable.list[0].operation = .interpolate(taps: []) }
        refused { $0.separable.list[0].operation = .convolve(taps: Array(repeating: 0, count: 100_001)) }
        refused { $0.extent.width = 21 }
        refused { $0.region.x = 1 << 40 }
        refused { $0.region.x = .max }
        refused { $0.extent.y = .min }
    }

    @Test func threadsShareOneExecutor() async throws {
        let gpu = try TestGPU.shared.get()
        try await Self.runConcurrently { _ in gpu }
    }

    @Test func executorsWorkSideBySide() async throws {
        let gpus = [try GPUExecutor(device: .any), try GPUExecutor(device: .any)]
        try await Self.runConcurrently { gpus[$0 % 2] }
    }

    /// Runs many tasks at the same time, each with its own image. Expects each task to get the result of its own image.
    private static func runConcurrently(_ gpu: @Sendable (Int) -> GPUExecutor) async throws {
        let reference = try TestGPU.shared.get()
        let plan = plan(60, 45)
        try await withThrowingTaskGroup(of: (Int, PixelBuffer).self) { group in
            for index in 0..<12 {
                let gpu = gpu(index)
                let source = try Samples.noise(60, 45, PixelFormat(.rgba), seed: UInt64(index))
                group.addTask { (index, try gpu.run(plan, on: source).output) }
            }
            for try await (index, output) in group {
                let source = try Samples.noise(60, 45, PixelFormat(.rgba), seed: UInt64(index))
                #expect(try reference.run(plan, on: source).output == output)
            }
        }
    }

    @Test func afterAShutdownExecutionsThrow() throws {
        let gpu = try GPUExecutor(device: .any)
        let source = try Samples.noise(9, 9, PixelFormat(.rgba))
        gpu.shutdown()
        gpu.shutdown()
        #expect(throws: GPUError.gl(.contextLost(reason: "it was shut down"))) {
            try gpu.run(Self.plan(9, 9), on: source)
        }
    }

    @Test func aMissingLibraryIsAReason() {
        let options = GPUOptions(context: ContextOptions(libraryName: "libEGL-that-is-not-there.so.7"))
        #expect {
            try GPUExecutor(device: .any, options: options)
        } throws: { error in
            guard case GPUError.gl(.libraryMissing(let name, let reason)) = error else { return false }
            return name == "libEGL-that-is-not-there.so.7" && reason.contains("cannot open shared object file")
        }
    }
}

extension ObjectCounts {
    /// These counts with `fences` and `created` set to 0, because these two counts change with each transfer.
    var withoutFences: ObjectCounts {
        var counts = self
        counts.fences = 0
        counts.created = 0
        return counts
    }
}
