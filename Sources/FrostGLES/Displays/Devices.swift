/// The EGL devices of this machine.
public enum Devices {
    /// Tries every device, by making a context on it, and reports the results. Takes about 50 ms each.
    ///
    /// In Frost's order of trying: the devices that EGL enumerates, the render nodes by GBM, surfaceless. A way to a
    /// device that an earlier one reached too is reported as a duplicate.
    ///
    /// - Throws: ``GLError/libraryMissing(name:reason:)`` without EGL.
    public static func list(options: ContextOptions = ContextOptions()) throws(GLError) -> [DeviceReport] {
        let library = try EGLLibrary.open(options.libraryName)
        var reports: [DeviceReport] = []
        var usable: [DeviceInfo] = []
        for candidate in DisplayCandidate.all(in: library) {
            if let same = usable.first(where: { isSame($0, candidate) }) {
                reports.append(.duplicate(index: candidate.index, what: candidate.label, of: same.index))
                continue
            }
            do throws(GLError) {
                let thread = try GLThread(candidate: candidate, library: library, options: options)
                thread.shutdown()
                if let same = usable.first(where: { isSame($0, thread.device) }) {
                    reports.append(.duplicate(index: candidate.index, what: candidate.label, of: same.index))
                } else {
                    usable.append(thread.device)
                    reports.append(.usable(thread.device))
                }
            } catch {
                reports.append(
                    .unusable(index: candidate.index, what: candidate.label, reason: error.description))
            }
        }
        return reports
    }

    /// The device that a choice by speed may fall on: the first that is no software.
    public static func firstHardware(among reports: [DeviceReport]) -> DeviceInfo? {
        for case .usable(let device) in reports where !device.isSoftware { return device }
        return nil
    }

    /// Every way to a device, in the order of trying, none of them opened: "EGL device 0", "surfaceless".
    package static func ways(options: ContextOptions = ContextOptions()) throws(GLError) -> [String] {
        DisplayCandidate.all(in: try EGLLibrary.open(options.libraryName)).map(\.label)
    }

    /// Tries one device, by its index in the order of trying; nil behind the last.
    package static func report(
        at index: Int, options: ContextOptions = ContextOptions()
    ) throws(GLError) -> DeviceReport? {
        let library = try EGLLibrary.open(options.libraryName)
        let candidates = DisplayCandidate.all(in: library)
        guard candidates.indices.contains(index) else { return nil }
        let candidate = candidates[index]
        do throws(GLError) {
            let thread = try GLThread(candidate: candidate, library: library, options: options)
            defer { thread.shutdown() }
            return .usable(thread.device)
        } catch {
            return .unusable(index: index, what: candidate.label, reason: error.description)
        }
    }

    /// Without opening it: the same render node.
    private static func isSame(_ device: DeviceInfo, _ candidate: DisplayCandidate) -> Bool {
        device.renderNode != nil && device.renderNode == candidate.renderNode
    }

    /// With both open, where one does not know its render node: the same driver and renderer. Two devices that EGL
    /// enumerates are never the same, nor are two render nodes.
    private static func isSame(_ first: DeviceInfo, _ second: DeviceInfo) -> Bool {
        first.platform != second.platform && (first.renderNode == nil || second.renderNode == nil)
            && first.renderer == second.renderer && first.vendor == second.vendor
    }

    static func open(_ selector: DeviceSelector, in library: EGLLibrary, options: ContextOptions) throws(GLError)
        -> GLThread
    {
        var tried: [String] = []
        var software: GLThread?
        let wanted = Wanted(selector)
        let candidates = DisplayCandidate.all(in: library)
        if candidates.isEmpty { tried.append("\(library.name) offers no platform without a window system") }
        for candidate in candidates where wanted.mayBe(candidate) {
            let thread: GLThread
            do throws(GLError) {
                thread = try GLThread(candidate: candidate, library: library, options: options)
            } catch {
                tried.append("\(candidate.label): \(error)")
                continue
            }
            if wanted.isFulfilled(by: thread.device) { return thread }
            if selector == .any, software == nil {
                // Kept until it is certain that there is nothing better.
                software = thread
                continue
            }
            thread.shutdown()
            tried.append("\(candidate.label): " + wanted.objection(to: thread.device))
        }
        if let software { return software }
        throw .noDevice(wanted: selector.description, tried: tried)
    }
}

/// A selector made ready for comparing.
private struct Wanted {
    private let selector: DeviceSelector
    /// Of `.id`: what was written, a number, a real path, a name in lower case.
    private let id: String
    private let index: Int?
    private let path: String?

    init(_ selector: DeviceSelector) {
        self.selector = selector
        if case .id(let text) = selector {
            id = text
            index = Int(text)
            path = text.hasPrefix("/") ? DeviceFiles.realPath(text) ?? text : nil
        } else {
            id = ""
            index = nil
            path = nil
        }
    }

    /// Whether the device has to be opened. Indices and paths are decided before.
    func mayBe(_ candidate: DisplayCandidate) -> Bool {
        if let index { return candidate.index == index }
        if let path { return candidate.renderNode == path }
        return true
    }

    func isFulfilled(by device: DeviceInfo) -> Bool {
        switch selector {
        case .any, .anyHardware: return !device.isSoftware
        case .id:
            if index != nil || path != nil { return true }
            let name = id.lowercased()
            if name.isEmpty { return false }
            return device.pciPath?.lowercased() == (name.hasPrefix("pci-") ? String(name.dropFirst(4)) : name)
                || device.renderNode?.split(separator: "/").last.map(String.init) == name
                || device.renderer.lowercased().contains(name)
        }
    }

    func objection(to device: DeviceInfo) -> String {
        switch selector {
        case .any, .anyHardware: "\(device.renderer) is software"
        case .id: "is \(device.renderer)"
        }
    }
}
