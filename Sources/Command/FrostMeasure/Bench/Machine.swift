import Frost
import Glibc

/// Describes the machine and the time of a measurement, for reports.
package enum Machine {
    /// The processor's model and the number of processors, for example "AMD EPYC, 2 processors".
    package static var processor: String {
        let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        return "\(MachineIdentity.processor ?? architecture), \(count) processor" + (count == 1 ? "" : "s")
    }

    /// Today's date in local time, for example "2026-01-31".
    package static var date: String {
        var now = time(nil)
        var parts = unsafe tm()
        return unsafe localtime_r(&now, &parts).map { unsafe text($0, "%Y-%m-%d") } ?? ""
    }

    /// The current time in UTC, for example "2026-01-31T12:34:56".
    package static var timestamp: String {
        var now = time(nil)
        var parts = unsafe tm()
        return unsafe gmtime_r(&now, &parts).map { unsafe text($0, "%Y-%m-%dT%H:%M:%S") } ?? ""
    }

    private static func text(_ time: UnsafePointer<tm>, _ format: String) -> String {
        var text = [CChar](repeating: 0, count: 32)
        let count = unsafe strftime(&text, text.count, format, time)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The machine's network name, or "localhost" if it has none.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        // SAFETY: the last byte of the array stays zero, so the name ends with a zero byte.
        guard unsafe gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86-64"
        #elseif arch(arm64)
            "64-bit Arm"
        #else
            "unknown processor"
        #endif
    }
}
