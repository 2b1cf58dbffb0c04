import Frost
import FrostCore

/// The backdrops of a scene as pictures of the frame's size.
final class SceneBackdrops {
    /// What identifies the pixels of a backdrop.
    enum Key: Hashable {
        case single(Source)
        case transition(
            Transition, progress: Double, extraImages: [Transition.ExtraImage: String], from: Source, to: Source)
    }

    /// What identifies the pixels of one of two backdrops: a video by the index of its frame.
    enum Source: Hashable {
        case color(Color)
        case picture(String, ContentMode)
        case video(String, ContentMode, frame: Int)
    }

    /// A picture in the frame of the scene.
    private struct PlacedPicture {
        let pixels: PixelBuffer
        /// How the picture's own pixels lie in the frame; nil for a colour.
        let grid: SceneGrid?
    }

    private let canvas: SceneCanvas
    private let scale: Double
    private let renderer: Renderer
    private let pictures: [Source: PlacedPicture]
    private let videos: [String: (video: any SceneVideo, path: ScenePath)]
    private let masks: [String: MaskImage]
    private let extraImages: [String: PixelBuffer]
    /// The frames of videos that the last picture showed: at most two.
    private var frames: [Source: PlacedPicture] = [:]

    /// Reads all pictures and opens all videos.
    ///
    /// - Throws: ``SceneError/resource(_:name:reason:)``, ``SceneError/overLimit(_:name:reason:)``.
    init(
        _ scene: Scene, _ resources: some SceneResources, _ canvas: SceneCanvas, scale: Double, _ renderer: Renderer
    ) throws(SceneError) {
        var pictures: [Source: PlacedPicture] = [:]
        var videos: [String: (video: any SceneVideo, path: ScenePath)] = [:]
        var masks: [String: MaskImage] = [:]
        var extraImages: [String: PixelBuffer] = [:]
        for backdrop in scene.backdrops {
            switch backdrop.content {
            case .color(let color):
                pictures[.color(color)] = PlacedPicture(pixels: canvas.filled(color), grid: nil)
            case .picture(let name, let mode):
                guard pictures[.picture(name, mode)] == nil else { break }
                let picture = try resources.read(name, backdrop.path.member("picture"))
                pictures[.picture(name, mode)] = Self.placed(picture, mode, canvas, scale: scale)
            case .video(let name, _, _, _):
                guard videos[name] == nil else { break }
                let path = backdrop.path.member("video")
                do throws(SceneResourceError) {
                    videos[name] = (try resources.video(named: name), path)
                } catch {
                    throw error.sceneError(path, name: name)
                }
            }
            for (image, name) in backdrop.transition?.extraImages ?? [:] {
                let picture = try resources.read(name, backdrop.path.member("transition").member(image.rawValue))
                switch image {
                case .mask: masks[name] = MaskImage(ofFile: picture)
                case .shading, .backside: extraImages[name] = try canvas.converted(picture)
                }
            }
        }
        self.canvas = canvas
        self.scale = scale
        self.renderer = renderer
        (self.pictures, self.videos, self.masks, self.extraImages) = (pictures, videos, masks, extraImages)
    }

    /// Returns what identifies the pixels of a backdrop. Equal keys have equal pixels.
    func key(_ state: SceneState.Backdrop) -> Key {
        switch state {
        case .single(let source): .single(resolved(source))
        case .transition(let transition, let progress, let extraImages, let from, let to):
            .transition(
                transition, progress: progress, extraImages: extraImages, from: resolved(from), to: resolved(to))
        }
    }

    private func resolved(_ source: SceneState.Source) -> Source {
        switch source {
        case .color(let color): return .color(color)
        case .picture(let name, let mode): return .picture(name, mode)
        case .video(let name, let mode, let time, let isLooping):
            guard let video = videos[name]?.video else { return .video(name, mode, frame: 0) }
            // A millionth of a frame makes up for the rounding of times that are written with few digits.
            let index = Int((time * video.framesPerSecond + 1e-6).rounded(.down))
            let count = max(1, video.frameCount)
            return .video(name, mode, frame: isLooping ? index % count : min(index, count - 1))
        }
    }

    /// Returns the pixels of a backdrop.
    ///
    /// - Parameter hidden: what is hidden in the backdrops before anything else reads them.
    /// - Throws: ``SceneError/resource(_:name:reason:)`` for a video that ends early, ``SceneError/rendering(_:)``.
    func picture(
        _ key: Key, hiding hidden: [SceneRedaction] = [], _ cancellation: Cancellation?
    ) throws(SceneError) -> PixelBuffer {
        switch key {
        case .single(let source):
            frames = frames.filter { $0.key == source }
            return try picture(source, hiding: hidden, cancellation)
        case .transition(let transition, let progress, let names, let from, let to):
            frames = frames.filter { $0.key == from || $0.key == to }
            let source = try picture(from, hiding: hidden, cancellation)
            let target = try picture(to, hiding: hidden, cancellation)
            let images = TransitionExtraImages(
                mask: names[.mask].flatMap { masks[$0] }, shading: names[.shading].flatMap { extraImages[$0] },
                backside: names[.backside].flatMap { extraImages[$0] })
            return try rethrow(
                renderer.render(
                    transition, at: progress, from: source, to: target, extraImages: images, cancellation: cancellation
                ).image, as: SceneError.rendering)
        }
    }

    /// Whether pixels beside the redactions may contain a part of what they hide.
    func spreads(_ hidden: [SceneRedaction], in key: Key) -> Bool {
        switch key {
        case .single(let source): hidden.contains { reach(of: $0.rect, in: source) != $0.rect }
        case .transition: !hidden.isEmpty
        }
    }

    private func reach(of rect: Rect, in source: Source) -> Rect {
        let reach = (pictures[source] ?? frames[source])?.grid?.reach(of: rect) ?? rect
        return reach.intersection(canvas.layout.extent) ?? rect
    }

    private func picture(
        _ source: Source, hiding hidden: [SceneRedaction], _ cancellation: Cancellation?
    ) throws(SceneError) -> PixelBuffer {
        let picture = try placed(source).pixels
        guard !hidden.isEmpty else { return picture }
        let all = hidden.map { SceneRedaction(reach(of: $0.rect, in: source), $0.effect) }
        do throws(FrostError) {
            var result = picture
            _ = try renderer.hide(all, of: picture, in: &result, cancellation)
            return result
        } catch {
            throw .rendering(error)
        }
    }

    private func placed(_ source: Source) throws(SceneError) -> PlacedPicture {
        if let picture = pictures[source] ?? frames[source] { return picture }
        guard case .video(let name, let mode, let index) = source, let (video, path) = videos[name] else {
            preconditionFailure("all pictures were read at the beginning")
        }
        let frame: PixelBuffer
        do throws(SceneResourceError) { frame = try video.frame(index) } catch {
            throw error.sceneError(path, name: name)
        }
        let picture = Self.placed(frame, mode, canvas, scale: scale)
        frames[source] = picture
        return picture
    }

    private static func placed(
        _ picture: PixelBuffer, _ mode: ContentMode, _ canvas: SceneCanvas, scale: Double
    ) -> PlacedPicture {
        PlacedPicture(
            pixels: canvas.placed(picture, mode, scale: scale), grid: canvas.grid(picture.layout, mode, scale: scale))
    }
}
