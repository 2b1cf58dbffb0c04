/// Separable filters in the order in which they are carried out: the first reads ``Place/source``, the last writes
/// ``Place/output``.
public struct Passes: Sendable, Hashable {
    /// Not empty.
    public var list: [Pass]
    /// The images between the passes.
    public var slots: [Slot]

    public init(_ list: [Pass], slots: [Slot] = []) {
        self.list = list
        self.slots = slots
    }

    /// One pass that copies, for a result that only the output stages change.
    static func copy(_ edge: EdgeMode) -> Passes {
        Passes([Pass(axis: .y, operation: .convolve(taps: [1]), from: .source, to: .output, edge: edge)])
    }

    /// The level of the grid of a place along an axis: 0 for the image and the result.
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
