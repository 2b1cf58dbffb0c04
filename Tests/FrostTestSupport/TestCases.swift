/// Selects the cases that the tests run.
public enum TestCases {
    /// True if the tests also run additional cases, which check the same statement as another case with other parameters.
    /// The environment variable FROST_EVERY_CASE=1 asks for these cases, and `Tools/check --full` sets this variable.
    public static let every = environment("FROST_EVERY_CASE") == "1"

    /// Returns every n-th case, beginning with one of the first n, or all cases if ``every`` is true. Tests that call it with
    /// another start for each of their parameters run all cases together.
    public static func share<Cases: Collection>(_ cases: Cases, of n: Int, from start: Int) -> [Cases.Element] {
        every ? Array(cases) : cases.enumerated().filter { ($0.offset + start) % n == 0 }.map(\.element)
    }
}
