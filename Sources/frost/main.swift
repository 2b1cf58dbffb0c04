import FrostCLI
import FrostMeasure
import Glibc

// Swift reads the command line from /proc, so it is empty if /proc is not mounted.
guard CommandLine.argc > 0 else { exit(refuseFrost("the command line cannot be read: /proc is not mounted")) }

// CommandLine.arguments is not used, because it replaces bytes that are not UTF-8. A file name with such bytes would
// then refer to another file.
// SAFETY: the system passes argc C strings.
let words = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    unsafe CommandLine.unsafeArgv[index].map { unsafe commandLineWord($0) }
}
endFrost(runFrost(words, commands: Command.all))
