import FrostCLI
import FrostKit
import Glibc

// SAFETY: the system passes argc C strings.
let words = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    unsafe CommandLine.unsafeArgv[index].map { unsafe commandLineWord($0) }
}
exit(runKit(words))
