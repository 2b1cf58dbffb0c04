import Frost

/// The GPUs that the kernel knows: the devices on the PCI bus, their nodes in /dev, and whether this user may open the
/// nodes.
struct DeviceNodes {
    /// The GPUs on the PCI bus, for example "NVIDIA 10de:2335 at 0000:01:00.0".
    let buses: [String]
    /// Nodes that the kernel lists but that are missing in /dev.
    let missing: [String]
    let nodes: [FileFacts]
    /// The version text of NVIDIA's kernel module; nil if the module is not loaded.
    let nvidiaModule: String?

    /// Collects the information from /dev, /proc and /sys.
    ///
    /// - Parameter root: the folder that contains /dev, /proc and /sys.
    init(root: String = "", nodes: [String] = HardwareProbe.found) {
        let devices = root + "/sys/bus/pci/devices"
        buses = Folder.names(in: devices).compactMap { place in
            let folder = "\(devices)/\(place)"
            // 0x03 is the PCI class of display controllers.
            guard TextFile.line(folder + "/class")?.hasPrefix("0x03") == true else { return nil }
            let ids = ["vendor", "device"].map { TextFile.line("\(folder)/\($0)")?.dropFirst(2) ?? "?" }
            return "\(Self.vendors[String(ids[0])] ?? "a GPU") \(ids.joined(separator: ":")) at \(place)"
        }
        let known = Folder.names(in: root + "/sys/class/drm").filter { $0.hasPrefix("renderD") }
        missing = known.map { "/dev/dri/\($0)" }.filter { FileFacts(FilePath(root + $0)) == nil }
        self.nodes = nodes.compactMap { FileFacts(FilePath(root + $0)) }
        nvidiaModule = TextFile.line(root + "/proc/driver/nvidia/version")
    }

    private static let vendors = [
        "10de": "NVIDIA", "1002": "AMD", "8086": "Intel", "1af4": "virtio", "15ad": "VMware", "1a03": "ASPEED",
        "1234": "QEMU",
    ]

    var hasNVIDIA: Bool {
        nvidiaModule != nil || nodes.contains { $0.path.contains("/nvidia") }
            || buses.contains { $0.hasPrefix("NVIDIA") }
    }

    var findings: [Finding] {
        var found = nodes.map(Self.finding)
        if !missing.isEmpty {
            found.append(
                Finding(
                    check: "device nodes", status: .warning,
                    text: "/dev lacks nodes that the kernel has: \(missing.joined(separator: ", "))", evidence: buses,
                    advice: "pass the GPU to the container: --device /dev/dri, or --gpus all for NVIDIA's"))
        } else if nodes.isEmpty {
            found.append(
                Finding(
                    check: "device nodes", status: buses.isEmpty ? .note : .warning,
                    text: "no GPU device node in /dev" + (buses.isEmpty ? "" : ", although the bus has a GPU"),
                    evidence: buses,
                    advice: buses.isEmpty
                        ? "if this is a container on a machine with a GPU: --device /dev/dri, or --gpus all for NVIDIA's"
                        : "load its kernel driver, or pass the GPU to the container: --device /dev/dri, or --gpus all"))
        }
        return found
    }

    private static func finding(_ node: FileFacts) -> Finding {
        guard let obstacle = node.obstacle else {
            return Finding(check: "device nodes", status: .ok, text: node.description)
        }
        return Finding(
            check: "device nodes", status: node.isCard ? .note : .warning,
            text: "\(node.description): \(FileFacts.user) cannot open it: \(obstacle)",
            advice: node.isCard ? nil : Advice.permission(node.path))
    }
}

extension FileFacts {
    /// Whether the node is a card and not a render node. Blurring needs only render nodes. Cards belong to the user of
    /// the screen, and many servers have a card only for the console.
    var isCard: Bool { path.contains("/dri/card") }
}
