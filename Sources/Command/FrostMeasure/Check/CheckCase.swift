import Frost
import FrostCLI

/// Formats a result for the HTML page: its pictures, and the error picture and histogram of each pair.
enum CheckCase {
    static func section(_ result: CheckResult, number: Int, isOpen: Bool) -> String {
        """
        <details class="card" id="result-\(number)"\(isOpen ? " open" : "")>
        <summary><h3>\(CheckPage.mark(result.holds)) \(Page.name(result.subject)) \
        <span class="muted">on \(Page.name(result.input))</span></h3></summary>
        \(result.evidence.map { pictures($0, result) + pairs($0, result) } ?? "<p class=\"muted\">The pictures were left out.</p>")
        </details>
        """
    }

    static func title(_ pair: CheckResult.Pair) -> String {
        "\(Page.name(pair.a)) <span class=\"muted\">against</span> \(Page.name(pair.b))"
    }

    // MARK: Pictures

    private static func pictures(_ evidence: CheckEvidence, _ result: CheckResult) -> String {
        // The slider initially compares the source with the result. If the check failed, the slider initially compares
        // the two images of the worst pair.
        let worst = result.holds ? nil : result.worst
        let (left, right) = (worst?.a ?? "source", worst?.b ?? result.pairs.first?.a ?? "exact")
        let figures = evidence.pictures.map { picture in
            "<figure>" + image(picture, alt: "\(picture.name), \(result.subject)", isCompared: true)
                + "<figcaption>\(Page.name(picture.name))</figcaption></figure>"
        }
        return """
            <div class="compare" data-left="\(Markup.escaped(left))" data-right="\(Markup.escaped(right))" \
            data-width="\(evidence.window.width)" data-height="\(evidence.window.height)">
            <div class="strip">
            \(figures.joined(separator: "\n"))
            \(map(evidence))
            </div>
            </div>

            """
    }

    /// Returns the HTML of a picture. Small pictures are enlarged by integer factors.
    private static func image(_ picture: PagePicture, alt: String, isCompared: Bool = false) -> String {
        picture.html(
            alt: alt, factor: max(1, 200 / max(picture.width, picture.height)),
            attributes: isCompared ? " data-name=\"\(Markup.escaped(picture.name))\"" : "")
    }

    /// Returns the HTML of the overview, which shows the position of the crop in the whole picture.
    private static func map(_ evidence: CheckEvidence) -> String {
        guard let map = evidence.map else { return "" }
        let (window, size) = (evidence.window, evidence.size)
        func percent(_ part: Int, _ whole: Int) -> String { fixed(Double(part) / Double(whole) * 100, 2) + "%" }
        let place =
            "left:\(percent(window.x, size.width));top:\(percent(window.y, size.height));"
            + "width:\(percent(window.width, size.width));height:\(percent(window.height, size.height))"
        return """
            <figure class="map"><span class="host">\(image(map, alt: "the whole picture, reduced"))\
            <span class="window" style="\(place)"></span></span>\
            <figcaption>\(window.width)×\(window.height) of \(size.width)×\(size.height), from \
            \(window.x),\(window.y)</figcaption></figure>
            """
    }

    // MARK: Pairs

    private static func pairs(_ evidence: CheckEvidence, _ result: CheckResult) -> String {
        let cards = zip(result.pairs, evidence.pairs).map { pair, drawing in
            let holds = result.holds(pair)
            let reduced =
                drawing.blockSide == 1
                ? "" : " Each pixel shows the maximum of \(drawing.blockSide)×\(drawing.blockSide) pixels."
            let limit = result.bound > 0 ? "white is at the bound, red above it" : "any difference is red"
            return """
                <article class="\(holds ? "ok" : "bad")">
                <h4>\(CheckPage.mark(holds)) \(title(pair))</h4>
                <div class="evidence">
                <figure>\(image(drawing.difference, alt: "differences of \(pair.a) and \(pair.b), amplified"))\
                <figcaption>Differences × \(factor(drawing.factor)): \(limit).\(reduced)</figcaption></figure>
                <figure>\(HistogramDrawing.svg(drawing.histogram))\
                <figcaption>Errors of all samples, in steps. The heights are logarithmic.</figcaption></figure>
                </div>
                </article>
                """
        }
        return "<div class=\"pairs\">\n\(cards.joined(separator: "\n"))\n</div>"
    }

    private static func factor(_ value: Double) -> String { numberText((value * 10).rounded() / 10) }
}
