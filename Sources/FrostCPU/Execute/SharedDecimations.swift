import FrostCore

/// The images of a blend from which several levels are computed, and the parts of the work that compute these images.
///
/// An image has a fixed arithmetic. A level or another image that needs another arithmetic is computed from the source
/// instead.
struct SharedDecimations {
    private(set) var parts: [PlanPart] = []
    private var images: [Image] = []

    /// One of the images.
    struct Image {
        let plane: RowPlane
        /// The number of a level's passes whose result the image contains.
        let passCount: Int
        fileprivate let arithmetic: Arithmetic
    }

    /// Prepares the images.
    init(_ plan: CPUPlan, _ blend: Blend, threads: Int) {
        for decimation in blend.decimations {
            let passes = decimation.plan.filters
            let own = plan.level(decimation.plan)
            let from = decimation.from.flatMap { image($0, for: own.arithmetic, of: passes) }
            let plane = own.plane(at: decimation.place)
            parts += PlanPart.chain(
                own, passes, (from?.passCount ?? 0)..<decimation.passes.upperBound, read: from?.plane, made: plane,
                threads: threads)
            images.append(
                Image(plane: plane, passCount: decimation.passes.upperBound, arithmetic: own.arithmetic))
        }
    }

    /// Returns an image if passes that are computed in an arithmetic can begin with it.
    ///
    /// - Parameter index: the index of the image in ``Blend/decimations``; nil for the source.
    func image(_ index: Int?, for arithmetic: Arithmetic, of passes: Passes) -> Image? {
        guard let image = index.map({ images[$0] }) else { return nil }
        let isSame = arithmetic.makesSame(as: image.arithmetic, passes, count: image.passCount)
        return isSame ? image : nil
    }
}

extension Arithmetic {
    /// Whether the first passes of a list compute the same bits with both arithmetics.
    fileprivate func makesSame(as other: Arithmetic, _ passes: Passes, count: Int) -> Bool {
        channels == other.channels && arriving == other.arriving
            && (0..<count).allSatisfy { kind(.slot($0), of: passes) == other.kind(.slot($0), of: passes) }
    }
}
