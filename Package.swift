// swift-tools-version: 6.2
// Frost blurs images on a GPU or the CPU. docs/internals/Architecture.md describes the layers and the direction of their
// dependencies.

import PackageDescription

/// Settings of every Swift target: language mode 6, all warnings treated as errors, and strict memory safety, which requires
/// the `unsafe` marker on each unsafe expression.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// True for builds with a sanitizer or for fuzzing, which make frames larger.
let isInstrumented = ["FROST_SHARED_RUNTIME", "FROST_FUZZ"].contains { Context.environment[$0] != nil }

/// Makes glibc check the sizes of buffers that its functions fill. glibc needs optimised code for it, and a sanitizer checks more.
let checkedCalls = isInstrumented ? nil : "_FORTIFY_SOURCE"

/// Settings of every C target. Threads of programs that embed Frost may have small stacks, so large frames are errors.
let c: [CSetting] =
    [.unsafeFlags(["-Wall", "-Wextra", "-Werror"] + (isInstrumented ? [] : ["-Wframe-larger-than=65536"]))]
    + (checkedCalls.map { [.define($0, to: "3", .when(configuration: .release))] } ?? [])
let cxx: [CXXSetting] =
    [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]
    + (checkedCalls.map { [.define($0, to: "3", .when(configuration: .release))] } ?? [])

/// True for `Tools/test --quick`, which builds in debug mode but optimises the modules that do heavy computation.
let isQuick = Context.environment["FROST_QUICK"] != nil
let computing = strict + (isQuick ? [.unsafeFlags(["-O"])] : [])
/// C kernels are optimised in debug builds too. Without optimisation their frames have up to 0.9 MB.
let computingC = c + [.unsafeFlags(["-O2"])]

/// Settings of test targets. Without optimisation they compile in less than half of the time, also in release builds.
/// FrostCPUTests is an exception: it holds scalar Swift versions ("twins") of the CPU kernels, which need optimisation.
/// Other heavy computation in tests belongs in FrostTestSupport, which is optimised as well.
let tests = strict + [.unsafeFlags(["-Onone"])]

/// The command and libfrost.so link the Swift runtime statically. FROST_SHARED_RUNTIME links the shared runtime instead, so
/// that a sanitizer sees the runtime's calls.
let runtime = Context.environment["FROST_SHARED_RUNTIME"] == nil ? ["-static-stdlib"] : []

/// Linker options of the command and of the C libraries: all addresses of functions in other libraries are found at the start, so
/// that their tables are read-only afterwards, and a fault cannot change them.
let readOnlyTables = ["relro", "now"].flatMap { ["-Xlinker", "-z", "-Xlinker", $0] }

/// If the command gets no memory for a value of Swift's, it ends with an error, and not by a signal: the runtime that it links calls
/// the functions of CCommand/allocations.c. A sanitizer has functions of its own in these places.
let wrapped = isInstrumented ? [] : ["malloc", "calloc", "_Znwm", "_ZN5swift28swift_abortAllocationFailureEmm"]
let endsWithoutMemory = wrapped.flatMap { ["-Xlinker", "--wrap=\($0)"] }

/// The command exports no symbols. With -enable-testing it would export every internal symbol, which makes its start 6 %
/// slower.
let noExports = ["-Xlinker", "--no-export-dynamic"]

/// True for `Tools/fuzz`, which adds the program that searches for faults with libFuzzer.
let fuzzes = Context.environment["FROST_FUZZ"] != nil

/// Linker options of a C library, which exports only the functions of its header.
func exports(_ target: String, _ library: String) -> [String] {
    [
        "--version-script=\(Context.packageDirectory)/Sources/Bindings/\(target)/\(library).map",
        "-soname=\(library).so.0",
        "-z",
        "nodelete",
    ].flatMap { ["-Xlinker", $0] } + readOnlyTables
}

/// Package traits for image formats that a build can leave out. Each format needs the header of one library.
/// `swift build --traits TIFF,AVIF` builds with these two formats, and `--disable-default-traits` builds with no format.
/// Swift code tests a trait by its name (`#if TIFF`); C code tests the name with the prefix `FROST_` (`FROST_TIFF`).
let formats: Set<Trait> = [
    .trait(name: "TIFF", description: "TIFF files, by libtiff"),
    .trait(name: "AVIF", description: "AVIF files, by libavif"),
    .trait(name: "JPEGXL", description: "JPEG XL files, by libjxl"),
    .trait(name: "HEIC", description: "HEIC files, by libheif, for reading only"),
    .default(enabledTraits: ["TIFF", "AVIF", "JPEGXL", "HEIC"]),
]

