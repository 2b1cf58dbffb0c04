import FrostCLI
import FrostKit
import Glibc

exit(runKit(commandLineWords()))
