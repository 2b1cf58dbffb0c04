package import Frost

/// The mosaic of a redaction in a sequence of frames. It is that of one frame, for a number of frames.
///
/// Each position of a thing that moves below a mosaic gives other averages of it, and the secret shifts of the cells are the same in
/// all frames, so many frames together would show what one frame hides. Of frames that show the same mosaic, only one tells
/// something.
package struct HeldMosaic: Sendable {
    /// The number of frames that show the same mosaic.
    package let frames: Int
    /// The current mosaic of the whole frame, and the number of the frame that it was made from.
    private var current: (mosaic: Rendered, start: Int)?

    /// The default number of frames, about ten seconds.
    package static let usualFrames = 300
    /// The allowed numbers of frames.
    package static let framesRange = 1...1_000_000_000

    /// - Returns: nil if each frame shows its own result.
    package init?(_ effect: Effect, frames: Int) {
        guard effect.isMosaic, frames > 1 else { return nil }
        self.frames = frames
    }

    /// Returns the mosaic of the whole frame, for a frame that shows a part of it.
    ///
    /// - Parameters:
    ///   - number: the number of the frame. Numbers must not fall.
    ///   - render: renders the whole frame. It is called only for a frame whose own mosaic is shown.
    package mutating func mosaic<Failure: Error>(
        for number: Int, render: () throws(Failure) -> Rendered
    ) throws(Failure) -> Rendered {
        if let current, number - current.start < frames { return current.mosaic.shownAgain }
        // The memory of the mosaic before is needed for this one.
        current = nil
        let mosaic = try render()
        current = (mosaic, number)
        return mosaic
    }
}
