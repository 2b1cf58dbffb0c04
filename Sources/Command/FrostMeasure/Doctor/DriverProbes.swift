import Frost
import FrostCLI
import FrostGLES
import FrostGPU

/// The checks of `frost doctor` that load drivers. Each check runs in another process.
enum DriverProbes {
    /// The name of the check whose evidence lists the ways to open a device, one per line.
    static let enumeration = "EGL platforms"
    static let hardware = "hardware"

    /// Checks the EGL loader, the vendors' files and libraries, and the features that EGL offers.
    static func egl(_ environment: (String) -> String?) -> [Finding] {
        vendors(VendorFiles(environment: environment)) + loader
    }

    private static func vendors(_ files: VendorFiles) -> [Finding] {
        guard !files.entries.isEmpty else {
            return [
                Finding(
                    check: "EGL vendors", status: .warning, text: "no vendor file found: EGL has no driver",
                    evidence: files.places.map { "looked in \($0)" },
                    advice: "apt install libegl-mesa0, or NVIDIA's driver with NVIDIA_DRIVER_CAPABILITIES=all")
            ]
        }
        var findings = files.entries.map { entry -> Finding in
            guard let library = entry.library else {
                return Finding(
                    check: "EGL vendors", status: .warning,
                    text: "\(entry.path) cannot be read, or does not name a library",
                    advice: "reinstall the vendor's EGL, or remove the file")
            }
            guard let obstacle = EGLLibrary.obstacle(toOpening: library) else {
                return Finding(check: "EGL vendors", status: .ok, text: "\(entry.path): \(library)")
            }
            return Finding(
                check: "EGL vendors", status: .warning, text: "\(entry.path): \(library) cannot be loaded",
                evidence: [obstacle],
                advice: Advice.about(obstacle) ?? "install the package that has \(library), or remove the file")
        }
        let loads = findings.contains { $0.status == .ok && $0.text.contains("nvidia") }
        if DeviceNodes().hasNVIDIA, !loads {
            findings.append(
                Finding(
                    check: "EGL vendors", status: .warning, text: "there is an NVIDIA GPU, but NVIDIA's EGL is missing",
                    evidence: files.places.map { "looked in \($0)" }, advice: Advice.about("libEGL_nvidia.so")))
        }
        return findings
    }

    private static var loader: [Finding] {
        do throws(GLError) {
            let library = try EGLLibrary.open()
            let platforms = try Devices.ways(options: GPUOptions().context)
            var findings = [
                Finding(
                    check: "EGL loader", status: .ok,
                    text: "\(library.name), \(library.clientVersion ?? "version 1.4 or older")"),
                Finding(
                    check: enumeration, status: platforms.isEmpty ? .warning : .ok,
                    text:
                        "\(platforms.count) way\(platforms.count == 1 ? "" : "s") to a device without a window system",
                    evidence: platforms,
                    advice: platforms.isEmpty ? "no vendor's EGL was loaded, or it is too old: see EGL vendors" : nil),
            ]
            if DeviceNodes().nodes.contains(where: { $0.path.contains("/renderD") }),
                let obstacle = EGLLibrary.obstacle(toOpening: "libgbm.so.1")
            {
                findings.append(
                    Finding(
                        check: "GBM", status: .warning, text: "GBM cannot open render nodes",
                        evidence: [obstacle],
                        advice: Advice.about(obstacle)))
            }
            return findings
        } catch {
            return [
                Finding(
                    check: "EGL loader", status: .warning, text: "no GPU can be used: \(error)",
                    advice: Advice.about(error.description))
            ]
        }
    }

    /// Opens a device, blurs on it and returns the finding.
    static func device(_ index: Int, _ options: GPUOptions) throws(CommandError) -> Finding {
        let report = try rethrow(
            Devices.report(at: index, options: GPUOptions().context),
            as: { (error: GLError) in CommandError.frost(.deviceUnavailable(reason: error.description)) })
        switch report {
        case nil, .duplicate: throw .usage("invalid device \(index)")
        case .unusable(_, let what, let reason):
            return Finding(
                check: "device \(index)", status: .warning, text: "\(what): \(reason)",
                advice: Advice.about(
                    reason, node: what.split(separator: " ").first { $0.hasPrefix("/dev/") }.map(String.init),
                    isNVIDIA: what.contains("gbm") && DeviceNodes().hasNVIDIA))
        case .usable(let device): return try blur(on: device, options)
        }
    }

    private static func blur(on device: DeviceInfo, _ options: GPUOptions) throws(CommandError) -> Finding {
        let renderer = try rethrow(
            Renderer(backend: .gpu, device: String(device.index), options: options), as: CommandError.frost)
        let probe = try BlurProbe(renderer)
        var finding = Finding(
            check: "device \(device.index)", status: probe.keepsPromise ? .ok : .problem,
            text: "\(device.renderer), \(probe.description)",
            evidence: [
                "\(device.isSoftware ? "software, used only if requested" : hardware), EGL platform \(device.platformName)"
                    + [device.renderNode, device.pciPath].compactMap { $0 }.map { ", \($0)" }.joined(),
                "EGL \(device.eglVersion) by \(device.eglVendor); \(device.version) by \(device.vendor)",
            ] + [renderer.shaders, probe.warning].compactMap { $0 },
            advice: probe.keepsPromise
                ? nil : "update the driver; until then use --backend cpu")
        let isNVIDIA = device.renderNode.map { node in
            TextFile.line("/sys/class/drm/\(node.split(separator: "/").last ?? "")/device/vendor") == "0x10de"
        }
        if isNVIDIA == true, device.eglVendor.contains("Mesa") {
            finding.status = .warning
            finding.advice =
                "Mesa serves an NVIDIA GPU: install NVIDIA's EGL, whose vendor file takes precedence over Mesa's"
        }
        return finding
    }

    /// The name of the check that ``demanded(_:)`` reports.
    static let demandCheck = "requested"

    /// Tests the renderer that the options or the environment variables request.
    static func demanded(_ arguments: Arguments) -> Finding {
        let names = [Option.device, .backend].compactMap { arguments.written($0)?.name }.joined(separator: ", ")
        do throws(CommandError) {
            let renderer = try arguments.renderer()
            let probe = try BlurProbe(renderer)
            return Finding(
                check: demandCheck, status: probe.keepsPromise ? .ok : .problem,
                text: "\(names): \(renderer.deviceName ?? renderer.backend.rawValue), \(probe.description)")
        } catch {
            return Finding(
                check: demandCheck, status: .problem, text: "\(names): \(error)",
                advice: "choose a usable device from 'frost devices', or use --backend auto")
        }
    }
}