/// The floors of the sources, lowest first: folders of Sources with the targets in each. A target may import targets of its
/// own floor, of `Engine`, and of the floors that its own floor's README names; Tools/lib/check_floors.py checks this.
/// Programs that only blur build nothing but `Engine`, and the C library nothing but `Engine` and `Bindings`.
let floors = [
    "Engine": [
        "CSystem", "FrostThreads", "FrostLog", "FrostCore", "FrostExact", "CFrostKernels", "FrostCPU", "CDriverWatch",
        "CGL", "FrostDrawing", "FrostGLES", "FrostGPU", "Frost",
    ],
    "Pictures": ["CCodecs", "FrostImages", "FrostPipeline"],
    "Motion": ["CMotion", "FrostMotion", "FrostSceneFiles"],
    "Command": ["CCommand", "FrostCLI", "FrostServe", "FrostMeasure", "frost"],
    "Bindings": ["FrostCSupport", "FrostC", "FrostImagesC", "FrostMotionC"],
]

let package = Package(
    name: "Frost",
    products: [
        .library(name: "Frost", targets: ["Frost"]),
        .library(name: "FrostMotion", targets: ["FrostMotion"]),
        .library(name: "FrostImages", targets: ["FrostImages"]),
        .library(name: "FrostC", type: .dynamic, targets: ["FrostC"]),
        .library(name: "FrostImagesC", type: .dynamic, targets: ["FrostImagesC"]),
        .library(name: "FrostMotionC", type: .dynamic, targets: ["FrostMotionC"]),
        // The three C libraries as one file, which is a third of their size. The Python package contains it.
        .library(name: "FrostAllC", type: .dynamic, targets: ["FrostC", "FrostImagesC", "FrostMotionC"]),
        .executable(name: "frost", targets: ["frost"]),
    ],
    traits: formats,
    targets: [
        // The C modules. A target holds those of a floor; its module map has a module for each library.
        .target(name: "CSystem", cSettings: computingC),
        // Headers only, because Frost loads the GL libraries at run time.
        .systemLibrary(name: "CGL"),
        // Of libtiff, libavif, libjxl and libheif, only headers are used: Frost opens these libraries when it meets the first file
        // of their format.
        .target(
            name: "CCodecs",
            cSettings: c + [
                .define("FROST_TIFF", .when(traits: ["TIFF"])), .define("FROST_AVIF", .when(traits: ["AVIF"])),
                .define("FROST_JPEGXL", .when(traits: ["JPEGXL"])), .define("FROST_HEIC", .when(traits: ["HEIC"])),
            ],
            linkerSettings: ["png", "jpeg", "webp", "webpdemux", "webpmux", "lcms2", "zimg", "z"].map {
                .linkedLibrary($0)
            }),
        // Jansson and libmicrohttpd are opened at run time as well.
        .target(
            name: "CMotion", cSettings: c, cxxSettings: cxx,
            linkerSettings: [.linkedLibrary("box2d")]),
        .target(
            name: "CCommand", dependencies: ["CSystem"], cSettings: c,
            linkerSettings: [.linkedLibrary("seccomp"), .linkedLibrary("nettle")]),
        .target(name: "FrostShaders", path: "Shaders", cSettings: c),

        // The layers of the library, lowest first.
        .target(name: "FrostThreads", dependencies: ["CSystem"], swiftSettings: computing),
        .target(name: "FrostLog", swiftSettings: strict),
        .target(name: "FrostCore", dependencies: ["CSystem", "FrostThreads"], swiftSettings: computing),
        .target(name: "FrostExact", dependencies: ["FrostThreads", "FrostCore"], swiftSettings: computing),
        .target(name: "CFrostKernels", cSettings: computingC),
        .target(
            name: "FrostCPU", dependencies: ["FrostThreads", "FrostCore", "CFrostKernels"], swiftSettings: computing),
        .target(name: "FrostDrawing", dependencies: ["FrostCore", "FrostShaders"], swiftSettings: strict),
        .target(name: "CDriverWatch", cSettings: c),
        .target(
            name: "FrostGLES",
            dependencies: ["FrostThreads", "FrostLog", "FrostCore", "CDriverWatch", "CGL"],
            swiftSettings: strict),
        .target(
            name: "FrostGPU", dependencies: ["FrostThreads", "FrostLog", "FrostCore", "FrostDrawing", "FrostGLES"],
            swiftSettings: strict),
        .target(
            name: "Frost",
            dependencies: ["CSystem", "FrostThreads", "FrostLog", "FrostCore", "FrostExact", "FrostCPU", "FrostGPU"],
            swiftSettings: strict),
        .target(
            name: "FrostImages", dependencies: ["FrostThreads", "FrostCore", "CSystem", "CCodecs"],
            swiftSettings: strict),
        // Dynamics by Box2D, and scenes. Programs that only blur do not link these modules.
        .target(
            name: "FrostMotion", dependencies: ["FrostCore", "Frost", "CMotion"], swiftSettings: strict),
        // The files that a scene names. It is apart from FrostMotion, so that programs without scene files need no codecs.
        .target(
            name: "FrostSceneFiles", dependencies: ["FrostCore", "FrostImages", "FrostMotion"], swiftSettings: strict),
        // From an encoded picture to an encoded result, row by row where possible.
        .target(name: "FrostPipeline", dependencies: ["Frost", "FrostImages"], swiftSettings: strict),
        .target(
            name: "FrostCLI",
            dependencies: [
                "Frost", "FrostPipeline", "FrostMotion", "FrostSceneFiles", "FrostCPU", "FrostDrawing", "FrostGPU",
                "FrostGLES",
                "FrostImages", "FrostThreads",
                "CCommand",
            ],
            swiftSettings: strict),
        .target(
            name: "FrostServe",
            dependencies: ["FrostCLI", "Frost", "FrostPipeline", "FrostImages", "FrostThreads", "CCommand"],
            resources: [.embedInCode("Service/page.html")], swiftSettings: strict),
        .target(
            name: "FrostMeasure",
            dependencies: [
                "FrostCLI", "FrostServe", "Frost", "FrostPipeline", "FrostCPU", "FrostGPU", "FrostGLES", "FrostImages",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "frost", dependencies: ["FrostCLI", "FrostMeasure"], swiftSettings: strict,
            linkerSettings: [.unsafeFlags(runtime + noExports + readOnlyTables + endsWithoutMemory)]),

        // libfrost.so: a C header, implemented in Swift, with the Swift runtime linked in. SwiftPM names the built
        // library libFrostC.so. Tools/lib/setup.sh copies it as libfrost.so.
        .target(name: "CFrost", path: "Sources/Bindings/FrostC", sources: ["message.c"], cSettings: c),
        .target(
            name: "FrostCSupport", dependencies: ["CFrost", "Frost", "FrostThreads"], swiftSettings: strict),
        .target(
            name: "FrostC", dependencies: ["CFrost", "FrostCSupport", "Frost"],
            exclude: ["include", "message.c", "message.h", "libfrost.map"], swiftSettings: strict,
            // `frost-fuzz`, which contains these functions, must export the sanitizer's.
            linkerSettings: [.unsafeFlags(runtime + (fuzzes ? [] : exports("FrostC", "libfrost")))]),

        // libfrost-images.so: blurs encoded pictures. It is a library of its own, so that libfrost.so needs no codecs.
        .systemLibrary(name: "CFrostImages", path: "Sources/Bindings/FrostImagesC/include"),
        .target(
            name: "FrostImagesC",
            dependencies: [
                "CFrost", "CFrostImages", "FrostCSupport", "FrostPipeline", "Frost", "FrostImages", "FrostThreads",
            ],
            exclude: ["include", "libfrost-images.map"], swiftSettings: strict,
            linkerSettings: [.unsafeFlags(runtime + (fuzzes ? [] : exports("FrostImagesC", "libfrost-images")))]),

        // libfrost-motion.so: scenes and dynamics. It is a library of its own, so that the others need no Box2D.
        .systemLibrary(name: "CFrostMotion", path: "Sources/Bindings/FrostMotionC/include"),
        .target(
            name: "FrostMotionC",
            dependencies: [
                "CFrost", "CFrostMotion", "FrostCSupport", "FrostMotion", "FrostSceneFiles", "Frost", "FrostCore",
                "FrostImages", "FrostPipeline",
            ],
            exclude: ["include", "libfrost-motion.map"], swiftSettings: strict,
            linkerSettings: [.unsafeFlags(runtime + (fuzzes ? [] : exports("FrostMotionC", "libfrost-motion")))]),

        // Test targets and their support code.
        .testTarget(
            name: "FrostThreadsTests", dependencies: ["FrostThreads", "FrostTestSupport"], swiftSettings: tests),
        .target(
            name: "FrostTestSupport", dependencies: ["FrostCore", "FrostExact", "FrostCPU", "FrostGLES"],
            path: "Tests/FrostTestSupport",
            swiftSettings: computing),
        .testTarget(
            name: "FrostCoreTests", dependencies: ["FrostCore", "FrostExact", "FrostTestSupport"], swiftSettings: tests),
        .testTarget(
            name: "FrostCPUTests", dependencies: ["FrostExact", "FrostCPU", "CFrostKernels", "FrostTestSupport"],
            swiftSettings: computing),
        .systemLibrary(name: "CTestDRM", path: "Tests/CTestDRM"),
        // FrostTestHost is a test target, not a plain one, because it imports FrostGLES with `@testable`.
        .testTarget(name: "FrostTestHost", dependencies: ["CGL", "FrostCore", "FrostGLES"], swiftSettings: tests),
        .testTarget(
            name: "FrostGLESTests",
            dependencies: ["FrostGLES", "FrostThreads", "FrostTestSupport", "CDriverWatch", "CTestDRM", "CGL"],
            swiftSettings: tests),
        .testTarget(
            name: "FrostDrawingTests", dependencies: ["FrostDrawing", "FrostCore", "FrostTestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "FrostGPUTests",
            dependencies: ["FrostDrawing", "FrostGPU", "FrostGLES", "CGL", "FrostTestHost", "FrostTestSupport"],
            swiftSettings: tests),
        .target(name: "CFaultyGL", dependencies: ["CDriverWatch"], path: "Tests/CFaultyGL", cSettings: c),
        .testTarget(
            name: "FrostTests",
            dependencies: [
                "CFaultyGL", "CGL", "FrostThreads", "FrostLog", "FrostExact", "FrostGLES", "Frost", "FrostImages",
                "FrostTestHost",
                "FrostTestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "FrostImagesTests", dependencies: ["FrostImages", "FrostTestSupport", "CCodecs", "CSystem"],
            swiftSettings: tests),
        .testTarget(
            name: "FrostMotionTests",
            dependencies: [
                "FrostMotion", "Frost", "FrostCore", "FrostGLES", "FrostGPU", "CGL", "FrostTestHost",
                "FrostTestSupport",
            ],
            swiftSettings: tests),
        .target(
            name: "FrostCLITestSupport", dependencies: ["FrostCore", "FrostImages", "FrostTestSupport"],
            path: "Tests/FrostCLITestSupport", swiftSettings: strict),
        .testTarget(
            name: "FrostCLITests",
            dependencies: [
                "FrostCLI", "FrostMeasure", "FrostCLITestSupport", "Frost", "FrostCore", "FrostCPU", "FrostExact",
                "FrostGPU",
                "FrostImages", "FrostMotion", "FrostPipeline", "FrostTestSupport", "CSystem",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "FrostMeasureTests",
            dependencies: [
                "FrostMeasure", "FrostCLI", "FrostCLITestSupport", "FrostTestSupport", "Frost", "FrostCore",
                "FrostGLES", "FrostImages",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "FrostServeTests",
            dependencies: ["FrostServe", "FrostCLI", "FrostImages", "Frost", "FrostThreads"], swiftSettings: tests),
        // The parts of Frost that read bytes from outside, as functions for fuzzing. FrostFuzzTests repeats the known files.
        .target(
            name: "FrostFuzz",
            dependencies: [
                "Frost", "FrostCore", "FrostImages", "FrostPipeline", "FrostCLI", "FrostServe", "FrostMotion",
                "FrostGPU",
                "FrostGLES",
            ],
            path: "Tests/FrostFuzz", swiftSettings: strict),
        .testTarget(name: "FrostFuzzTests", dependencies: ["FrostFuzz", "FrostTestSupport"], swiftSettings: tests),
    ]
        + (fuzzes
            ? [
                .target(
                    name: "CFuzzer", dependencies: ["CFrost"], path: "Tests/CFuzzer",
                    cSettings: c + [.headerSearchPath("../../Sources/Bindings/FrostImagesC/include")]),
                .executableTarget(
                    name: "frost-fuzz", dependencies: ["CFuzzer", "FrostC", "FrostImagesC", "FrostFuzz"],
                    path: "Tests/FrostFuzzer",
                    swiftSettings: strict),
            ] : []),
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x,
    cxxLanguageStandard: .cxx17
)

for (floor, names) in floors {
    for target in package.targets where names.contains(target.name) { target.path = "Sources/\(floor)/\(target.name)" }
}

// SwiftPM compiles a target again only if a module has changed that the target names. But the layout of its types, and the
// order of a protocol's requirements, also depend on modules that it reaches only through others. So each target names all
// modules below it. Otherwise a build after a change would use the old layouts, and the programs would crash. Tools/check
// looks at the names that are written above.
if Context.environment["FROST_WRITTEN_NAMES"] == nil {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    func named(by target: Target) -> Set<String> {
        Set(target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } })
    }
    var known: [String: Set<String>] = [:]
    func modules(below target: Target) -> Set<String> {
        if let modules = known[target.name] { return modules }
        let direct = named(by: target)
        let modules = direct.reduce(into: direct) { $0.formUnion(targets[$1].map(modules(below:)) ?? []) }
        known[target.name] = modules
        return modules
    }
    for target in package.targets {
        target.dependencies += modules(below: target).subtracting(named(by: target)).sorted().map {
            .byNameItem(name: $0, condition: nil)
        }
    }
}
