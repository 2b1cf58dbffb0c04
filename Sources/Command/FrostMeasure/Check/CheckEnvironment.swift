import Frost
import FrostCPU
import FrostGLES

/// The facts that the reports of a check contain: facts about the machine, and the options of the check.
struct CheckEnvironment {
    /// The names and texts of the facts, in the order in which a report shows them.
    let facts: [(name: String, text: String)]
    /// The time of the check in UTC, for example "2026-01-31T12:34:56".
    let date: String

    init(facts: [(name: String, text: String)]) { (self.facts, date) = (facts, Machine.timestamp) }

    /// - Parameter renderers: the renderers of the backends that were checked.
    init(options: String, threads: Int, renderers: [Renderer]) {
        let devices = renderers.compactMap { renderer in renderer.device.map { ($0, renderer.shaders) } }
        self.init(
            facts: [
                ("Frost", frostVersion), ("Options", options.isEmpty ? "none" : options),
                ("Processor", Machine.processor),
                ("Instruction set", CPUExecutor.instructionSet), ("Threads", "\(threads)"),
            ]
                + (devices.isEmpty
                    ? [("GPU", "not checked")]
                    : devices.flatMap { device, shaders in
                        [
                            ("GPU \(device.index)", device.renderer),
                            ("OpenGL ES", "\(device.version), \(device.vendor)"),
                            ("Shading language", device.shadingLanguage),
                            ("EGL", "\(device.eglVersion), \(device.eglVendor), platform \(device.platformName)"),
                            ("Shaders", shaders ?? "none"),
                            ("Kind", device.isSoftware ? "software: runs on the CPU" : "hardware"),
                        ]
                    }))
    }
}
