import FrostCLI

/// The page of one or several results, in Markdown. docs/Hardware.md is this page.
enum KitPage {
    static func document(_ runs: [KitLog]) -> String {
        let hardware = runs.flatMap(\.devices).filter { $0["software"] == "false" }.compactMap { $0["renderer"] }
        let software = runs.flatMap(\.devices).filter { $0["software"] != "false" }.compactMap { $0["renderer"] }
        var lines = [
            "# Hardware", "",
            "This page has the results of `gpu-kit`, which tests Frost on the GPUs of a machine. `Tools/gpu-kit report` writes "
                + "the page.",
            "",
        ]
        lines.append(
            hardware.isEmpty
                ? "**Hardware seen so far: none.** Frost has been tested on software renderers only: \(list(software))."
                : "**Hardware seen so far:** \(list(hardware)). Software renderers: \(list(software)).")
        lines += ["", howTo, "", "## Steps", "", "| step | what it does | s at most |", "|---|---|---:|"]
        lines += KitStep.all.map { "| \($0.name) | \($0.summary) | \($0.seconds) |" }
        lines += [
            "", "A skipped step has tested nothing. Times depend on the load of the machine. Resets are simulated.", "",
        ]
        for run in runs { lines += sections(run) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty
            ? "none"
            : names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
                .map(escaped).joined(separator: ", ")
    }

    private static let howTo = """
        ## How to send a result

        1. `Tools/gpu-kit pack` makes the folder `out/gpu-kit-VERSION-ARCHITECTURE`. It needs the toolchain of Frost.
        2. Copy the folder to a Linux machine with a GPU and its driver. The machine needs glibc 2.34 or later, libstdc++ of
           GCC 11 or later, and EGL with OpenGL ES 3. It needs no compiler and no other library. If Python has
           NumPy and [skia-python](https://pypi.org/project/skia-python/), the kit also measures Skia.
        3. Run `./gpu-kit run` in the folder, for at most 8 minutes, while the machine is idle. It writes `gpu-kit.json` and
           `gpu-kit.md`, and nothing else, except that drivers may cache compiled programs. Both files name the devices, the
           drivers, the processor and the system, but neither the machine nor its user.
        4. Add `gpu-kit.json` to [docs/hardware](hardware) under a name of the device, such as `radeon-780m.json`, run
           `Tools/gpu-kit report`, and send the change. Or attach the file to an issue.
        """

    /// The sections of one run: one for each device, or one for a run without a device.
    private static func sections(_ run: KitLog) -> [String] {
        let common = run.steps.filter { $0["device"] == "null" }
        guard !run.devices.isEmpty else { return section("No device", nil, run, common) }
        return run.devices.flatMap { device in
            let steps = run.steps.filter { $0["device"] == device["index"] }
            return section(escaped(device["renderer"] ?? ""), device, run, common + steps)
        }
    }

    private static func section(
        _ title: String, _ device: KitLog.Record?, _ run: KitLog, _ steps: [KitLog.Record]
    ) -> [String] {
        var lines = ["## \(title)", ""]
        if let device {
            lines.append(
                "- \(device["software"] == "false" ? "Hardware" : "Software renderer") of \(text(device, "vendor"))")
            lines.append("- Driver: \(text(device, "version")), EGL platform \(text(device, "platform"))")
        }
        lines.append("- Frost \(text(run.run, "frost")), \(text(run.run, "date")) UTC")
        lines.append("- \(text(run.run, "system")); \(text(run.run, "processor"))")
        if let end = run.end {
            lines.append(
                "- The run took \(text(end, "seconds")) s, and \(text(end, "cpu_seconds")) s of processor time")
        } else {
            lines.append("- **The run was interrupted**, or is not finished")
        }
        lines += ["", "| step | result | s | finding |", "|---|---|---:|---|"]
        for step in steps {
            let outcome = text(step, "outcome")
            let mark = outcome == KitResult.Outcome.failed.rawValue ? "**\(outcome)**" : outcome
            lines.append("| \(text(step, "step")) | \(mark) | \(text(step, "seconds")) | \(text(step, "finding")) |")
        }
        lines.append("")
        for step in steps {
            guard let evidence = step["evidence"], !evidence.isEmpty else { continue }
            lines += ["Details of `\(text(step, "step"))`:", "", "```text"]
            // A fence in the evidence would end the block.
            lines += evidence.split(separator: "\n").map { $0.hasPrefix("```") ? " \($0)" : String($0) }
            lines += ["```", ""]
        }
        return lines
    }

    private static func text(_ record: KitLog.Record, _ name: String) -> String { escaped(record[name] ?? "unknown") }

    /// Escapes what Markdown would take as markup within a table. Drivers choose some of these texts.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { out, character in
            if "\\|`*_<>[]#".contains(character) { out += "\\" }
            out.append(character.isNewline ? " " : character)
        }
    }
}
