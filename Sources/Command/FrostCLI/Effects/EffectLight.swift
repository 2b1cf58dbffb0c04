package import Frost
package import FrostImages
import FrostPipeline

extension ColorSpace {
    /// Returns the transfer function that `--linear` uses for a picture; nil if the picture's values are already linear
    /// in light.
    ///
    /// - Parameter limits: the limits on the picture, whose sandbox reads the profile.
    package func light(
        _ input: FilePath, _ limits: ImageLimits, _ console: Console
    ) throws(CommandError) -> TransferFunction? {
        do throws(ImageError) {
            return try light(name: input.text, limits: limits) { console.warn("\(input.shownName): \($0)") }
        } catch {
            throw .image(error)
        }
    }
}
