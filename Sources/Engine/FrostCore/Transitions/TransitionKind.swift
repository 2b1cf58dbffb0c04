/// A kind of transition with its parameters: its formulas and all facts on which the catalogue, planning, the backends and
/// the command line depend.
///
/// A kind is a value of a type of its own and a case of ``Transition/Kind``. The CPU, the GPU and the exact backend have code
/// for each kind.
package protocol TransitionKind: Sendable, Hashable {
    associatedtype Drawing: TransitionDrawing

    /// The transitions of the catalogue that are of this kind.
    static var descriptions: [TransitionDescription] { get }
    /// The extra images that the kind can use.
    static var extraImages: Set<Transition.ExtraImage> { get }
    /// Whether the result depends on the extent.
    static var usesExtent: Bool { get }
    /// Whether the result depends on the extent of a shadow.
    var usesShadowExtent: Bool { get }
    /// The colour that the transition draws by itself; nil if it draws none.
    var ownColor: Color? { get }

    /// Returns the largest distance in pixels that a kernel computes for a pixel of the canvas, multiplied by the slope with
    /// which positions depend on it; 0 if the kind computes none.
    func largestDistance(_ frame: TransitionFrame) -> Double
    /// Returns the numbers of one frame.
    func drawing(_ frame: TransitionFrame) -> Drawing
}

extension TransitionKind {
    package static var extraImages: Set<Transition.ExtraImage> { [] }
    package static var usesExtent: Bool { true }
    package var usesShadowExtent: Bool { false }
    package var ownColor: Color? { nil }
    package func largestDistance(_ frame: TransitionFrame) -> Double { frame.side }
}

/// The numbers of one frame: all that a kind computes and that does not depend on the pixel.
package protocol TransitionDrawing: Sendable, Hashable {
    /// The parameters in the order in which the kind's shader names them.
    var parameters: [Double] { get }

    /// Returns where the images are read for some pixels of the canvas. By default each pixel reads its own position.
    ///
    /// - Parameters:
    ///   - pixels: the pixels' centres.
    ///   - error: a bound on the errors of the distances and positions that backends compute in floats.
    func reads(_ pixels: Positions, error: Double) -> TransitionReads
}

extension TransitionDrawing {
    package func reads(_ pixels: Positions, error: Double) -> TransitionReads { TransitionReads() }
}
