import FrostCore

/// Fills in the samples that a filter reads outside the arriving range of a row. The edge mode determines their values.
///
/// The samples form a few runs: copies of the sample at the edge, of consecutive samples, or of consecutive samples in
/// reverse order. The runs are determined once and filled for each row.
struct EdgeSamples {
    /// Neighbouring samples in memory. All numbers are in bytes, except for `count`.
    fileprivate struct SampleRun {
        /// The distances from the row's base address to the first sample and to the sample that it copies. Without
        /// `source` the samples are transparent black.
        let first: Int
        let source: Int?
        /// The distance from the source of a sample to the source of the next sample: a sample, zero, or a sample backwards.
        var step = 0
        var count = 1
    }

    private var runs: [SampleRun] = []
    private let bytesPerSample: Int

    /// Determines the samples to fill in.
    ///
    /// - Parameters:
    ///   - reach: the samples that are read.
    ///   - input: the samples that arrive. The edge mode supplies the samples outside this range.
    ///   - place: returns the distance in bytes from a row's base address to a sample.
    init(
        _ reach: Range<Int>, outside input: Range<Int>, edge: EdgeRule, bytesPerSample: Int, place: (Int) -> Int
    ) {
        self.bytesPerSample = bytesPerSample
        let samples = reach.filter { !input.contains($0) }.map {
            (first: place($0), source: edge.map($0, into: input).map(place))
        }
        for sample in samples.sorted(by: { $0.first < $1.first }) {
            if let run = runs.last, let longer = run.followed(by: sample.first, sample.source, bytesPerSample) {
                runs[runs.count - 1] = longer
            } else {
                runs.append(SampleRun(first: sample.first, source: sample.source))
            }
        }
    }

    /// Fills in the samples outside the range that arrives.
    ///
    /// - Parameter row: the row's base address. It has memory for every sample that is read or arrives.
    func fill(_ row: Row) {
        for run in runs {
            // The sizes of pixels with 1, 2, 3 and 4 numbers of 1, 2 and 4 bytes.
            switch bytesPerSample {
            case 1: run.fill(row, UInt8.self)
            case 2: run.fill(row, UInt16.self)
            case 4: run.fill(row, UInt32.self)
            case 8: run.fill(row, UInt64.self)
            case 16: run.fill(row, SIMD2<UInt64>.self)
            case 3: run.fill(row, (UInt8, UInt8, UInt8).self)
            case 6: run.fill(row, (UInt16, UInt16, UInt16).self)
            case 12: run.fill(row, (UInt32, UInt32, UInt32).self)
            default: preconditionFailure("no pixel has \(bytesPerSample) bytes")
            }
        }
    }
}

extension EdgeSamples.SampleRun {
    /// Returns the run with one more sample; nil if the sample does not continue it.
    fileprivate func followed(by next: Int, _ nextSource: Int?, _ bytesPerSample: Int) -> Self? {
        guard next == first + count * bytesPerSample else { return nil }
        var run = self
        run.count += 1
        guard let source, let nextSource else { return source == nil && nextSource == nil ? run : nil }
        if count == 1 { run.step = nextSource - source }
        guard abs(run.step) <= bytesPerSample, nextSource == source + count * run.step else { return nil }
        return run
    }

    /// SAFETY: see ``EdgeSamples/fill(_:)``.
    @inline(__always)
    fileprivate func fill<Sample: BitwiseCopyable>(_ row: Row, _ type: Sample.Type) {
        let size = MemoryLayout<Sample>.size
        guard let source else { return (row + first).clear(byteCount: count * size) }
        var (out, from) = unsafe (row.address + first, row.address + source)
        for _ in 0..<count {
            unsafe out.storeBytes(of: from.loadUnaligned(as: type), as: type)
            unsafe out += size
            unsafe from += step
        }
    }
}

/// Memory for the rows that arrive at a filter along x. The edge mode supplies the samples outside the arriving range.
struct ArrivingRows {
    private let rows: RowRing
    private let edges: EdgeSamples
    private let input: Range<Int>
    /// The first sample in memory.
    private let start: Int
    private let bytesPerSample: Int

    /// Allocates memory for the rows that arrive at a pass along x.
    ///
    /// - Parameters:
    ///   - numberSize: the size of a number in bytes.
    ///   - count: the number of rows that arrive together.
    init(_ pass: Pass, _ request: NodeRequest, numberSize: Int, rows count: Int) throws(CPUError) {
        let (reach, input) = (pass.operation.reach(of: request.columns), request.columnsRead(pass))
        let start = min(reach.lowerBound, input.lowerBound)
        let bytesPerSample = numberSize * request.channels
        edges = EdgeSamples(reach, outside: input, edge: pass.edge, bytesPerSample: bytesPerSample) {
            ($0 - start) * bytesPerSample
        }
        self.start = start
        self.input = input
        self.bytesPerSample = bytesPerSample
        let samples = max(reach.upperBound, input.upperBound) - start
        rows = try RowRing(rows: count, floats: (samples * bytesPerSample + 3) / 4)
    }

    /// Returns the memory to which an arriving row is written.
    func row(_ index: Int) -> Row { row(index, from: input.lowerBound) }

    func row(_ index: Int, from sample: Int) -> Row { rows.row(index) + (sample - start) * bytesPerSample }

    /// Fills in the edges of a row that has been written.
    func complete(_ index: Int) { edges.fill(rows.row(index)) }
}
