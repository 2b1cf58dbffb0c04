import FrostCore

/// A plan together with the formats of its images, its arithmetic, its mask image and the kernels. The pixels of a
/// result depend only on these values and on the source's pixels, not on the number of threads.
struct CPUPlan {
    let plan: Plan
    /// The conversions from the source's format (`reader`) and to the target's format (`writer`).
    let reader: RowConversion
    let writer: RowConversion
    let arithmetic: Arithmetic
    /// The mask image, if the output stages or the blend have a mask that is an image.
    let mask: MaskImage?
    let kernels: KernelSet
}

extension CPUPlan {
    /// Creates a CPU plan. Chooses the arithmetic if the caller gives none.
    ///
    /// - Parameter arithmetic: the arithmetic to use; nil to choose the arithmetic that suits the plan.
    init(
        _ plan: Plan, source: PixelFormat, target: PixelFormat, mask: MaskImage? = nil,
        arithmetic: Arithmetic? = nil, kernels: KernelSet = .best
    ) {
        let reader = RowConversion(format: source, addingAlpha: target.channels.hasAlpha)
        let writer = RowConversion(format: target)
        let used = arithmetic ?? plan.work.cpu.arithmetic(of: plan, reader: reader, writer: writer)
        self.init(
            plan: plan, reader: used.reader(reader), writer: writer, arithmetic: used, mask: mask, kernels: kernels)
    }

    /// Returns the plan for a part of its region, or of the image at another place. The part has the same pixels as the whole.
    func restricted(to rect: Rect, at place: Place = .output) -> CPUPlan {
        CPUPlan(
            plan: plan.restricted(to: rect, at: place), reader: reader, writer: writer, arithmetic: arithmetic,
            mask: mask,
            kernels: kernels)
    }

    /// Returns the place to which consecutive passes write their result. A 2-D kernel, and a lens after the last pass, write to
    /// the output.
    func place(after passes: Range<Int>) -> Place {
        passes.upperBound == plan.passes.count ? .output : plan.passes[passes].last?.to ?? .output
    }

    /// Returns the level of the image that consecutive passes read. A 2-D kernel reads the source.
    func inputLevel(of passes: Range<Int>, along axis: Axis) -> Int {
        plan.passes[passes].first.map { plan.level(of: $0.from, along: axis) } ?? 0
    }

    /// Allocates memory for the intermediate image at a place between two passes.
    ///
    /// - Parameter rows: the number of consecutive rows that exist at the same time; nil for all rows.
    func plane(at place: Place, rows: Int? = nil) throws(CPUError) -> RowPlane {
        try RowPlane(window: plan.window(of: place), channels: arithmetic.channels, kind: kind(at: place), rows: rows)
    }

    /// Returns the memory that a row of the intermediate image at a place between two passes takes.
    func bytesPerRow(at place: Place) -> Int {
        RowStorage.bytesPerRow(
            floats: RowPlane.floatsPerRow(
                plan.window(of: place).width, channels: arithmetic.channels, kind: kind(at: place)))
    }

    private func kind(at place: Place) -> RowKind {
        arithmetic.kind(place, of: plan.slots)
    }

    /// Returns the source as the input of a chain.
    func pixels(_ source: PixelSource) -> RowInput {
        unsafe .image(
            ImageRows(source, extent: plan.extent, edge: plan.rowEdge), reader, decoding: plan.decoding)
    }
}
