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
        DriverVariable(name: "GALLIUM_DRIVER", effect: "selects Mesa's software renderer"),
        DriverVariable(name: "LIBGL_DRIVERS_PATH", effect: "folders in which Mesa looks for drivers"),
        DriverVariable(name: "DRI_PRIME", effect: "the GPU that Mesa prefers"),
        DriverVariable(name: "LP_NUM_THREADS", effect: "threads of the software renderer"),
        DriverVariable(name: "MESA_GL_VERSION_OVERRIDE", effect: "the version that Mesa claims"),
        DriverVariable(name: "MESA_GLES_VERSION_OVERRIDE", effect: "the version that Mesa claims"),
        DriverVariable(name: "MESA_EXTENSION_OVERRIDE", effect: "extensions that Mesa claims or hides"),
        DriverVariable(name: "EGL_PLATFORM", effect: "the default platform of EGL displays; Frost always selects one"),
        DriverVariable(name: "__EGL_VENDOR_LIBRARY_FILENAMES", effect: "the only vendor files that EGL reads"),
        DriverVariable(
            name: "__EGL_VENDOR_LIBRARY_DIRS", effect: "the only folders in which EGL looks for vendor files"),
        DriverVariable(
            name: "__EGL_EXTERNAL_PLATFORM_CONFIG_DIRS", effect: "folders in which NVIDIA's EGL looks for platforms"),
        DriverVariable(name: "GBM_BACKEND", effect: "the GBM backend that is loaded"),
        DriverVariable(name: "GBM_BACKENDS_PATH", effect: "folders in which GBM looks for drivers"),
        DriverVariable(
            name: "NVIDIA_DRIVER_CAPABILITIES", effect: "the parts of NVIDIA's driver that the container has",
            harm: { value in
                let parts = value.split(separator: ",")
                return parts.contains("graphics") || parts.contains("all")
                    ? nil : "add graphics: without it the container has no EGL"
            }),
        DriverVariable(name: "NVIDIA_VISIBLE_DEVICES", effect: "the GPUs that the container has"),
        DriverVariable(
            name: "CUDA_VISIBLE_DEVICES",
            effect: "affects only CUDA: EGL numbers all GPUs in its own order; select a render node with --device"
        ),
        DriverVariable(name: "LD_LIBRARY_PATH", effect: "folders whose libraries take precedence over the system's"),
        DriverVariable(name: "LD_PRELOAD", effect: "libraries that take precedence over all others"),
        DriverVariable(name: "MESA_SHADER_CACHE_DISABLE", effect: "Mesa does not store compiled shaders"),
    ]
}
