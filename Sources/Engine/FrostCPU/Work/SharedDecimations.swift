import FrostCore

/// The images of a blend from which several levels are computed, and the stages that compute these images.
///
/// An image has a fixed arithmetic. A level or another image that needs another arithmetic is computed from the source
/// instead.
struct SharedDecimations {
    private var images: [Image] = []

    /// One of the images.
    struct Image {
        /// The index of the stage that computes the image.
        let stage: Int
        /// The number of a level's passes whose result the image contains.
        let passCount: Int
        fileprivate let arithmetic: Arithmetic
    }

    /// Appends the stages that compute the images.
    init(_ plan: CPUPlan, _ blend: Blend, _ stages: inout [any Stage]) {
        for decimation in blend.decimations {
            let passes = decimation.plan.passes
            let own = plan.level(decimation.plan)
            let from = decimation.from.flatMap { image($0, for: own.arithmetic, of: passes) }
            let wanted = (from?.passCount ?? 0)..<decimation.passes.upperBound
            PassStage.append(own, passes.bandedParts.map { $0.clamped(to: wanted) }, from: from?.stage, to: &stages)
            images.append(
                Image(
                    stage: stages.count - 1, passCount: decimation.passes.upperBound, arithmetic: own.arithmetic))
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
            && (0..<count).allSatisfy { kind(.slot($0), of: passes.slots) == other.kind(.slot($0), of: passes.slots) }
    }
}
