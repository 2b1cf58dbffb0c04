import Foundation
import FrostCLITestSupport
import FrostCore
import FrostTestSupport
import Testing

@testable import FrostCLI
@testable import FrostMeasure

/// Tests `frost doctor` with working and broken installations.
@Suite struct DoctorTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func doctor(_ words: String..., environment: [String: String] = [:]) throws -> Outcome {
        try scratch.run(Program.path, ["doctor"] + words, environment: environment)
    }

    /// If there is no EGL vendor file, Frost uses the CPU, and doctor states the reason. This is not a failure.
    @Test func withoutVendors() throws {
        let outcome = try doctor("--json", environment: ["__EGL_VENDOR_LIBRARY_DIRS": scratch.path])
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        let findings = try outcome.objects
        #expect(findings.allSatisfy { $0["schema"] as? String == "frost.doctor/1" })
        func finding(_ check: String) -> [String: Any]? { findings.last { $0["check"] as? String == check } }
        #expect(finding("cpu")?["status"] as? String == "ok")
        #expect(finding("summary")?["status"] as? String == "ok")
        let vendors = try #require(finding("EGL vendors"))
        #expect(vendors["status"] as? String == "warning")
        #expect((vendors["evidence"] as? [String])?.contains("looked in \(scratch.path)") == true)
        #expect((vendors["advice"] as? String)?.contains("apt install libegl-mesa0") == true)
    }

    @Test("Findings that cannot be printed are an error, also if standard output is closed")
    func closedOutput() throws {
        for words in ["doctor", "doctor --json", "effects"] {
            let outcome = try scratch.shell("\"$FROST\" \(words) >&-")
            #expect(outcome.code == 6, "\(outcome.errors)")
        }
    }

    /// Of the three vendor files, one names no library, one names a missing library, and one is not valid JSON.
    @Test func brokenVendors() throws {
        let bodies = ["a": "{}", "b": #"{"ICD": {"library_path": "libEGL_none.so.0"}}"#, "c": "nothing of the kind"]
        for (name, body) in bodies { try scratch.write([UInt8](body.utf8), "\(name).json") }
        let outcome = try doctor("-q", environment: ["__EGL_VENDOR_LIBRARY_DIRS": scratch.path])
        #expect(outcome.code == 0)
        #expect(outcome.text.contains("\(scratch.file("a.json")) cannot be read, or does not name a library"))
        #expect(outcome.text.contains("libEGL_none.so.0 cannot be loaded"))
        #expect(outcome.text.contains("cannot open shared object file"))
        #expect(!outcome.text.contains("ok "))
    }

    /// If the user requests a GPU and no GPU can be used, the exit code is 5.
    @Test func demands() throws {
        let nothing = ["__EGL_VENDOR_LIBRARY_DIRS": scratch.path]
        let outcome = try doctor("--backend", "gpu", environment: nothing)
        #expect(outcome.code == 5)
        #expect(outcome.text.contains("problem  requested: --backend gpu: "))
        #expect(outcome.text.contains("problem  summary: these checks failed: requested"))
        #expect(try doctor("--json", environment: nothing.merging(["FROST_DEVICE": "7"]) { $1 }).code == 5)
        #expect(try doctor("--backend", "cpu", environment: nothing).code == 0)
        try doctor("extra").expectError(2, "unexpected operand extra")
        try doctor(environment: ["FROST_BACKEND": "vulkan"]).expectError(2, "FROST_BACKEND=vulkan in the environment")
    }

    @Test func variablesAndTheCache() throws {
        try scratch.write([], "file")
        let outcome = try doctor(
            environment: [
                "__EGL_VENDOR_LIBRARY_DIRS": scratch.path, "NVIDIA_DRIVER_CAPABILITIES": "compute,utility",
                "XDG_CACHE_HOME": scratch.path + "/cache", "FROST_PROGRAM_CACHE": "",
            ])
        #expect(outcome.text.contains("warning  environment: NVIDIA_DRIVER_CAPABILITIES=compute,utility"))
        #expect(outcome.text.contains("add graphics"))
        #expect(outcome.text.contains("cache: \(scratch.path)/cache/frost: not created yet"))
        let off = try doctor(environment: ["__EGL_VENDOR_LIBRARY_DIRS": scratch.path, "FROST_PROGRAM_CACHE": "off"])
        #expect(off.text.contains("FROST_PROGRAM_CACHE=off"))
    }

    /// doctor runs a blur on each device and reports the error of the result.
    @Test(.enabled(if: TestGPU.isWanted, "no EGL device")) func devices() throws {
        let outcome = try doctor("--json")
        #expect(outcome.code == 0, "\(outcome.text)")
        let devices = try outcome.objects.filter { ($0["check"] as? String)?.hasPrefix("device ") == true }
        #expect(devices.contains { ($0["finding"] as? String)?.contains("steps of exact") == true }, "\(outcome.text)")
    }
}

