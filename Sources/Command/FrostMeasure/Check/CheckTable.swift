import Frost
import FrostCLI

/// Formats the table of all pairs on the HTML page.
enum CheckTable {
    static func section(_ log: CheckLog) -> String {
        var number = 0
        let bodies = log.entries.map { entry -> String in
            switch entry {
            case .failed(let input, let error): return row(input, error, "bad", CheckPage.mark(false))
            case .noGPU(let missing):
                return missing.isAllowed
                    ? row("GPU", "not checked: \(missing.reason)", "muted", "")
                    : row("GPU", missing.reason, "bad", CheckPage.mark(false))
            case .checked(let result):
                if !result.pairs.isEmpty { number += 1 }
                return body(result, number)
            }
        }
        return """
            <section aria-labelledby="results">
            <h2 id="results">Results</h2>
            <p class="muted">Errors are in 8-bit steps of premultiplied colour and alpha.\
            \(log.kind == .check ? " The exact result is not rounded." : "")</p>
            <div class="card scroll" tabindex="0" role="region" aria-labelledby="results">
            <table>
            <thead><tr><th scope="col">Pair</th><th scope="col">Largest error</th><th scope="col">Bound</th>\
            <th scope="col">Mean</th><th scope="col">PSNR, dB</th><th scope="col">SSIM</th>\
            <th scope="col">Largest at</th></tr></thead>
            \(bodies.joined(separator: "\n"))
            </table>
            </div>
            </section>
            """
    }

    private static func body(_ result: CheckResult, _ number: Int) -> String {
        let rows = result.pairs.map { pair in
            let (comparison, holds) = (pair.comparison, result.holds(pair))
            // The fraction of the meter that is filled. A full meter means an error as large as the bound, or larger.
            let part = result.bound > 0 ? min(comparison.maximum / result.bound, 1) : comparison.maximum > 0 ? 1 : 0
            let place = comparison.worst.map { "\($0.x),\($0.y) \($0.channel)" } ?? "–"
            return """
                <tr class="\(holds ? "ok" : "bad")"><th scope="row">\(CheckPage.mark(holds)) \(CheckCase.title(pair))</th>\
                <td><span class="meter"><span style="width:\(fixed(part * 100, 1))%"></span></span>\
                <span class="figure">\(fixed(comparison.maximum, 3))</span></td><td>\(numberText(CheckPage.rounded(result.bound)))</td>\
                <td>\(fixed(comparison.mean, 4))</td><td>\(comparison.psnr.map { fixed($0, 1) } ?? "∞")</td>\
                <td>\(fixed(comparison.ssim, 5))</td><td>\(place)</td></tr>
                """
        }
        let contrasts = result.contrasts.map { contrast in
            let (holds, report) = (contrast.holds, contrast.report)
            return """
                <tr class="\(holds ? "ok" : "bad")"><th scope="row">\(CheckPage.mark(holds)) \(Page.name(contrast.name)) \
                to \(Markup.escaped(report.content.description))</th>\
                <td><span class="figure">\(report.smallest.map { fixed($0, 3) } ?? "–")</span></td>\
                <td>at least \(numberText(report.minimum))</td><td>–</td><td>–</td><td>–</td>\
                <td>\(contrast.place ?? "–")</td></tr>
                """
        }
        let skipped = result.skipped.map {
            "<tr class=\"muted\"><th scope=\"row\">\(Page.name($0.name))</th><td colspan=\"6\" class=\"text\">not checked: "
                + "\(Markup.escaped($0.reason))</td></tr>"
        }
        let subject = Page.name(result.subject)
        let title = result.pairs.isEmpty ? subject : "<a href=\"#result-\(number)\">\(subject)</a>"
        return """
            <tbody>
            <tr class="group"><th colspan="7" scope="rowgroup">\(title) \
            <span class="muted">on \(Page.name(result.input))</span></th></tr>
            \((rows + contrasts + skipped).joined(separator: "\n"))
            </tbody>
            """
    }

    private static func row(_ title: String, _ text: String, _ style: String, _ mark: String) -> String {
        """
        <tbody>
        <tr class="group"><th colspan="7" scope="rowgroup">\(Page.name(title))</th></tr>
        <tr class="\(style)"><td colspan="7" class="text">\(mark) \(Page.name(text))</td></tr>
        </tbody>
        """
    }
}
