import FrostCore
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
        let source = image?.kind ?? ProgramKey.TextureKind()
        let result = work.result(source: image).key
        func add(_ draw: any ShaderDraw, _ key: ProgramKey) {
            for part in draw.parts { keys.insert(key.of(part)) }
        }
        let end: ListEnd
        switch work.plan.work {
        case .passes, .kernel2D: end = work.output
        case .blend(let blend):
            end = .level
            for span in blend.spans {
                add(
                    span,
                    ProgramKey(
                        .blend, input: ProgramKey.Input(), result: result,
                        placement: work.ends.target?.placement))
            }
        }
        for (list, _) in lists(work) {
            for (index, draw) in list.draws.enumerated() {
                let isLast = index == list.draws.count - 1
                let isResult = isLast && end == .result
                let input = work.programInput(
                    of: draw, texture: draw.from == .source ? source : ProgramKey.TextureKind())
                add(
                    draw,
                    ProgramKey(
                        draw.kind, input: input, result: isResult ? result : .encoded(.value),
                        placement: isLast && end == work.output ? work.ends.target?.placement : nil))
            }
        }
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
