/// Selects the cases that the tests run.
public enum TestCases {
    /// True if the tests also run additional cases, which check the same statement as another case with other parameters.
    /// The environment variable FROST_EVERY_CASE=1 asks for these cases, and `Tools/check --full` sets this variable.
    public static let every = environment("FROST_EVERY_CASE") == "1"
}
