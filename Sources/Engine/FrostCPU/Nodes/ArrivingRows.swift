import FrostCore

/// Memory for the rows of fixed-point samples that arrive at a filter along x. The edge mode supplies the samples
/// outside the arriving range.
///
/// SAFETY: the object owns its memory; rows hold all samples that arrive or are read.
@safe struct ArrivingRows {
    private let rows: RowRing
    private let edges: EdgeSamples
    private let input: Range<Int>
    private let start: Int
    private let channels: Int

    /// Allocates memory for the rows that arrive at a pass along x.
    ///
    /// - Parameters:
    ///   - input: the samples that arrive.
    ///   - output: the samples that the pass computes.
    ///   - kept: the number of rows that stay readable, including those that arrive together.
    init(_ pass: Pass, input: Range<Int>, output: Range<Int>, channels: Int, kept: Int) {
        let reach = pass.operation.reach(of: output)
        let start = min(reach.lowerBound, input.lowerBound)
        edges = EdgeSamples(reach, outside: input, edge: pass.edge, bytesPerSample: 2 * channels) {
            ($0 - start) * 2 * channels
        }
        self.start = start
        self.input = input
        self.channels = channels
        let samples = max(reach.upperBound, input.upperBound) - start
        rows = RowRing(rows: kept, floats: (samples * channels + 1) / 2)
    }

    /// Returns the address of sample 0 of a row.
    func origin(_ index: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe UnsafeMutableRawPointer(rows.row(index)).assumingMemoryBound(to: UInt16.self) - start * channels
    }

    /// Returns the memory to which an arriving row is written.
    func row(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(origin(index) + input.lowerBound * channels)
    }

    /// Fills in the edges of a row that has been written, and returns the address of its sample 0.
    func complete(_ index: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe edges.fill(UnsafeMutableRawPointer(rows.row(index)))
        return unsafe origin(index)
    }
}
