import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Loads or compiles all programs with which `submit` would draw a work, without drawing. The textures of the work
    /// need not exist: only their descriptions are read.
    func prepare(_ execution: Execution, in gl: borrowing CurrentContext) throws(GPUError) {
        try chooseShaders(measuresNow: true, in: gl)
        let choice = execution.choice(of: formats)
        try choice.check()
        try checkConversions(execution)
        var keys = try programKeys(execution, choice)
        if let input = execution.ends.input {
            for draw in execution.conversions(of: input) {
                keys.insert(ShaderKey(shader: .conversion(draw.key), entry: entry(Self.convertedFormat, .copy)))
            }
        }
        if let output = execution.ends.output {
            keys.insert(ShaderKey(shader: .conversion(output.draw.key), entry: .fragment))
        }
        for key in keys { _ = try rethrow(programs.program(key.shader, key.entry, in: gl), as: GPUError.gl) }
    }

    /// Returns the keys of the programs that the draws of a work need.
    private func programKeys(_ execution: Execution, _ choice: FormatChoice) throws(GPUError) -> Set<ShaderKey> {
        var keys: Set<ShaderKey> = []
        let image = execution.ends.source.map { DrawInput.host($0) }
        let result = execution.result(source: image).key
        let target = execution.ends.output == nil ? execution.ends.target : nil
        // The formats of the target.
        let formats: [TextureFormat?] =
            switch target {
            case .own, .part: [target?.format]
            // Whether compute shaders can store to the host's texture is known when it exists.
            case .host(let target, _): [nil, target.expectedFormat]
            case nil where execution.ends.output != nil: [Self.convertedFormat]
            case nil:
                switch execution.output {
                case .result: [choice.image]
                // The texture of a level. Whether its samples are signed is known when it exists.
                case .level:
                    try [false, true].map { (isSigned) throws(GPUError) in
                        try choice.intermediate(isSigned: isSigned).format
                    }
                }
            }
        func add(
            _ draw: ShaderDraw, _ input: ProgramKey.Input, isResult: Bool, _ formats: [TextureFormat?], isLast: Bool
        ) {
            for entry in Set(formats.map { entry($0, draw.kind.shape) }) {
                let draw = divided(draw, entry)
                let key = ProgramKey(
                    draw.kind, input: input, result: isResult ? result : .encoded(.value),
                    placement: isLast ? target?.placement : nil)
                for part in draw.parts { keys.insert(ShaderKey(shader: .filter(key.of(part)), entry: entry)) }
            }
        }
        let end = execution.plan.mixes.isEmpty ? execution.output : .level
        for list in execution.plan.lists {
            for (index, draw) in list.draws.enumerated() {
                let isLast = index == list.draws.count - 1
                let isTarget = isLast && end == execution.output
                let texture = draw.from == .source ? image?.kind : nil
                let intermediate = try choice.intermediate(isSigned: !isLast && draw.isSigned).format
                add(
                    draw.draw, execution.programInput(of: draw, texture: texture ?? ProgramKey.TextureKind()),
                    isResult: isLast && end == .result, isTarget ? formats : [intermediate], isLast: isTarget)
            }
        }
        for mix in execution.plan.mixes {
            add(mix.draw, ProgramKey.Input(), isResult: true, formats, isLast: true)
        }
        return keys
    }

    /// Returns all programs of the pipeline as bytes, for ``ProgramBinaries/add(_:in:)``.
    func programData(in gl: borrowing CurrentContext) throws(GPUError) -> [UInt8] {
        try fromGL { () throws(GLError) in
            var files: [[UInt8]] = []
            try programs.forEach { (program, source) throws(GLError) in
                guard let binary = try program.binary(in: gl) else { return }
                files.append(ProgramFile.encode(binary, key: ProgramBinaries.key(gl.device, source)))
            }
            return ProgramPackage.encode(files)
        }
    }
}
