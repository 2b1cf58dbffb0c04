import Frost
import FrostCLI

/// Runs a real blur on a renderer, measures its time, and compares its result with the exact result.
struct BlurProbe {
    /// The largest difference from the exact result, in 8-bit steps.
    let error: Double
    /// The time of the fastest of three blurs at 1920x1080, in milliseconds.
    let milliseconds: Double
    /// The renderer's warning, if there is one.
    let warning: String?

    /// The maximum error that Frost guarantees, in 8-bit steps.
    static let promise = 1.0

    var keepsPromise: Bool { error <= Self.promise }

    /// The size of the picture that is compared. The picture is small, so that computing the exact result takes only a
    /// tenth of a second. Its width and height are not multiples of any tile size.
    private static let compared = PictureSize(width: 331, height: 247)
    private static let timed = PictureSize(width: 1920, height: 1080)

    init(_ renderer: Renderer) throws(CommandError) {
        let small = try BenchPicture.synthetic.pixels(Self.compared, .softAlpha)
        let large = try BenchPicture.synthetic.pixels(Self.timed, .rgba8)
        do throws(FrostError) {
            let blur: GaussianBlur
            do throws(ParameterError) { blur = try GaussianBlur(sigma: 8) } catch { throw .parameter(error) }
            let result = try renderer.blur(small, blur)
            warning = result.report.warning
            let exact = try Renderer(backend: .exact).exact(small, blur)
            error = try rethrow(Comparison(SampleRows(result.image), exact).maximum, as: FrostError.pixels)
            var best = Double.infinity
            for _ in 0..<3 {
                let start = ContinuousClock.now
                _ = try renderer.blur(large, blur)
                best = min(best, (ContinuousClock.now - start).milliseconds)
            }
            milliseconds = best
        } catch {
            throw .frost(error)
        }
    }

    /// A phrase for the result, for example "within 0.56 steps of exact, sigma 8 on 1920x1080 in 7.1 ms".
    var description: String {
        (keepsPromise ? "within \(fixed(error, 2)) steps of exact" : "\(fixed(error, 2)) steps off the exact result")
            + ", sigma 8 on \(Self.timed) in \(fixed(milliseconds, 1)) ms"
    }
}
