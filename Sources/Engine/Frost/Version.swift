/// The version of Frost, the same as in CHANGELOG.md.
public let frostVersion = "0.1.0"
