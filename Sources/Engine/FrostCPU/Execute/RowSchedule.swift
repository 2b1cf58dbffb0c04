import FrostCore

/// The order in which the stages of a plan compute their rows, and the memory that this order needs.
///
/// The result is computed in blocks of rows. Before a block, each stage computes the rows that the block needs and that do
/// not exist yet. So no row is computed twice, and of an image between two stages only the rows remain that a later step
/// still reads.
///
/// If source and target are the same memory, a block of the result may replace pixels that the same step or a later one
/// still reads. Such a block *waits* in memory of its own, and is copied to the target after the last of these steps.
struct RowSchedule {
    /// A stage, as far as its rows are concerned.
    struct Stage {
        /// All rows of the stage's image.
        let rows: Range<Int>
        /// The memory that a row of the image needs. For the result: that a waiting row needs.
        let bytesPerRow: Int
        /// Whether the whole image is computed before the first block of the result.
        var isEager = false
        /// Returns what the stage reads to compute some of its rows.
        let reads: (Range<Int>) -> Reads
    }

    struct Reads {
        var source = RangeSet<Int>()
        /// The rows of the images of other stages, which come before the stage.
        var stages: [(stage: Int, rows: Range<Int>)] = []
    }

    enum RowTask: Equatable {
        /// A stage computes some of its rows. `waits` is true for rows of the result that must not be written to the
        /// target yet.
        case compute(stage: Int, rows: Range<Int>, waits: Bool)
        /// Rows of the result that have waited are copied to the target.
        case replace(Range<Int>)

        /// Whether a stage computes rows in this step.
        func isOfStage(_ wanted: Int) -> Bool {
            switch self {
            case .compute(let stage, _, _): stage == wanted
            case .replace: false
            }
        }
    }

    let steps: [RowTask]
    /// For each stage, the maximum number of consecutive rows that must be in memory at the same time.
    let capacities: [Int]
    /// The maximum number of bytes of the rows that wait at the same time.
    let waitingByteCount: Int
    /// The bytes of all rows in memory, and of the rows that wait.
    let byteCount: Int

    /// Creates the order for blocks of a certain height.
    ///
    /// - Parameters:
    ///   - stages: the stages of a plan; the last one computes the result.
    ///   - blockRows: the number of rows of a block; nil for a single block.
    ///   - isInPlace: whether row y of the result replaces row y of the source.
    init(_ stages: [Stage], blockRows: Int? = nil, isInPlace: Bool) {
        let result = stages.count - 1
        let rows = stages[result].rows
        var targets: [Target] = []
        for (index, stage) in stages.enumerated() where stage.isEager {
            let count = blockRows.map { max(1, stage.rows.count * $0 / max(rows.count, 1)) } ?? stage.rows.count
            targets += stage.rows.parts(of: max(count, 1)).map { Target(stage: index, rows: $0) }
        }
        targets += rows.parts(of: blockRows ?? max(rows.count, 1)).map { Target(stage: result, rows: $0) }
        let order = Order(stages, targets)

        // Backwards, `oldest` has the first row of each stage that the steps after the current one read.
        var oldest = stages.map(\.rows.upperBound)
        var capacities = [Int](repeating: 0, count: stages.count)
        for work in order.works.reversed() {
            let first = min(oldest[work.stage], work.rows.lowerBound)
            capacities[work.stage] = max(capacities[work.stage], work.rows.upperBound - first)
            for read in work.reads.stages { oldest[read.stage] = min(oldest[read.stage], read.rows.lowerBound) }
        }

        let lastReads = isInPlace ? order.lastReads : []
        var steps: [RowTask] = []
        var due: [Int: [Range<Int>]] = [:]
        var (waiting, mostWaiting) = (0, 0)
        for (index, work) in order.works.enumerated() {
            let lastRead = work.stage == result ? lastReads.first { $0.rows.overlaps(work.rows) }?.work : nil
            let waits = lastRead.map { $0 >= index } ?? false
            steps.append(.compute(stage: work.stage, rows: work.rows, waits: waits))
            if waits, let lastRead {
                due[lastRead, default: []].append(work.rows)
                waiting += work.rows.count
                mostWaiting = max(mostWaiting, waiting)
            }
            for rows in due[index] ?? [] {
                steps.append(.replace(rows))
                waiting -= rows.count
            }
        }
        self.steps = steps
        self.capacities = capacities
        waitingByteCount = mostWaiting * stages[result].bytesPerRow
        byteCount = stages.indices.dropLast().reduce(waitingByteCount) {
            $0 + capacities[$1] * stages[$1].bytesPerRow
        }
    }

    /// Whether the order needs at most `limit` bytes, and the rows that wait at most `waiting` bytes.
    func fits(_ limit: Int, waiting: Int) -> Bool { byteCount <= limit && waitingByteCount <= waiting }

