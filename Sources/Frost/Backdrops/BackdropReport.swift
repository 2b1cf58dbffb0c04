public import FrostCore

/// What a frame took, and what it changed.
public struct BackdropReport: Sendable, Hashable {
    /// Passes that levels were computed with, which panels of the same blur share; counted once however many parts they were
    /// carried out in.
    public var levelPasses = 0
    /// Passes that panels took of their own, over their own area. On the CPU the last doubling, which is all that most blurs
    /// leave to them, and the one before it where effects colour its cells, is a pass along each axis, done in one step.
    public var panelPasses = 0
    /// Cells of levels that were computed: each stands for several pixels.
    public var levelCells = 0
    /// Pixels that were written.
    public var panelPixels = 0
    /// What was written of the target, by frames before that failed too: rectangles that do not overlap.
    public var updated: [Rect] = []
    /// What panels have left since the last frame that was reported, and none has come to: the host draws its picture there.
    public var uncovered: [Rect] = []
    /// How far any value can be from the exact effect before rounding, in 8-bit steps; the largest of all panels.
    public var errorBound = 0.0

    /// All passes; 0 where nothing had to be done.
    public var passes: Int { levelPasses + panelPasses }
}
