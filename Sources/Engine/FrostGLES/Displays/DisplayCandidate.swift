import CEGL
import FrostThreads
import Glibc

/// A way to open a device. Whether it works is known only after it was tried.
// SAFETY: `device` is a handle that EGL keeps for the life of the process, and that any thread may use.
@safe struct DisplayCandidate: @unchecked Sendable {
    /// The position in the order in which Frost tries devices: all EGL devices, all render nodes, then surfaceless.
    let index: Int
    let platform: DisplayPlatform
    /// The EGLDeviceEXT handle, if the platform is `device`; nil on other platforms.
    let device: UnsafeMutableRawPointer?
    let renderNode: String?
    let pciPath: String?
    /// Whether the device has the extension EGL_MESA_device_software.
    let saysSoftware: Bool

    /// The name of the candidate for messages, for example "EGL device 0", "/dev/dri/renderD128 (gbm)" or "surfaceless".
    var label: String {
        switch platform {
        case .device: "EGL device \(index)" + (renderNode.map { " (\($0))" } ?? "")
        case .gbm: "\(renderNode ?? "?") (gbm)"
        case .surfaceless: "surfaceless"
        }
    }

    /// Returns every way to open a device that the library offers, in the order in which Frost tries them. This function
    /// opens no device. It asks the driver on a thread of its own, which is abandoned if the driver does not answer.
    static func all(in library: EGLLibrary, _ options: ContextOptions) throws(GLError) -> [DisplayCandidate] {
        try library.checkNotBlocked()
        let watch = try DriverWatch()
        let found = Monitor<Result<[DisplayCandidate], GLError>?>(nil)
        do throws(ThreadError) {
            try Thread.start("frost-devices") {
                watch.begin()
                let answer = Result { () throws(GLError) in all(in: try Driver(library, watchedBy: watch)) }
                found.update { $0 = answer }
            }.detach()
        } catch {
            throw .noThread(error)
        }
        return try watch.wait(for: found, in: library, seconds: options.timeout) { $0 }.get().get()
    }

    private static func all(in driver: Driver) -> [DisplayCandidate] {
        var found: [DisplayCandidate] = []
        if !driver.library.clientExtensions.isDisjoint(with: DisplayPlatform.device.extensions) {
            found += devices(in: driver)
        }
        if !driver.library.clientExtensions.isDisjoint(with: DisplayPlatform.gbm.extensions) {
            for node in renderNodes() {
                unsafe found.append(
                    DisplayCandidate(
                        index: found.count, platform: .gbm, device: nil, renderNode: node,
                        pciPath: DeviceFiles.pciPath(of: node), saysSoftware: false))
            }
        }
        if !driver.library.clientExtensions.isDisjoint(with: DisplayPlatform.surfaceless.extensions) {
            unsafe found.append(
                DisplayCandidate(
                    index: found.count, platform: .surfaceless, device: nil, renderNode: nil, pciPath: nil,
                    saysSoftware: false))
        }
        return found
    }

    private static func devices(in driver: Driver) -> [DisplayCandidate] {
        guard let query = unsafe driver.egl.queryDevices, let string = unsafe driver.egl.queryDeviceString else {
            return []
        }
        var count: EGLint = 0
        // SAFETY: with a NULL array, EGL returns only the number of devices.
        guard unsafe query(0, nil, &count) != 0, count > 0 else { return [] }
        var handles = unsafe [EGLDeviceEXT?](repeating: nil, count: Int(count))
        // SAFETY: the array holds as many handles as EGL is told.
        guard unsafe query(count, &handles, &count) != 0 else { return [] }
        return unsafe handles.prefix(Int(count)).enumerated().map { index, handle in
            // SAFETY: the handle was just enumerated. Strings are only queried if the device has the extension that defines
            // them.
            let extensions = unsafe EGLLibrary.words(string(handle, EGL_EXTENSIONS))
            func text(_ name: Int32, if needed: String) -> String? {
                guard extensions.contains(needed), let text = unsafe string(handle, name) else { return nil }
                return unsafe String(cString: text)
            }
            let node = text(EGL_DRM_RENDER_NODE_FILE_EXT, if: "EGL_EXT_device_drm_render_node")
            let primary = text(EGL_DRM_DEVICE_FILE_EXT, if: "EGL_EXT_device_drm")
            // A driver may have the extension and still return no node, as some drivers do for cards without a display.
            return unsafe DisplayCandidate(
                index: index, platform: .device, device: handle, renderNode: node,
                pciPath: (node ?? primary).flatMap(DeviceFiles.pciPath(of:)),
                saysSoftware: extensions.contains("EGL_MESA_device_software"))
        }
    }

    /// Returns the existing render nodes. DRM numbers them from 128 to 191.
    private static func renderNodes() -> [String] {
        (128..<192).map { "/dev/dri/renderD\($0)" }.filter { unsafe access($0, F_OK) == 0 }
    }
}

/// Queries the file system about devices.
enum DeviceFiles {
    /// Returns the PCI path of a device node, for example "0000:01:00.0" for "/dev/dri/renderD128"; nil for devices that are
    /// not on a PCI bus.
    static func pciPath(of node: String) -> String? {
        guard let name = node.split(separator: "/").last, let link = realPath("/sys/class/drm/\(name)/device"),
            let last = link.split(separator: "/").last
        else { return nil }
        // A PCI path has a domain, a bus, and a device with its function. Platform devices of ARM boards have other names.
        return last.split(separator: ":").count == 3 ? String(last) : nil
    }

    /// Resolves all symbolic links in a path, such as `/dev/dri/by-path/…`, and returns the result; nil if the file does not
    /// exist.
    static func realPath(_ path: String) -> String? {
        // SAFETY: realpath allocates the result, which is copied and freed here.
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
