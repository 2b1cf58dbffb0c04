import Frost
import FrostCLI

/// Measures kinds of work alternately, so that the load of other processes affects all of them alike.
struct Stopwatch {
    /// The minimum number of measured runs.
    let runs: Int
    /// The number of runs before the measured ones, which fill the caches. After 2 s they end early.
    var warmUps = 2

    /// Runs each kind of work in turn. The measured runs end when there are enough of them and 0.3 s have passed. They
    /// also end after 1000 runs, or with the run in progress after 30 s.
    ///
    /// - Parameters:
    ///   - prepare: is called before each run, and not measured.
    ///   - work: does the work of one kind. Both functions get the number of the run, counted from 0.
    func times<Kind: Hashable>(
        of kinds: [Kind], prepare: (Int) -> Void = { _ in }, _ work: (Kind, Int) throws(FrostError) -> Void
    ) throws(FrostError) -> Times<Kind> {
        let clock = ContinuousClock()
        var times = Times<Kind>()
        var run = 0
        var began = clock.now
        while run < warmUps, run == 0 || (clock.now - began).milliseconds < 2000 {
            prepare(run)
            for kind in kinds { try work(kind, run) }
            run += 1
        }
        began = clock.now
        var measured = 0
        var milliseconds = 0.0
        repeat {
            prepare(run)
            for kind in kinds {
                let start = clock.now
                try work(kind, run)
                times.milliseconds[kind, default: []].append((clock.now - start).milliseconds)
            }
            run += 1
            measured += 1
            milliseconds = (clock.now - began).milliseconds
        } while (measured < runs || milliseconds < 300) && measured < 1000 && milliseconds < 30_000
        return times
    }

    /// The measured times of each kind of work.
    struct Times<Kind: Hashable> {
        fileprivate(set) var milliseconds: [Kind: [Double]] = [:]

        /// - Parameter count: the number of runs that were measured together.
        subscript(kind: Kind, dividedBy count: Int = 1) -> Timing {
            Timing(milliseconds[kind, default: [0]].map { $0 / Double(count) })
        }
    }
}

/// The times of several runs, in milliseconds.
struct Timing {
    let minimum: Double
    let median: Double
    /// The time that 99 of 100 runs do not exceed.
    let percentile99: Double
    let maximum: Double
    let runs: Int
    /// The number of the fastest run, counted from 0.
    let fastest: Int

    /// Sorts the times and finds their minimum, median, 99th percentile and maximum.
    ///
    /// - Parameter milliseconds: the time of each run; at least one.
    init(_ milliseconds: [Double]) {
        let sorted = milliseconds.sorted()
        let middle = sorted.count / 2
        minimum = sorted[0]
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        percentile99 = sorted[(sorted.count * 99 + 99) / 100 - 1]
        maximum = sorted[sorted.count - 1]
        runs = sorted.count
        fastest = milliseconds.firstIndex(of: minimum) ?? 0
    }

    /// The members of a JSON object that have the minimum and the median. A name stands before the name of each.
    func json(_ name: String? = nil) -> JSONValue {
        [
            name.map { $0 + "_ms" } ?? "min_ms": .number(minimum, decimals: 5),
            (name.map { $0 + "_" } ?? "") + "median_ms": .number(median, decimals: 5),
        ]
    }
}
