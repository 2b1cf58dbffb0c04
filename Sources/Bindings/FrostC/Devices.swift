public import CFrost
import Frost
import FrostCSupport

/// The object that a `frost_device_list` refers to.
private struct DeviceList {
    let reports: [DeviceReport]
    let automatic: DeviceInfo?
}

@c @implementation
public func frost_device_list_create(_ list: UnsafeMutablePointer<OpaquePointer?>?) -> frost_status {
    unsafe creating(list, "list") { () throws(Failure) in
        let reports = try failing { () throws(GLError) in try Devices.list(options: GPUOptions().context) }
        return DeviceList(reports: reports, automatic: Devices.firstHardware(among: reports))
    }
}

@c @implementation
public func frost_device_list_count(_ list: OpaquePointer?) -> Int {
    answer { unsafe (try? Handle<DeviceList>.value(list, "list").reports.count) ?? 0 }
}

@c @implementation
public func frost_device_list_describe(
    _ list: OpaquePointer?, _ index: Int, _ info: UnsafeMutablePointer<frost_device_info>?
) -> frost_status {
    status { () throws(Failure) in
        let list = try unsafe Handle<DeviceList>.value(list, "list")
        guard list.reports.indices.contains(index) else {
            throw .argument(
                "invalid device index \(UInt(bitPattern: index)) (number of devices: \(list.reports.count))")
        }
        var value = frost_device_info(list.reports[index])
        if case .usable(let device) = list.reports[index], device == list.automatic { value.is_automatic = 1 }
        try unsafe value.write(to: info, "info")
    }
}

@c @implementation
public func frost_device_list_destroy(_ list: OpaquePointer?) { unsafe Handle<DeviceList>.destroy(list) }

extension frost_device_info {
    fileprivate init(_ report: DeviceReport) {
        self.init()
        switch report {
        case .usable(let device):
            status = Int32(FROST_DEVICE_USABLE)
            index = Int32(clamping: device.index)
            is_software = device.isSoftware ? 1 : 0
            device.id.write(toField: &id)
            device.platformName.write(toField: &platform)
            (device.renderNode ?? "").write(toField: &render_node)
            (device.pciPath ?? "").write(toField: &pci_path)
            device.vendor.write(toField: &vendor)
            device.renderer.write(toField: &renderer)
            device.version.write(toField: &version)
        case .unusable(let index, let what, let reason):
            status = Int32(FROST_DEVICE_UNUSABLE)
            self.index = Int32(clamping: index)
            what.write(toField: &id)
            reason.write(toField: &self.reason)
        case .duplicate(let index, let what, let other):
            status = Int32(FROST_DEVICE_DUPLICATE)
            self.index = Int32(clamping: index)
            duplicate_of = Int32(clamping: other)
            what.write(toField: &id)
        }
    }
}
