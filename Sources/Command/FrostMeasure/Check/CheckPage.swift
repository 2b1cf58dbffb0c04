import Frost
import FrostCLI

/// Formats the results of a check as one HTML file. Only the slider that compares two pictures needs the page's script.
///
/// Equal results give equal pages, except for the date.
enum CheckPage {
    static func document(_ log: CheckLog, _ environment: CheckEnvironment) -> String {
        let (checks, failed, errors) = log.counts
        let title =
            "Frost \(log.kind.rawValue): "
            + (log.holds ? "all \(checks) are within their bounds" : "\(failed + errors) failed")
        return Page.document(
            title: title, style: style,
            body: """
                \(header(log, environment))
                <main>
                \(CheckTable.section(log))
                \(pictures(log))
                \(surroundings(environment))
                </main>
                <script>
                \(script)
                </script>
                """)
    }

    private static func header(_ log: CheckLog, _ environment: CheckEnvironment) -> String {
        let (checks, failed, errors) = log.counts
        let exceeds = failed == 1 ? "exceeds" : "exceed"
        let verdict =
            failed > 0
            ? log.hasContrasts
                ? "\(failed) of \(count(checks, "check")) failed"
                : "\(failed) of \(count(checks, "comparison")) \(exceeds) the bound"
            : errors > 0
                ? "\(count(errors, "input")) could not be \(log.kind.verb)"
                : log.missingGPU?.isAllowed == false
                    ? "No GPU could be checked"
                    : log.hasContrasts
                        ? "All checks passed: \(checks)"
                        : checks == 1
                            ? "The comparison is within its bound" : "All \(checks) comparisons are within their bound"
        var inputs: Set<String> = []
        for entry in log.entries {
            switch entry {
            case .checked(let result): inputs.insert(result.input)
            case .failed(let input, _): inputs.insert(input)
            case .noGPU: break
            }
        }
        let subjects = Set(log.results.map(\.subject))
        var parts = [count(inputs.count, "picture")]
        switch log.kind {
        case .check: parts.append(count(subjects.count, "blur or effect", "blurs and effects"))
        case .compare: break
        }
        if failed > 0, errors > 0 { parts.append("\(count(errors, "input")) could not be \(log.kind.verb)") }
        if let worst = log.results.max(by: { $0.severity < $1.severity }), let pair = worst.worst {
            parts.append(
                "largest error \(fixed(pair.comparison.maximum, 3)) of \(numberText(rounded(worst.bound))) "
                    + "step\(worst.bound == 1 ? "" : "s") allowed")
        }
        return """
            <header class="\(log.passes ? "ok" : "bad")">
            <p class="brand">frost \(log.kind.rawValue)</p>
            <h1>\(mark(log.passes)) \(verdict)</h1>
            <p>\(parts.joined(separator: " <i>·</i> "))</p>
            <p class="muted">Frost \(Markup.escaped(frostVersion)) <i>·</i> \
            <time datetime="\(environment.date)Z">\(date(environment.date)) UTC</time></p>
            </header>
            """
    }

    private static func pictures(_ log: CheckLog) -> String {
        let results = log.results.filter { !$0.pairs.isEmpty }
        guard !results.isEmpty else { return "" }
        let side = CheckEvidence.side
        // If there are at most eight results, all of them are shown open. If there are more, only the failed results
        // are open.
        let isOpen = results.count <= 8
        let sections = results.enumerated().map { index, result in
            CheckCase.section(result, number: index + 1, isOpen: isOpen || !result.holds)
        }
        let left = results.filter { $0.evidence == nil }.count
        let omitted =
            left == 0
            ? ""
            : " The page holds at most \(CheckLog.room >> 20) MB of pictures. The \(count(left, "result")) farthest below the bound "
                + "\(left == 1 ? "has" : "have") no pictures."
        return """
            <section aria-labelledby="pictures">
            <h2 id="pictures">Pictures</h2>
            <p class="muted">Pixels are shown unchanged, in 8 bits and without colour profiles. Pictures with a side over \
            \(side) pixels are cropped around the largest error. Differences are not cropped. If they are \
            reduced, each pixel shows the largest error of its pixels in full size.\(omitted)</p>
            \(sections.joined(separator: "\n"))
            </section>
            """
    }

    private static func surroundings(_ environment: CheckEnvironment) -> String {
        let rows = environment.facts.map {
            "<div><dt>\(Markup.escaped($0.name))</dt><dd><bdi>\(Markup.escaped($0.text))</bdi></dd></div>"
        }
        return """
            <section aria-labelledby="environment">
            <h2 id="environment">Environment</h2>
            <dl class="card">
            \(rows.joined(separator: "\n"))
            <div><dt>Date</dt><dd>\(date(environment.date)) UTC</dd></div>
            </dl>
            </section>
            """
    }

    // MARK: Words

    /// Returns a symbol for passed or failed, with a word for screen readers.
    static func mark(_ holds: Bool) -> String {
        holds
            ? "<span class=\"mark ok\" role=\"img\" aria-label=\"passed\">✓</span>"
            : "<span class=\"mark bad\" role=\"img\" aria-label=\"failed\">✕</span>"
    }

    static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    static func rounded(_ value: Double) -> Double { (value * 10000).rounded() / 10000 }

    private static func date(_ text: String) -> String {
        text.split(separator: "T").joined(separator: " ")
    }
}

extension CheckLog.Kind {
    /// What the command does with its inputs.
    fileprivate var verb: String {
        switch self {
        case .check: "checked"
        case .compare: "compared"
        }
    }
}
