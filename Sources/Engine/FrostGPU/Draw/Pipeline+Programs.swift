import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Loads or compiles all programs with which `submit` would draw a work, without drawing. The textures of the work
    /// need not exist: only their descriptions are read.
    func prepare(_ work: Work, in gl: borrowing CurrentContext) throws(GPUError) {
        try work.choice(of: formats).check()
        try checkConversions(work)
        for conversion in work.conversions {
            try fromGL { () throws(GLError) in
                try conversionPrograms.prepare(conversion.key, from: &programs.binaries, in: gl)
            }
        }
        for key in programKeys(work) {
            try fromGL { () throws(GLError) in _ = try programs.program(key, in: gl) }
        }
    }

    /// Returns the keys of the programs that a work needs.
    private func programKeys(_ work: Work) -> Set<ProgramKey> {
        var keys: Set<ProgramKey> = []
        let image = work.ends.source.map { DrawInput.host($0) }
        let result = work.result(source: image).key
        let placement = work.ends.target?.placement
        func add(
            _ draw: ShaderDraw, _ input: ProgramKey.Input, _ result: ProgramKey.Result, _ placement: TargetPlacement?
        ) {
            let key = ProgramKey(draw.kind, input: input, result: result, placement: placement)
            for part in draw.parts { keys.insert(key.of(part)) }
        }
        let end = work.plan.mixes.isEmpty ? work.output : .level
        for list in work.plan.lists {
            for (index, draw) in list.draws.enumerated() {
                let isLast = index == list.draws.count - 1
                let texture = draw.from == .source ? image?.kind : nil
                add(
                    draw.draw, work.programInput(of: draw, texture: texture ?? ProgramKey.TextureKind()),
                    isLast && end == .result ? result : .encoded(.value),
                    isLast && end == work.output ? placement : nil)
            }
        }
        for mix in work.plan.mixes { add(mix.draw, ProgramKey.Input(), result, placement) }
        return keys
    }

    /// Returns all programs of the pipeline as bytes, for ``ProgramBinaries/add(_:in:)``. Programs of transitions are
    /// not included.
    func programData(in gl: borrowing CurrentContext) throws(GPUError) -> [UInt8] {
        try fromGL { () throws(GLError) in
            var files: [[UInt8]] = []
            func append(_ program: borrowing Program, _ fragment: String) throws(GLError) {
                guard let binary = try program.binary(in: gl) else { return }
                let key = ProgramBinaries.key(gl.device, ProgramSource.vertex, fragment)
                files.append(ProgramFile.encode(binary, key: key))
            }
            try programs.forEach { (program, fragment) throws(GLError) in try append(program, fragment) }
            try conversionPrograms.forEach { (program, fragment) throws(GLError) in try append(program, fragment) }
            return ProgramPackage.encode(files)
        }
    }
}
