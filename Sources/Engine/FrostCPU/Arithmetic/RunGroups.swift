import CFrostKernels
import FrostCore

/// The runs of a 2-D kernel in groups that have the same weight. The sum of a group is an integer, and exact.
struct RunGroups {
    struct Group {
        let weight: Float
        /// The group's runs of several pixels, then those of one pixel.
        let long, single: [KernelRun]

        var pixels: Int { long.reduce(single.count) { $0 + $1.count } }
        /// The largest power of two by which the sum can be multiplied so that it stays below 2^16.
        var shift: Int { sumLimit(pixels).trailingZeroBitCount }
        var factor: Double { Double(weight) * Double(1 << (24 - shift)) }
    }

    private(set) var groups: [Group] = []

    init(_ runs: [KernelRun]) {
        // Dictionaries have no order, so the order of the runs decides the order of the groups, and so that of the sums.
        var order: [Float] = []
        var byWeight: [Float: [KernelRun]] = [:]
        for run in runs {
            let weight = Float(run.weight)
            if byWeight[weight] == nil { order.append(weight) }
            let limit = Self.limit(weight)
            for first in stride(from: 0, to: run.count, by: limit) {
                let part = KernelRun(
                    dx: run.dx + first, dy: run.dy, count: min(limit, run.count - first), weight: run.weight)
                byWeight[weight, default: []].append(part)
            }
        }
        for weight in order {
            var rest = (byWeight[weight] ?? [])[...]
            while !rest.isEmpty {
                var pixels = 0
                let group = rest.prefix { run in
                    pixels += run.count
                    return pixels <= Self.limit(weight)
                }
                rest = rest.dropFirst(group.count)
                groups.append(
                    Group(
                        weight: weight, long: group.filter { $0.count > 1 }, single: group.filter { $0.count == 1 }))
            }
        }
    }

    /// The maximum number of pixels in a group. A sum of 257 bytes is below 2^16. Groups with large weights have fewer pixels,
    /// so that ``Group/shift`` is large enough for a factor of 16 bits.
    private static func limit(_ weight: Float) -> Int { max(1, 257 >> max(0, Int((256 * weight).exponent) + 1)) }

    /// The number of instructions for a vector of 16-bit sums in floats, in units of an addition from memory. The sum of a group
    /// is converted to floats, which are twice as long, and multiplied by the weight; this takes as long as eight additions.
    var cost: Int { groups.reduce(0) { $0 + 2 * $1.long.count + $1.single.count + 8 } }
    /// The same number in fixed point.
    var fixedCost: Int { groups.reduce(0) { $0 + 2 * $1.long.count + $1.single.count + 2 } }

    /// The interval of the error in fixed point, in 1/256 of a step; nil if a weight is too large for fixed point.
    var roundingError: (low: Double, high: Double)? {
        guard groups.allSatisfy({ $0.factor.rounded() < 65536 }) else { return nil }
        let weights = groups.reduce(0) {
            $0 + abs($1.factor.rounded() - $1.factor) * Double($1.pixels * 255 << $1.shift) / 65536
        }
        let constant = Double(groups.count / 2)
        return (constant - Double(groups.count) - weights, constant + weights)
    }
}

/// A disc-like kernel as a sum of columns: the weights of each column fall from its middle to both of its ends, alike.
struct KernelColumns {
    /// The pixels -reach ... reach of a column.
    struct Term {
        let reach: Int
        let factor: Double
    }

    let shift: Int
    /// The kernels of the columns, and for each column from left to right the index of its kernel.
    private(set) var kernels: [[Term]] = []
    private(set) var columns: [Int] = []
    /// The number that is added to the result, which compensates for half of the products' rounding errors.
    let constant: Int
    /// The interval of the error, in 1/256 of a step.
    let roundingError: (low: Double, high: Double)

    /// The maximum number of terms of all columns. Each of them is rounded, to 1/256 of a step.
    private static let maximumTerms = 150
    /// The maximum distance of a row from the middle, for which the kernel has memory.
    private static let maximumReach = Int(FROST_COLUMN_RUNS) - 1

    /// Returns nil if the kernel has another form or too many terms, or if `groups`, those of the same runs, are faster.
    init?(_ runs: [KernelRun], _ groups: RunGroups) {
        let (first, end) = (runs.map(\.dx).min() ?? 0, runs.map { $0.dx + $0.count }.max() ?? 0)
        let reach = runs.reduce(0) { max($0, abs($1.dy)) }
        guard reach <= Self.maximumReach else { return nil }
        var weights = [[Double]](repeating: Array(repeating: 0, count: 2 * reach + 1), count: end - first)
        for run in runs {
            for dx in run.dx..<run.dx + run.count { weights[dx - first][run.dy + reach] += run.weight }
        }
        shift = sumLimit(2 * reach + 1).trailingZeroBitCount
        var known: [[Double]: Int] = [:]
        for column in weights {
            if let index = known[column] {
                columns.append(index)
                continue
            }
            let half = Array(column[reach...])
            guard half == column[...reach].reversed(), zip(half, half.dropFirst()).allSatisfy({ $0 >= $1 }) else {
                return nil
            }
            known[column] = kernels.count
            columns.append(kernels.count)
            kernels.append(
                zip(half, half.dropFirst() + [0]).enumerated().compactMap { [shift] reach, weights in
                    let factor = (weights.0 - weights.1) * Double(1 << (24 - shift))
                    return factor > 0 ? Term(reach: reach, factor: factor) : nil
                })
        }
        let terms = columns.flatMap { [kernels] in kernels[$0] }
        guard terms.count <= Self.maximumTerms, !kernels.contains(where: \.isEmpty),
            terms.allSatisfy({ $0.factor.rounded() < 65536 }),
            2 * terms.count < groups.fixedCost + columns.count
        else { return nil }
        constant = terms.count / 2
        let error = terms.reduce(0) { [shift] in
            $0 + abs($1.factor.rounded() - $1.factor) * Double((2 * $1.reach + 1) * 255 << shift) / 65536
        }
        roundingError = (Double(constant - terms.count) - error, Double(constant) + error)
    }
}

/// How the runs of a 2-D kernel are summed in fixed point: by columns, if they are possible and faster.
enum FixedRuns {
    case columns(KernelColumns)
    case groups(RunGroups)

    init(_ runs: [KernelRun], straight: Bool) {
        let groups = RunGroups(runs)
        self = (straight ? nil : KernelColumns(runs, groups)).map { .columns($0) } ?? .groups(groups)
    }

    /// The interval of the error, in 1/256 of a step; nil if a weight is too large for fixed point.
    var roundingError: (low: Double, high: Double)? {
        switch self {
        case .columns(let columns): columns.roundingError
        case .groups(let groups): groups.roundingError
        }
    }
}

/// Returns the largest power of two by which the sum of some bytes can be multiplied so that it stays below 2^16.
private func sumLimit(_ count: Int) -> Int { 1 << (Int.bitWidth - 1 - max(1, 257 / count).leadingZeroBitCount) }

extension FixedRoundingError {
    /// Bounds the rounding errors of a 2-D kernel in fixed point.
    ///
    /// - Returns: nil if the kernel cannot be computed in fixed point.
    init?(_ kernel: Kernel2D, straight: Bool) {
        guard case .runs(let runs) = kernel.reads, let error = FixedRuns(runs, straight: straight).roundingError else {
            return nil
        }
        self.init(error)
        // The sums of low bytes are rounded down to 1/256 of a step, and have a constant of their own.
        if straight { add((-256 * Self.premultiplication - 1, 1)) }
    }
}
