/// The pixels that a ``Kernel2D`` reads for each output pixel. Each way to read is a type in a file of its own.
package protocol KernelReads: Sendable, Hashable {
    /// Whether the kernel copies every pixel.
    var isIdentity: Bool { get }
    /// Whether all output pixels read the same pixels, relative to their own positions.
    var isShiftInvariant: Bool { get }
    /// Returns the input samples along an axis that are read to compute the output samples `samples`, which are not empty.
    func reach(of samples: Range<Int>, along axis: Axis) -> Range<Int>
    /// Returns the number of pixels that are read for each output pixel; a mean over `region` if it varies.
    func readCount(_ region: Rect) -> Double
    /// Returns the worst error of Float arithmetic, as a fraction of full scale.
    func error(_ region: Rect) -> Double
    /// Describes the pixels that are read, for example "of 41 runs, 1257 pixels".
    func words(_ region: Rect) -> String
    /// The kernel as data, for `frost plan --json`.
    var json: JSONValue { get }
}
