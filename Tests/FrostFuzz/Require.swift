/// Ends the process with a text if a law is broken. In contrast to `precondition`, optimised builds print the text too.
func require(_ holds: Bool, _ law: @autoclosure () -> String = "an error without a text") {
    if !holds { fatalError(law()) }
}
