import FrostCore
import FrostTestSupport
import Testing

@testable import FrostCPU

/// Tests the order in which stages compute their rows, by following it row by row.
struct RowScheduleTests {
    /// Two stages: an image of half the height, and the result. Both read `radius` rows around their own. If `wraps`, the
    /// first rows of the source follow after its last row.
    private static func stages(height: Int, radius: Int, wraps: Bool) -> [RowSchedule.Stage] {
        let low = RowSchedule.Stage(rows: -radius..<height / 2 + radius, bytesPerRow: 100) { rows in
            var reads = RowSchedule.Reads()
            for row in 2 * rows.lowerBound - radius..<2 * rows.upperBound + radius {
                let place = wraps ? (row % height + height) % height : min(max(row, 0), height - 1)
                reads.source.insert(contentsOf: place..<place + 1)
            }
            return reads
        }
        let result = RowSchedule.Stage(rows: 0..<height, bytesPerRow: 200) { rows in
            RowSchedule.Reads(stages: [(0, rows.lowerBound / 2 - radius..<(rows.upperBound - 1) / 2 + radius + 1)])
        }
        return [low, result]
    }

    /// Follows a schedule. Returns whether each step finds what it reads, and the maximum number of rows that wait.
    private static func follow(
        _ schedule: RowSchedule, _ stages: [RowSchedule.Stage]
    ) -> (isValid: Bool, waiting: Int) {
        let height = stages[1].rows.count
        // The row that each place in memory holds, the rows of the source that have been replaced, and the rows that wait.
        var memory = [Int?](repeating: nil, count: schedule.capacities[0])
        var replaced = Set<Int>()
        var (waiting, most) = (Set<Int>(), 0)
        var isValid = true
        func place(_ row: Int) -> Int { (row - stages[0].rows.lowerBound) % memory.count }
        for step in schedule.steps {
            switch step {
            case .compute(let stage, let rows, let waits):
                let reads = stages[stage].reads(rows)
                let written = stage == 1 && !waits ? Set(rows) : []
                for range in reads.source.ranges {
                    isValid = isValid && range.allSatisfy { !replaced.contains($0) && !written.contains($0) }
                }
                for (_, range) in reads.stages { isValid = isValid && range.allSatisfy { memory[place($0)] == $0 } }
                if stage == 0 {
                    isValid = isValid && rows.count <= memory.count
                    for row in rows { memory[place(row)] = row }
                } else if waits {
                    waiting.formUnion(rows)
                    most = max(most, waiting.count)
                } else {
                    replaced.formUnion(rows)
                }
            case .replace(let rows):
                isValid = isValid && waiting.isSuperset(of: rows)
                waiting.subtract(rows)
                replaced.formUnion(rows)
            }
        }
        return (isValid && waiting.isEmpty && replaced == Set(0..<height), most)
    }

    @Test(
        "each step finds the rows that it reads, and its memory is what the schedule states", arguments: [false, true])
    func stepsFindTheirRows(wraps: Bool) throws {
        for (height, radius) in [(1, 0), (10, 3), (64, 1), (301, 5), (400, 90)] {
            let stages = Self.stages(height: height, radius: radius, wraps: wraps)
            for blockRows in [nil, 1, 7, 16, 64, 1000] {
                let schedule = RowSchedule(stages, blockRows: blockRows, isInPlace: true)
                let (isValid, waiting) = Self.follow(schedule, stages)
                #expect(isValid, "\(height) rows, radius \(radius), blocks of \(blockRows ?? height)")
                #expect(schedule.byteCount == schedule.capacities[0] * 100 + waiting * 200)
                // In separate memory no row waits.
                let separate = RowSchedule(stages, blockRows: blockRows, isInPlace: false)
                #expect(separate.byteCount == separate.capacities[0] * 100)
            }
        }
    }

    @Test("the check fails if rows do not wait, or if an image has too few rows")
    func checkFailsForMissingRows() {
        let stages = Self.stages(height: 301, radius: 5, wraps: true)
        #expect(!Self.follow(RowSchedule(stages, blockRows: 16, isInPlace: false), stages).isValid)
        let narrow = Self.stages(height: 301, radius: 4, wraps: true)
        let schedule = RowSchedule(narrow, blockRows: 16, isInPlace: true)
        #expect(Self.follow(schedule, narrow).isValid)
        #expect(!Self.follow(schedule, stages).isValid)
    }

    @Test("the blocks are as high as the limit allows")
    func fitting() {
        let stages = Self.stages(height: 5000, radius: 5, wraps: false)
        let whole = RowSchedule(stages, isInPlace: true)
        #expect(RowSchedule.fitting(whole.byteCount, waiting: .max, stages, isInPlace: true).steps.count == 2)
        var last = whole.byteCount
        for limit in [200_000, 50_000, 10_000] {
            let schedule = RowSchedule.fitting(limit, waiting: .max, stages, isInPlace: true)
            #expect(schedule.byteCount <= limit && schedule.byteCount < last)
            #expect(schedule.byteCount > limit / 4)
            last = schedule.byteCount
        }
        // If no block is small enough, it is the smallest.
        #expect(RowSchedule.fitting(0, waiting: .max, stages, isInPlace: true).byteCount < 10_000)
    }

    @Test(
        "an image of a gibibyte is blurred in place in 16 MiB, besides the rows that threads keep",
        arguments: [0.3, 1.3, 2, 3.3, 8, 20, 50, 120, 400, 1000])
    func gibibyte(sigma: Double) throws {
        let shapes: [(Int, Int, PixelFormat)] = [
            (8192, 32768, PixelFormat(.rgba)), (16384, 16384, PixelFormat(.rgba)), (32768, 32768, PixelFormat(.grey)),
            (8192, 8192, PixelFormat(.rgba, .f32)), (65536, 4096, PixelFormat(.rgba)),
            (1024, 1 << 18, PixelFormat(.rgba)),
            (16384, 16384, PixelFormat(.greyAlpha, .u16)),
        ]
        for (number, (width, height, format)) in shapes.enumerated() {
            for edge in TestCases.share(EdgeMode.allCases, of: 2, from: number) {
                let blur = try GaussianBlur(sigma: sigma, edge: edge)
                let plan = try blur.plan(extent: Rect(x: 0, y: 0, width: width, height: height))
                let shape = PreparedPlan.Key(
                    plan: plan, source: format, target: format, threads: 2, isInPlace: true)
                let whole = CPUPlan(plan, source: format, target: format)
                let (stages, schedule) = PreparedPlan.arranged(
                    whole, shape.stages(of: whole, isFine: false), shape, memoryLimit: PreparedPlan.memoryLimit)
                #expect(!stages.isEmpty)
                // The first rows wait until the last ones have read them, unless the whole lowest level fits in memory.
                let waiting =
                    edge == .repeat && (10..<100).contains(sigma) ? 5 * Int(sigma) * width * format.bytesPerPixel : 0
                let mebibytes = Double(schedule.byteCount - waiting) / 0x1p20
                #expect(mebibytes <= 16, "\(width)x\(height) \(format), \(edge), \(schedule.steps.count) steps")
            }
        }
    }
}
