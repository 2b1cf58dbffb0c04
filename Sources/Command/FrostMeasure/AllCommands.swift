package import FrostCLI
import FrostServe

extension Command {
    /// All commands of the program, in the order of its help.
    package static let all: [Command] = [
        .blur, .effect, .video, .transition, .animate, .effects, .transitions, .presets, .serve, .open, .plan, .compare,
        .check,
        .bench,
        .devices,
        .doctor, .completions, .reference,
    ]
}
