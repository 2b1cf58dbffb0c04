package import FrostImages

extension ImageError {
    /// The error in one line, for callers that have the option `--first-frame` and did not set it. If the option helps, the
    /// text names it.
    package var descriptionWithFirstFrame: String {
        guard case .animated = self else { return description }
        return "\(description); use --first-frame to read only the first frame"
    }
}
