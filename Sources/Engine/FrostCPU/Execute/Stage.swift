import FrostCore

/// A stage of a plan's execution: it computes an image from the source, or from the image of an earlier stage. The last
/// stage of a plan computes the result.
protocol Stage {
    var plan: CPUPlan { get }
    var place: Place { get }
    /// Whether the stage can compute its image in blocks of rows without reading nearly all rows for each of them.
    var isDivisible: Bool { get }
    /// Returns what the stage reads to compute some of its rows, without the originals that output stages read.
    func inputs(of rows: Range<Int>) -> RowSchedule.Reads
    /// Returns the parts of the work that compute some rows, in order.
    ///
    /// - Parameters:
    ///   - images: the images of all stages; nil for the result.
    ///   - output: the stage's own image; nil for the result.
    func parts(
        _ rows: Range<Int>, images: [RowPlane?], output: RowPlane?, threads: Int, keepsDrivers: Bool
    ) -> [PlanPart]
}

extension Stage {
    var isDivisible: Bool { true }

    var window: Rect { plan.plan.window(of: place) }

    /// Allocates memory for the image, with room for some of its consecutive rows. Returns nil if the image is the result.
    func image(rows: Int) throws(CPUError) -> RowPlane? {
        try place == .output ? nil : plan.plane(at: place, rows: rows)
    }

    /// The bytes of the whole image; 0 if it is the result.
    var byteCount: Int { place == .output ? 0 : window.height * plan.bytesPerRow(at: place) }
}

/// A stage that computes the result from the source, row by row: all work of a plan that is not divided.
struct Sweep: Stage {
    let plan: CPUPlan

    var place: Place { .output }
    var isDivisible: Bool { plan.plan.work.cpu.isDivisible }

    func inputs(of rows: Range<Int>) -> RowSchedule.Reads {
        var reads = RowSchedule.Reads()
        plan.plan.work.cpu.add(rows, in: plan.plan, to: &reads)
        return reads
    }

    func parts(
        _ rows: Range<Int>, images: [RowPlane?], output: RowPlane?, threads: Int, keepsDrivers: Bool
    ) -> [PlanPart] {
        let (region, plan) = (plan.plan.region, plan)
        let isWhole = rows == region.rows
        if isWhole, plan.plan.isDividedByColumns(threads: threads) {
            let strips = plan.strips(threads: PlanPart.bands(region, threads: threads))
            return [
                PlanPart(
                    strips.map { strip in
                        strip.strips().map { part in
                            PlanPart.Band(part.plan.region.rows, offset: part.offset(in: plan)) {
                                (rows, memory) throws(CPUError) in try part.driver(rows, memory)
                            }
                        }
                    }, threads: strips.count)
            ]
        }
        // Source and target of a copy may be the same memory, and then the rows have to be moved in order.
        let bands = plan.plan.isCopy ? 1 : threads
        let strips = isWhole ? plan.strips() : plan.plan.work.cpu.blockStrips(of: plan)
        return strips.map { strip in
            PlanPart(
                Rect(columns: strip.plan.region.columns, rows: rows), threads: bands,
                offset: strip.offset(in: plan), keepsDrivers: keepsDrivers
            ) { (rows, memory) throws(CPUError) in try strip.driver(rows, memory) }
        }
    }
}

extension CPUPlan {
    /// Returns the distance in bytes from the beginning of each target row of a plan to the first pixel of this plan, which
    /// computes a part of the other plan's region.
    func offset(in whole: CPUPlan) -> Int {
        (plan.region.x - whole.plan.region.x) * writer.format.bytesPerPixel
    }
}
