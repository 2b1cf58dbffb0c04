package import Frost
import FrostPipeline

extension ColorSpace {
    /// Returns the transfer function that `--linear` uses for a picture; nil if the picture's values are already linear
    /// in light.
    package func light(_ input: FilePath, _ console: Console) -> TransferFunction? {
        light { console.warn("\(input.shownName): \($0)") }
    }
}
