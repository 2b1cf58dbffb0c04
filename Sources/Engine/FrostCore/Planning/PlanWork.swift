/// How a plan computes its region from the image. Each kind of work is a type in a file of its own, which gives all answers
/// that plans and backends need: ``CopyWork``, ``Passes``, ``Kernel2D``, ``Blend`` and ``Refraction``. ``Plan/Work/kind`` is the only switch.
///
/// The answers depend on the plan that contains the work, because the plan has the rectangles of the image and of the region.
package protocol PlanWork: Sendable, Hashable {
    /// The separable filters in execution order; empty if the work has other filters, except for a lens after them.
    var passes: [Pass] { get }
    /// The images between ``passes``.
    var slots: [Slot] { get }
    /// The edge mode with which output stages read the original image outside its extent.
    var edge: EdgeMode { get }
    /// Returns the edge mode with which the work reads outside the image along an axis.
    func edge(along axis: Axis) -> EdgeMode
    /// The number of filters: 0 only for a copy.
    var passCount: Int { get }
    /// Returns the number of taps for each pixel, summed over all filters; a measure of the cost.
    func taps(in plan: Plan) -> Double
    /// Whether rows of the result can be computed while the rows of the image arrive, so that few rows have to be kept.
    var canStream: Bool { get }

    /// Returns the rectangle of the source that the work reads; for a blend, the region.
    func sourceRead(in plan: Plan) -> Rect
    /// Returns the parts of the image along an axis that a backend must store together.
    func sourceReads(along axis: Axis, in plan: Plan) -> [Range<Int>]
    /// Returns the sizes along an axis of the images that are stored besides source and result.
    func imageSides(along axis: Axis, in plan: Plan) -> [Int]
    /// Returns the samples of a place that change when a rectangle of the image changes; they may exceed the place's window.
    func affected(by damage: Rect, at place: Place, in plan: Plan) -> Region
    /// Returns the distance along an axis up to which a changed pixel changes the result; see
    /// ``Effect/damageExpansion(extent:accuracy:)``.
    func damageExpansion(along axis: Axis, in plan: Plan) -> Int
    /// Returns the number of samples that the filters read and write, if each filter reads each of its input samples once.
    func samples(in plan: Plan) -> (read: Double, written: Double)
    /// Returns the steps of the work, for descriptions.
    func steps(in plan: Plan) -> [PlanStep]
    /// Returns the samples of the last pass that are needed for a rectangle of the result. Only for work with passes.
    func lastRead(for result: Rect) -> Rect
    /// Returns the pixels of the result that read some samples of the last pass, or a little more. Only for work with passes.
    func readers(ofLast samples: Region) -> Region
    /// Returns the work with other passes. Only for work with passes.
    func replacing(_ passes: Passes) -> Plan.Work
}

extension PlanWork {
    package var passes: [Pass] { [] }
    package var slots: [Slot] { [] }
    package func taps(in plan: Plan) -> Double { passes.reduce(0) { $0 + Double($1.operation.taps.count) } }
    package func edge(along axis: Axis) -> EdgeMode { edge }
    package func sourceReads(along axis: Axis, in plan: Plan) -> [Range<Int>] { [sourceRead(in: plan)[axis]] }
    package func imageSides(along axis: Axis, in plan: Plan) -> [Int] { slots.map { $0.window[axis].count } }
    package func lastRead(for result: Rect) -> Rect { result }
    package func readers(ofLast samples: Region) -> Region { samples }
    package func replacing(_ passes: Passes) -> Plan.Work { .passes(passes) }
}

/// A step of a plan, in words and as data.
package struct PlanStep {
    /// The step as `frost plan` prints it.
    package let words: String
    package let data: Data

    package enum Data {
        case pass(Pass, window: Rect)
        case kernel2D(Kernel2D)
        case decimation(Blend.Decimation)
        case level(Blend.Level)
        /// The mixture of the levels.
        case mixture
        case lens(Refraction)
    }

    init(_ words: String, _ data: Data) {
        self.words = words
        self.data = data
    }
}
