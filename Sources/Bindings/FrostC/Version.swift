import CFrost
import Frost
import FrostCSupport

@c @implementation
public func frost_version() -> UnsafePointer<CChar>? {
    unsafe answer { unsafe Version.text.pointer }
}

private enum Version {
    static let text = LastingText(frostVersion)
}
