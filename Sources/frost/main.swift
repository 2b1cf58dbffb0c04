import FrostCLI
import FrostMeasure
import Glibc

endFrost(runFrost(commandLineWords(), commands: Command.all))
