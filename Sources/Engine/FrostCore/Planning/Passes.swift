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
        case .slot(let index): slots[index].level(along: axis)
        }
    }
}

extension Passes: PlanWork {
    package var passes: [Pass] { list }
    package var edge: EdgeMode { list.first?.edge.mode ?? .clamp }
    /// An axis without a pass is not filtered, so nothing outside the image is read along the axis.
    package func edge(along axis: Axis) -> EdgeMode { list.first { $0.axis == axis }?.edge.mode ?? .clamp }
    package var passCount: Int { list.count }
    /// With the edge mode `repeat`, the first row of the result reads the last row of the image.
    package var canStream: Bool { edge(along: .y) != .repeat }

    package func sourceRead(in plan: Plan) -> Rect {
        guard let first = list.first else { return plan.region }
        var read = plan.window(of: first.to)
        read[first.axis] = first.input(for: read[first.axis], of: plan.extent[first.axis])
        return read
    }

    package func sourceReads(along axis: Axis, in plan: Plan) -> [Range<Int>] {
        let read = sourceRead(in: plan)[axis]
        guard plan.outputStages.readsOriginal, let pass = list.first(where: { $0.axis == axis }) else { return [read] }
        return [read, pass.input(for: plan.window(of: pass.to)[axis], of: plan.extent[axis])]
    }

    package func affected(by damage: Rect, at place: Place, in plan: Plan) -> Region {
        var (columns, rows) = (RangeSet(damage.columns), RangeSet(damage.rows))
        for pass in list {
            let (input, output) = (plan.window(of: pass.from)[pass.axis], plan.window(of: pass.to)[pass.axis])
            switch pass.axis {
            case .x: columns = pass.affected(by: columns, of: input, in: output)
            case .y: rows = pass.affected(by: rows, of: input, in: output)
            }
            if pass.to == place { break }
        }
        return Region(columns: columns, rows: rows)
    }

    package func damageExpansion(along axis: Axis, in plan: Plan) -> Int {
        let operations = list.filter { $0.axis == axis }.map(\.operation)
        let deepest = slots.map { $0.level(along: axis) }.max() ?? 0
        // The distance depends on the pixel's position within its low-resolution sample, so every position is tried.
        let farthest = (0..<1 << deepest).reduce(0) { farthest, pixel in
            let range = operations.reduce(pixel..<pixel + 1) { $1.affected(by: $0) }
            return max(farthest, pixel - range.lowerBound, range.upperBound - 1 - pixel)
        }
        return plan.damageExpansion(farthest, along: axis)
    }

    package func samples(in plan: Plan) -> (read: Double, written: Double) { samples(list[...], in: plan) }

    /// Returns the number of samples that some of the passes read and write.
    func samples(_ passes: ArraySlice<Pass>, in plan: Plan) -> (read: Double, written: Double) {
        passes.reduce((0, 0)) { sum, pass in
            let written = plan.window(of: pass.to)
            var read = written
            read[pass.axis] = pass.input(for: read[pass.axis], of: plan.window(of: pass.from)[pass.axis])
            return (sum.read + read.area, sum.written + written.area)
        }
    }

    package func steps(in plan: Plan) -> [PlanStep] {
        list.map { pass in
            let output = plan.window(of: pass.to)
            let (levelX, levelY) = (level(of: pass.to, along: .x), level(of: pass.to, along: .y))
            let taps: String =
                switch pass.operation {
                case .interpolate(let taps): "\((taps.count + 1) / 2) of \(taps.count)"
                case .convolve(let taps), .decimate(let taps): "\(taps.count)"
                }
            let words =
                "\(pass.operation.name) \(pass.axis.rawValue), \(taps) taps\(pass.edge.mode.words) -> "
                + "\(output.width)x\(output.height) at 1/\(1 << levelX) x 1/\(1 << levelY)"
            return PlanStep(words, .pass(pass, window: output))
        }
    }
}
