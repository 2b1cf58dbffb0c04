import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Tests plans that process rows as a stream, for sources that can be read only once.
struct StreamingTests {
    /// The output rows of a chain of passes, and for each of them the input row after which it was emitted.
    struct Flow {
        var rows: [[Float]] = []
        /// For each output row, the input row after which it was emitted.
        var cause: [Int] = []
        var inputRows: Range<Int>
        /// The number of rows that each vertical pass keeps in memory.
        var capacities: [Int] = []
    }

    static let format = PixelFormat(.rgba, .f32, alpha: .premultiplied)

    /// Prepares the plan for execution in floats.
    static func floats(_ plan: Plan) -> CPUPlan {
        CPUPlan(plan, source: format, target: format, arithmetic: Arithmetic(floats: 4))
    }

    /// Creates a driver to which rows are pushed, and the two rows that it writes alternately.
    static func driver(
        _ plan: Plan, _ listener: RowListener, cancellation: Cancellation? = nil
    ) throws -> (PassDriver, RowStorage) {
        let target = try RowStorage(rows: 2, floats: 4 * plan.region.width)
        let memory = unsafe CallerMemory(target: TargetRows(target), listener: listener, cancellation: cancellation)
        let driver = try PassDriver(
            floats(plan), passes: plan.passes.indices, rows: plan.region.rows, read: nil,
            output: .target(nil), memory)
        return (driver, target)
    }

    static func flow(_ plan: Plan, _ image: PixelBuffer) throws -> Flow {
        let listener = RowListener()
        let (driver, target) = try driver(plan, listener)
        defer { withExtendedLifetime(target) {} }
        var flow = Flow(inputRows: driver.inputRows)
        #expect(plan.extent.rows.clamped(to: driver.inputRows) == driver.inputRows)
        var next = plan.region.y
        for row in driver.inputRows {
            let values = (0..<plan.extent.width).flatMap { x in
                (0..<4).map { Float(image[x, row - plan.extent.y, $0]) }
            }
            listener.rowIsComplete = { index in
                #expect(index == next)
                next += 1
                // SAFETY: rows of the target have the region's width.
                flow.rows.append(
                    unsafe Array(UnsafeBufferPointer(start: target.row(index & 1).floats, count: 4 * plan.region.width))
                )
                flow.cause.append(row)
            }
            // SAFETY: the row is as wide as the extent.
            try unsafe values.withUnsafeBytes { bytes in
                try driver.push(row, unsafe Row(reading: bytes.baseAddress.unsafelyUnwrapped))
            }
        }
        #expect(next == plan.region.rows.upperBound)
        flow.capacities = driver.rowsKept
        return flow
    }

    static let sigmas: [(Double, Double)] = [(0.7, 0.7), (2, 2), (3.3, 3.3), (8, 8), (40, 40), (0, 5), (5, 0), (2, 30)]

