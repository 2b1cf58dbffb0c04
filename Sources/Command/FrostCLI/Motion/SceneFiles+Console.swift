import Frost
import FrostImages
import FrostMotion
import FrostSceneFiles

extension SceneFiles {
    /// The files that a scene of the command line names.
    ///
    /// - Parameter scene: the path of the scene's file; "-" for standard input, whose names are relative to the working
    ///   folder.
    init(besides scene: FilePath, _ reading: ImageReadOptions, _ console: Console) {
        // Names beside a scene without a folder stay as they are, so that messages show them as the scene does.
        let folder: FilePath = scene == "-" || scene.name == scene ? "" : scene.folder
        self.init(in: folder, limits: reading.limits) {
            console.warn($0)
        } read: { (path) throws(SceneResourceError) in
            do throws(CommandError) {
                return try Pictures.read(
                    path, reading, bytesPerPixel: SceneFiles.bytesPerPixel, for: ("the scene", console), console)
            } catch {
                throw SceneResourceError("\(error)", isOverLimit: ExitCode(error) == .overLimit)
            }
        }
    }
}
