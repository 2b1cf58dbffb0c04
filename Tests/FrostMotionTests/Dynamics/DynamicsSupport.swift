import FrostCore
import FrostMotion
import Glibc

/// The duration of a step in seconds.
let step = 1.0 / 120

/// Returns a square item.
func box(_ x: Double, _ y: Double, side: Double = 100, rotation: Double = 0) -> DynamicBox {
    DynamicBox(center: Point(x: x, y: y), bounds: Size(width: side, height: side), rotation: rotation)
}

/// Returns a behaviour that removes resistance, which the closed forms leave out.
func frictionless(_ items: [any DynamicItem]) -> ItemBehavior {
    let behavior = ItemBehavior(items: items)
    behavior.resistance = 0
    behavior.angularResistance = 0
    return behavior
}

/// Returns an animator without reference with behaviours.
func animator(_ behaviors: DynamicBehavior..., reference: Rect? = nil) throws -> Animator {
    let animator = try Animator(reference: reference)
    for behavior in behaviors { try animator.addBehavior(behavior) }
    return animator
}

/// Returns where a damped spring is that was released at 1, after a number of steps. `damping` is at most 1.
///
/// An item without velocity was at the same place a step before.
func released(frequency: Double, damping: Double, steps: Int) -> Double {
    let omega = 2 * Double.pi * frequency
    let turned = omega * (1 - damping * damping).squareRoot() * step
    let fallen = exp(-damping * omega * step)
    let count = Double(steps)
    let swing = turned > 1e-6 ? (cos(turned) - fallen) / sin(turned) * sin(turned * count) : (1 - fallen) * count
    return exp(-damping * omega * step * count) * (cos(turned * count) + swing)
}

extension Animator {
    /// Ticks step by step.
    func run(steps: Int, _ body: () throws -> Void = {}) throws {
        for _ in 0..<steps {
            try tick(step)
            try body()
        }
    }
}

/// Whether two numbers differ by at most a tolerance. NaN differs from everything.
func isClose(_ value: Double, _ expected: Double, within tolerance: Double) -> Bool {
    abs(value - expected) <= tolerance
}

/// An object that records calls.
final class Recorder: AnimatorDelegate, CollisionBehaviorDelegate {
    var calls: [String] = []
    var points: [Point] = []
    var names: [ObjectIdentifier: String] = [:]
    var onCall: ((String) -> Void)?

    func record(_ call: String) {
        calls.append(call)
        onCall?(call)
    }

    private func name(_ item: any DynamicItem) -> String { names[ObjectIdentifier(item)] ?? "?" }

    func animatorDidPause(_ animator: Animator) { record("pause") }

    func animatorWillResume(_ animator: Animator) { record("resume") }

    func collisionBehavior(
        _ behavior: CollisionBehavior, beganContactFor first: any DynamicItem, with second: any DynamicItem,
        at point: Point
    ) {
        points.append(point)
        record("begin \(name(first)) \(name(second))")
    }

    func collisionBehavior(
        _ behavior: CollisionBehavior, endedContactFor first: any DynamicItem, with second: any DynamicItem
    ) { record("end \(name(first)) \(name(second))") }

    func collisionBehavior(
        _ behavior: CollisionBehavior, beganContactFor item: any DynamicItem, withBoundary identifier: String?,
        at point: Point
    ) {
        points.append(point)
        record("begin \(name(item)) at \(identifier ?? "nil")")
    }

    func collisionBehavior(
        _ behavior: CollisionBehavior, endedContactFor item: any DynamicItem, withBoundary identifier: String?
    ) { record("end \(name(item)) at \(identifier ?? "nil")") }
}
