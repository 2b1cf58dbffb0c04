import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Loads or compiles all programs with which `submit` would draw a work, without drawing. The textures of the work
    /// need not exist: only their descriptions are read.
    func prepare(_ execution: Execution, in gl: borrowing CurrentContext) throws(GPUError) {
        try execution.choice(of: formats).check()
        try checkConversions(execution)
        for conversion in execution.conversions {
            try fromGL { () throws(GLError) in
                _ = try programs.program(.conversion(conversion.key), in: gl)
            }
        }
        for key in programKeys(execution) {
            _ = try rethrow(programs.program(.filter(key), in: gl), as: GPUError.gl)
        }
    }

    /// Returns the keys of the programs that a work needs.
    private func programKeys(_ execution: Execution) -> Set<ProgramKey> {
        var keys: Set<ProgramKey> = []
        let image = execution.ends.source.map { DrawInput.host($0) }
        let result = execution.result(source: image).key
        let placement = execution.ends.target?.placement
        func add(
            _ draw: ShaderDraw, _ input: ProgramKey.Input, _ result: ProgramKey.Result, _ placement: TargetPlacement?
        ) {
            let key = ProgramKey(draw.kind, input: input, result: result, placement: placement)
            for part in draw.parts { keys.insert(key.of(part)) }
        }
        let end = execution.plan.mixes.isEmpty ? execution.output : .level
        for list in execution.plan.lists {
            for (index, draw) in list.draws.enumerated() {
                let isLast = index == list.draws.count - 1
                let texture = draw.from == .source ? image?.kind : nil
                add(
                    draw.draw, execution.programInput(of: draw, texture: texture ?? ProgramKey.TextureKind()),
                    isLast && end == .result ? result : .encoded(.value),
                    isLast && end == execution.output ? placement : nil)
            }
        }
        for mix in execution.plan.mixes { add(mix.draw, ProgramKey.Input(), result, placement) }
        return keys
    }

    /// Returns all programs of the pipeline as bytes, for ``ProgramBinaries/add(_:in:)``.
    func programData(in gl: borrowing CurrentContext) throws(GPUError) -> [UInt8] {
        try fromGL { () throws(GLError) in
            var files: [[UInt8]] = []
            try programs.forEach { (program, fragment) throws(GLError) in
                guard let binary = try program.binary(in: gl) else { return }
                let key = ProgramBinaries.key(gl.device, ProgramSource.vertex, fragment)
                files.append(ProgramFile.encode(binary, key: key))
            }
            return ProgramPackage.encode(files)
        }
    }
}
