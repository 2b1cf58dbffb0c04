import Frost

extension Command {
    package static let presets = Command(
        name: "presets", operands: "[NAME...] [--json]",
        summary: "List the presets of Frost and of the user's file, or those named, as command lines.",
        options: [],
        examples: ["frost presets", "frost presets lock-screen", "frost --preset lock-screen shot.png -o lock.png"],
        run: { (arguments, console) throws(CommandError) in
            let presets = try PresetFile.all()
            let names = arguments.operands
            let chosen = try names.map { (name) throws(CommandError) in try PresetFile.preset(name, of: presets) }
            for preset in names.isEmpty ? presets : chosen {
                if console.json {
                    console.result([
                        "schema": "frost.presets/1", "name": .string(preset.name),
                        "file": preset.file.map { .path($0) } ?? .null, "line": preset.line.map { .int($0) } ?? .null,
                        "text": .string(preset.text),
                    ])
                } else {
                    console.result("\(preset.name): frost \(preset.text)")
                }
            }
            return .done
        },
        details: [
            "A preset is a name in brackets on a line of its own in the file $XDG_CONFIG_HOME/frost/presets (usually "
                + "~/.config/frost/presets), and lines of options as on a command line below it. The first line may begin with "
                + "the command, such as blur or effect light. --preset NAME puts the options before those of the command line. "
                + "The last value of an option counts, and --rect adds a rectangle."
        ])
}
