import FrostCore

/// A draw that applies a 2-D kernel to the source and writes the output. In filter.frag it is a draw of the kind `runs`
/// or `zoom`. The properties are named after the shader's uniforms. Coordinates are counted from the output's first
/// pixel.
struct Kernel2DDraw: PlaceDraw, Hashable {
    /// The rectangle of the output.
    let window: Rect
    /// The columns of the output that need no edge rule.
    let insideX: Range<Int>
    /// The rows of the output that need no edge rule.
    let insideY: Range<Int>
    let inputOrigin: SIMD2<Int32>
    let rangeX: SIMD4<Int32>
    let rangeY: SIMD4<Int32>
    let reads: Reads
    /// The kernel's values in the shader's uniform block of taps.
    let taps: [Float]
    let readCount: Double
    let decoding: TransferFunction?

    /// Describes which texels the kernel reads, as values for the shader's uniforms.
    enum Reads: Hashable {
        case runs(count: Int32)
        case zoom(Zoom)
    }

    struct Zoom: Hashable {
        /// The integer parts of the centre's coordinates, in pixels.
        var centre: SIMD2<Int32>
        /// The fractional parts of the centre's coordinates, in pixels.
        var centrePart: SIMD2<Float>
        /// How far the blur reaches from a pixel along the line through the centre: first towards the centre, then away
        /// from the centre. Both values are fractions of the pixel's distance to the centre.
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

    /// The number of texel fetches after which the CPU waits for the GPU. Software GL takes a few seconds for this
    /// number of fetches. A GPU takes far less than the time after which an operating system considers a GPU hung.
    static let readLimit = 0x1p30

    var parts: [DrawPart] { parts(limit: Self.readLimit) }

    /// Divides the output into up to five rectangles. The inner rectangle needs no edge rules; the rectangles around it
    /// do. Each rectangle is then divided into bands of rows. A band has at most `limit` texel fetches, or it has a
    /// single row.
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

    /// Prepares the draw of a 2-D kernel.
    ///
    /// - Parameter stored: the part of the source that its texture contains.
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
            return try EdgeRule(kernel.edge).shaderRange(
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
    /// The kernel's values in the shader's uniform block of taps. Each run of pixels has four values: its offset in x,
    /// its offset in y, its length and its weight.
    var shaderTaps: [Float] {
        switch reads {
        case .runs(let runs): runs.flatMap { [Float($0.dx), Float($0.dy), Float($0.count), Float($0.weight)] }
        case .zoom: []
        }
    }
}
