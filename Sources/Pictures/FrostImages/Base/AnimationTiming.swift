/// When the frames of an animation that was read are shown.
public struct AnimationTiming: Sendable, Hashable {
    /// The duration of each frame, in milliseconds. At least one.
    public let durations: [Int]
    /// How often the animation is played; 0 means endlessly.
    public let plays: Int

    /// The largest number of frames that Frost reads.
    public static let maximumFrames = 10_000

    /// WebP stores the number of plays in 16 bits.
    static let largestPlays = 65535

    /// Stores the times of a file. As in browsers, a frame of at most 10 ms is shown for 100 ms.
    init(durations: [Int], plays: Int) {
        self.durations = durations.map { $0 <= 10 ? 100 : min($0, 1 << 30) }
        self.plays = max(0, min(plays, Self.largestPlays))
    }
}
