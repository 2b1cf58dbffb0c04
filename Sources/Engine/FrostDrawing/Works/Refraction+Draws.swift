import FrostCore

/// The passes write an image between draws, and one more draw reads it through the lens. Coordinates of this draw are counted from
/// the output's first pixel.
extension Refraction: DrawnWork {
    /// The largest number of shapes near one region.
    static let shapeLimit = 16

    func sourceReads(in plan: Plan, _ limits: DrawLimits, given: Place?) throws(DrawingError) -> [Rect] {
        guard base.list.last?.to == blurred else {
            throw .invalidPlan("the last pass does not write the image that the lens reads")
        }
        return try base.checkedReads(in: plan, limits, given: given)
    }

    func draws(in plan: Plan, stored: Rect, _ taps: inout TapList) throws(DrawingError) -> WorkDraws {
        let passes = try base.draws(in: plan, stored: stored, &taps)
        let (region, window) = (plan.region, plan.window(of: blurred))
        let group = group
        // Every joined shape may count.
        let near =
            group.join > 0 ? group.fields : group.fields.filter { $0.bounds.grown(by: 1).intersection(region) != nil }
        let fields = near.isEmpty ? Array(group.fields.prefix(1)) : near
        guard fields.count <= Self.shapeLimit else {
            throw .invalidPlan("a lens along \(fields.count) shapes; the most is \(Self.shapeLimit)")
        }
        let (left, top) = (window.x - region.x, window.y - region.y)
        let range = SIMD4(
            try Int32(texels: left), try Int32(texels: top), try Int32(texels: left + window.width - 1),
            try Int32(texels: top + window.height - 1))
        let kind = lens.profile.shaderCode
        let uniforms: UniformValues = [
            (.inputOrigin, .int2(SIMD2(range.x, range.y))), (.lensRange, .int4(range)),
            (.lensJoin, .float(Float(group.join))),
            (.lensCounts, .int4(SIMD4(Int32(fields.count), Int32(sampling), Int32(kind), 0))),
            (
                .lensNumbers,
                .float4(
                    SIMD4<Float>(
                        SIMD4(
                            Lens.Profile.bevelSine, Lens.Profile.bevelDepth, lens.dispersion, -1 / Lens.Profile.decay)))
            ),
        ]
        let reads = 4 * Double(sampling * sampling)
        let parts = [DrawPart(columns: 0..<region.width, rows: 0..<region.height)].flatMap {
            $0.bands(readCount: reads)
        }
        let draw = PlaceDraw(
            name: "lens", draw: ShaderDraw(.lens, parts: parts, uniforms: uniforms), from: blurred, to: .output,
            window: region, passCount: 1,
            tapsAt: try taps.add(fields.flatMap { $0.vectors(region).flatMap { [$0.x, $0.y, $0.z, $0.w] } }),
            readCount: reads, decodes: false)
        return WorkDraws(
            lists: passes.lists.map { DrawList("passes and lens", sourceRead: $0.sourceRead, $0.draws + [draw]) })
    }
}

extension Lens.Profile {
    /// The shader's constant LENS_… for this profile: its index in the list of cases.
    var shaderCode: Int { Self.allCases.prefix { $0 != self }.count }
}
