import CFaultyGL
import Frost
import FrostCLI
import FrostGLES
import Glibc

/// What a step gets: the device, its time and the faulty driver, if there is one.
struct KitContext {
    /// The device's index, as text; nil for steps of the machine.
    let device: String?
    /// The time after which the step is stopped.
    let seconds: Int
    let fault: KitFault?
    private let start = ContinuousClock.now

    init(_ arguments: Arguments) throws(CommandError) {
        device = arguments.value(.kitDevice)
        seconds = arguments.value(.kitSeconds, as: Int.self) ?? 60
        fault = arguments.value(.kitFault, as: KitFault.self)
    }

    /// Whether a step that has many cases should begin another one. The last 30 % of the time are for ending that case,
    /// and for what comes after the cases.
    var hasTime: Bool { (ContinuousClock.now - start).milliseconds < Double(seconds) * 1000 * 0.7 }

    /// The folder of the kit, which holds this program.
    static let folder: String = {
        // SAFETY: realpath allocates the result, which is copied and freed here.
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return "." }
        defer { unsafe free(path) }
        return unsafe String(cString: path).split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    }()

    /// Options for renderers on the device, through the faulty driver if there is one. The kit keeps no programs on
    /// disk.
    func options() throws(GLError) -> GPUOptions {
        var context = ContextOptions()
        if let fault { context.libraryName = try fault.library() }
        return GPUOptions(context: context, programCache: .off)
    }

    /// Creates a renderer on the device.
    func renderer() throws -> Renderer {
        let renderer = try Renderer(backend: .gpu, device: device, options: options())
        beginFault()
        return renderer
    }

    /// Lets the driver fail from now on, if the run asks for it.
    func beginFault() { fault?.begin() }
}

/// A fault of a driver that the kit puts in front of the real one.
enum KitFault: String, CaseIterable, OptionValue {
    /// Draw calls have no effect.
    case draws
    /// Textures cannot be allocated.
    case memory

    /// The name of the EGL library that fails.
    fileprivate func library() throws(GLError) -> String {
        let name = "faulty: \(rawValue)"
        // SAFETY: the registered functions have the types of the EGL and GL functions.
        try unsafe EGLLibrary.register(name, faulty_get_proc_address)
        return name
    }

    /// Lets the driver fail from now on. A renderer tests its device when it opens it, and would refuse a faulty one.
    fileprivate func begin() {
        switch self {
        case .draws: faulty_set(FAULTY_DRAWS, 0, 1)
        case .memory: faulty_set(FAULTY_MEMORY, 0, 1)
        }
    }
}
