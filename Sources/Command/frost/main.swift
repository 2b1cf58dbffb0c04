import FrostCLI
import FrostMeasure
import Glibc

MemoryReport.install()
let words = commandLineWords()
endFrost(CodecPrograms.run(words) ?? runFrost(words, commands: Command.all))
