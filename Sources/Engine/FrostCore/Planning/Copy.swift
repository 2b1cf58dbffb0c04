/// The work of a plan that copies the region from the image, which contains the region.
package struct CopyWork: PlanWork {
    package init() {}

    /// A copy reads nothing outside the image.
    package var edge: EdgeMode { .clamp }
    package var passCount: Int { 0 }
    package var canStream: Bool { true }

    package func sourceRead(in plan: Plan) -> Rect { plan.region }
    package func affected(by damage: Rect, at place: Place, in plan: Plan) -> Region { Region(damage) }
    package func damageExpansion(along axis: Axis, in plan: Plan) -> Int { 0 }
    package func samples(in plan: Plan) -> (read: Double, written: Double) { (0, 0) }
    package func steps(in plan: Plan) -> [PlanStep] { [] }
}

extension Plan {
    /// Whether the plan only copies pixels.
    package var isCopy: Bool { passCount == 0 }

    /// Returns a plan that has passes: if the plan is a plain copy, a pass that copies replaces it. Output stages and
    /// the mixture of a blend need this, because they are applied to the result of a pass.
    package func replacingCopy(_ edge: EdgeMode) -> Plan {
        guard isCopy else { return self }
        var plan = self
        plan.work = .passes(.copy(edge))
        return plan
    }
}
