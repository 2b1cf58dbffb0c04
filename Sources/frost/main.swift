import FrostCLI
import FrostMeasure
import Glibc

// Swift reads the command line from there.
guard CommandLine.argc > 0 else { exit(refuseFrost("the command line cannot be read: /proc is not mounted")) }

// Swift repairs what is not UTF-8 in its arguments, and a repaired file name is another file.
for index in 1..<max(1, Int(CommandLine.argc)) {
    // SAFETY: the system passes argc C strings.
    guard let word = unsafe CommandLine.unsafeArgv[index], unsafe String(validatingCString: word) == nil else {
        continue
    }
    exit(refuseFrost("argument \(index), \(CommandLine.arguments[index]), is not UTF-8"))
}
exit(runFrost(Array(CommandLine.arguments.dropFirst()), commands: Command.all))
