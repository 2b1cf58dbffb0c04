/// The cost of a frame of a scene.
public struct SceneFrameReport: Sendable, Hashable {
    /// The number of passes that computed what several panels share: see ``BackdropReport/levelPasses``.
    public var levelPasses = 0
    /// The number of passes that ran for single panels: see ``BackdropReport/panelPasses``.
    public var panelPasses = 0
    /// The number of pixels of panels that were drawn.
    public var panelPixels = 0
    /// Whether the picture behind the panels differs from that of the last frame.
    public var pictureChanged = false
    /// Whether the reveal's effect was computed, because the backdrop changed.
    public var revealComputed = false
    /// The number of the frame's pixels that were copied or mixed again.
    public var composedPixels = 0
    /// The maximum distance of any panel's value from the exact effect before rounding, in 8-bit steps.
    public var errorBound = 0.0

    /// The number of all passes of panels; 0 if all panels rest over a picture that does not change.
    public var passes: Int { levelPasses + panelPasses }
}
