package import Frost
package import FrostImages

/// The reason why a ``PicturePipeline`` cannot process a picture.
package enum PipelineError: Error {
    /// The picture cannot be read or written.
    case image(ImageError)
    /// The effect cannot be applied to the picture.
    case frost(FrostError)
    /// A rectangle or a box is not possible in a picture of this size.
    case regions(RegionError)
}
