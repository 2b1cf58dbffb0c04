import FrostCLI
import FrostMeasure
import Glibc

let words = commandLineWords()
endFrost(SandboxedDecoder.run(words) ?? runFrost(words, commands: Command.all))
