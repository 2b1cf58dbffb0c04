import FrostCore
import FrostGPU

/// Identifies a target among those into which a backdrop draws.
enum BackdropTarget: Hashable {
    /// A buffer that the host numbers. The picture's top left pixel lies at `x`, `y` of the buffer.
    case buffer(UInt64, x: Int, y: Int)
    /// Pixels in memory, by their address.
    case memory(UInt)
    /// A texture or framebuffer.
    case surface(HostTarget)

    /// Whether the host has numbered the buffer. Other targets may stand for several buffers, as the framebuffer of a window
    /// does.
    var isNumbered: Bool {
        switch self {
        case .buffer: true
        case .memory, .surface: false
        }
    }
}

/// Remembers what each of the last frames has changed, and which frame each target contains. So a target that contains an
/// earlier frame is brought up to date by drawing only the differences.
struct BackdropHistory {
    /// The number of frames that are remembered. The swap chains of compositors have at most 4 buffers.
    static let limit = 16

    private struct Frame {
        /// The pixels of panels that differ from the frame before.
        var changed: Region
        /// All pixels of panels.
        var covered: Region
    }

    /// What is known of a target.
    private struct Target {
        /// The number of the last frame that was completed in the target; nil for none.
        var frame: Int?
        /// The pixels that frames which failed have already drawn as they are to be now.
        var done = Region()
        /// All pixels of the panels of these frames. The target may show remains of panels there.
        var touched = Region()
        /// The rectangles that these frames have written.
        var updated: [Rect] = []
    }

    /// The last frames, the newest at the end.
    private var frames: [Frame] = []
    private var targets: [BackdropTarget: Target] = [:]
    /// The number of completed frames.
    private(set) var count = 0
    /// The pixels of panels that have changed since the last completed frame.
    private var fresh = Region()

    /// The maximum number of rectangles in the changes of a frame. If there are more, some are joined.
    private static let rectLimit = 32

    /// Takes note of a change that the next frame has to show.
    mutating func change(_ region: Region) {
        guard !region.isEmpty else { return }
        fresh.formUnion(region)
        for (key, target) in targets where !target.done.isEmpty { targets[key]?.done.subtract(region) }
    }

    /// The oldest frame whose panels are remembered.
    private var oldest: Int { count - frames.count + 1 }

    /// Returns the number of the frame that a target contains, or nil if that is unknown or too long ago.
    func base(of target: BackdropTarget, _ repaint: Backdrop.Repaint) -> Int? {
        let own = targets[target]?.frame
        let base: Int?
        switch repaint {
        case .all: base = nil
        case .changed: base = own
        case .aged(let age):
            let stated = age > 0 && age <= count ? count + 1 - age : nil
            // If the host has numbered the buffer, the older of the two frames is safe.
            base = target.isNumbered ? own.flatMap { own in stated.map { min(own, $0) } } : stated
        }
        return base.flatMap { $0 >= oldest ? $0 : nil }
    }

    /// Returns the pixels of panels that a target does not show yet.
    ///
    /// - Parameters:
    ///   - base: the frame that the target contains; nil if that is unknown.
    ///   - covered: all pixels of panels.
    func due(in target: BackdropTarget, base: Int?, _ repaint: Backdrop.Repaint, covered: Region) -> Region {
        var due = fresh
        if let base {
            for frame in frames.suffix(count - base) { due.formUnion(frame.changed) }
        } else {
            due = covered
        }
        switch repaint {
        case .changed:
            if let done = targets[target]?.done, !done.isEmpty { due.subtract(done) }
        case .all, .aged: break
        }
        return due
    }

    /// Returns the pixels at which a target may still show removed or moved panels.
    func uncovered(
        in target: BackdropTarget, base: Int?, _ repaint: Backdrop.Repaint, covered: Region, extent: Rect
    ) -> Region {
        var before = targets[target]?.touched ?? Region()
        if let base {
            switch repaint {
            case .all, .changed: before.formUnion(frames[base - oldest].covered)
            case .aged:
                // A host that does not render the backdrop in every frame that it presents states too great an age. So the
                // target may show the panels of any frame since.
                for frame in frames[(base - oldest)...] { before.formUnion(frame.covered) }
            }
        } else if let last = frames.last {
            switch repaint {
            case .all:
                before.formUnion(last.covered)
                if let own = targets[target]?.frame, own >= oldest { before.formUnion(frames[own - oldest].covered) }
            case .changed, .aged: before = Region(extent)
            }
        }
        // The usual case: the panels cover the same pixels as in the last frame.
        return before == covered ? Region() : before.subtracting(covered)
    }

    /// Whether a target contains the last frame, and nothing has changed since.
    ///
    /// - Parameter covered: all pixels of panels.
    func isCurrent(_ target: BackdropTarget, covered: Region) -> Bool {
        guard fresh.isEmpty, let last = frames.last, let own = targets[target] else { return false }
        return own.frame == count && own.touched.isEmpty && last.covered == covered
    }

    /// Takes note of a completed frame.
    ///
    /// - Returns: the rectangles that earlier frames have written in the target before they failed.
    mutating func complete(_ target: BackdropTarget, covered: Region) -> [Rect] {
        count += 1
        let rects = fresh.rects
        let changed = rects.count > Self.rectLimit ? Region(fresh.cover(limit: Self.rectLimit)) : fresh
        frames.append(Frame(changed: changed, covered: covered))
        if frames.count > Self.limit { frames.removeFirst() }
        fresh = Region()
        let updated = targets[target]?.updated ?? []
        targets[target] = Target(frame: count)
        if targets.count > Self.limit { forgetOldest(but: target) }
        return updated
    }

    /// Takes note of a frame that failed.
    ///
    /// - Parameter updated: the rectangles that the frame has written.
    mutating func fail(_ target: BackdropTarget, updated: [Rect], covered: Region) {
        var own = targets[target] ?? Target()
        own.done.formUnion(Region(updated))
        own.touched.formUnion(covered)
        own.updated += updated
        targets[target] = own
        if targets.count > Self.limit { forgetOldest(but: target) }
    }

    private mutating func forgetOldest(but target: BackdropTarget) {
        let oldest = targets.filter { $0.key != target }.min { ($0.value.frame ?? 0) < ($1.value.frame ?? 0) }
        if let oldest { targets[oldest.key] = nil }
    }
}
