import Frost
import FrostCLI
import FrostImages

/// The small picture with which the service shows that it works.
struct SmallPicture: Sendable {
    private var settings: ServiceSettings
    /// A grey ramp as a file of a simple format, which every build reads.
    private static let bytes = Array("P5 64 64 255\n".utf8) + (0..<64 * 64).map { UInt8($0 & 63) * 4 }

    init(_ settings: ServiceSettings) {
        self.settings = settings
        self.settings.limits.allowed = AllowedFormats([.pgm, .png])
    }

    /// Blurs the picture. Returns why that failed; nil if it did not.
    func fault(_ cancellation: Cancellation) -> String? {
        let work = PictureWork(
            source: .bytes(Self.bytes), operation: .blur, options: [RequestOption("sigma", "2")],
            result: RequestedResult(accepted: AcceptedFormats("image/png", allowed: [.png])), settings: settings,
            memory: MemoryBudget(capacity: 1 << 24), lengths: KnownLengths())
        let late = Refusal.unavailable("not-ready", "a small picture takes longer than \(Readiness.deadline)")
        let job = Job(under: (cancellation, late)) { work.run($0, isAlone: false) }
        job.run()
        guard let response = job.response, response.status != 200 else { return nil }
        return response.facts.error ?? "status \(response.status)"
    }
}
