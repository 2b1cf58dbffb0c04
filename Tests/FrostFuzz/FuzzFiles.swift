import FrostCore
@testable import FrostGLES
@testable import FrostGPU
import FrostMotion
@testable import FrostPipeline

enum FuzzFiles {
    static func runManifest(_ bytes: [UInt8]) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let strings = FlatJSON.members(line)
            let all = FlatJSON.members(line, all: true)
            require((strings == nil) == (all == nil), "the line is an object only sometimes")
            for (name, value) in strings ?? [:] { require(all?[name] == value, "two values of \(name)") }
        }
    }

    /// A file of boxes.
    static func runBoxes(_ bytes: [UInt8]) {
        do throws(BoxFileError) {
            let file = try BoxFile(path: "boxes", bytes: bytes)
            for box in file.boxes {
                require(box.line >= 1 && box.frame ?? 0 >= 0)
                require(box.rect.map { $0.width > 0 && $0.height > 0 } ?? true, "an empty box")
            }
            try file.check(names: ["a.png", "b/a.png"])
        } catch { require(!"\(error)".isEmpty) }
    }

    /// A package of programs. Each of its files is then read as a file of the cache.
    static func runProgram(_ bytes: [UInt8]) {
        let (files, fault) = ProgramPackage.decode(bytes)
        if fault == nil { require(ProgramPackage.encode(files.map { Array($0) }) == bytes) }
        for file in files.map({ Array($0) }) + [bytes] {
            guard let key = ProgramFile.key(of: file), let binary = ProgramFile.decode(file, key: key) else { continue }
            require(ProgramFile.encode(binary, key: key) == file, "a file that would not be written so")
        }
    }

    /// A scene, and its state at three times.
    static func runScene(_ bytes: [UInt8]) {
        do throws(SceneError) {
            let scene = try Scene(parsing: bytes)
            for time in [0, 0.04, 1e6] where time < 1 || scene.dynamics == nil { _ = try scene.state(at: time) }
            require(scene.frameCount(framesPerSecond: 30) >= 1)
        } catch { require(!"\(error)".isEmpty) }
    }

    /// Numbers of a description, eight bytes each: the sizes, the format, the modifier, then offset and stride of each
    /// plane. The first byte after them chooses what the driver supports.
    static func runDMABuffer(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func number() -> UInt64 {
            let part = rest.prefix(8)
            rest = rest.dropFirst(8)
            return part.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let (width, height) = (number(), number())
        let (format, modifier) = (number(), number())
        let options = rest.popFirst() ?? 0
        var planes: [DMABuffer.Plane] = []
        while !rest.isEmpty, planes.count < 6 {
            planes.append(
                DMABuffer.Plane(
                    descriptor: -1, offset: Int(truncatingIfNeeded: number()), stride: Int(truncatingIfNeeded: number())
                ))
        }
        let known: [FourCC] = [.argb8888, .xrgb8888, .abgr8888, .r8, .gr88, .nv12]
        let fourcc =
            options & 1 == 0
            ? known[Int(format % UInt64(known.count))] : FourCC(rawValue: UInt32(truncatingIfNeeded: format))
        let buffer = DMABuffer(
            width: Int(truncatingIfNeeded: width), height: Int(truncatingIfNeeded: height), fourcc: fourcc,
            modifier: DRMModifier(rawValue: modifier), planes: planes)
        let support = DMABufferSupport(
            formats: options & 2 == 0
                ? nil
                : known.map {
                    DMABufferFormat(
                        fourcc: $0,
                        arrangements: options & 4 == 0
                            ? [] : [.init(modifier: .linear, isExternalOnly: options & 8 != 0)])
                },
            missingForImport: nil, missingForExternal: options & 16 == 0 ? nil : "none", missingForExport: nil,
            takesModifiers: options & 32 != 0, isSoftware: options & 64 != 0)
        do throws(GLError) {
            try support.check(buffer, for: try support.use(of: buffer))
            for index in buffer.planes.indices { _ = try buffer.component(index) }
        } catch { require(!"\(error)".isEmpty) }
        require(support.kinds.allSatisfy { known.contains($0.fourcc) })
    }
}
