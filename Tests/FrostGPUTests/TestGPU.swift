import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// The GPU that the tests run on. It may be a software renderer.
enum TestGPU {
    static let shared: Result<GPUExecutor, GPUError> = Result { () throws(GPUError) in try GPUExecutor(device: .any) }

    /// True if the GL test suites run. With FROST_REQUIRE_GPU=1 they run on every machine, and they fail if EGL is missing.
    static let isWanted = GPURequirement.isWanted(shared)

    static let skipReason = GPURequirement.skipReason(shared)

    /// Whether the driver can store programs as bytes.
    static let hasBinaries = (try? shared.get().limits.programBinaryFormats.isEmpty) == false

    /// Whether the device is a software renderer.
    static let isSoftware = (try? shared.get().device.isSoftware) == true
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if the driver cannot store programs as bytes.
    static var needsProgramBinaries: Self {
        .enabled(if: TestGPU.hasBinaries, "the driver does not support program binaries")
    }
}

extension GPUExecutor {
    /// Runs a plan on an image in memory and returns the result in memory.
    @discardableResult func run(
        _ plan: Plan, on source: PixelBuffer, mask: MaskImage? = nil, format: PixelFormat? = nil, padding: Int = 0,
        cancellation: Cancellation? = nil
    ) throws -> (output: PixelBuffer, report: GPUReport) {
        let format = format ?? source.format
        let layout = try PixelLayout(
            width: plan.region.width, height: plan.region.height, format: format,
            bytesPerRow: plan.region.width * format.bytesPerPixel + padding * format.sample.size)
        var output = PixelBuffer(layout: layout)
        var report = GPUReport()
        try unsafe source.withUnsafeBytes { from in
            try unsafe output.withUnsafeMutableBytes { to in
                let from = try unsafe #require(from.baseAddress)
                let to = try unsafe #require(to.baseAddress)
                report = try unsafe execute(
                    plan, source: PixelSource(from, layout: source.layout), mask: mask,
                    target: PixelTarget(to, layout: layout), cancellation: cancellation)
            }
        }
        return (output, report)
    }
}

extension Plan {
    /// Creates a plan of passes.
    init(extent: Rect, region: Rect, list: [Pass], slots: [Slot] = []) {
        self.init(extent: extent, region: region, work: .passes(Passes(list, slots: slots)), errorBound: 0)
    }

    /// The passes of the plan. The plan must consist of passes.
    var separable: Passes {
        get {
            switch work {
            case .passes(let passes): passes
            case .copy, .kernel2D, .blend, .refraction: preconditionFailure("a plan without passes")
            }
        }
        set { work = .passes(newValue) }
    }
}

/// Plans written by hand, so that the tests do not depend on the planner.
enum Plans {
    static let four: [Float] = [1, 3, 3, 1].map { $0 / 8 }
    static let eight: [Float] = [1, 7, 21, 35, 35, 21, 7, 1].map { $0 / 128 }

    /// Returns a normalised kernel of 2 * radius + 1 taps that is not symmetric. So the tests detect taps in reversed order.
    static func skewed(_ radius: Int) -> [Float] {
        let raw = (0...2 * radius).map { (i: Int) -> Float in Float(i * i % 7 + i + 1) }
        let sum = raw.reduce(0, +)
        return raw.map { $0 / sum }
    }

    /// Returns a plan with a single pass.
    static func single(_ operation: Pass.Operation, _ axis: Axis, _ edge: EdgeMode, extent: Rect, region: Rect) -> Plan
    {
        Plan(
            extent: extent, region: region,
            list: [Pass(axis: axis, operation: operation, from: .source, to: .output, edge: edge)])
    }

    /// Returns a plan with a convolution along x and one along y.
    static func separable(_ taps: [Float], _ edge: EdgeMode, extent: Rect, region: Rect, isSigned: Bool = false) -> Plan
    {
        Plan(
            extent: extent, region: region,
            list: [
                Pass(axis: .x, operation: .convolve(taps: taps), from: .source, to: .slot(0), edge: edge),
                Pass(axis: .y, operation: .convolve(taps: taps), from: .slot(0), to: .output, edge: edge),
            ],
            slots: [
                Slot(
                    window: Rect(columns: region.columns, rows: extent.rows), levelX: 0, levelY: 0, isSigned: isSigned)
            ])
    }

    /// Returns a plan with `levels` decimations, a convolution and `levels` interpolations along both axes.
    static func pyramid(
        levels: Int, filter: [Float], taps: [Float], _ edge: EdgeMode, extent: Rect, region: Rect
    ) -> Plan {
        // Returns the ranges of samples along an axis that each stage needs. They are derived from the region, from the last
        // stage to the first.
        func windows(_ axis: Axis) -> (down: [Range<Int>], up: [Range<Int>]) {
            var up = [region[axis]]
            for _ in 0..<levels { up.append(Pass.Operation.interpolate(taps: filter).reach(of: up[up.count - 1])) }
            var down = [Pass.Operation.convolve(taps: taps).reach(of: up[levels])]
            for _ in 1..<max(1, levels) {
                down.append(Pass.Operation.decimate(taps: filter).reach(of: down[down.count - 1]))
            }
            return (down.reversed(), up.reversed())
        }
        let x = windows(.x)
        let y = windows(.y)
        var plan = Plan(extent: extent, region: region, list: [])
        var columns = extent.columns
        var rows = extent.rows
        func add(_ axis: Axis, _ operation: Pass.Operation, _ window: Range<Int>, _ edge: EdgeMode) {
            if axis == .x { columns = window } else { rows = window }
            let from: Place = plan.separable.slots.isEmpty ? .source : .slot(plan.separable.slots.count - 1)
            plan.separable.slots.append(
                Slot(window: Rect(columns: columns, rows: rows), levelX: 0, levelY: 0, isSigned: false))
            plan.separable.list.append(
                Pass(
                    axis: axis, operation: operation, from: from, to: .slot(plan.separable.slots.count - 1), edge: edge)
            )
        }
        for (axis, windows) in [(Axis.x, x), (.y, y)] {
            for level in 0..<levels {
                add(axis, .decimate(taps: filter), windows.down[level], level == 0 ? edge : .clamp)
            }
        }
        for (axis, windows) in [(Axis.x, x), (.y, y)] {
            add(axis, .convolve(taps: taps), windows.up[0], .clamp)
        }
        for (axis, windows) in [(Axis.y, y), (.x, x)] {
            for level in 0..<levels { add(axis, .interpolate(taps: filter), windows.up[level + 1], .clamp) }
        }
        plan.separable.slots.removeLast()
        plan.separable.list[plan.separable.list.count - 1].to = .output
        return plan
    }
}
