public import Frost
public import FrostCore

/// Draws the panels of a scene in the OpenGL ES context of a host, through a ``TextureBackdrop``.
///
/// The host draws the backdrop, as the state describes it, into a texture. The panels are drawn into a target at full
/// strength and without shadows, and only their changed parts. Where ``SceneState/Panel/alpha`` is 1 the target may be the screen. For a panel
/// that fades, the host mixes the target's rectangle of the panel into its frame by this alpha.
///
/// Not thread-safe: use it while the context is current, from one thread at a time.
public final class TextureScene {
    /// The scene.
    public let scene: Scene

    private let backdrop: TextureBackdrop
    private let images: SceneImages
    private let scale: Double
    private var last: SceneState?

    /// Creates a scene in the renderer's context, and reads the pictures of its panels.
    ///
    /// - Parameter scale: the factor from the scene's pixels to those of the texture.
    /// - Throws: ``SceneError``; in particular ``SceneError/invalid(_:value:expected:)`` if the scene has redactions and other
    ///   panels, which would read the pixels of the texture that the redactions hide.
    public init(
        _ scene: Scene, _ resources: some SceneResources, on renderer: TextureRenderer, scale: Double = 1
    ) throws(SceneError) {
        if scene.hasRedaction, let other = scene.panels.first(where: { !$0.isRedaction }) {
            throw .invalid(
                other.path.member("effect"), value: "\"\(other.effect.name)\"",
                expected: "only redactions, because the effect would read the pixels of the texture that they hide")
        }
        self.scene = scene
        self.scale = scale
        backdrop = TextureBackdrop(on: renderer, coverage: .everywhere, choosesOnce: true)
        images = try SceneImages(of: scene, resources, scale: scale)
    }

    /// Returns the colour of a panel's content: see ``TextureBackdrop/contentColor(ofPanelAt:)``. An automatic colour is chosen
    /// once, for the first frame that is drawn with the panel.
    ///
    /// - Parameter index: the panel's index in ``Scene/panels``.
    public func contentColor(ofPanelAt index: Int) -> Color? { backdrop.contentColor(ofPanelAt: index) }

    /// Draws the panels of the frame at a time. If the backdrop, the reveal or the vignette differ from those of the last
    /// frame, the whole picture counts as changed.
    ///
    /// - Parameters:
    ///   - source: the picture below the panels.
    ///   - target: the target. ``TextureBackdrop/render(_:into:repaint:buffer:cancellation:)`` describes it, `repaint` and
    ///     `buffer`.
    /// - Returns: what the frame shows, and what was drawn.
    /// - Throws: ``SceneError``.
    public func render(
        at time: Double, over source: HostImage, into target: HostTarget, repaint: Backdrop.Repaint = .changed,
        buffer: UInt64? = nil
    ) throws(SceneError) -> (state: SceneState, report: BackdropReport) {
        let state = try scene.state(at: time, scale: scale)
        if last.map({ $0.backdrop != state.backdrop || $0.reveal != state.reveal || $0.vignette != state.vignette })
            ?? true
        {
            backdrop.invalidateAll()
        }
        backdrop.panels = try images.panels(state.panels)
        do throws(FrostError) {
            let report = try backdrop.render(source, into: target, repaint: repaint, buffer: buffer)
            last = state
            return (state, report)
        } catch {
            throw .rendering(error)
        }
    }
}
