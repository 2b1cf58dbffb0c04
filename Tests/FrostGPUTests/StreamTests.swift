import FrostCore
import FrostGLES
@testable import FrostGPU
import FrostTestSupport
import Testing

/// Tests work that is submitted first and collected later. They use both ways of transferring pixels.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct StreamTests {
    static func executor(_ path: TransferPath, inFlight: Int = 3, idleBytes: Int = 512 << 20) throws -> GPUExecutor {
        try GPUExecutor(
            device: .any, options: GPUOptions(idleBytes: idleBytes, transfer: path, maximumInFlight: inFlight))
    }

    /// Submitted work gives the same bits as the blocking call. Images of several sizes and formats are in progress at the
    /// same time, and they are collected in another order than they were submitted.
    @Test(arguments: TransferPath.allCases)
    func whatIsCollectedIsWhatExecuteGives(_ path: TransferPath) throws {
        let gpu = try Self.executor(path)
        let formats = [
            PixelFormat(.rgba), PixelFormat(.grey), PixelFormat(.bgra, alpha: .premultiplied), PixelFormat(.rgb, .u16),
            PixelFormat(.greyAlpha, .f32),
        ]
        for round in 0..<4 {
            var expected: [PixelBuffer] = []
            var tickets: [(GPUTicket, Plan)] = []
            for index in 0..<3 {
                let (width, height) = (40 + 7 * index, 60 - 9 * round)
                let format = formats[(index + round) % formats.count]
                let source = try Samples.noise(width, height, format, seed: UInt64(10 * round + index))
                let plan = ExecutorTests.plan(width, height)
                expected.append(try gpu.run(plan, on: source).output)
                tickets.append((try gpu.submit(plan, source), plan))
            }
            for index in [1, 2, 0] {
                let output = try gpu.collect(tickets[index].0).output
                #expect(output == expected[index], "\(path), round \(round), image \(index)")
            }
        }
        #expect(gpu.statistics.inFlight == 0)
        #expect(gpu.statistics.executions == 24)
    }

    /// The two ways of transferring pixels differ only in how they copy. Both for the upload and for the readback, the image
    /// needs more bands than the ring has transfer buffers.
    @Test func bothWaysGiveTheSameBits() throws {
        let source = try Samples.noise(600, 2300, PixelFormat(.rgba, .f32, alpha: .premultiplied))
        let extent = source.layout.extent
        let plan = Plans.single(.convolve(taps: [1]), .x, .clamp, extent: extent, region: extent)
        for path in TransferPath.allCases {
            let gpu = try Self.executor(path)
            let (output, report) = try gpu.run(plan, on: source)
            #expect(report.bytesUploaded == 600 * 2300 * 16)
            #expect(report.bytesRead == 600 * 2300 * 16)
            #expect(output == source, "\(path)")
            let collected = try gpu.collect(gpu.submit(plan, source)).output
            #expect(collected == source, "\(path)")
        }
    }

    @Test func theQueueIsBounded() throws {
        let gpu = try Self.executor(.buffers, inFlight: 2)
        let source = try Samples.noise(20, 20, PixelFormat(.rgba))
        let plan = ExecutorTests.plan(20, 20)
        let first = try gpu.submit(plan, source)
        let second = try gpu.submit(plan, source)
        #expect(throws: GPUError.queueFull(limit: 2)) { try gpu.submit(plan, source) }
        #expect(gpu.statistics.inFlight == 2)
        try gpu.collect(first)
        let third = try gpu.submit(plan, source)
        try gpu.collect(second)
        try gpu.collect(third)
    }

    @Test(arguments: TransferPath.allCases)
    func aTicketIsCollectedOnceByItsOwnExecutor(_ path: TransferPath) throws {
        let gpu = try Self.executor(path)
        let source = try Samples.noise(20, 20, PixelFormat(.rgba))
        let plan = ExecutorTests.plan(20, 20)
        let ticket = try gpu.submit(plan, source)
        #expect(throws: GPUError.invalidTicket("it belongs to another executor")) {
            try Self.executor(path).collect(ticket)
        }
        #expect(throws: GPUError.self) { try gpu.collect(ticket, format: PixelFormat(.rgba, alpha: .premultiplied)) }
        #expect(throws: GPUError.self) { try gpu.collect(ticket, size: (20, 21)) }
        while try !gpu.isFinished(ticket) {}
        try gpu.collect(ticket)
        #expect(throws: GPUError.invalidTicket("it was already collected")) { try gpu.collect(ticket) }
        #expect(throws: GPUError.invalidTicket("it was already collected")) { try gpu.isFinished(ticket) }
    }

    /// In a long stream, some work is dropped or refused. No objects are left behind, and the memory does not grow.
    @Test(arguments: TransferPath.allCases)
    func nothingLeaks(_ path: TransferPath) throws {
        let gpu = try Self.executor(path)
        let source = try Samples.noise(50, 40, PixelFormat(.rgba))
        let plan = ExecutorTests.plan(50, 40)
        func stream(_ count: Int) throws {
            var tickets: [GPUTicket] = []
            for index in 0..<count {
                if tickets.count == 3 { try gpu.collect(tickets.removeFirst()) }
                if index % 5 == 4 { tickets.removeLast() }
                #expect(throws: GPUError.self) { try gpu.submit(plan, source, format: PixelFormat(.rgba, .u16)) }
                tickets.append(try gpu.submit(plan, source))
            }
            for ticket in tickets { try gpu.collect(ticket) }
        }
        try stream(20)
        let before = gpu.statistics
        try stream(100)
        let after = gpu.statistics
        #expect(after.inFlight == 0)
        #expect(after.objects.withoutFences == before.objects.withoutFences)
        #expect(after.objects.fences == 0)
        #expect(after.targetsCreated == before.targetsCreated)
        try gpu.trim()
        #expect(gpu.statistics.idleBytes == 0)
        #expect(gpu.statistics.objects.textures == 0)
        // The one buffer that remains holds uniforms.
        #expect(gpu.statistics.objects.buffers == 1)
    }

    @Test(arguments: TransferPath.allCases)
    func idleMemoryIsBounded(_ path: TransferPath) throws {
        let gpu = try Self.executor(path, idleBytes: 50_000)
        for side in stride(from: 20, to: 200, by: 17) {
            let source = try Samples.noise(side, side, PixelFormat(.rgba))
            try gpu.collect(gpu.submit(ExecutorTests.plan(side, side), source))
            // Idle textures and idle buffers are each limited to `idleBytes`.
            #expect(gpu.statistics.idleBytes <= 100_000)
        }
    }

    @Test func cancellingStopsTheWait() throws {
        let gpu = try Self.executor(.buffers)
        let source = try Samples.noise(50, 40, PixelFormat(.rgba))
        let plan = ExecutorTests.plan(50, 40)
        let cancellation = Cancellation()
        let cancelled = try gpu.submit(plan, source, cancellation: cancellation)
        let other = try gpu.submit(plan, source)
        cancellation.cancel()
        #expect(throws: GPUError.cancelled) { try gpu.collect(cancelled) }
        #expect(throws: GPUError.cancelled) { try gpu.submit(plan, source, cancellation: cancellation) }
        try gpu.collect(other)
        #expect(gpu.statistics.inFlight == 1)
    }

    @Test func threadsMaySubmitAndCollectAtTheSameTime() async throws {
        let gpu = try Self.executor(.buffers, inFlight: 8)
        let plan = ExecutorTests.plan(60, 45)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                let source = try Samples.noise(60, 45, PixelFormat(.rgba), seed: UInt64(task))
                let expected = try gpu.run(plan, on: source).output
                group.addTask {
                    for _ in 0..<10 {
                        let output = try gpu.collect(gpu.submit(plan, source)).output
                        #expect(output == expected)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(gpu.statistics.inFlight == 0)
    }

    @Test func afterAShutdownTicketsAreLost() throws {
        let gpu = try Self.executor(.buffers)
        let source = try Samples.noise(9, 9, PixelFormat(.rgba))
        let ticket = try gpu.submit(ExecutorTests.plan(9, 9), source)
        gpu.shutdown()
        #expect(throws: GPUError.gl(.contextLost(reason: "it was shut down"))) { try gpu.collect(ticket) }
    }

    @Test func theWayAndItsReasonAreReported() throws {
        let gpu = try GPUExecutor(device: .any)
        try gpu.run(ExecutorTests.plan(9, 9), on: Samples.noise(9, 9, PixelFormat(.rgba)))
        let prefix = gpu.device.isSoftware ? "direct: software GL" : "pixel buffers: "
        #expect(gpu.statistics.transfer.hasPrefix(prefix), "\(gpu.statistics.transfer)")
    }

    // MARK: GPU timing

    @Test func theGPUsTimeIsReported() throws {
        let gpu = try GPUExecutor(device: .any)
        let source = try Samples.noise(300, 200, PixelFormat(.rgba))
        let clock = ContinuousClock()
        let start = clock.now
        var reports: [GPUReport] = []
        for _ in 0..<5 { reports.append(try gpu.run(ExecutorTests.plan(300, 200), on: source).report) }
        for _ in 0..<5 { reports.append(try gpu.collect(gpu.submit(ExecutorTests.plan(300, 200), source)).report) }
        let wall = (clock.now - start).seconds
        let times = reports.compactMap(\.gpuSeconds)
        let statistics = gpu.statistics
        guard try TestGPU.hasTimers() else {
            #expect(times.isEmpty && statistics.timedExecutions == 0 && statistics.objects.queries == 0)
            return
        }
        // A measurement can be lost by a jump of the GPU's clock, a late result or a fault of the driver. So only five of
        // the ten measurements are required.
        #expect(times.count >= 5)
        #expect(times.allSatisfy { $0 > 0 })
        #expect(times.reduce(0, +) < wall)
        #expect(statistics.timedExecutions >= times.count && statistics.timedExecutions <= 10)
        #expect(statistics.gpuSeconds >= times.reduce(0, +) * 0.999)
        #expect((1...10).contains(statistics.objects.queries))
    }

    /// If a pass fails, no timer query stays open.
    @Test func anExecutionThatFailsStopsItsClock() throws {
        let gpu = try GPUExecutor(device: .any, options: GPUOptions(allowedFormats: [.rgba8]))
        let source = try Samples.noise(20, 20, PixelFormat(.rgba))
        let extent = source.layout.extent
        let signed = Plans.separable([-1, 3, -1], .clamp, extent: extent, region: extent, isSigned: true)
        for _ in 0..<3 {
            #expect(throws: GPUError.self) { try gpu.run(signed, on: source) }
            try gpu.run(ExecutorTests.plan(20, 20), on: source)
        }
        #expect(gpu.statistics.executions == 3)
        #expect(gpu.statistics.objects.queries <= 3)
    }
}

extension TestGPU {
    static func hasTimers() throws -> Bool {
        let thread = try GLThread.open(.any)
        return try thread.perform { (gl) throws(GLError) in try TimerQuery(in: gl) != nil }
    }
}

extension GPUExecutor {
    func submit(
        _ plan: Plan, _ source: PixelBuffer, format: PixelFormat? = nil, cancellation: Cancellation? = nil
    ) throws -> GPUTicket {
        try unsafe source.withUnsafeBytes { memory in
            let base = try unsafe #require(memory.baseAddress)
            return try unsafe submit(
                plan, source: PixelSource(base, layout: source.layout), format: format ?? source.format,
                cancellation: cancellation)
        }
    }

    @discardableResult func collect(
        _ ticket: GPUTicket, format: PixelFormat? = nil, size: (width: Int, height: Int)? = nil
    ) throws -> (output: PixelBuffer, report: GPUReport) {
        let size = size ?? (ticket.region.width, ticket.region.height)
        let layout = try PixelLayout(width: size.width, height: size.height, format: format ?? ticket.format)
        var output = PixelBuffer(layout: layout)
        let report = try unsafe output.withUnsafeMutableBytes { memory in
            let base = try unsafe #require(memory.baseAddress)
            return try unsafe collect(ticket, into: PixelTarget(base, layout: layout))
        }
        return (output, report)
    }
}
