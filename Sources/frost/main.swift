import FrostCLI
import Glibc

exit(runFrost(Array(CommandLine.arguments.dropFirst())))
