/// The version of Frost; CHANGELOG.md has the same.
public let frostVersion = "0.1.0"
