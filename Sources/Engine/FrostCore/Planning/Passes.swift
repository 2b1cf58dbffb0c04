/// Separable filters in execution order. The first filter reads ``Place/source``, and the last filter writes
/// ``Place/output``.
public struct Passes: Sendable, Hashable {
    /// The passes in execution order. A valid plan has at least one pass.
    public var list: [Pass]
    /// The images between the passes. ``Place/slot(_:)`` is an index into this array.
    public var slots: [Slot]

    /// Creates a list of passes with the images between them.
    public init(_ list: [Pass], slots: [Slot] = []) {
        self.list = list
        self.slots = slots
    }

    /// Returns one pass that only copies. This pass is used if nothing is filtered, but the plan needs a pass whose
    /// result it can process.
    static func copy(_ edge: EdgeMode) -> Passes {
        Passes([Pass(axis: .y, operation: .convolve(taps: [1]), from: .source, to: .output, edge: edge)])
    }

    /// Returns the level of a place's grid along an axis: the number of decimations along the axis. The level is 0 for
    /// the image and for the result.
    public func level(of place: Place, along axis: Axis) -> Int {
        switch place {
        case .source, .output: 0
        case .slot(let index):
            switch axis {
            case .x: slots[index].levelX
            case .y: slots[index].levelY
            }
        }
    }
}
