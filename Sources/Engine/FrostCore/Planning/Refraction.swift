import Glibc

/// Passes whose result is read through lenses along the edges of shapes.
///
/// The last pass writes the slot `blurred`, whose grid is that of the image. A pixel of the plan's region is the mean of
/// ``sampling``² samples of this slot: each of a point of the pixel, moved by the offset of the shape with the largest distance
/// (`ShapeField`) and interpolated linearly between the four samples around it.
public struct Refraction: Sendable, Hashable {
    /// The passes, the last of which writes `blurred`.
    public var base: Passes
    /// The lens.
    public private(set) var lens: Lens
    /// The shapes along whose edges the lens refracts.
    public let shapes: [RoundedRect]
    /// The radius in pixels within which the shapes flow together: see ``OutputStages/join``.
    public let join: Double
    /// The number of samples along each axis of a pixel: 1 to 4.
    public let sampling: Int
    /// The image, and the region that was planned first. The lens reads nothing outside: the nearest place in it counts.
    let bounds: Rect

    /// The slot that the lens reads.
    package var blurred: Place { .slot(base.slots.count - 1) }

    fileprivate var withoutDispersion: Refraction {
        var refraction = self
        refraction.lens = lens.withoutDispersion
        return refraction
    }

    /// The offsets of the shapes.
    package var group: ShapeGroup { ShapeGroup(shapes, join: join) { ShapeField(lens, along: $0) } }

    /// Returns the samples of `blurred` that are read to compute a rectangle of the result. Towards the inside no lens reads
    /// beyond its own shape, and no point of a pixel that touches a shape lies more than a pixel outside.
    package func reach(of rect: Rect) -> Rect {
        let margin = ShapeGroup.margin(join)
        let near = shapes.map { $0.bounds.grown(by: margin) }.filter { $0.intersection(rect) != nil }
        guard !near.isEmpty else { return rect }
        let grown = rect.grown(by: Int(lens.reach.rounded(.up)) + 1)
        // Where shapes flow together, the direction towards the inside may be that of another shape.
        let inside = lens.depth < 0 || join > 0 ? grown : near.reduce(rect) { $0.hull($1.grown(by: 2)) }
        return grown.intersection(inside)?.intersection(bounds) ?? rect
    }
}

extension Plan {
    /// Returns the plan for pictures with these channels: in grey, there are no colours that a lens could separate.
    package func suited(to channels: ChannelLayout) -> Plan {
        guard channels.isGrey, case .refraction(let refraction) = work else { return self }
        var plan = self
        plan.work = .refraction(refraction.withoutDispersion)
        return plan
    }

    /// Plans a blur that is seen through a lens.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle.
    ///   - shapes: the shapes along whose edges the lens refracts.
    ///   - sigma: the standard deviation of the blur; nil if it is not a Gaussian.
    ///   - blur: plans the blur of a region.
    /// - Throws: the errors of `blur`, and ``ParameterError/malformed(parameter:value:expected:)`` for a blur that does not
    ///   consist of passes.
    static func refracted(
        _ region: Rect, of extent: Rect, by lens: Lens, along shapes: [RoundedRect], join: Double, sigma: Double?,
        _ blur: (Rect) throws(ParameterError) -> Plan
    ) throws(ParameterError) -> Plan {
        var refraction = Refraction(
            base: Passes([]), lens: lens, shapes: shapes, join: join, sampling: lens.sampling(sigma: sigma),
            bounds: extent.hull(region))
        let read = refraction.reach(of: region)
        var plan = try blur(read)
        plan = plan.replacingCopy(plan.imageEdge)
        guard case .passes(var passes) = plan.work else {
            throw .malformed(
                parameter: "lens", value: "\(lens.depth.short) pixels",
                expected: "an effect that blurs all pixels by the same Gaussian or box")
        }
        passes.list[passes.list.count - 1].to = .slot(passes.slots.count)
        passes.slots.append(Slot(window: read, levelX: 0, levelY: 0, isSigned: false))
        plan.region = region
        refraction.base = passes
        plan.work = .refraction(refraction)
        return plan
    }

    /// The plan of the blurred image that the lens of this plan reads, for the plan's region; the plan itself if it has no lens.
    var withoutLens: Plan {
        guard case .refraction(let refraction) = work else { return self }
        var (plan, passes) = (self, refraction.base)
        passes.list[passes.list.count - 1].to = .output
        passes.slots.removeLast()
        plan.work = .passes(passes)
        return plan.restricted(to: region)
    }
}

extension Refraction: PlanWork {
    package var passes: [Pass] { base.list }
    package var slots: [Slot] { base.slots }
    package var edge: EdgeMode { base.edge }
    package func edge(along axis: Axis) -> EdgeMode { base.edge(along: axis) }
    package var passCount: Int { base.passCount + 1 }
    package func taps(in plan: Plan) -> Double { base.taps(in: plan) + 4 * Double(sampling * sampling) }
    package var canStream: Bool { base.canStream }
    package func sourceRead(in plan: Plan) -> Rect { base.sourceRead(in: plan) }
    package func sourceReads(along axis: Axis, in plan: Plan) -> [Range<Int>] {
        base.sourceReads(along: axis, in: plan)
    }

    package func affected(by damage: Rect, at place: Place, in plan: Plan) -> Region {
        if place != .output { return base.affected(by: damage, at: place, in: plan) }
        return readers(ofLast: base.affected(by: damage, at: blurred, in: plan))
    }

    package func damageExpansion(along axis: Axis, in plan: Plan) -> Int {
        let distance = base.damageExpansion(along: axis, in: plan) + Int(lens.reach.rounded(.up)) + 1
        return min(distance, plan.extent[axis].count)
    }

    package func samples(in plan: Plan) -> (read: Double, written: Double) {
        let sum = base.samples(in: plan)
        return (sum.read + plan.region.area, sum.written + plan.region.area)
    }

    package func steps(in plan: Plan) -> [PlanStep] {
        let size = "\(plan.region.width)x\(plan.region.height)"
        let samples = sampling == 1 ? "" : ", \(sampling * sampling) samples a pixel"
        let shapes =
            shapes.count == 1 ? "a shape" : "\(shapes.count) shapes" + (join > 0 ? " joined by \(join.short)" : "")
        let words =
            "lens along \(shapes), band \(lens.band.short), depth \(lens.depth.short), \(lens.profile.rawValue)\(samples) "
            + "-> \(size) at 1/1 x 1/1"
        return base.steps(in: plan) + [PlanStep(words, .lens(self))]
    }

    package func lastRead(for result: Rect) -> Rect { reach(of: result) }

    package func readers(ofLast samples: Region) -> Region { samples.grown(by: Int(lens.reach.rounded(.up)) + 1) }

    package func replacing(_ passes: Passes) -> Plan.Work {
        var refraction = self
        refraction.base = passes
        return .refraction(refraction)
    }
}
