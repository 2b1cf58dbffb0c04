import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Draws the levels of a blend one after the other. Each level is mixed with the level below as soon as it is
    /// drawn, so no more than two levels are in memory.
    func mix(
        _ execution: Execution, _ choice: FormatChoice, _ places: inout [Place: Target], _ report: inout GPUReport,
        _ gl: borrowing CurrentContext
    ) throws(GPUError) {
        guard let stages = execution.plan.outputStages, let source = original(execution, places) else {
            throw .invalidPlan("a blend needs output stages and a source")
        }
        var own: Target?
        let target: DrawTarget
        if let given = execution.ends.target {
            target = given
        } else {
            let texture = try take(stages.region.size(choice.image), in: gl)
            own = texture
            target = .own(texture)
        }
        let output = Output(target: target, result: execution.result(source: source))
        // The textures of the levels in memory, by the index of the level. At the end they are given back to the pool,
        // even after an error.
        var drawn: [Int: Target] = [:]
        defer { for target in drawn.values { pool.giveBack(target) } }
        var isFirst = true
        let mixes = execution.plan.mixes
        do throws(GPUError) {
            for (index, level) in execution.plan.lists.enumerated() {
                try draw(level, .level, execution, choice, &places, &report, gl)
                drawn[index] = places.removeValue(forKey: .output)
                for mix in mixes where mix.upper == index {
                    guard let lower = drawn[mix.lower], let upper = drawn[index] else {
                        throw .invalidPlan("level \(mix.lower) was already released")
                    }
                    try fromGL { () throws(GLError) in
                        try lower.bind(unit: .inputImage, in: gl)
                        try upper.bind(unit: .upperImage, in: gl)
                    }
                    let path = try cover(
                        mix.draw, ProgramKey.Input(), execution, output, covers: isFirst, in: gl)
                    report.shaders.insert(path)
                    isFirst = false
                    report.passes += 1
                }
                for below in drawn.keys.sorted()
                where !mixes.contains(where: { $0.upper > index && $0.lower == below }) {
                    if let done = drawn.removeValue(forKey: below) { pool.giveBack(done) }
                }
            }
        } catch {
            if let own { pool.giveBack(own) }
            throw error
        }
        if let own { places[.output] = own }
    }
}
