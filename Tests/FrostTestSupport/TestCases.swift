/// Which cases the tests run.
public enum TestCases {
    /// Whether to run the cases that repeat a law, too: FROST_EVERY_CASE=1, which `Tools/check --full` sets.
    public static let every = environment("FROST_EVERY_CASE") == "1"
}
