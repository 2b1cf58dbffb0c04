import FrostCore
import FrostDrawing

/// A mask image in a GPU texture. The pipeline keeps the last mask, because pictures are often blurred with the same
/// mask.
final class MaskTexture {
    let image: MaskImage
    let window: MaskWindow
    let target: Target

    init(_ image: MaskImage, _ window: MaskWindow, _ target: Target) {
        self.image = image
        self.window = window
        self.target = target
    }
}

/// Content layers in a GPU texture. The pipeline keeps the content that was drawn last.
final class ContentTexture {
    let atlas: ContentAtlas
    let target: Target

    init(_ atlas: ContentAtlas, _ target: Target) {
        self.atlas = atlas
        self.target = target
    }
}
