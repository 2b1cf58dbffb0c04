import CFrostMotion
import Frost
package import FrostCSupport
import FrostCore
import FrostImages
import FrostPipeline
package import FrostMotion
import FrostSceneFiles

/// The pictures of a scene: those of the caller's function, and files.
final class ScenePictures: SceneResources {
    /// The error of the caller's function.
    private(set) var failure: Failure?

    private let limits: ImageLimits
    private let files: SceneFiles
    private let supply: ((String) throws(Failure) -> PixelBuffer?)?

    init(_ scene: FolderScene, _ options: frost_scene_renderer_options) throws(Failure) {
        var limits = ImageLimits()
        limits.maximumSide = try unsafe Self.limit(options.max_side, "max_side") ?? limits.maximumSide
        limits.maximumPixels = try unsafe Self.limit(options.max_pixels, "max_pixels") ?? limits.maximumPixels
        limits.maximumMemory = try unsafe Self.limit(options.max_memory, "max_memory").map {
            ImageLimits.availableMemory(atMost: $0)
        }
        if let list = unsafe String(lent: options.allow) {
            do throws(AllowedFormats.UnknownName) { limits.allowed = try AllowedFormats(parsing: list) } catch {
                throw .argument("options' allow: \(error)")
            }
        }
        self.limits = limits
        let reading = ImageReadOptions(limits: limits)
        files = SceneFiles(in: scene.folder, limits: limits) { _ in
        } read: { (path) throws(SceneResourceError) in
            do throws(ImageError) {
                let reader = try ImageReader(path: path, options: reading)
                return try reader.readPixels(convertedTo: SceneFiles.bytesPerPixel, limits: limits)
            } catch {
                throw SceneResourceError(error)
            }
        }
        guard let callback = unsafe options.picture else {
            supply = nil
            return
        }
        let data = unsafe options.user_data
        supply = { (name) throws(Failure) in
            var picture = unsafe frost_source()
            unsafe picture.struct_size = MemoryLayout<frost_source>.size
            let result = unsafe name.withCString { unsafe callback(data, $0, &picture) }
            switch Int(result) {
            case Int(FROST_OK): return try unsafe picture.copy("picture")
            case Int(FROST_NOT_READY): return nil
            case let code: throw Failure(code, "the picture callback returned \(code) for \"\(name)\"")
            }
        }
    }

    /// Checks that the frames of the scene fit into the memory.
    func reserve(_ bytes: Int) throws(Failure) {
        do throws(ImageError) {
            try limits.check(memory: bytes, name: "the scene")
            try Memory.check(bytes, for: "the scene")
        } catch {
            throw Failure(error)
        }
    }

    func picture(named name: String) throws(SceneResourceError) -> PixelBuffer {
        do throws(Failure) {
            if let picture = try supply?(name) { return picture }
        } catch {
            failure = error
            throw SceneResourceError(error.message)
        }
        return try files.picture(named: name)
    }

    func video(named name: String) throws(SceneResourceError) -> any SceneVideo { try files.video(named: name) }

    /// Returns a limit; nil for the default.
    private static func limit(_ value: Int64, _ name: String) throws(Failure) -> Int? {
        guard value >= 0 else { throw .argument("options' \(name) \(value) is negative") }
        return value == 0 ? nil : Int(value)
    }
}

extension SceneError: FailureCause { package var failure: Failure { Failure(self) } }

extension Failure {
    /// - Parameter file: the file that contains the scene, for the message.
    init(_ error: SceneError, in file: String? = nil) {
        let message = (file.map { "\($0): " } ?? "") + error.description
        switch error {
        case .rendering(let error): self.init(error)
        case .resource: self.init(FROST_ERROR_UNREADABLE, message)
        case .overLimit: self.init(FROST_ERROR_OVER_LIMIT, message)
        case .syntax, .parserMissing, .missing, .unknownMember, .duplicate, .outOfRange, .unknownWord, .invalid,
            .circular, .parameter, .dynamics:
            self.init(FROST_ERROR_PARAMETER, message)
        }
    }

    init(_ error: ImageError) {
        let status =
            switch error.kind {
            case .unreadable: FROST_ERROR_UNREADABLE
            case .overLimit: FROST_ERROR_OVER_LIMIT
            case .unwritable: FROST_ERROR_UNWRITABLE
            }
        self.init(Int(status), error.description)
    }
}
