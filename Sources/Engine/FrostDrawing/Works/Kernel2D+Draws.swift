import FrostCore

/// One draw applies the kernel to the source and writes the output. Coordinates are counted from the output's first pixel.
extension Kernel2D: DrawnWork {
    func sourceReads(in plan: Plan, _ limits: DrawLimits, given: Place?) -> [Rect] { [plan.sourceRead] }

    func draws(in plan: Plan, stored: Rect, _ taps: inout TapList) throws(DrawingError) -> WorkDraws {
        let region = plan.region
        let shader = reads.shader
        let origin = SIMD2(try Int32(texels: stored.x - region.x), try Int32(texels: stored.y - region.y))
        let uniforms: UniformValues = [
            (.inputOrigin, .int2(origin)), (.rangeX, .int4(try range(.x, in: plan))),
            (.rangeY, .int4(try range(.y, in: plan))),
        ]
        let draw = ShaderDraw(
            DrawKind(files: ["filter.kernel2D.glsl", shader.file], readsTaps: !shader.taps.isEmpty),
            parts: parts(in: plan),
            uniforms: uniforms + (try shader.uniforms(region)) + (plan.decoding.map(\.uniforms) ?? []))
        return WorkDraws(lists: [
            DrawList(
                "2-D kernel", sourceRead: plan.sourceRead,
                [
                    PlaceDraw(
                        name: "2-D kernel", draw: draw, from: .source, to: .output, window: region, passCount: 1,
                        tapsAt: try taps.add(shader.taps), readCount: readCount(region), decodes: plan.decoding != nil)
                ])
        ])
    }

    /// Divides the output into up to five rectangles. The inner rectangle needs no edge rules; the rectangles around it
    /// do. Each rectangle is then divided into bands of rows with at most `limit` texel fetches.
    func parts(in plan: Plan, limit: Double = DrawPart.readLimit) -> [DrawPart] {
        func inside(_ axis: Axis) -> Range<Int> {
            interior(of: plan.region[axis], in: plan.extent[axis]) { reach(of: $0, along: axis) }
        }
        return plan.region.parts(insideX: inside(.x), insideY: inside(.y))
            .flatMap { $0.bands(readCount: readCount(plan.region), limit: limit) }
    }

    private func range(_ axis: Axis, in plan: Plan) throws(DrawingError) -> SIMD4<Int32> {
        let (exists, output) = (plan.extent[axis], plan.region[axis])
        let lowest = reach(of: output, along: axis).lowerBound - exists.lowerBound
        return try EdgeRule(edge)
            .shaderRange(from: exists.lowerBound - output.lowerBound, lowest: lowest, count: exists.count)
    }
}

/// How the shader reads the pixels of a 2-D kernel.
private protocol KernelShader {
    /// The file that defines the function filtered().
    var file: String { get }
    /// The kernel's values in the uniform block of taps.
    var taps: [Float] { get }
    /// Returns the values of the uniforms that the file declares.
    func uniforms(_ region: Rect) throws(DrawingError) -> UniformValues
}

extension Kernel2D.Reads {
    fileprivate var shader: any KernelShader {
        switch self {
        case .runs(let runs): runs
        case .zoom(let zoom): zoom
        }
    }
}

extension [KernelRun]: KernelShader {
    fileprivate var file: String { "filter.runs.glsl" }
    /// Each run of pixels has four values: its offset in x, its offset in y, its length and its weight.
    fileprivate var taps: [Float] { flatMap { [Float($0.dx), Float($0.dy), Float($0.count), Float($0.weight)] } }

    fileprivate func uniforms(_ region: Rect) -> UniformValues { [(.runCount, .int(Int32(count)))] }
}

extension KernelZoom: KernelShader {
    fileprivate var file: String { "filter.zoom.glsl" }
    fileprivate var taps: [Float] { [] }

    fileprivate func uniforms(_ region: Rect) throws(DrawingError) -> UniformValues {
        let place = SIMD2(centerX - Double(region.x), centerY - Double(region.y))
        let whole = place.rounded(.down)
        return [
            (.centre, .int2(SIMD2(try Int32(texels: Int(whole.x)), try Int32(texels: Int(whole.y))))),
            (.centrePart, .float2(SIMD2<Float>(place - whole))),
            (.reaches, .float2(SIMD2(Float(inward), Float(outward)))),
        ]
    }
}
