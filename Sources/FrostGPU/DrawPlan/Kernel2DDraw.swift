import FrostCore

/// A 2-D kernel, for the draws `runs` and `zoom` of filter.frag, whose uniforms the names are: from the source to the
/// output. Coordinates are counted from the output's first pixel.
struct Kernel2DDraw: PlaceDraw, Hashable {
    /// Of the output.
    let window: Rect
    /// The output's texels along each axis that need no edge rule.
    let insideX: Range<Int>
    let insideY: Range<Int>
    let inputOrigin: SIMD2<Int32>
    let rangeX: SIMD4<Int32>
    let rangeY: SIMD4<Int32>
    let reads: Reads
    /// What the block of taps holds for it.
    let taps: [Float]
    /// Texels that are fetched for one of the output, on average.
    let readCount: Double
    let decoding: TransferFunction?

    /// What is read, as the shader is told.
    enum Reads: Hashable {
        case runs(count: Int32)
        case zoom(Zoom)
    }

    struct Zoom: Hashable {
        /// In whole pixels, and the rest.
        var centre: SIMD2<Int32>
        var centrePart: SIMD2<Float>
        /// How far lines go towards the centre and away from it, as fractions of the way there.
        var reaches: SIMD2<Float>
    }

    var from: Place { .source }
    var to: Place { .output }
    var passCount: Int { 1 }
    var weightsAt: Int { 0 }

    var kind: DrawKind {
        switch reads {
        case .runs: .runs
        case .zoom: .zoom
        }
    }

    /// Texels that are fetched between two marks of progress: a few seconds of software GL, and far less than what
    /// makes an operating system take a GPU for hung.
    static let readLimit = 0x1p30

    var parts: [DrawPart] { parts(limit: Self.readLimit) }

    /// The output in up to five rectangles, by whether they need the edge rules, and these in bands of at most `limit`
    /// reads, or a row.
    func parts(limit: Double) -> [DrawPart] {
        window.parts(insideX: insideX, insideY: insideY).flatMap { part -> [DrawPart] in
            let ofRow = readCount * Double(part.columns.count)
            let height = Int(min(max(1, limit / ofRow), Double(part.rows.count)))
            return stride(from: part.rows.lowerBound, to: part.rows.upperBound, by: height).map {
                var band = part
                band.rows = $0..<min($0 + height, part.rows.upperBound)
                band.reads = ofRow * Double(band.rows.count)
                return band
            }
        }
    }

    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues {
        var values: UniformValues = [
            (.outputOrigin, .int2(.zero &- shift)), (.inputOrigin, .int2(inputOrigin)), (.rangeX, .int4(rangeX)),
            (.rangeY, .int4(rangeY)),
        ]
        switch reads {
        case .runs(let count): values.append((.runCount, .int(count)))
        case .zoom(let zoom):
            values += [
                (.centre, .int2(zoom.centre)), (.centrePart, .float2(zoom.centrePart)),
                (.reaches, .float2(zoom.reaches)),
            ]
        }
        return values + (decoding.map(\.uniforms) ?? [])
    }

    /// - Parameter stored: the part of the source that is in its texture.
    init(_ kernel: Kernel2D, of plan: Plan, stored: Rect) throws(GPUError) {
        let (extent, region) = (plan.extent, plan.region)
        window = region
        decoding = plan.decoding
        taps = kernel.shaderTaps
        readCount = kernel.readCount(region)
        inputOrigin = SIMD2(try Int32(texels: stored.x - region.x), try Int32(texels: stored.y - region.y))
        func inside(_ axis: Axis) -> Range<Int> {
            interior(of: region[axis], in: extent[axis]) { kernel.reach(of: $0, along: axis) }
        }
        insideX = inside(.x)
        insideY = inside(.y)
        func range(_ axis: Axis) throws(GPUError) -> SIMD4<Int32> {
            let exists = extent[axis]
            let lowest = kernel.reach(of: region[axis], along: axis).lowerBound - exists.lowerBound
            return try kernel.edge.shaderRange(
                from: exists.lowerBound - region[axis].lowerBound, lowest: lowest, count: exists.count)
        }
        rangeX = try range(.x)
        rangeY = try range(.y)
        switch kernel.reads {
        case .runs(let runs): reads = .runs(count: Int32(runs.count))
        case .zoom(let zoom):
            let place = SIMD2(zoom.centerX - Double(region.x), zoom.centerY - Double(region.y))
            let whole = place.rounded(.down)
            reads = .zoom(
                Zoom(
                    centre: SIMD2(try Int32(texels: Int(whole.x)), try Int32(texels: Int(whole.y))),
                    centrePart: SIMD2<Float>(place - whole),
                    reaches: SIMD2(Float(zoom.inward), Float(zoom.outward))))
        }
    }
}

extension Kernel2D {
    /// What the shader's block of taps holds.
    var shaderTaps: [Float] {
        switch reads {
        case .runs(let runs): runs.flatMap { [Float($0.dx), Float($0.dy), Float($0.count), Float($0.weight)] }
        case .zoom: []
        }
    }
}
