public import FrostCore

/// The cost of a frame, and what it changed.
public struct BackdropReport: Sendable, Hashable {
    /// Passes that computed levels, which panels of the same blur share. Each pass is counted once, even if it ran in
    /// several parts.
    public var levelPasses = 0
    /// Passes that single panels needed, over their own area. On the CPU usually only the last interpolation is left to
    /// them, and for effects with colours the one before it too; each counts as a pass along each axis, although both
    /// axes run in one step.
    public var panelPasses = 0
    /// Samples of levels that were computed; each stands for several pixels.
    public var levelCells = 0
    /// Pixels that were written.
    public var panelPixels = 0
    /// Rectangles of the target that were written, which do not overlap. Includes earlier frames that failed.
    public var updated: [Rect] = []
    /// Areas that panels have left since the last reported frame, and that no other panel covers: the host draws its
    /// picture there.
    public var uncovered: [Rect] = []
    /// How far any value can be from the exact effect before rounding, in 8-bit steps: the maximum of all panels.
    public var errorBound = 0.0

    /// All passes; 0 if nothing had to be done.
    public var passes: Int { levelPasses + panelPasses }
}
