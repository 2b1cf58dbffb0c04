/// One image fades into the other.
///
///     m = t
public struct Dissolve: Sendable, Hashable {
    package struct Drawing: TransitionDrawing {
        package let share: Double

        package var parameters: [Double] { [share] }
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing { Drawing(share: frame.time) }
}

extension Dissolve: TransitionKind {
    package static var usesExtent: Bool { false }
    package func largestDistance(_ frame: TransitionFrame) -> Double { 0 }

    package static let descriptions = [
        TransitionDescription("dissolve", "CIDissolveTransition", "one picture fades into the other") {
            _ throws(ParameterError) in .dissolve(Dissolve())
        }
    ]
}
