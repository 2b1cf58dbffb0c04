import CFaultyGL
import FrostCore
@testable import FrostGLES

/// Work of Frost during which a call of the driver fails.
protocol FaultScenario {
    /// The work in words.
    var title: String { get }
    /// The picture that the work makes.
    var size: (width: Int, height: Int) { get }
    /// How long a call blocks, in milliseconds.
    var blockedMilliseconds: UInt32 { get }

    /// Returns the picture of the CPU's backend.
    func expected() throws -> [UInt8]

    /// Does the work with a failure, and then without one.
    func attempt(_ failure: CallFailure) throws -> Attempt
}

/// What has come of a failure.
struct Attempt {
    /// The picture that was made in spite of the failure; nil if there was an error.
    var picture: [UInt8]?
    /// The number of calls of each function until the picture or the error.
    var counts: [Int32] = []
    /// The number of calls that failed.
    var failures: Int32 = 0
    /// A picture that was made while a call blocked; nil if there was an error, or if no call blocked.
    var meanwhile: [UInt8]?
    /// The picture that was made next, without a failure; nil if there was an error.
    var next: [UInt8]?
    /// The bytes of textures and buffers that Frost holds after the next picture.
    var bytes = 0
    /// Violations of the laws that do not concern pixels.
    var faults: [String] = []

    mutating func finish() {
        counts = CallFailure.counts
        failures = faulty_count()
    }

    /// Calls `body`, and records its error as a fault.
    mutating func require<Value>(_ name: String, _ body: () throws -> Value) -> Value? {
        do { return try body() } catch {
            faults.append("\(name): \(error)")
            return nil
        }
    }

    /// Checks that the driver has the objects that Frost counts, in addition to those that existed before.
    mutating func checkObjects(_ counted: ObjectCounts, since before: faulty_objects) {
        let now = faulty_existing()
        let pairs: [(String, Int32, Int)] = [
            ("textures", now.textures - before.textures, counted.textures),
            ("framebuffers", now.framebuffers - before.framebuffers, counted.framebuffers),
            ("programs", now.programs - before.programs, counted.programs),
            ("shaders", now.shaders - before.shaders, 0),
            ("buffers", now.buffers - before.buffers, counted.buffers),
            ("vertex arrays", now.vertex_arrays - before.vertex_arrays, counted.vertexArrays),
            ("samplers", now.samplers - before.samplers, counted.samplers),
            ("queries", now.queries - before.queries, counted.queries),
        ]
        for (name, existing, known) in pairs where Int(existing) != known {
            faults.append("\(existing) \(name) exist, but Frost counts \(known)")
        }
        // The fences of the last draws are not counted; see FenceHistory. One more is kept if the question whether a fence is
        // reached has failed in the last draw.
        let fences = Int(now.fences - before.fences)
        let kept = counted == ObjectCounts() ? 0 : FenceHistory.maximum + 1
        if !(counted.fences...counted.fences + kept).contains(fences) {
            faults.append("\(fences) fences exist, but Frost counts \(counted.fences)")
        }
    }

    /// Checks that no object is left of those created since `before`.
    mutating func checkNothingLeft(since before: faulty_objects) {
        let now = faulty_existing()
        checkObjects(ObjectCounts(), since: before)
        if now.contexts != before.contexts { faults.append("\(now.contexts - before.contexts) contexts are left") }
        if now.surfaces != before.surfaces { faults.append("\(now.surfaces - before.surfaces) surfaces are left") }
    }
}
