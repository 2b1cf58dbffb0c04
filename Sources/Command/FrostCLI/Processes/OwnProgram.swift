import CCommand
package import FrostCore
import Glibc

/// The program that this process runs.
package enum OwnProgram {
    /// The path of the program, to start it again.
    package static let path: FilePath = {
        let link: FilePath = "/proc/self/exe"
        if (try? link.checkAccess(X_OK)) != nil { return link }
        // Without /proc, the path with which the program was started leads to it.
        // SAFETY: the function returns null or a C string that exists until the process ends.
        return unsafe frost_program_path().map { unsafe FilePath(cString: $0) } ?? link
    }()
}
