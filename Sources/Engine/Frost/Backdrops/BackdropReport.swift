public import FrostCore

/// The cost of a backdrop's frame, and the areas that the frame changed.
public struct BackdropReport: Sendable, Hashable {
    /// The number of passes that computed levels, which panels with the same blur share. Each pass is counted once, even if
    /// it ran in several parts.
    public var levelPasses = 0
    /// The number of passes that ran for single panels, over a panel's own area. On the CPU a panel usually runs only the
    /// last interpolation. For effects that change colours, it runs the last two interpolations. Each interpolation counts
    /// as two passes, one along each axis, although a single step computes both axes.
    public var panelPasses = 0
    /// The number of low-resolution samples that were computed. Each sample stands for several pixels.
    public var levelSamples = 0
    /// The number of pixels that were written, with those of the images between stages: see ``Backdrop/Layering/stacked``.
    public var panelPixels = 0
    /// The rectangles of the target that were written. They do not overlap. They include rectangles that were written by
    /// earlier frames that failed.
    public var updated: [Rect] = []
    /// The areas in which the target may still show removed or moved panels. The host has to draw its picture in these
    /// areas. If ``bufferAge`` is 0, the list has all areas outside the panels, with two exceptions: it is empty in the first
    /// frame, and with ``Backdrop/Repaint/all`` it has only the areas that panels have left since the last frame.
    public var uncovered: [Rect] = []
    /// The age of the target's content, from which the frame was drawn: 1 if the target contained the last frame. 0 if all
    /// panels were drawn, because the content was unknown or too old.
    public var bufferAge = 0
    /// The indices of the panels whose content has a new colour: see ``Backdrop/contentColor(ofPanelAt:)``. The host draws this
    /// content again.
    public var contentChanges: [Int] = []
    /// The number of panels whose content may get another colour in the next frame, because the GPU still reads the picture below
    /// them. A host that renders only when something changes renders another frame. It is 0 for pictures in memory.
    public var pendingChoices = 0
    /// The maximum distance of any panel's value from the exact effect of what lies below it, before rounding, in 8-bit
    /// steps.
    public var errorBound = 0.0

    /// The number of all passes; 0 if there was nothing to do.
    public var passes: Int { levelPasses + panelPasses }
}
