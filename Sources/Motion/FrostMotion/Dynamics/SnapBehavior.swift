/// Pulls an item to a point like a damped spring, and turns it upright.
///
/// The spring has a frequency of 3 Hz and 0.1 + 0.9 · `damping` of critical damping, so the item always comes to rest,
/// and does not pass the point at damping 1. These numbers are Frost's, because UIKit's are not documented. Other forces
/// shift the place of rest: gravity of magnitude 1 by about 1000 / (2π · 3)² = 2.8 points, at damping 1 by 3.3.
public final class SnapBehavior: DynamicBehavior, ForceBehavior {
    private let item: any DynamicItem

    /// Creates a behaviour that pulls an item to a point.
    public init(item: any DynamicItem, snapTo point: Point) {
        self.item = item
        snapPoint = point
    }

    /// The point to which the item's centre moves.
    public var snapPoint: Point { didSet { changed(.value) } }

    /// How much the oscillation is damped: 0 for the most oscillation to 1 for none; 0.5 by default.
    public var damping = 0.5 { didSet { changed(.value) } }

    static let frequency = 3.0

    /// The ratio to critical damping.
    var dampingRatio: Double { 0.1 + 0.9 * damping }

    override var allItems: [any DynamicItem] { [item] }

    override func checkValues(for animator: Animator) throws(DynamicsError) {
        try DynamicsLimits.check(snapPoint, "snap point", from: animator.origin)
        try DynamicsLimits.check(damping, "snap's damping", in: 0...1)
    }

    func applyForces(in world: World) throws(DynamicsError) {
        for body in targets {
            try world.pull(body, to: snapPoint, frequency: SnapBehavior.frequency, dampingRatio: dampingRatio)
        }
    }
}
