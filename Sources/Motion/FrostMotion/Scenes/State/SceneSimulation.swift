import FrostCore
import Synchronization

/// The places of a scene's items over time.
///
/// An ``Animator`` carries out steps of 1/120 s from time 0, and each step is recorded. So the places at a time depend only
/// on the scene and the time, in whatever order times are asked for. Only the items that panels follow are recorded, and
/// only up to the last time that was asked for.
///
/// Thread safety: may be used from any thread; one at a time simulates.
final class SceneSimulation: Sendable {
    private let dynamics: SceneDynamics
    private let reference: Rect
    private let followed: [Int]
    private let run = Mutex<Run?>(nil)

    /// Creates the simulation, and checks all items and behaviours at the beginning.
    ///
    /// - Parameter followed: the ids of the items that panels follow.
    /// - Throws: ``SceneError/dynamics(_:_:)``.
    init(_ dynamics: SceneDynamics, reference: Rect, followed: Set<String>) throws(SceneError) {
        self.dynamics = dynamics
        self.reference = reference
        self.followed = dynamics.items.indices.filter { followed.contains(dynamics.items[$0].id) }
        // Behaviours that begin later are checked now, so that a scene fails when it is read.
        let trial = try SceneAnimator(dynamics, reference: Placement(reference))
        for behavior in dynamics.behaviors where behavior.contact != nil || behavior.from > 0 {
            _ = try trial.begin(behavior)
        }
    }

    /// Where an item is: its centre in pixels, and its angle in degrees, clockwise.
    struct Place: Sendable {
        let center: SIMD2<Double>
        let rotation: Double
    }

    /// Returns the places of the followed items at a time in seconds.
    ///
    /// - Complexity: proportional to the steps since the last time that was asked for, at most.
    /// - Throws: ``SceneError/dynamics(_:_:)``.
    func places(at time: Double) throws(SceneError) -> [String: Place] {
        let step = Int((time / World.step + 1e-6).rounded(.down))
        let result: Result<[Place], SceneError> = run.withLock { run in
            do throws(SceneError) {
                let current: Run
                if let known = run {
                    current = known
                } else {
                    current = try Run(dynamics, reference, followed: followed)
                    run = current
                }
                return .success(try current.places(atStep: step))
            } catch {
                // A simulation that failed halfway begins anew.
                run = nil
                return .failure(error)
            }
        }
        let places = try result.get()
        return Dictionary(uniqueKeysWithValues: zip(followed.map { dynamics.items[$0].id }, places))
    }

    /// A simulation in progress.
    private final class Run {
        private let animator: SceneAnimator
        private let followed: [String]
        /// The places of the followed items after each step; the first at the beginning.
        private var record: [[Place]] = []

        init(_ dynamics: SceneDynamics, _ reference: Rect, followed: [Int]) throws(SceneError) {
            animator = try SceneAnimator(dynamics, reference: Placement(reference))
            self.followed = followed.map { dynamics.items[$0].id }
            record = [places]
        }

        private var places: [Place] {
            followed.compactMap { animator.item(named: $0) }.map { Place(center: $0.center, rotation: $0.rotation) }
        }

        func places(atStep step: Int) throws(SceneError) -> [Place] {
            while record.count <= step {
                try animator.update()
                // While all items rest, time passes without work and without new records.
                if !animator.isRunning, Double(step) * World.step < animator.nextChange ?? .infinity { break }
                try animator.advance()
                record.append(places)
            }
            return record[min(step, record.count - 1)]
        }
    }
}
