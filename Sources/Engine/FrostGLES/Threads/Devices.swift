/// The EGL devices of this machine.
public enum Devices {
    /// Tries every device by creating a context on it, and reports the results. Takes about 50 ms per device.
    ///
    /// The order is: the devices that EGL enumerates, then the render nodes through GBM, then the surfaceless platform. A
    /// device that an earlier entry already opened is reported as a duplicate.
    ///
    /// - Throws: ``GLError/libraryMissing(name:reason:)`` if there is no EGL library.
    public static func list(options: ContextOptions = ContextOptions()) throws(GLError) -> [DeviceReport] {
        let library = try EGLLibrary.open(options.libraryName)
        var reports: [DeviceReport] = []
        var usable: [DeviceInfo] = []
        for candidate in try DisplayCandidate.all(in: library, options) {
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

    /// Returns the device that an automatic choice may use: the first usable device that is not a software renderer.
    public static func firstHardware(among reports: [DeviceReport]) -> DeviceInfo? {
        for case .usable(let device) in reports where !device.isSoftware { return device }
        return nil
    }

    /// Returns the names of all ways to open a device, in the order in which Frost tries them, for example "EGL device 0"
    /// and "surfaceless". Opens no device.
    package static func ways(options: ContextOptions = ContextOptions()) throws(GLError) -> [String] {
        try DisplayCandidate.all(in: EGLLibrary.open(options.libraryName), options).map(\.label)
    }

    /// Tries a single device. `index` is the position of the device in the order in which Frost tries devices. Returns nil
    /// if the index is too large.
    package static func report(
        at index: Int, options: ContextOptions = ContextOptions()
    ) throws(GLError) -> DeviceReport? {
        let library = try EGLLibrary.open(options.libraryName)
        let candidates = try DisplayCandidate.all(in: library, options)
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

    /// Whether an open device and a candidate have the same render node. Does not open the candidate.
    private static func isSame(_ device: DeviceInfo, _ candidate: DisplayCandidate) -> Bool {
        device.renderNode != nil && device.renderNode == candidate.renderNode
    }

    /// Whether two devices that were opened on different platforms are the same device. This is only asked if the render
    /// node of at least one of them is unknown. The answer is then yes if both have the same driver and renderer. Two
    /// devices that EGL enumerates are never the same device, and neither are two render nodes.
    private static func isSame(_ first: DeviceInfo, _ second: DeviceInfo) -> Bool {
        first.platform != second.platform && (first.renderNode == nil || second.renderNode == nil)
            && first.renderer == second.renderer && first.vendor == second.vendor
    }

    /// Opens a candidate. If the context is lost meanwhile, opens it again, but only once.
    private static func open(
        _ candidate: DisplayCandidate, in library: EGLLibrary, options: ContextOptions
    ) throws(GLError) -> GLThread {
        do throws(GLError) { return try GLThread(candidate: candidate, library: library, options: options) } catch {
            guard case .contextLost = error else { throw error }
            return try GLThread(candidate: candidate, library: library, options: options)
        }
    }

    static func open(_ selector: DeviceSelector, in library: EGLLibrary, options: ContextOptions) throws(GLError)
        -> GLThread
    {
        var tried: [String] = []
        var software: GLThread?
        let wanted = Wanted(selector)
        let candidates = try DisplayCandidate.all(in: library, options)
        if candidates.isEmpty { tried.append("\(library.name) has no platform that works without a window system") }
        for candidate in candidates where wanted.mayBe(candidate) {
            let thread: GLThread
            do throws(GLError) {
                thread = try open(candidate, in: library, options: options)
            } catch {
                tried.append("\(candidate.label): \(error)")
                continue
            }
            if wanted.isFulfilled(by: thread.device) { return thread }
            if selector == .any, software == nil {
                // The software renderer stays open until it is certain that there is no hardware device.
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

/// A device selector, prepared for comparisons with devices.
private struct Wanted {
    private let selector: DeviceSelector
    /// The text of a selector `.id`; empty for other selectors.
    private let id: String
    /// The text as an index; nil if it is not a number.
    private let index: Int?
    /// The text as a path with symbolic links resolved; nil if it is not an absolute path.
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

    /// Whether the candidate may match the selector, so that it has to be opened. Indices and paths are compared without
    /// opening the candidate.
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
        case .any, .anyHardware: "\(device.renderer) is a software renderer"
        case .id: "\(device.renderer) does not match"
        }
    }
}
