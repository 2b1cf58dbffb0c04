import FrostImages

/// How players turn the frames of a stream before they show them.
///
/// Frost names the filters itself: ffmpeg would reduce the chroma of 4:2:2 before it turns frames by 90 degrees.
enum FrameTurn {
    case none
    /// ffmpeg moves whole pixels.
    case exact(filters: [String], swapsSides: Bool)
    /// By an angle for which ffmpeg interpolates.
    case free

    var swapsSides: Bool {
        switch self {
        case .exact(_, let swapsSides): swapsSides
        case .none, .free: false
        }
    }

    /// Reads the turn from the matrix that ffprobe prints: a line for each of three rows, which begins with its number.
    init(_ stream: VideoSource.Stream) {
        let words = (stream.sideData("displaymatrix") ?? "").split(whereSeparator: { " \\n\n".contains($0) })
        let numbers = words.filter { !$0.hasSuffix(":") }.compactMap { Int($0) }
        guard numbers.count == 9 else {
            self = .none
            return
        }
        let (a, b, c, d) = (numbers[0], numbers[1], numbers[3], numbers[4])
        switch (a.signum(), b.signum(), c.signum(), d.signum()) {
        case (1, 0, 0, 1): self = .none
        case (-1, 0, 0, 1): self = .exact(filters: ["hflip"], swapsSides: false)
        case (1, 0, 0, -1): self = .exact(filters: ["vflip"], swapsSides: false)
        case (-1, 0, 0, -1): self = .exact(filters: ["hflip", "vflip"], swapsSides: false)
        case (0, 1, -1, 0): self = .exact(filters: ["transpose=clock"], swapsSides: true)
        case (0, 1, 1, 0): self = .exact(filters: ["transpose=cclock_flip"], swapsSides: true)
        case (0, -1, 1, 0): self = .exact(filters: ["transpose=cclock"], swapsSides: true)
        case (0, -1, -1, 0): self = .exact(filters: ["transpose=clock_flip"], swapsSides: true)
        default: self = .free
        }
    }
}
