import FrostCore

/// One pass of a row flow: rows go in one after the other, rows come out in order.
///
/// A node owns the memory its input rows are written to, so that a row is written once, where it is used.
protocol FlowNode: AnyObject {
    /// Where row `index` is to be written: the pixels of the node's input columns.
    func inputRow(_ index: Int) -> UnsafeMutablePointer<Float>
    /// Says that row `index` has been written, and computes every output row that is now possible. `target` gives
    /// the place for a row; `emit` says that it is complete.
    func accept(
        _ index: Int, target: (Int) -> UnsafeMutablePointer<Float>, emit: (Int) throws(CPUError) -> Void
    ) throws(CPUError)
}
