import FrostCore

/// The rows of fixed-point cells that arrive at a filter along x, with what the edge rule puts beside them.
///
/// SAFETY: owns its memory; rows hold all cells that arrive or are read.
@safe struct ArrivingRows {
    private let rows: FixedRows
    private let edges: EdgeCells
    private let input: Range<Int>
    private let start: Int
    private let channels: Int

    /// - Parameters:
    ///   - input: the cells that arrive.
    ///   - output: those that the pass computes.
    init(_ pass: Pass, input: Range<Int>, output: Range<Int>, channels: Int) {
        let reach = pass.operation.reach(of: output)
        edges = EdgeCells(reach, beyond: input, edge: pass.edge)
        start = min(reach.lowerBound, input.lowerBound)
        self.input = input
        self.channels = channels
        // Two rows: see FlowNode.
        rows = FixedRows(rows: 2, count: (max(reach.upperBound, input.upperBound) - start) * channels)
    }

    /// Cell 0 of a row.
    private func origin(_ index: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe rows.row(index & 1) - start * channels
    }

    /// Where a row is to be written.
    func row(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(origin(index) + input.lowerBound * channels)
    }

    /// Cell 0 of a row that has been written, with its edges filled in.
    func complete(_ index: Int) -> UnsafeMutablePointer<UInt16> {
        let origin = unsafe origin(index)
        unsafe edges.fill(channels: channels) { unsafe origin + $0 * channels }
        return unsafe origin
    }
}
