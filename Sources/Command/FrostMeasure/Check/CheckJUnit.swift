import Frost
import FrostCLI

/// Formats check results as JUnit XML, with a test case for each input, subject, and pair or contrast.
///
/// Two schemas of JUnit XML are in use, and the document is valid by both: the schema of Ant's tasks, which requires
/// properties and output, and the schema of Jenkins.
enum CheckJUnit {
    static func document(_ log: CheckLog, _ environment: CheckEnvironment) -> String {
        var cases: [String] = []
        var seconds = 0.0
        var skipped = 0
        var failures = log.counts.failed
        for entry in log.entries {
            switch entry {
            case .failed(let input, let error):
                cases.append(
                    testCase(
                        input, log.kind.rawValue, 0, "<error type=\"input\" message=\"\(Markup.escaped(error))\"/>"))
            case .noGPU(let missing):
                let message = "message=\"\(Markup.escaped(missing.reason))\""
                if missing.isAllowed { skipped += 1 } else { failures += 1 }
                cases.append(
                    testCase(
                        "GPU", "no GPU", 0,
                        missing.isAllowed ? "<skipped \(message)/>" : "<failure type=\"gpu\" \(message)/>"))
            case .checked(let result):
                for pair in result.pairs {
                    seconds += pair.seconds
                    let name = "\(result.subject): \(pair.a) against \(pair.b)"
                    cases.append(testCase(result.input, name, pair.seconds, failure(pair, of: result)))
                }
                for contrast in result.contrasts {
                    let message = "message=\"\(Markup.escaped(contrast.words))\""
                    cases.append(
                        testCase(
                            result.input, "\(result.subject): \(contrast.name)", 0,
                            contrast.holds ? "" : "<failure type=\"contrast\" \(message)/>"))
                }
                for backend in result.skipped {
                    skipped += 1
                    let name = "\(result.subject): \(backend.name)"
                    let reason = "<skipped message=\"\(Markup.escaped(backend.reason))\"/>"
                    cases.append(testCase(result.input, name, 0, reason))
                }
            }
        }
        let counts = log.counts
        let properties = environment.facts.map {
            "<property name=\"\(Markup.escaped($0.name))\" value=\"\(Markup.escaped($0.text))\"/>\n"
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            + "<testsuite id=\"0\" package=\"frost\" name=\"frost \(log.kind.rawValue)\" timestamp=\"\(environment.date)\" "
            + "hostname=\"\(Markup.escaped(Machine.hostName))\" tests=\"\(cases.count)\" failures=\"\(failures)\" "
            + "errors=\"\(counts.errors)\" skipped=\"\(skipped)\" time=\"\(fixed(seconds, 3))\">\n"
            + "<properties>\n\(properties.joined())</properties>\n" + cases.joined()
            + "<system-out/>\n<system-err/>\n</testsuite>\n</testsuites>\n"
    }

    private static func failure(_ pair: CheckResult.Pair, of result: CheckResult) -> String {
        guard !result.holds(pair) else { return "" }
        let text = "\(pair.comparison.description); the bound is \(numberText(result.bound)) steps"
        return "<failure type=\"bound\" message=\"\(Markup.escaped(text))\"/>"
    }

    private static func testCase(_ input: String, _ name: String, _ seconds: Double, _ outcome: String) -> String {
        "<testcase classname=\"\(Markup.escaped(input))\" name=\"\(Markup.escaped(name))\" time=\"\(fixed(seconds, 3))\""
            + (outcome.isEmpty ? "/>\n" : ">\(outcome)</testcase>\n")
    }
}
