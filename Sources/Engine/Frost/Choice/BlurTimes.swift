/// The measured times of one shape class on both backends.
struct BlurTimes: Sendable, Hashable {
    struct Runs: Sendable, Hashable {
        /// The fastest run, in seconds per pixel; infinite if no run has succeeded.
        var best = Double.infinity
        /// The number of runs, with those that failed.
        var count = 0

        /// The number of runs after which the fastest is reliable. The first run is slow, because it compiles GPU programs
        /// and touches new memory.
        static let enough = 3

        /// Whether the times suffice for a decision. Two runs are enough for a backend that is more than twice as slow as
        /// the other one.
        func isKnown(against other: Runs) -> Bool {
            count >= Self.enough || count == Self.enough - 1 && best > 2 * other.best
        }
    }

    var cpu = Runs()
    var gpu = Runs()

    /// Whether both backends were measured often enough, so that the faster one is used from now on.
    var isSettled: Bool { cpu.isKnown(against: gpu) && gpu.isKnown(against: cpu) }

    /// Returns the runs on a backend, and those on the other one.
    subscript(_ backend: Backend) -> (own: Runs, other: Runs) { backend == .gpu ? (gpu, cpu) : (cpu, gpu) }

    /// Adds a run.
    ///
    /// - Parameter rate: the seconds per pixel; infinite if the backend failed.
    mutating func add(_ rate: Double, on backend: Backend) {
        let runs: WritableKeyPath<BlurTimes, Runs> = backend == .gpu ? \.gpu : \.cpu
        self[keyPath: runs].best = min(self[keyPath: runs].best, rate)
        self[keyPath: runs].count += 1
    }

    /// Returns the seconds per pixel that a GPU would save a blur which takes `rate` on the CPU. If the GPU was never tried,
    /// it might save everything.
    func saving(_ rate: Double) -> Double { gpu.count == 0 ? rate : max(0, rate - gpu.best) }
}
