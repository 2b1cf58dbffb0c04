import FrostCLI
import FrostMeasure
import Glibc

let words = commandLineWords()
endFrost(CodecPrograms.run(words) ?? runFrost(words, commands: Command.all))
