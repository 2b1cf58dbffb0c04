import FrostCore

/// Does the work of a ``BackdropScene`` on the picture and target of one frame.
protocol BackdropExecutor {
    associatedtype Level: BackdropLevel

    /// The overhead of computing one part of a level. It is expressed as the number of samples whose computation takes
    /// as long as the overhead.
    static var partCost: Int { get }

    /// Checks that a panel's plan matches the formats of picture and target.
    ///
    /// - Throws: ``FrostError/pixels(_:)`` if the formats do not match.
    func check(_ plan: Plan) throws(FrostError)

    /// Returns the maximum distance of a plan's result from the exact effect before rounding, in 8-bit steps.
    func errorBound(of plan: Plan) -> Double

    /// Creates the low-resolution level that is kept for a panel's plan. The level covers the whole picture. Returns
    /// nil if the plan has to be computed from the picture each time.
    func makeLevel(of plan: Plan) throws(FrostError) -> Level?

    /// Frees a level that no panel needs any more.
    func drop(_ level: Level)

    /// Computes the samples of a level within a rectangle of the level's samples.
    func update(_ level: Level, in samples: Rect) throws(FrostError)

    /// Begins to read samples of the picture.
    ///
    /// - Parameter grid: a grid within the picture, with at least one sample.
    func sample(_ grid: SampleGrid) throws(FrostError) -> any BackdropSamples

    /// Draws the result of a plan, and writes it to the position of the plan's region in the target.
    ///
    /// - Parameter level: the level that is kept for the plan; nil if no level is kept. With a level, only those passes
    ///   run that draw from the level.
    func draw(_ plan: Plan, from level: Level?, mask: MaskImage?) throws(FrostError)
}

/// A low-resolution level that is kept between frames. It contains the stored samples of a ``LayeredPlan``.
protocol BackdropLevel: AnyObject {
    /// The split of the plan into passes that compute the level and passes that draw from the level.
    var layers: LayeredPlan { get }
    /// Whether a panel's plan can use this level, because it needs exactly the samples that the level contains, bit for
    /// bit.
    func serves(_ plan: Plan) -> Bool
    /// Whether the samples that were computed still exist. They are given up if the GL refuses a call.
    var isValid: Bool { get }
    /// Takes note that a rectangle of the picture has changed, for levels that also keep other samples than those of
    /// ``layers``.
    func invalidate(_ damage: Rect)
}

/// Samples of a picture that are being read.
protocol BackdropSamples: AnyObject {
    /// Whether ``colors()`` would wait for the GPU if it was called in the same frame.
    var isPending: Bool { get }
    /// Returns the samples: premultiplied RGBA of encoded numbers; nil if they are lost.
    func colors() throws(FrostError) -> [SIMD4<Float>]?
}

extension BackdropExecutor {
    func errorBound(of plan: Plan) -> Double { plan.errorBound }
}

extension BackdropLevel {
    func invalidate(_ damage: Rect) {}
}
