import Frost
import FrostCLI
import FrostGLES
import FrostMeasure
import Glibc

extension KitStep {
    /// Draws frames of a live backdrop in a context of the kit's own, as a compositor does.
    static let frames = KitStep(
        "frames",
        "draws up to 10,000 frames of a panel over a changing picture, and expects constant memory and objects",
        seconds: 75
    ) { context in
        let options = try context.options()
        let gl = try GLThread.open(DeviceSelector(named: context.device), options: options.context)
        defer { gl.shutdown() }
        return try gl.perform(failure: { $0 as any Error }) { current in
            let loop = try FrameLoop(options, in: current)
            context.beginFault()
            return try loop.run(context, in: current)
        }
    }
}

/// Frames of a panel of frosted glass over a picture of which 16 rows change in each frame.
private struct FrameLoop {
    private static let wanted = 10_000
    /// The frames after which textures, programs and the driver's own caches exist.
    private static let warmUp = 200
    private static let stripHeight = 16
    /// The growth of the process that drivers and the allocator may cause, in bytes. A texture of the picture that
    /// stayed alive in each frame would take 2 MB, and a leak of 2 KB in each frame would exceed it too.
    private static let allowedGrowth = 16 << 20

    private let size = (width: 960, height: 540)
    private let format = PixelFormat(.rgba, alpha: .premultiplied)
    private let renderer: TextureRenderer
    private let screen: HostTextures
    private let strips: [PixelBuffer]
    private let panel: Panel

    init(_ options: GPUOptions, in current: borrowing CurrentContext) throws {
        renderer = try TextureRenderer(options: options)
        let picture = KitPicture(seed: 11)
        let format = format
        screen = try HostTextures(picture.pixels(size.width, size.height, format), in: current)
        let width = size.width
        strips = try (0..<8).map { index in
            try picture.pixels(width, Self.stripHeight, format, y: 1000 + 40 * index)
        }
        panel = Panel(
            Rect(x: 280, y: 150, width: 400, height: 240), effect: Effect(try GaussianBlur(sigma: 12)), cornerRadius: 20
        )
    }

    func run(_ context: KitContext, in current: borrowing CurrentContext) throws -> KitResult {
        defer { renderer.destroy() }
        let backdrop = TextureBackdrop(on: renderer)
        backdrop.panels = [panel]
        var early: (objects: Int, created: Int, memory: Int)?
        var memory = 0
        var frames = 0
        var updates = 0
        let start = ContinuousClock.now
        while frames < Self.wanted, context.hasTime {
            let row = frames * 7 % (size.height - Self.stripHeight)
            try screen.upload(strips[frames % strips.count], row: row, in: current)
            backdrop.invalidate(Rect(x: 0, y: row, width: size.width, height: Self.stripHeight))
            if try backdrop.render(screen.image, into: screen.place).passes > 0 { updates += 1 }
            frames += 1
            // A compositor waits for its display. Here the GPU may be eight frames behind.
            if frames % 8 == 0 { try screen.wait(in: current) }
            if frames == Self.warmUp { early = sample() }
            if frames % 500 == 0 { memory = max(memory, ProcessMemory.resident) }
        }
        try screen.wait(in: current)
        let seconds = (ContinuousClock.now - start).milliseconds / 1000
        let late = sample()
        let shown = try screen.shown(in: current)
        try TextureBackdrop(on: renderer).redraw([panel], screen, current)
        let difference = zip(shown, try screen.shown(in: current)).map { abs(Int($0) - Int($1)) }.max() ?? 0
        guard let early else {
            return .failed("only \(frames) frames in the time; \(Self.warmUp) are needed before memory can be compared")
        }
        let growth = max(memory, late.memory) - early.memory
        var faults: [String] = []
        // Both frames are within half a step of the exact one before rounding, so they may round to neighbouring
        // values.
        if difference > 1 { faults.append("the last frame is \(difference) steps off the same frame drawn at once") }
        if updates == 0 { faults.append("no frame drew anything") }
        if late.objects != early.objects || late.created != early.created {
            faults.append(
                "GL objects: \(early.objects), then \(late.objects); \(late.created - early.created) were created")
        }
        if growth > Self.allowedGrowth { faults.append("the process grew by \(growth >> 10) KiB") }
        let reached = frames == Self.wanted ? "\(frames) frames" : "\(frames) of \(Self.wanted) frames, in the time"
        return KitResult(
            outcome: faults.isEmpty ? .passed : .failed,
            finding: "\(reached), \(fixed(Double(frames) / seconds, 0)) a second; \(late.objects) GL objects, "
                + "\(late.created - early.created) created after frame \(Self.warmUp); the process grew by \(growth >> 10) KiB",
            figures: [
                ("frames", .int(frames)), ("frames_per_s", .number(Double(frames) / seconds, decimals: 1)),
                ("objects", .int(late.objects)), ("objects_created_late", .int(late.created - early.created)),
                ("growth_KiB", .int(growth >> 10)), ("last_frame_difference", .int(difference)),
                ("frames_that_drew", .int(updates)),
            ], evidence: faults)
    }

    private func sample() -> (objects: Int, created: Int, memory: Int) {
        let objects = renderer.statistics.objects
        return (objects.total, objects.created, ProcessMemory.resident)
    }
}

extension TextureBackdrop {
    /// Draws panels as if for the first time.
    fileprivate func redraw(
        _ panels: [Panel], _ screen: HostTextures, _ current: borrowing CurrentContext
    ) throws {
        self.panels = panels
        _ = try render(screen.image, into: screen.place)
        try screen.wait(in: current)
    }
}

private enum ProcessMemory {
    /// The bytes of this process that are in memory.
    static var resident: Int {
        let fields = (TextFile.line("/proc/self/statm") ?? "").split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }
}
