import FrostCore

/// Memory for the rows of fixed-point samples that arrive at a filter along x. The edge mode supplies the samples
/// outside the arriving range.
///
/// SAFETY: the object owns its memory; rows hold all samples that arrive or are read.
@safe struct ArrivingRows {
    private let rows: FixedRows
    private let edges: EdgeSamples
    private let input: Range<Int>
    private let start: Int
    private let channels: Int
    private let kept: Int

    /// Allocates memory for the rows that arrive at a pass along x.
    ///
    /// - Parameters:
    ///   - input: the samples that arrive.
    ///   - output: the samples that the pass computes.
    ///   - kept: the number of rows that stay readable, including the one that arrives.
    init(_ pass: Pass, input: Range<Int>, output: Range<Int>, channels: Int, kept: Int = 1) {
        let reach = pass.operation.reach(of: output)
        edges = EdgeSamples(reach, outside: input, edge: pass.edge)
        start = min(reach.lowerBound, input.lowerBound)
        self.input = input
        self.channels = channels
        // One additional row: two consecutive rows must have separate memory, see FlowNode.
        self.kept = kept + 1
        rows = FixedRows(rows: kept + 1, count: (max(reach.upperBound, input.upperBound) - start) * channels)
    }

    /// Returns the address of sample 0 of a row.
    func origin(_ index: Int) -> UnsafeMutablePointer<UInt16> {
        let place = index % kept
        return unsafe rows.row(place < 0 ? place + kept : place) - start * channels
    }

    /// Returns the memory to which an arriving row is written.
    func row(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(origin(index) + input.lowerBound * channels)
    }

    /// Fills in the edges of a row that has been written, and returns the address of its sample 0.
    func complete(_ index: Int) -> UnsafeMutablePointer<UInt16> {
        let origin = unsafe origin(index)
        unsafe edges.fill(channels: channels) { unsafe origin + $0 * channels }
        return unsafe origin
    }
}
