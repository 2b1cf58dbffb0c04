/// Selects the cases that the tests run.
public enum TestCases {
    /// True if the tests also run cases that repeat a law with other parameters. FROST_EVERY_CASE=1 sets it, and
    /// `Tools/check --full` sets that variable.
    public static let every = environment("FROST_EVERY_CASE") == "1"
}