/// Tests the parts of `frost doctor` on simulated machines. The system files of such a machine lie in a folder.
@Suite struct DoctorPartTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func file(_ path: String, _ text: String) throws {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        try scratch.folder(folder)
        try scratch.write([UInt8](text.utf8), path)
    }

    @Test func findingsTravel() {
        let finding = Finding(
            check: "a", status: .warning, text: "b\nc", evidence: ["d", "e: \u{1F}f"], advice: nil)
        let copy = Finding(wire: Substring(finding.wire))
        #expect(copy == Finding(check: "a", status: .warning, text: "b c", evidence: ["d", "e:  f"], advice: nil))
        #expect(!finding.wire.contains("\n"))
        #expect(Finding(wire: "what a driver prints") == nil)
    }

    @Test func libraries() {
        #expect(VendorFiles.library(in: #"{ "ICD" : { "library_path" : "libEGL_x.so.0" } }"#) == "libEGL_x.so.0")
        for text in ["", "{}", #"{"library_path": 3}"#, #"{"library_path": ""}"#, #"{"library_path""#] {
            #expect(VendorFiles.library(in: text) == nil, "\(text)")
        }
    }

    /// If both a list of vendor files and a list of vendor folders are given, the list of files is used, as in libglvnd.
    @Test func vendorPlaces() throws {
        try file("v/10_a.json", #"{"library_path": "liba.so"}"#)
        try file("v/readme", "")
        let folder = scratch.file("v")
        let byFolder = VendorFiles { $0 == "__EGL_VENDOR_LIBRARY_DIRS" ? "/none:\(folder)" : nil }
        #expect(byFolder.entries == [.init(path: "\(folder)/10_a.json", library: "liba.so")])
        let byName = VendorFiles { $0 == "__EGL_VENDOR_LIBRARY_FILENAMES" ? "/none.json" : folder }
        #expect(byName.entries == [.init(path: "/none.json", library: nil)])
        #expect(VendorFiles { _ in nil }.places == VendorFiles.folders)
    }

    /// A control group is also limited by its parents, and the strictest limit applies. This is tested for cgroup versions 1
    /// and 2.
    @Test func limits() throws {
        try file("proc/self/cgroup", "0::/a/b\n")
        try file("sys/fs/cgroup/a/b/memory.max", "max\n")
        try file("sys/fs/cgroup/a/memory.max", "268435456\n")
        try file("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n")
        try file("proc/self/status", "Name:\tx\nCpus_allowed:\tff,00000003\n")
        let limits = ProcessLimits(root: scratch.path)
        #expect(limits.memory == 256 << 20)
        #expect(limits.memoryLeft == 248 << 20)
        // The use of a parent group includes that of its groups. Cached pages of files can be taken back.
        try file("sys/fs/cgroup/a/memory.current", "\(100 << 20)\n")
        try file("sys/fs/cgroup/a/memory.stat", "anon 7\nactive_file \(30 << 20)\ninactive_file \(20 << 20)\n")
        #expect(ProcessLimits(root: scratch.path).memoryLeft == 198 << 20)
        #expect(limits.processors == 1.5)
        // The number of threads by default follows the limits, and OMP_NUM_THREADS goes before them.
        #expect(Processors.count(online: 8, limits: limits, nil) == 2)
        #expect(Processors.count(online: 1, limits: limits, nil) == 1)
        for text in ["", "0", "-1", "x", ",2"] { #expect(Processors.count(online: 8, limits: limits, text) == 2) }
        for text in ["3", "3,2", " 3 , 2"] { #expect(Processors.count(online: 8, limits: limits, text) == 3) }

        try file("proc/self/cgroup", "4:memory:/g\n1:cpu,cpuacct:/\n0::/\n")
        try file("sys/fs/cgroup/memory/g/memory.limit_in_bytes", "1048576\n")
        try file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
        try file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
        let old = ProcessLimits(root: scratch.path)
        #expect(old.memory == 1 << 20)
        try file("sys/fs/cgroup/memory/g/memory.usage_in_bytes", "1000000\n")
        try file("sys/fs/cgroup/memory/g/memory.stat", "total_inactive_file 1000\ninactive_file 9\n")
        #expect(ProcessLimits(root: scratch.path).memoryLeft == 0)
        try file("sys/fs/cgroup/memory/g/memory.limit_in_bytes", "20000000\n")
        #expect(ProcessLimits(root: scratch.path).memoryLeft == 19_001_000 - (8 << 20))
        #expect(old.processors == 10)
        #expect(ProcessLimits(root: "/none").processors == nil)
        #expect(Processors.count(online: 8, limits: ProcessLimits(root: "/none"), nil) == 8)
    }

    /// doctor reports two faults: a GPU on the PCI bus that has no device node, and a device node that is not visible in a
    /// container.
    @Test func nodes() throws {
        try file("sys/bus/pci/devices/0000:01:00.0/class", "0x030200\n")
        try file("sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n")
        try file("sys/bus/pci/devices/0000:01:00.0/device", "0x2335\n")
        try file("sys/bus/pci/devices/0000:02:00.0/class", "0x020000\n")
        let bare = DeviceNodes(root: scratch.path, nodes: [])
        #expect(bare.buses == ["NVIDIA 10de:2335 at 0000:01:00.0"] && bare.hasNVIDIA)
        #expect(bare.findings.map(\.status) == [.warning])
        try file("sys/class/drm/renderD128/dev", "")
        let missing = DeviceNodes(root: scratch.path, nodes: [])
        #expect(missing.missing == ["/dev/dri/renderD128"])
        #expect(missing.findings.first?.advice?.contains("--device /dev/dri") == true)
        try file("dev/dri/renderD128", "")
        let whole = DeviceNodes(root: scratch.path, nodes: ["/dev/dri/renderD128"])
        #expect(whole.findings.map(\.status) == [.ok])
        #expect(DeviceNodes(root: "/none", nodes: []).findings.map(\.status) == [.note])
    }

    /// For each common diagnosis there is specific advice.
    @Test(arguments: [
        ("/lib/libstdc++.so.6: version `GLIBCXX_3.4.30' not found", "libstdc++"),
        ("libEGL.so.1: cannot open shared object file: No such file", "libegl1"),
        ("/x/libEGL.so.1: file too short", "LD_LIBRARY_PATH"), ("/x/libEGL.so.1: invalid ELF header", "not a library"),
        ("libEGL_mesa.so.0: cannot open shared object file", "libegl-mesa0"),
        ("libEGL_nvidia.so.0: cannot open shared object file", "NVIDIA_DRIVER_CAPABILITIES"),
        ("no EGL display on surfaceless: eglInitialize: EGL_NOT_INITIALIZED (0x3001)", "libgl1-mesa-dri"),
        ("eglMakeCurrent: EGL_BAD_ACCESS (0x3002)", "another thread"),
        ("eglGetPlatformDisplayEXT: EGL_BAD_PARAMETER (0x300C)", "egl_vendor.d"),
        ("eglCreateImage: EGL_BAD_MATCH (0x3009)", "modifier"),
        ("open: Permission denied", "groups render and video"),
    ]) func advice(reason: String, expected: String) throws {
        #expect(try #require(Advice.about(reason)).contains(expected))
    }

    @Test func adviceOnNVIDIA() {
        #expect(Advice.about("gbm_create_device failed", isNVIDIA: true)?.contains("15_nvidia_gbm.json") == true)
        #expect(Advice.about("all is well") == nil)
    }
}
