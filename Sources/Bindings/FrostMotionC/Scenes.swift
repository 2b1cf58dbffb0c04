public import CFrostMotion
import Frost
import FrostCSupport
import FrostCore
import FrostImages
import FrostMotion
import FrostSceneFiles
import Glibc

extension frost_scene_info: SizedStruct {}
extension frost_scene_renderer_options: SizedStruct {}
extension frost_scene_report: SizedStruct {}

/// The object that a `frost_scene` refers to.
final class FolderScene: Sendable {
    let scene: Scene
    /// The folder to which the names of files are relative.
    let folder: FilePath

    init(_ scene: Scene, in folder: FilePath) { (self.scene, self.folder) = (scene, folder) }
}

/// The longest JSON text that is read.
let longestText = 1 << 28

@c @implementation
public func frost_scene_open(
    _ path: UnsafePointer<CChar>?, _ scene: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(scene, "scene") { () throws(Failure) in
        guard let path = unsafe FilePath(lent: path) else { throw .argument("path is NULL") }
        let bytes: [UInt8]
        do throws(Errno) {
            let descriptor = try path.open(O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            bytes = try Descriptor.readAll(descriptor, limit: longestText + 1)
        } catch {
            throw Failure(ImageError.cannotRead(path: path.text, errno: error.code))
        }
        guard bytes.count <= longestText else {
            throw Failure(FROST_ERROR_OVER_LIMIT, "\(path.shownName): the file is larger than \(longestText >> 20) MiB")
        }
        let folder: FilePath = path.name == path ? "" : path.folder
        do throws(SceneError) { return FolderScene(try Scene(parsing: bytes), in: folder) } catch {
            throw Failure(error, in: path.text)
        }
    }
}

@c @implementation
public func frost_scene_parse(
    _ json: UnsafePointer<CChar>?, _ byteCount: Int, _ folder: UnsafePointer<CChar>?,
    _ scene: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(scene, "scene") { () throws(Failure) in
        let bytes = try unsafe copied(json, byteCount)
        let folder = unsafe FilePath(lent: folder) ?? ""
        return FolderScene(try failing { () throws(SceneError) in try Scene(parsing: bytes) }, in: folder)
    }
}

/// Copies the caller's JSON text.
func copied(_ json: UnsafePointer<CChar>?, _ count: Int) throws(Failure) -> [UInt8] {
    let text = try unsafe lent(json, count: count, limit: longestText, "json")
    // SAFETY: characters are bytes.
    return unsafe Array(UnsafeRawBufferPointer(text))
}

@c @implementation
public func frost_scene_describe(
    _ scene: OpaquePointer?, _ info: UnsafeMutablePointer<frost_scene_info>?
) -> frost_status {
    status { () throws(Failure) in
        try unsafe frost_scene_info.check(info, "info")
        let scene = try unsafe Handle<FolderScene>.value(scene, "scene").scene
        var value = frost_scene_info()
        (value.width, value.height) = (Int32(scene.width), Int32(scene.height))
        (value.duration, value.frames_per_second) = (scene.duration, scene.framesPerSecond)
        value.frame_count = Int64(scene.frameCount(framesPerSecond: scene.framesPerSecond))
        (value.panel_count, value.item_count) = (scene.panels.count, scene.dynamics?.items.count ?? 0)
        try unsafe value.write(to: info, "info")
    }
}

@c @implementation
public func frost_scene_destroy(_ scene: OpaquePointer?) { unsafe Handle<FolderScene>.destroy(scene) }

@c @implementation
public func frost_scene_schema() -> UnsafePointer<CChar>? {
    unsafe answer { unsafe Texts.schema.pointer }
}

@c @implementation
public func frost_motion_error_message() -> UnsafePointer<CChar>? { unsafe Failure.lastMessage }

@c @implementation
public func frost_motion_version() -> UnsafePointer<CChar>? {
    unsafe answer { unsafe Texts.version.pointer }
}

private enum Texts {
    static let schema = LastingText(Scene.schema.prettyText)
    static let version = LastingText(frostVersion)
}

@c @implementation
public func frost_scene_renderer_create(
    _ scene: OpaquePointer?, _ options: UnsafePointer<frost_scene_renderer_options>?,
    _ renderer: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(renderer, "renderer") { () throws(Failure) in
        let scene = try unsafe Handle<FolderScene>.value(scene, "scene")
        let options = try unsafe frost_scene_renderer_options.read(optional: options, "options")
        let sample: SampleType = try unsafe Constants.value(options.sample, "options' sample")
        let threads = unsafe Int(options.threads)
        guard (0...256).contains(threads) else {
            throw .argument("options' threads \(threads) is invalid (allowed: 1 to 256, and 0 for the default)")
        }
        let pictures = try unsafe ScenePictures(scene, options)
        let scale = unsafe options.scale == 0 ? 1 : options.scale
        // Frames are allocated before the first picture is read.
        let layout = try failing { () throws(SceneError) in
            try SceneRenderer.layout(of: scene.scene, scale: scale, sample: sample)
        }
        try pictures.reserve(SceneRenderer.memory(of: scene.scene, layout))
        do throws(SceneError) {
            return try SceneRenderer(
                scene.scene, pictures, scale: scale, sample: sample, threads: threads == 0 ? nil : threads)
        } catch {
            throw pictures.failure ?? Failure(error)
        }
    }
}

@c @implementation
public func frost_scene_renderer_describe_target(
    _ renderer: OpaquePointer?, _ target: UnsafeMutablePointer<frost_target>?
) -> frost_status {
    status { () throws(Failure) in
        let renderer = try unsafe Handle<SceneRenderer>.value(renderer, "renderer")
        try unsafe frost_target.describe(renderer.layout, to: target)
    }
}

@c @implementation
public func frost_scene_renderer_draw(
    _ renderer: OpaquePointer?, _ seconds: Double, _ target: UnsafePointer<frost_target>?,
    _ report: UnsafeMutablePointer<frost_scene_report>?
) -> frost_status {
    status { () throws(Failure) in
        let renderer = try unsafe Handle<SceneRenderer>.value(renderer, "renderer")
        let target = try unsafe frost_target.read(target, "target").pixels("target")
        if unsafe report != nil { try unsafe frost_scene_report.check(report, "report") }
        let (layout, own) = unsafe (target.layout, renderer.layout)
        guard (layout.width, layout.height) == (own.width, own.height), layout.format == own.format else {
            throw Failure(
                FROST_ERROR_PIXELS,
                "target is \(layout.width)x\(layout.height) \(layout.format), but frames are \(own.width)x\(own.height) "
                    + "\(own.format)")
        }
        let frame = try failing { () throws(SceneError) in try renderer.frame(at: seconds) }
        // SAFETY: both have the same size and format.
        unsafe frame.withUnsafeBytes { bytes in
            guard let bytes = bytes.baseAddress else { return }
            for y in 0..<own.height {
                unsafe target.row(y).copyMemory(from: bytes + y * own.bytesPerRow, byteCount: own.rowByteCount)
            }
        }
        guard unsafe report != nil else { return }
        var value = frost_scene_report()
        value.passes = UInt64(renderer.report.passes)
        value.panel_pixels = UInt64(renderer.report.panelPixels)
        value.composed_pixels = UInt64(renderer.report.composedPixels)
        value.error_bound = renderer.report.errorBound
        try unsafe value.write(to: report, "report")
    }
}

@c @implementation
public func frost_scene_renderer_destroy(_ renderer: OpaquePointer?) { unsafe Handle<SceneRenderer>.destroy(renderer) }
