import CEGL
import Glibc

/// A way to a device that may or may not work.
// SAFETY: `device` is a handle that EGL keeps for the life of the process and that any thread may use.
@safe struct DisplayCandidate: @unchecked Sendable {
    /// The place in the order of trying: all EGL devices, all render nodes, surfaceless.
    let index: Int
    let platform: DisplayPlatform
    /// EGLDeviceEXT; nil on other platforms.
    let device: UnsafeMutableRawPointer?
    let renderNode: String?
    let pciPath: String?
    /// EGL_MESA_device_software.
    let saysSoftware: Bool

    /// "EGL device 0", "/dev/dri/renderD128 (gbm)", "surfaceless".
    var label: String {
        switch platform {
        case .device: "EGL device \(index)" + (renderNode.map { " (\($0))" } ?? "")
        case .gbm: "\(renderNode ?? "?") (gbm)"
        case .surfaceless: "surfaceless"
        }
    }

    /// Every way to a device that the library offers, in the order of trying. None costs more than a query.
    static func all(in library: EGLLibrary) -> [DisplayCandidate] {
        var found: [DisplayCandidate] = []
        if !library.clientExtensions.isDisjoint(with: DisplayPlatform.device.extensions) {
            found += devices(in: library)
        }
        if !library.clientExtensions.isDisjoint(with: DisplayPlatform.gbm.extensions) {
            for node in renderNodes() {
                unsafe found.append(
                    DisplayCandidate(
                        index: found.count, platform: .gbm, device: nil, renderNode: node,
                        pciPath: DeviceFiles.pciPath(of: node), saysSoftware: false))
            }
        }
        if !library.clientExtensions.isDisjoint(with: DisplayPlatform.surfaceless.extensions) {
            unsafe found.append(
                DisplayCandidate(
                    index: found.count, platform: .surfaceless, device: nil, renderNode: nil, pciPath: nil,
                    saysSoftware: false))
        }
        return found
    }

    private static func devices(in library: EGLLibrary) -> [DisplayCandidate] {
        guard let query = unsafe library.egl.queryDevices, let string = unsafe library.egl.queryDeviceString else {
            return []
        }
        var count: EGLint = 0
        // SAFETY: a NULL array asks for the number only.
        guard unsafe query(0, nil, &count) != 0, count > 0 else { return [] }
        var handles = unsafe [EGLDeviceEXT?](repeating: nil, count: Int(count))
        // SAFETY: the array holds as many handles as EGL is told.
        guard unsafe query(count, &handles, &count) != 0 else { return [] }
        return unsafe handles.prefix(Int(count)).enumerated().map { index, handle in
            // SAFETY: the handle was just enumerated; asked only for strings whose extension the device names.
            let extensions = unsafe EGLLibrary.words(string(handle, EGL_EXTENSIONS))
            func text(_ name: Int32, if needed: String) -> String? {
                guard extensions.contains(needed), let text = unsafe string(handle, name) else { return nil }
                return unsafe String(cString: text)
            }
            let node = text(EGL_DRM_RENDER_NODE_FILE_EXT, if: "EGL_EXT_device_drm_render_node")
            let primary = text(EGL_DRM_DEVICE_FILE_EXT, if: "EGL_EXT_device_drm")
            // A driver may offer the extension and still return no node (some do for display-less cards).
            return unsafe DisplayCandidate(
                index: index, platform: .device, device: handle, renderNode: node,
                pciPath: (node ?? primary).flatMap(DeviceFiles.pciPath(of:)),
                saysSoftware: extensions.contains("EGL_MESA_device_software"))
        }
    }

    /// The render nodes the kernel offers; DRM numbers them from 128 to 191.
    private static func renderNodes() -> [String] {
        (128..<192).map { "/dev/dri/renderD\($0)" }.filter { unsafe access($0, F_OK) == 0 }
    }
}

/// What the file system tells about devices.
enum DeviceFiles {
    /// "0000:01:00.0" for "/dev/dri/renderD128"; nil for devices that sit on no PCI bus.
    static func pciPath(of node: String) -> String? {
        guard let name = node.split(separator: "/").last, let link = realPath("/sys/class/drm/\(name)/device"),
            let last = link.split(separator: "/").last
        else { return nil }
        // Domain, bus, device and function; platform devices of ARM boards have other names.
        return last.split(separator: ":").count == 3 ? String(last) : nil
    }

    /// The path with all symbolic links resolved, as `/dev/dri/by-path/…` are; nil if there is no such file.
    static func realPath(_ path: String) -> String? {
        // SAFETY: realpath allocates the result, which is copied and freed here.
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
