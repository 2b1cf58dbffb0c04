public import Frost
public import FrostCore

/// What a frame of a scene shows at a time: a description without pixels.
///
/// States that are equal show the same picture, and equal parts of two states show the same part of it.
public struct SceneState: Sendable, Hashable {
    /// The size of the frame in pixels.
    public let width, height: Int
    /// What is behind everything.
    public let backdrop: Backdrop
    /// The rectangle in which the reveal's effect is visible, and the effect; nil for none.
    public let reveal: Reveal?
    /// The alpha of the black over the backdrop and the reveal, from 0 to 1.
    public let vignette: Double
    /// The panels that are visible, from bottom to top.
    public internal(set) var panels: [Panel]

    /// One backdrop or two.
    public enum Backdrop: Sendable, Hashable {
        /// A single backdrop.
        case single(Source)
        /// A transition between two backdrops.
        ///
        /// - Parameters:
        ///   - progress: the transition's own time, from 0 to 1.
        ///   - extraImages: the names of the pictures that the transition uses besides the backdrops.
        case transition(
            Transition, progress: Double, extraImages: [Transition.ExtraImage: String], from: Source, to: Source)
    }

    /// The pixels of a backdrop.
    public enum Source: Sendable, Hashable {
        /// A surface of one colour.
        case color(Color)
        /// A picture, by name.
        case picture(String, ContentMode)
        /// The frame of a video that is shown at a time of the video, in seconds.
        case video(String, ContentMode, at: Double, isLooping: Bool)
    }

    /// The masked reveal.
    public struct Reveal: Sendable, Hashable {
        /// The rectangle.
        public let rect: RoundedRect
        /// The effect that it shows.
        public let effect: Effect
    }

    /// A panel in its place.
    public struct Panel: Sendable, Hashable {
        /// The panel's index in ``Scene/panels``.
        public let index: Int
        /// The panel's rectangle before it is turned, in pixels. Parts of it may lie outside the frame.
        public let place: Placement
        /// The angle in degrees, between -360 and 360, by which it is turned clockwise about its centre.
        public let rotation: Double
        /// The outline. That of a redaction has whole pixels and is upright, and contains all pixels that the panel touches.
        public let outline: RoundedRect
        /// The alpha of the whole panel, above 0 and at most 1.
        public let alpha: Double
        /// The effect. A renderer decides the colour of its content.
        public internal(set) var effect: Effect
        /// The name of the effect's mask picture; nil for none.
        public let mask: String?
        /// Where masks lie.
        public let maskPlacement: MaskPlacement
        /// The pictures over the effect, from bottom to top.
        public let content: [Content]
        /// The line along the inside of the outline, in pixels of the frame; nil for none.
        public let hairline: SceneHairline?
        /// The shadow outside the outline, in pixels of the frame; nil for none.
        public let shadow: SceneShadow?

        /// The pixels that the panel touches.
        public var rect: Rect { outline.bounds }
    }

    /// A picture over a panel's effect.
    public struct Content: Sendable, Hashable {
        /// The name of the picture.
        public let picture: String
        /// The kind of vibrancy; nil for the picture's own colours.
        public let vibrancy: Vibrancy?
        /// How the picture is placed in its bounds.
        public let mode: ContentMode
        /// The bounds in pixels from the panel's top left corner before it is turned; nil for the whole panel.
        public let bounds: Placement?
    }
}
