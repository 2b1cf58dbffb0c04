package import Frost
import FrostImages

extension Command {
    package static let compare = Command(
        name: "compare", operands: "A B [--max STEPS] [--diff OUT.png]",
        summary: "Measure the difference of two pictures, in premultiplied colour and alpha.",
        options: [.max, .pixels, .diff] + Option.limits,
        examples: ["frost compare expected.png actual.png --max 1 --diff where.png"],
        run: { (arguments, console) throws(CommandError) in
            guard arguments.operands.count == 2 else { throw .usage("two pictures are required") }
            guard arguments.operands != ["-", "-"] else { throw .usage("standard input can be used only once") }
            let diff = try arguments.path(.diff).map { (path) throws(CommandError) in
                (path: path, format: try OutputNames.format(of: path, stated: nil) ?? .png)
            }
            if let diff { try ReportFile.refuse(.diff, diff.path, over: arguments.paths) }
            let limits = try Pictures.limits(arguments)
            var console = console
            console.outputIsPicture = diff?.path.isStandardOutput == true
            let bound = arguments.value(.max, as: Double.self)
            let paths = arguments.paths
            let a = try Pictures.read(paths[0], ImageReadOptions(limits: limits), nil)
            let b = try Pictures.read(paths[1], ImageReadOptions(limits: limits), nil)
            let comparison: Comparison
            do throws(PixelError) {
                comparison = try Comparison(a.pixels, b.pixels)
            } catch {
                // Pictures of different sizes cannot be compared, so they count as exceeding every bound.
                if console.json {
                    console.result(
                        [
                            "schema": "frost.compare/1", "a": .path(paths[0]), "b": .path(paths[1]), "status": "failed",
                            "reason": .string(error.description),
                        ])
                }
                console.fail("\(paths[0].shownName) and \(paths[1].shownName): \(error)")
                return .someFailed
            }
            if let diff {
                let picture = try comparison.picture(of: SampleRows(a.pixels), SampleRows(b.pixels))
                try Pictures.write(DecodedImage(pixels: picture), to: diff.path, as: diff.format)
                console.note("\(diff.path.shownName): differences times \(numberText(comparison.gain))")
            }
            let sameColors = try rethrow(a.meansSameColors(as: b, name: paths[0].text), as: CommandError.image)
            if !sameColors {
                let text =
                    "\(paths[0].shownName) and \(paths[1].shownName): equal samples mean different colours (their profiles, "
                    + "gammas or code points differ)"
                if arguments.has(.pixels) { console.warn(text) } else { console.fail(text) }
            }
            let holds = comparison.maximum <= bound ?? 0 && (sameColors || arguments.has(.pixels))
            if console.json {
                console.result(
                    .joined(
                        ["schema": "frost.compare/1", "a": .path(paths[0]), "b": .path(paths[1])], comparison.json,
                        [
                            "sameColors": .bool(sameColors),
                            "diffGain": .number(diff == nil ? nil : comparison.gain, decimals: 0),
                            "status": .string(holds ? "ok" : "failed"),
                        ]))
            } else {
                console.result(comparison.description)
                if let bound, comparison.maximum > bound {
                    console.note("the largest difference exceeds the bound of \(numberText(bound)) steps")
                }
            }
            return holds ? .done : .someFailed
        },
        otherOperands: .file)
}

extension Option {
    fileprivate static let pixels = Option(
        "pixels", "compare sample values alone; a different meaning of their colours is only a warning")
}

extension Comparison {
    /// The comparison as a JSON object.
    package var json: JSONValue {
        [
            // The maximum and mean differences are in 8-bit steps. A 16-bit step is 1/257 of an 8-bit step.
            "max": .number(maximum, decimals: 7), "mean": .number(mean, decimals: 5),
            "psnr": .number(psnr, decimals: 2), "ssim": .number(ssim, decimals: 6),
            "differing": .int(differingPixels),
            "worst": worst.map { ["x": .int($0.x), "y": .int($0.y), "channel": .string($0.channel)] } ?? .null,
        ]
    }

    package var description: String {
        guard let worst else { return "identical" }
        let psnr = psnr.map { "\(fixed($0, 1)) dB" } ?? "infinite"
        return "max \(fixed(maximum, 3)) steps at \(worst.x),\(worst.y) \(worst.channel), mean \(fixed(mean, 4)), "
            + "PSNR \(psnr), SSIM \(fixed(ssim, 5)); \(differingPixels) pixels differ"
    }

    /// The factor that ``picture(of:_:)`` applies to the differences. It is the largest power of two, at most 128, with
    /// which no difference exceeds 255.
    fileprivate var gain: Double {
        var gain = 1.0
        while gain < 128, 2 * gain * maximum <= 255 { gain *= 2 }
        return gain
    }

    /// Returns a picture of the differences between two pictures. Each channel shows the absolute difference of the
    /// premultiplied colours, multiplied by ``gain``. If the difference of alpha is larger, the channel shows that
    /// difference instead, so a difference of alpha appears in all three channels.
    func picture(of a: SampleRows, _ b: SampleRows) throws(CommandError) -> PixelBuffer {
        let a = a.expanded(to: .rgba)
        let b = b.expanded(to: .rgba)
        let gain = gain
        var bytes: [UInt8] = []
        bytes.reserveCapacity(a.width * a.height * 3)
        for y in 0..<a.height {
            let rowA = a[y]
            let rowB = b[y]
            for x in 0..<a.width {
                let alpha = abs(rowA[4 * x + 3] - rowB[4 * x + 3])
                for c in 0..<3 {
                    let difference = max(alpha, abs(rowA[4 * x + c] - rowB[4 * x + c])) * gain
                    bytes.append(UInt8((min(max(difference, 0), 1) * 255).rounded()))
                }
            }
        }
        do throws(PixelError) {
            let layout = try PixelLayout(width: a.width, height: a.height, format: PixelFormat(.rgb))
            return try PixelBuffer(layout: layout, bytes: bytes)
        } catch {
            throw .frost(.pixels(error))
        }
    }
}
