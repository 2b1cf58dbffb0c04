import FrostCore

/// One pass, or several, of a row flow: rows go in one after the other, rows come out in order.
///
/// A node owns the memory its input rows are written to, so that a row is written once, where it is used.
protocol FlowNode: AnyObject {
    /// What the node's input rows hold.
    var inputKind: RowKind { get }
    /// Where row `index` is to be written: the pixels of the node's input columns. What a ``FixedDoubling`` writes to
    /// must have two rows: it computes them together.
    func inputRow(_ index: Int) -> UnsafeMutableRawPointer
    /// Says that row `index` has been written, and computes every output row that is now possible. `target` gives
    /// the place for a row; `emit` says that it is complete.
    func accept(
        _ index: Int, target: (Int) -> UnsafeMutableRawPointer, emit: (Int) throws(CPUError) -> Void
    ) throws(CPUError)
}

/// What rows between nodes hold.
enum RowKind {
    /// Float, in steps of the image's samples.
    case floats
    /// UInt16, in 256ths of a step of 8 bits: see docs/Architecture.md.
    case fixed
    /// The image's own bytes; RGB as opaque RGBA.
    case bytes
}