    @Test(
        "rows pushed in order come out in order, to the bit as the whole image gives them", arguments: EdgeMode.allCases
    )
    func order(_ edge: EdgeMode) throws {
        for (sigmaX, sigmaY) in Self.sigmas {
            let blur = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge)
            for (width, height) in [(23, 120), (1, 1), (5, 37)] {
                let extent = Rect(x: -3, y: 11, width: width, height: height)
                let image = try TestImage.make(.uniformNoise, width, height, Self.format)
                for region in [
                    extent, Rect(x: -8, y: 2, width: width + 9, height: height + 20),
                    Rect(x: -3, y: 11 + height / 2, width: 1, height: 1),
                ] {
                    let plan = try blur.plan(extent: extent, region: region)
                    guard !plan.passes.isEmpty else { continue }
                    let whole = try Blurring.execute(plan, image, threads: 1)
                    let flow = try Self.flow(plan, image)
                    #expect(flow.rows.count == region.height)
                    for (y, row) in flow.rows.enumerated() {
                        let expected = (0..<region.width).flatMap { x in (0..<4).map { Float(whole[x, y, $0]) } }
                        #expect(
                            row.map(\.bitPattern) == expected.map(\.bitPattern), "\(blur) \(extent) \(region): row \(y)"
                        )
                    }
                }
            }
        }
    }

    /// Returns the source rows that the plan's passes along y read for one output row, before the edge mode applies.
    static func reach(_ plan: Plan, _ row: Int) -> Range<Int> {
        plan.passes.filter { $0.axis == .y }.reversed().reduce(row..<row + 1) { $1.operation.reach(of: $0) }
    }

    @Test(
        "an output row is emitted as soon as the rows that it reads have arrived",
        arguments: [EdgeMode.clamp, .clear, .mirror])
    func promptness(_ edge: EdgeMode) throws {
        for sigma in [0.7, 2, 3.3, 8, 40] {
            let (width, height) = (3, 2000)
            let image = try TestImage.make(.uniformNoise, width, height, Self.format)
            let plan = try GaussianBlur(sigma: sigma, edge: edge).plan(extent: image.layout.extent)
            let flow = try Self.flow(plan, image)
            for (row, cause) in flow.cause.enumerated() {
                // In the mirror edge mode, rows above the image are copies of rows inside the image. The first output rows
                // have to wait for these rows.
                let reach = Self.reach(plan, row)
                let last = max(reach.upperBound - 1, edge == .mirror ? -reach.lowerBound - 1 : 0)
                #expect(cause <= min(last, height - 1), "sigma \(sigma), row \(row)")
            }
            #expect(flow.cause[0] < height / 2)
        }
    }

    @Test(
        "a flow keeps as many rows as its filters reach, whatever the height",
        arguments: [EdgeMode.clamp, .clear, .mirror])
    func memory(_ edge: EdgeMode) throws {
        for sigma in [0.7, 2, 3.3, 8, 40] {
            for height in [1500, 3000] {
                let plan = try GaussianBlur(sigma: sigma, edge: edge).plan(
                    extent: Rect(x: 0, y: 0, width: 3, height: height))
                let capacities = try Self.driver(plan, RowListener()).0.rowsKept
                let vertical = plan.passes.filter { $0.axis == .y }
                #expect(capacities.count == vertical.count)
                for (index, (capacity, pass)) in zip(capacities, vertical).enumerated() {
                    // A pass keeps one row per tap, and one row more if it emits two rows per input row. A pass with the
                    // mirror edge mode keeps more rows, because the rows above and below its input are copies of rows
                    // inside it. The limit is then the number of rows that the plan reads for one row of its lowest
                    // resolution.
                    let coarsest = 1 << (plan.slots.map(\.levelY).max() ?? 0)
                    let reach = (Self.reach(plan, 0).count + coarsest) >> index
                    let limit = max(pass.edge.mode == .mirror ? reach : 0, pass.operation.taps.count + 1)
                    #expect(capacity <= limit, "sigma \(sigma): \(pass.operation.name) at height \(height)")
                }
            }
        }
    }

    @Test(
        "8-bit rows pushed in order give the bytes of the whole image", arguments: EdgeMode.allCases,
        [
            PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb), PixelFormat(.grey),
            PixelFormat(.greyAlpha), PixelFormat(.bgra),
        ])
    func bytes(_ edge: EdgeMode, _ format: PixelFormat) throws {
        for (sigmaX, sigmaY) in Self.sigmas {
            let blur = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge)
            let image = try TestImage.make(.uniformNoise, 61, 83, format)
            let plan = try blur.plan(extent: image.layout.extent)
            let output = blur.outputFormat(for: format)
            let whole = try Blurring.execute(plan, image, threads: 2, padding: 0, format: output)
            let flow = try RowFlow(plan, source: format, target: output)
            var rows: [UInt8] = []
            for y in flow.sourceRows {
                // SAFETY: the row lies within the image, and its bytes are copied during the call.
                try unsafe image.withUnsafeBytes { (bytes) throws(CPUError) in
                    guard let base = bytes.baseAddress else { return }
                    try unsafe flow.push(base + y * image.layout.bytesPerRow) { unsafe rows += $1 }
                }
            }
            #expect(rows == whole.bytes, "\(blur) \(format)")
        }
    }

    @Test("a cancelled flow stops at the next row")
    func cancellation() throws {
        let cancellation = Cancellation()
        let plan = try GaussianBlur(sigma: 2).plan(extent: Rect(x: 0, y: 0, width: 4, height: 50))
        let listener = RowListener()
        let (driver, target) = try Self.driver(plan, listener, cancellation: cancellation)
        // Otherwise the driver would write into memory that another test has got from the pool.
        defer { withExtendedLifetime(target) {} }
        let row = try RowStorage(rows: 1, floats: 4 * plan.extent.width)
        var emitted = 0
        listener.rowIsComplete = { _ in emitted += 1 }
        var error: CPUError?
        do throws(CPUError) {
            for index in driver.inputRows {
                if index == 30 { cancellation.cancel() }
                try driver.push(index, row.row(0))
            }
        } catch let caught {
            error = caught
        }
        #expect(error == .cancelled)
        #expect(emitted > 0 && emitted < 30)
    }
}
