import Frost
import FrostGLES
import FrostGPU

extension Command {
    package static let devices = Command(
        name: "devices", operands: "",
        summary: "List every EGL device and platform, and mark the one that Frost would use.",
        options: [], examples: [],
        run: { (arguments, console) throws(CommandError) in
            guard arguments.operands.isEmpty else { throw .usage("unexpected operand \(arguments.operands[0])") }
            let reports: [DeviceReport]
            do throws(GLError) {
                reports = try Devices.list(options: GPUOptions().context)
            } catch {
                if console.json {
                    console.result(
                        ["schema": "frost.device/1", "status": "unusable", "reason": .string(error.description)])
                } else {
                    console.result("no devices: \(error)")
                }
                return .done
            }
            let chosen = Devices.firstHardware(among: reports)
            for report in reports {
                let shaders = report.device.flatMap { GPUOptions().measuredShaders(of: $0) }
                console.json
                    ? console.result(report.json(chosen, shaders)) : console.result(report.text(chosen, shaders))
            }
            if !console.json, chosen == nil { console.note("no hardware GPU: --backend auto uses the CPU") }
            return .done
        })
}

extension DeviceReport {
    private func use(_ device: DeviceInfo, _ chosen: DeviceInfo?) -> String {
        if device == chosen { return "used by --backend auto if it is faster than the CPU" }
        return device.isSoftware ? "software: used only if requested" : "used if requested"
    }

    /// The device, if it can be used.
    fileprivate var device: DeviceInfo? {
        switch self {
        case .usable(let device): device
        case .unusable, .duplicate: nil
        }
    }

    fileprivate func text(_ chosen: DeviceInfo?, _ shaders: String?) -> String {
        switch self {
        case .usable(let device): "\(device); \(use(device, chosen))" + (shaders.map { "; \($0)" } ?? "")
        case .unusable(let index, let what, let reason): "\(index): \(what): unusable: \(reason)"
        case .duplicate(let index, let what, let other): "\(index): \(what): the same as \(other)"
        }
    }

    fileprivate func json(_ chosen: DeviceInfo?, _ shaders: String?) -> JSONValue {
        switch self {
        case .usable(let device):
            [
                "schema": "frost.device/1", "index": .int(device.index), "id": .string(device.id), "status": "usable",
                "platform": .string(device.platformName), "renderNode": .optional(device.renderNode),
                "pciPath": .optional(device.pciPath), "vendor": .string(device.vendor),
                "renderer": .string(device.renderer), "version": .string(device.version),
                "software": .bool(device.isSoftware), "auto": .bool(device == chosen), "shaders": .optional(shaders),
            ]
        case .unusable(let index, let what, let reason):
            [
                "schema": "frost.device/1", "index": .int(index), "id": .string(what), "status": "unusable",
                "reason": .string(reason),
            ]
        case .duplicate(let index, let what, let other):
            [
                "schema": "frost.device/1", "index": .int(index), "id": .string(what), "status": "duplicate",
                "of": .int(other),
            ]
        }
    }
}
