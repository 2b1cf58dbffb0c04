import FrostCore
import FrostDrawing
package import FrostGLES
import Synchronization

/// The times of devices that this process has measured, by the names of device and driver.
private let measuredTimes = Mutex<[String: ShaderTimes]>([:])

extension Pipeline {
    /// Chooses the kind of shader that writes a target of a format; nil if compute shaders cannot store to the target.
    func entry(_ format: TextureFormat?, _ shape: ShaderShape) -> ShaderEntry {
        guard let format, storableFormats.contains(format), shaders?.path(shape) == .compute else { return .fragment }
        return .compute(format.stored)
    }

    /// The number of images that software GL draws with fragment shaders before it is measured. It takes as long as some
    /// images to compile the programs of the measurement.
    private static let unmeasuredImages = 2
    /// The name under which the times of shaders are kept beside the programs.
    private static let timesName = "times of shaders"

    /// Returns the choice that an earlier measurement of a device has led to; nil if the device has not been measured.
    static func keptChoice(for device: DeviceInfo, _ options: GPUOptions) -> ShaderChoice? {
        let cache = ProgramCache(options.programCache.resolve())
        let times = ProgramBinaries.note(timesName, of: device, in: cache).flatMap { ShaderTimes($0) }
        return times.map { ShaderChoice($0, isSoftware: device.isSoftware) }
    }

    /// Chooses the kinds of shaders before the first draw, by measurement if the device has not been measured before.
    ///
    /// - Parameter measuresNow: whether software GL is measured before its first images.
    func chooseShaders(measuresNow: Bool = false, in gl: borrowing CurrentContext) throws(GPUError) {
        guard shaders == nil else { return }
        let device = gl.device
        let name = [device.vendor, device.renderer, device.version].joined(separator: ", ")
        if let times = measuredTimes.withLock({ $0[name] })
            ?? programs.binaries.note(Self.timesName, of: device).flatMap({ ShaderTimes($0) })
        {
            measuredTimes.withLock { $0[name] = times }
            shaders = ShaderChoice(times, isSoftware: isSoftware)
            return
        }
        if isSoftware, !measuresNow, totals.executions < Self.unmeasuredImages { return }
        do throws(GPUError) {
            let times = try measureShaders(in: gl)
            measuredTimes.withLock { $0[name] = times }
            programs.binaries.keep(times.text, as: Self.timesName, of: device)
            shaders = ShaderChoice(times, isSoftware: isSoftware)
        } catch .gl(let error) where error.isFaultOfShaders {
            shaders = ShaderChoice(failure: "\(error)")
            // The call that failed may have left any object incomplete.
            forgetObjects(in: gl)
        }
    }

    /// The side of the trial's textures.
    private static let trialSide = 1024

    /// Measures the times of both kinds of shaders. Takes some milliseconds, and the compilation of two short programs.
    private func measureShaders(in gl: borrowing CurrentContext) throws(GPUError) -> ShaderTimes {
        let key = TargetKey(format: .rgba8, width: Self.trialSide, height: Self.trialSide)
        let (input, output) = (try take(key, in: gl), try take(key, in: gl))
        defer { for target in [input, output] { pool.giveBack(target) } }
        return try fromGL { () throws(GLError) in
            let trials = [
                try ShaderTrial(.fragment, limits, in: gl),
                try ShaderTrial(.compute(output.texture.format.stored), limits, in: gl),
            ]
            try input.bind(unit: .inputImage, in: gl)
            try gl.beginDrawing(into: output.framebuffer)
            try gl.beginStoring(into: output.texture)
            var times = ShaderTimes()
            for shape in ShaderShape.allCases {
                // The square is enlarged until the work takes longer than its submission.
                var side = 64
                var fastest: [ShaderPath: Double] = [:]
                repeat {
                    side *= 2
                    for trial in trials {
                        var seconds = Double.infinity
                        for _ in 0..<4 {
                            seconds = min(seconds, try trial.seconds(shape, side: side, vertexArray, in: gl))
                        }
                        fastest[trial.path] = seconds
                    }
                } while (fastest.values.max() ?? 1) < 0.001 && side < Self.trialSide
                for (path, time) in fastest { times.add(time, shape, path) }
            }
            try gl.checkErrors(after: "measuring shaders")
            return times
        }
    }
}

/// A program by whose times the kinds of shaders are compared.
private final class ShaderTrial {
    let path: ShaderPath
    private let program: Program
    private let fetches: Program.Uniform
    private let area: Program.Uniform

    init(_ entry: ShaderEntry, _ limits: DrawLimits, in gl: borrowing CurrentContext) throws(GLError) {
        path = entry.path
        program = try Program(ProgramSource.trial(entry, limits), in: gl)
        fetches = program.uniform("fetches", in: gl)
        area = program.uniform("area", in: gl)
        try program.use(in: gl)
        try program.set(program.uniform("inputImage", in: gl), Int32(TextureUnit.inputImage.rawValue), in: gl)
    }

    /// Returns the seconds of the work on a square.
    func seconds(
        _ shape: ShaderShape, side: Int, _ vertexArray: borrowing VertexArray, in gl: borrowing CurrentContext
    ) throws(GLError) -> Double {
        let counts: (row: Int32, scattered: Int32) =
            switch shape {
            case .copy: (1, 0)
            case .taps: (25, 0)
            case .lookups: (0, 16)
            }
        try program.use(in: gl)
        try program.set(fetches, SIMD4(counts.row, counts.scattered, Int32(side - 1), 0), in: gl)
        let start = ContinuousClock.now
        switch path {
        case .fragment: try gl.drawTriangle(columns: 0..<side, rows: 0..<side, vertexArray)
        case .compute:
            try program.set(area, SIMD4(0, 0, Int32(side), Int32(side)), in: gl)
            try gl.dispatch(columns: side, rows: side)
        }
        _ = try Fence(in: gl).wait(nanoseconds: 1_000_000_000, in: gl)
        let seconds = (ContinuousClock.now - start).seconds
        try gl.orderStores(before: .everything)
        return seconds
    }
}

extension GPUOptions {
    /// Returns the kinds of shaders that a device uses, in words, if they were measured before; otherwise nil. Reads a small file
    /// beside the programs of the device.
    package func measuredShaders(of device: DeviceInfo) -> String? {
        Pipeline.keptChoice(for: device, self)?.description
    }
}

extension ShaderEntry {
    var path: ShaderPath {
        switch self {
        case .fragment: .fragment
        case .compute: .compute
        }
    }
}

extension GLError {
    /// Whether a driver may fail in this way because its compute shaders do not work.
    fileprivate var isFaultOfShaders: Bool {
        switch self {
        case .shaderCompilation, .link, .callFailed, .unsupported: true
        case .outOfMemory, .contextLost, .timeout, .driverBlocked, .framebufferIncomplete, .tooLarge, .libraryMissing,
            .noDevice, .displayFailed, .contextFailed, .notCurrent, .dmaBuffer, .noThread, .forked:
            false
        }
    }
}