    /// Returns the order with the highest blocks that fits into limits; see ``fits(_:waiting:)``. If these blocks would be low,
    /// only `limit` counts. If no order fits, returns the one that needs the fewest bytes.
    ///
    /// - Complexity: proportional to the square of the number of blocks, but a few microseconds for a few blocks.
    static func fitting(_ limit: Int, waiting: Int, _ stages: [Stage], isInPlace: Bool) -> RowSchedule {
        let count = stages.last?.rows.count ?? 0
        var best = RowSchedule(stages, isInPlace: isInPlace)
        var highest: RowSchedule?
        for stages in [stages, eager(stages, limit: limit * 5 / 8)] {
            var blockRows = lowestBlock
            while 2 * blockRows < count { blockRows *= 2 }
            var next = best
            while true {
                if next.fits(limit, waiting: waiting) { return next }
                if highest == nil, next.byteCount <= limit { highest = next }
                if next.byteCount < best.byteCount { best = next }
                guard blockRows >= (highest == nil ? lowestBlock : lowBlock) else { break }
                next = RowSchedule(stages, blockRows: blockRows, isInPlace: isInPlace)
                blockRows /= 2
            }
            if let highest { return highest }
        }
        return best
    }

    /// Lets stages compute their whole images first, if these are small: the smallest ones, as long as they take at most
    /// `limit` bytes together. If the lowest resolution of a large blur is among them, the whole source is read before the
    /// first pixel is written. Then no rows have to wait, however far the blur reaches.
    private static func eager(_ stages: [Stage], limit: Int) -> [Stage] {
        var stages = stages
        var sum = 0
        for index in stages.indices.dropLast().sorted(by: { stages[$0].byteCount < stages[$1].byteCount }) {
            sum += stages[index].byteCount
            stages[index].isEager = sum <= limit
        }
        return stages
    }

    /// The minimum height of a block, and the height below which blocks cost more time than others.
    private static let lowestBlock = 16
    private static let lowBlock = 64

    /// Rows that a stage has to compute before the rows of the next target.
    private struct Target {
        let stage: Int
        let rows: Range<Int>
    }

    /// The steps that compute rows, in order.
    private struct Order {
        private(set) var works: [(stage: Int, rows: Range<Int>, reads: Reads)] = []

        init(_ stages: [Stage], _ targets: [Target]) {
            // For each target, the first row of each stage that it or a later target needs. Rows before it that do not exist
            // yet are never needed: for example those of a level of a blend that the mask shows only further below.
            var first = stages.map(\.rows.upperBound)
            var firsts: [[Int]] = []
            for target in targets.reversed() {
                for (stage, rows) in Self.needs(target, stages).enumerated() {
                    if let rows { first[stage] = min(first[stage], rows.lowerBound) }
                }
                firsts.append(first)
            }
            var next = stages.map(\.rows.lowerBound)
            for (target, first) in zip(targets, firsts.reversed()) {
                var ends = next
                ends[target.stage] = target.rows.upperBound
                var block: [(stage: Int, rows: Range<Int>, reads: Reads)] = []
                for stage in (0...target.stage).reversed() where ends[stage] > next[stage] {
                    let rows = max(next[stage], min(first[stage], ends[stage] - 1))..<ends[stage]
                    let reads = stages[stage].reads(rows)
                    for read in reads.stages { ends[read.stage] = max(ends[read.stage], read.rows.upperBound) }
                    block.append((stage, rows, reads))
                    next[stage] = rows.upperBound
                }
                works += block.reversed()
            }
        }

        /// Returns the rows of each stage that a target needs, as if none existed yet.
        private static func needs(_ target: Target, _ stages: [Stage]) -> [Range<Int>?] {
            var needs = [Range<Int>?](repeating: nil, count: stages.count)
            needs[target.stage] = target.rows
            for stage in (0...target.stage).reversed() {
                // An eager stage is a target itself.
                guard let rows = needs[stage], stage == target.stage || !stages[stage].isEager else { continue }
                for read in stages[stage].reads(rows).stages where !read.rows.isEmpty {
                    let old = needs[read.stage] ?? read.rows
                    needs[read.stage] =
                        min(old.lowerBound, read.rows.lowerBound)..<max(old.upperBound, read.rows.upperBound)
                }
            }
            return needs
        }

        /// For rows of the source, the last step that reads them. The latest steps come first.
        var lastReads: [(rows: Range<Int>, work: Int)] {
            var found: [(Range<Int>, Int)] = []
            var known = RangeSet<Int>()
            for (index, work) in works.enumerated().reversed() {
                for rows in work.reads.source.subtracting(known).ranges { found.append((rows, index)) }
                known.formUnion(work.reads.source)
            }
            return found
        }
    }
}

extension RowSchedule.Stage {
    /// The bytes of the whole image.
    fileprivate var byteCount: Int { rows.count * bytesPerRow }
}
