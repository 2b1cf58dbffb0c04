import Frost
import FrostDrawing

extension Plan {
    /// The draws of a GPU in words: one line for each draw, and the sum.
    var drawLines: [String] {
        let costs: [DrawCost]
        do throws(DrawingError) { costs = try drawCosts() } catch {
            return ["no GPU can draw this as one picture: \(error)"]
        }
        guard !costs.isEmpty else { return [] }
        return ["on a GPU, for each pixel of the result:"]
            + costs.map { "  \($0.name) -> \($0.width)x\($0.height): \($0.words)" }
            + (costs.count > 1 ? ["sum: \(DrawCost(sum: costs).words)"] : [])
    }

    /// The draws as a JSON array; null if no GPU draws the plan.
    var jsonOfDraws: JSONValue { (try? drawCosts()).map { .array($0.map(\.json)) } ?? .null }
}

extension DrawCost {
    fileprivate var words: String {
        let number = { (value: Double) in numberText(value, decimals: 2) }
        return "\(number(fetches)) fetches, \(number(bytesRead)) bytes read, \(number(bytesWritten)) written"
    }

    fileprivate var json: JSONValue {
        [
            "name": .string(name), "width": .int(width), "height": .int(height),
            "fetches": .number(fetches, decimals: 4), "bytesRead": .number(bytesRead, decimals: 4),
            "bytesWritten": .number(bytesWritten, decimals: 4),
        ]
    }
}
