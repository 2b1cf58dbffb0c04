import FrostCore
import FrostImages
import Glibc

/// Makes a GIF of an animated PNG with ffmpeg, which chooses the colours of each frame, and dithers them.
struct GIFProcess: ~Copyable {
    /// The descriptor of a file without a name, to which the animated PNG is written. ffmpeg cannot read one from a pipe.
    let input: Int32
    private let program: FilePath
    private let words: [String]
    private let name: String
    private var file: AtomicFile?

    /// Opens the output.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if ffmpeg is not installed.
    init(_ output: FilePath, _ options: AtomicFile.Options, _ timing: AnimationTiming) throws(CommandError) {
        guard let program = Environment.program("ffmpeg") else {
            throw .usage(
                "\(output.shownName): Frost writes a GIF by ffmpeg, which is not installed; use .webp or .apng")
        }
        let file: AtomicFile
        do throws(ImageError) { file = try AtomicFile(path: output, options: options) } catch { throw .writing(error) }
        // SAFETY: the stream is closed here; the duplicate of its descriptor keeps the file.
        guard let stream = unsafe tmpfile() else { throw .writing(.cannotWrite(path: output.text, errno: errno)) }
        input = unsafe fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3)
        unsafe fclose(stream)
        // GIF counts how often the frames are repeated; -1 stands for no number, and 0 for endlessly.
        let loop = timing.plays == 0 ? 0 : timing.plays == 1 ? -1 : timing.plays - 1
        let last = (timing.durations[timing.durations.count - 1] + 5) / 10
        // A palette for each frame needs no second pass, for which ffmpeg would keep all frames in memory.
        let filter = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1"
        words = [
            "ffmpeg", "-nostdin", "-loglevel", "quiet", "-f", "apng", "-i", "/dev/fd/0", "-filter_complex", filter,
            "-fps_mode", "passthrough", "-enc_time_base", "1:100", "-loop", "\(loop)", "-final_delay", "\(last)", "-f",
            "gif", "pipe:1",
        ]
        self.program = program
        name = output.text
        self.file = consume file
    }

    deinit { if input >= 0 { close(input) } }

    /// Runs ffmpeg. The output then appears.
    ///
    /// - Parameter input: the name of the animation, for errors.
    /// - Throws: ``ImageError/overTime(path:limit:)``, and the errors of writing.
    mutating func finish(_ time: TimeLimit, name input: String) throws(ImageError) {
        guard let file = file.take() else { return }
        lseek(self.input, 0, SEEK_SET)
        let libraries = Environment.value("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\($0)"] } ?? []
        let process: pid_t
        do throws(Errno) {
            process = try ChildProcess.start(
                program, words, variables: libraries, descriptors: [(self.input, 0), (file.writtenDescriptor, 1)])
        } catch {
            throw .cannotEncode(path: name, reason: "\(program.shownName): \(error.message)")
        }
        Interruption.add(child: process)
        var isLate = false
        while !Subprocess.hasEnded(process, WNOHANG) {
            if time.isOver {
                isLate = true
                kill(process, SIGKILL)
                break
            }
            usleep(2000)
        }
        let end = Subprocess.End(reapingRegistered: process)
        guard !isLate else { throw time.error(name: input) }
        guard end == .exit(0) else {
            throw .cannotEncode(path: name, reason: "ffmpeg failed to write a GIF")
        }
        try file.commit()
    }
}
