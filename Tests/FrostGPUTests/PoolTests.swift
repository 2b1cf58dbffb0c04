import FrostCore
import FrostGLES
@testable import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Glibc
import Testing

/// Tests how textures and pixel buffers are reused for images of other sizes.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct PoolTests {
    /// Returns sizes of up to 160 x 120 pixels, in a fixed pseudo-random order.
    private static func sizes(_ count: Int) -> [(width: Int, height: Int)] {
        var generator = SeededGenerator(seed: 21)
        return (0..<count).map { _ in
            (Int.random(in: 1...160, using: &generator), Int.random(in: 1...120, using: &generator))
        }
    }

    /// The number of sizes to try.
    private static let count = TestCases.every ? 5000 : 2000

    private static let limit = 256 << 20

    /// Blurs that together use direct filters, decimations and interpolations, and output stages.
    private static let effects: Result<[Effect], ParameterError> = Result { () throws(ParameterError) in
        [
            Effect(try GaussianBlur(sigma: 1.5, edge: .mirror)), Effect(try GaussianBlur(sigma: 7)),
            Effect(
                name: "colored", blur: try GaussianBlur(sigma: 20),
                outputStages: OutputStages(inside: [.matrix(.saturation(1.8))], dither: Dither())),
        ]
    }

    private static func plan(_ index: Int, _ width: Int, _ height: Int) throws -> Plan {
        let effects = try effects.get()
        return try effects[index % effects.count].plan(extent: Rect(x: 0, y: 0, width: width, height: height))
            .replacingCopy(.clamp)
    }

    @Test(
        "images of thousands of random sizes need at most 300 GL objects, and each result is the one of a new executor",
        arguments: [TransferPath.direct, .buffers])
    func randomSizes(_ path: TransferPath) throws {
        func make() throws -> GPUExecutor { try GPUExecutor(device: .any, options: GPUOptions(transfer: path)) }
        let gpu = try make()
        let source = try Samples.noise(160, 120, PixelFormat(.rgba))
        for (index, size) in Self.sizes(Self.count).enumerated() {
            let picture = try source.cropped(to: Rect(x: 0, y: 0, width: size.width, height: size.height))
            let plan = try Self.plan(index, size.width, size.height)
            // Half of the images take the way of streams, which has pixel buffers of the image's size.
            let result =
                index % 2 == 0
                ? try gpu.run(plan, on: picture).output : try gpu.collect(gpu.submit(plan, picture), size: size).output
            if index % 500 > 497 {
                #expect(try make().run(plan, on: picture).output == result, "\(size), \(index)")
            }
            #expect(gpu.statistics.idleBytes <= 2 * Self.limit)
        }
        let objects = gpu.statistics.objects
        #expect(objects.created <= 300, "\(objects)")
        // Apart from the rings of pixel buffers, which have a fixed size.
        let rings = path == .buffers ? 6 * StagingRing.capacity : 0
        #expect(objects.bytes <= rings + 4 << 20, "\(objects)")
        let freed = try gpu.trim()
        let after = gpu.statistics.objects
        #expect(freed == objects.bytes - after.bytes && freed > 0)
        #expect(after.textures == 0 && after.framebuffers == 0)
        #expect(after.bytes < objects.bytes)
    }

    @Test("textures are deleted when images become smaller, but not for a few small images") func smallerImages() throws
    {
        let thread = try GLThread.open(.any)
        let bytes = try thread.perform { (gl) throws(GLError) in
            var pool = TargetPool(idleLimit: Self.limit, sideLimit: 4096)
            // The large texture is more than 64 times as large as the others need, so they do not take it.
            return (
                large: try Self.use(4000, 10, &pool, gl), mixed: try Self.use(400, 10, &pool, gl),
                small: try Self.use(400, 20 * RecentUse.period, &pool, gl)
            )
        }
        #expect(bytes.large >= 64_000_000 && bytes.mixed > bytes.large && bytes.small <= 32 << 20, "\(bytes)")
    }

    /// Takes a target from a pool and gives it back, `count` times.
    ///
    /// - Returns: the idle bytes afterwards.
    private static func use(
        _ side: Int, _ count: Int, _ pool: inout TargetPool, _ gl: borrowing CurrentContext
    ) throws(GLError) -> Int {
        for _ in 0..<count {
            pool.giveBack(try pool.take(TargetKey(format: .rgba8, width: side, height: side), in: gl))
        }
        return pool.idleBytes
    }

    @Test("a target that is dropped is no longer in use") func droppedTargets() throws {
        let thread = try GLThread.open(.any)
        let used = try thread.perform { (gl) throws(GLError) in
            var pool = TargetPool(idleLimit: Self.limit, sideLimit: 4096)
            let key = TargetKey(format: .rgba8, width: 100, height: 100)
            let kept = try pool.take(key, in: gl)
            var dropped: Target? = try pool.take(key, in: gl)
            let both = withExtendedLifetime(dropped) { pool.usedBytes }
            dropped = nil
            let one = pool.usedBytes
            pool.giveBack(kept)
            return (both: both, kept: one, none: pool.usedBytes)
        }
        #expect(used.both == 2 * used.kept && used.kept > 0 && used.none == 0, "\(used)")
    }

    @Test("trimming returns the memory to the system") func trimming() async {
        // The test runs in a separate process, in which no other test allocates memory.
        await #expect(processExitsWith: .success) {
            // On a busy machine llvmpipe's rasterizer thread falls behind, and the driver then keeps the textures of the
            // draws that waited until it draws as many at once again. Without a thread it rasterizes immediately.
            // SAFETY: no other thread runs yet, and both texts end in NUL.
            _ = unsafe setenv("LP_NUM_THREADS", "0", 1)
            let gpu = try GPUExecutor(device: .any)
            try gpu.run(PoolTests.plan(0, 1500, 1200), on: Samples.noise(1500, 1200, PixelFormat(.rgba)))
            let before = ProcessState.current.residentKiB
            let freed = try gpu.trim()
            #expect(freed > 20 << 20)
            // Up to a fifth of a texture lies outside its image, and was never touched.
            var returned: Int { (before - ProcessState.current.residentKiB) << 10 }
            #expect(10 * returned > 7 * freed, "\(returned) of \(freed)")
            #expect(try gpu.trim() == 0)
        }
    }

    /// Before each use all texels of a target become NaN or, in normalised formats, white. A result that depended on
    /// a texel outside an image would show it.
    @Test("no result depends on the texels around an image", arguments: [SampleType.u8, .f16, .f32])
    func surroundings(_ sample: SampleType) throws {
        var options = GPUOptions()
        let clean = try GPUExecutor(device: .any, options: options)
        options.poisonsTargets = true
        let poisoned = try GPUExecutor(device: .any, options: options)
        let band = Mask.band(Mask.Band(top: 0.2, bottom: 0.5, falloff: 0.3))
        var effects = try Self.effects.get()
        effects.append(Effect(name: "disc", blur: try DiscBlur(radius: 4)))
        effects.append(Effect(name: "zoom", blur: try ZoomBlur(scales: 0.8...1.1)))
        effects.append(Effect(name: "variable", blur: try VariableBlur(sigma: 9, mask: band)))
        for sigma in [0.7, 3, 4.5, 12, 33, 80] { effects.append(Effect(try GaussianBlur(sigma: sigma))) }
        for format in [PixelFormat(.rgba, sample), PixelFormat(.rgb, sample)] {
            let source = try Samples.noise(150, 117, format)
            let extent = Rect(x: 0, y: 0, width: 150, height: 117)
            for effect in effects {
                for region in [
                    extent, Rect(x: 31, y: 22, width: 47, height: 53), Rect(x: 1, y: 60, width: 9, height: 57),
                ] {
                    let plan = try effect.plan(extent: extent, region: region)
                    let expected = try clean.run(plan, on: source).output
                    #expect(
                        try poisoned.run(plan, on: source).output == expected, "\(effect), \(format), \(region)")
                }
            }
        }
    }

    @Test("the texels around an image are overwritten, so the test above can fail") func poison() throws {
        let thread = try GLThread.open(.any)
        let values = try thread.perform { (gl) throws(GLError) in
            var pool = TargetPool(idleLimit: 0, sideLimit: 4096, poisons: true)
            let target = try pool.take(TargetKey(format: .rgba32F, width: 5, height: 1), in: gl)
            var values = [Float](repeating: 0, count: 4 * target.texture.width)
            let read = unsafe values.withUnsafeMutableBytes { memory in
                Result { () throws(GLError) in try unsafe target.framebuffer.read(rows: 0..<1, into: memory, in: gl) }
            }
            try read.get()
            return values
        }
        #expect(values.count == 4 * 24 && values.allSatisfy(\.isNaN))
    }

    @Test(
        "memory is allocated in few sizes: less than an eighth and 8 is unused, and no side is a power of two")
    func sizeClasses() {
        var classes: Set<Int> = []
        for count in 17...4096 {
            let side = SizeClass.next(count)
            #expect(side >= count && 8 * (side - count - 8) < side, "\(count) -> \(side)")
            #expect(SizeClass.next(side) == side && side & (side - 1) != 0)
            classes.insert(side)
        }
        #expect(classes.count <= 64)
        #expect(SizeClass.next(1) == 24 && SizeClass.next(256) == 264 && SizeClass.next(1920) == 1920)
    }
}
