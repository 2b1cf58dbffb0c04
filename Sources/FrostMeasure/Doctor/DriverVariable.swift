/// An environment variable that changes which driver is used, or how the driver works.
struct DriverVariable {
    let name: String
    let effect: String
    /// Returns advice about a harmful value; nil for a harmless value.
    var harm: @Sendable (String) -> String? = { _ in nil }

    func finding(_ value: String?) -> Finding? {
        guard let value else { return nil }
        let harm = harm(value)
        return Finding(
            check: "environment", status: harm == nil ? .note : .warning, text: "\(name)=\(value): \(effect)",
            advice: harm)
    }

    static let all: [DriverVariable] = [
        DriverVariable(
            name: "LIBGL_ALWAYS_SOFTWARE", effect: "Mesa uses no GPU",
            harm: { ["0", "false", "no", ""].contains($0.lowercased()) ? nil : "unset it to use the GPU" }),
        DriverVariable(name: "MESA_LOADER_DRIVER_OVERRIDE", effect: "Mesa loads this driver for every GPU"),
        DriverVariable(name: "GALLIUM_DRIVER", effect: "which software renderer Mesa uses"),
        DriverVariable(name: "LIBGL_DRIVERS_PATH", effect: "where Mesa looks for drivers"),
        DriverVariable(name: "DRI_PRIME", effect: "which of several GPUs Mesa prefers"),
        DriverVariable(name: "LP_NUM_THREADS", effect: "threads of the software renderer"),
        DriverVariable(name: "MESA_GL_VERSION_OVERRIDE", effect: "the version that Mesa claims"),
        DriverVariable(name: "MESA_GLES_VERSION_OVERRIDE", effect: "the version that Mesa claims"),
        DriverVariable(name: "MESA_EXTENSION_OVERRIDE", effect: "extensions that Mesa claims or hides"),
        DriverVariable(name: "EGL_PLATFORM", effect: "the platform of displays that name none; Frost's all do"),
        DriverVariable(name: "__EGL_VENDOR_LIBRARY_FILENAMES", effect: "the only vendor files that EGL reads"),
        DriverVariable(name: "__EGL_VENDOR_LIBRARY_DIRS", effect: "the only folders where EGL looks for vendor files"),
        DriverVariable(name: "__EGL_EXTERNAL_PLATFORM_CONFIG_DIRS", effect: "where NVIDIA's EGL looks for platforms"),
        DriverVariable(name: "GBM_BACKEND", effect: "the GBM that is loaded"),
        DriverVariable(name: "GBM_BACKENDS_PATH", effect: "where GBM looks for drivers"),
        DriverVariable(
            name: "NVIDIA_DRIVER_CAPABILITIES", effect: "what of NVIDIA's driver the container has",
            harm: { value in
                let parts = value.split(separator: ",")
                return parts.contains("graphics") || parts.contains("all")
                    ? nil : "add graphics: EGL is not among these"
            }),
        DriverVariable(name: "NVIDIA_VISIBLE_DEVICES", effect: "the GPUs that the container has"),
        DriverVariable(
            name: "CUDA_VISIBLE_DEVICES",
            effect: "GPUs of CUDA only: EGL numbers all of them, in an order of its own; name a render node by --device"
        ),
        DriverVariable(name: "LD_LIBRARY_PATH", effect: "folders whose libraries go before the system's"),
        DriverVariable(name: "LD_PRELOAD", effect: "libraries that go before all others"),
        DriverVariable(name: "MESA_SHADER_CACHE_DISABLE", effect: "Mesa keeps no compiled shaders"),
    ]
}
