import Foundation
import Frost
import FrostCLI
import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

/// Tests command lines as users of other programs type them: they mean the same as the documented form, or the error states
/// the documented form.
@Suite struct HabitTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("in.png", 40, 30)
        try scratch.picture("other.png", 40, 30, seed: 2)
    }

    /// Expects that two command lines write the same bytes.
    private func same(_ words: [String], _ documented: [String]) throws {
        try #require(try scratch.run(Program.path, words + ["-o", "a.png"]).code == 0, "\(words)")
        try #require(try scratch.run(Program.path, documented + ["-o", "b.png"]).code == 0, "\(documented)")
        #expect(try scratch.bytes("a.png") == scratch.bytes("b.png"), "\(words) and \(documented)")
    }

    private func errors(_ code: Int32, _ words: String...) throws -> String {
        let outcome = try scratch.run(Program.path, words)
        #expect(outcome.code == code, "\(words): \(outcome.errors)")
        return outcome.errors
    }

    @Test(
        "geometry of slurp, ImageMagick and X11",
        arguments: [
            "5,6 20x10", "20x10+5+6", "5, 6, 20, 10", " 5,6,20,10 ", "+5,+6,20,10",
        ]) func geometry(text: String) throws
    {
        let blur = ["blur", "in.png", "--sigma", "3", "--rect"]
        try same(blur + [text], blur + ["5,6,20,10"])
    }

    @Test func negativeOffsets() throws {
        let blur = ["blur", "in.png", "--sigma", "3", "--rect"]
        try same(blur + ["20x10-5+6"], blur + ["-5,6,20,10"])
        try same(blur + ["-5,-6 20x10"], blur + ["-5,-6,20,10"])
        for text in [
            "20x10", "20x10+5", "20x10+5+6+7", "5 20x10", "5,6 20", "5,6,7 20x10", "x+5+6", "20x+5+6", "20x0+5+6",
        ] {
            #expect(try errors(2, "blur", "in.png", "-o", "a.png", "--sigma", "3", "--rect", text).contains("--rect"))
        }
    }

    @Test(
        "other words for modes",
        arguments: [
            ("reflect", "mirror"), ("wrap", "repeat"), ("extend", "clamp"), ("nearest", "clamp"),
        ]) func edges(word: String, name: String) throws
    {
        let blur = ["blur", "in.png", "--sigma", "3", "--edge"]
        try same(blur + [word], blur + [name])
        try same(
            ["effect", "gpuimage-gaussian", "in.png", "--edge", word],
            ["effect", "gpuimage-gaussian", "in.png", "--edge", name])
    }

    @Test func effects() throws {
        let rest = ["in.png", "--seed", "3"]
        try same(["effect", "pixelate"] + rest, ["effect", "redact"] + rest)
        try same(["effect", "bokeh", "in.png"], ["effect", "disc", "in.png"])
        let mix = ["in.png", "other.png", "--time", "0.4"]
        try same(["transition", "fade"] + mix, ["transition"] + mix + ["--effect", "dissolve"])
        try same(["transition", "flash"] + mix, ["transition"] + mix + ["--effect", "flash"])
        #expect(try errors(2, "pixelate", "in.png").contains("did you mean effect pixelate?"))
    }

    /// Every word leads to a name that exists, and no word is itself a name.
    @Test func synonyms() {
        let names = Set(
            EffectCatalog.all.map(\.name) + TransitionCatalog.all.map(\.name) + EdgeMode.allCases.map(\.rawValue)
                + ContentMode.allCases.map(\.rawValue))
        for (name, words) in Synonyms.words {
            #expect(names.contains(name), "\(name)")
            for word in words { #expect(!names.contains(word), "\(word)") }
        }
    }

    @Test func switchesCombine() throws {
        let outcome = try scratch.run(Program.path, ["blur", "-nv", "in.png", "-o", "a.png", "--sigma", "3"])
        #expect(outcome.code == 0 && outcome.text.contains("a.png") && !scratch.exists("a.png"))
        #expect(try errors(0, "blur", "-qfo", "a.png", "in.png", "--sigma", "3").isEmpty)
        #expect(try errors(0, "blur", "-qfob.png", "in.png", "--sigma", "3").isEmpty)
        #expect(try scratch.bytes("a.png") == scratch.bytes("b.png"))
        #expect(try errors(0, "blur", "-o=c.png", "in.png", "--sigma", "3").contains("c.png"))
        #expect(scratch.exists("c.png") && !scratch.exists("=c.png"))
        #expect(
            try errors(2, "blur", "-qx", "in.png", "-o", "a.png", "--sigma", "3").contains("unknown option -x in -qx"))
        #expect(try errors(2, "blur", "-q=1", "in.png", "-o", "a.png", "--sigma", "3").contains("-q takes no value"))
    }

    @Test func theLastValueCounts() throws {
        let blur = ["blur", "in.png", "--sigma"]
        try same(blur + ["2", "--sigma", "9"], blur + ["9"])
    }

    @Test func cornersAreReduced() throws {
        let blur = ["blur", "in.png", "--sigma", "3", "--rect", "5,6,20,10", "--corner-radius"]
        try same(blur + ["130"], blur + ["5"])
        try same(blur + ["50%"], blur + ["5"])
        try same(blur + ["20%"], blur + ["2"])
    }

    @Test func forgottenWords() throws {
        #expect(try errors(2, "in.png", "out.png").contains("frost blur in.png -o out.png --sigma 8"))
        #expect(try errors(2, "in.png").contains("frost blur in.png -o out.png --sigma 8"))
        #expect(try errors(2, "blur", "in.png", "out.png", "--sigma", "8").contains("did you mean -o out.png?"))
        #expect(try errors(2, "blur", "-q", "80", "in.png", "-o", "o.jpg", "--sigma", "8").contains("--quality 80"))
        let effect = ["effect", "image-effects", "in.png", "-o", "o.png", "--sigma", "8"]
        #expect(try scratch.run(Program.path, effect).errors.contains("use --radius"))
        #expect(try errors(2, "blur", "in.png", "-o", "o.tga", "--sigma", "8").contains("use .png"))
        #expect(
            try errors(2, "transition", "in.png", "other.png", "-o", "o.gif", "--duration", "1")
                .contains("animations are .webp or .apng"))
        #expect(
            try errors(2, "transition", "in.png", "other.png", "-o", "f-%03d.png", "--duration", "1")
                .contains("a template such as 'f-{frame}.png'")
                || errors(2, "transition", "in.png", "other.png", "-o", "f-%03d.png", "--duration", "1")
                    .contains("a template such as f-{frame}.png")
        )
        #expect(try errors(6, "blur", "in.png", "-o", "no/o.png", "--sigma", "8").contains("-o no/ to have it created"))
    }

    @Test func replacedFilesAreNamed() throws {
        #expect(try !errors(0, "blur", "in.png", "-o", "o.png", "--sigma", "8").contains("replaced"))
        #expect(try errors(0, "blur", "in.png", "-o", "o.png", "--sigma", "8").contains("o.png (replaced)"))
        try scratch.folder("out")
        #expect(try !errors(0, "blur", "in.png", "-o", "out/", "--sigma", "8").contains("replaced"))
        #expect(try errors(6, "blur", "in.png", "-o", "out/", "--sigma", "8").contains("--force"))
        #expect(try errors(0, "blur", "in.png", "-f", "-o", "out/", "--sigma", "8").contains("(replaced)"))
    }

    @Test("deep samples become those that the format holds", arguments: [("jpg", "8"), ("webp", "8"), ("qoi", "8")])
    func depth(suffix: String, depth: String) throws {
        try scratch.picture("deep.png", 20, 10, PixelFormat(.rgb, .u16))
        let blur = ["blur", "deep.png", "--sigma", "2", "-o"]
        let reduced = try scratch.run(Program.path, blur + ["a.\(suffix)"])
        #expect(reduced.code == 0 && reduced.errors.contains("warning") && reduced.errors.contains("16 bits"))
        let asked = try scratch.run(Program.path, blur + ["b.\(suffix)", "--depth", depth])
        #expect(asked.code == 0 && !asked.errors.contains("warning"))
        #expect(try scratch.bytes("a.\(suffix)") == scratch.bytes("b.\(suffix)"))
        let strict = try scratch.run(Program.path, blur + ["c.\(suffix)", "--strict"])
        strict.expectError(6, "--depth 8 reduces them")
        #expect(!scratch.exists("c.\(suffix)"))
    }

    @Test func tints() throws {
        #expect(try errors(0, "blur", "in.png", "-o", "o.png", "--sigma", "8", "--tint", "red").contains("is opaque"))
        #expect(try !errors(0, "blur", "in.png", "-o", "o.png", "--sigma", "8", "--tint", "#f008").contains("opaque"))
        let blur = ["blur", "in.png", "--sigma", "3", "--tint"]
        try same(blur + ["#f008"], blur + ["#ff000088"])
    }

    @Test("-h shows the usual options, --help all under headings") func help() throws {
        let short = try scratch.frost("blur", "-h").text
        let long = try scratch.frost("blur", "--help").text
        #expect(short.contains("--sigma") && !short.contains("--max-pixels-per-byte") && short.contains("lists all"))
        #expect(
            long.contains("--max-pixels-per-byte") && long.contains("\nthe output:\n") && long.contains("\nlimits:\n"))
        for option in Command.blur.options + Command.common {
            #expect(long.components(separatedBy: "  \(option.signature)").count >= 2, "\(option.name)")
        }
        #expect(try scratch.run(Program.path, ["-h"]).text.count < scratch.run(Program.path, ["--help"]).text.count)
    }

    @Test func foldersAreComparedByName() throws {
        for folder in ["a", "a/sub", "b", "b/sub"] { try scratch.folder(folder) }
        for folder in ["a", "b"] {
            try scratch.picture("\(folder)/same.png", 9, 9)
            try scratch.picture("\(folder)/sub/other.png", 9, 9, seed: folder == "a" ? 1 : 2)
        }
        try scratch.picture("a/alone.png", 9, 9)
        let outcome = try scratch.run(Program.path, ["compare", "a", "b/", "--diff", "d/"])
        #expect(outcome.code == 1)
        #expect(outcome.text.hasPrefix("sub/other.png: max ") && !outcome.text.contains("same.png"))
        #expect(outcome.errors.contains("alone.png: only in a"))
        #expect(outcome.errors.contains("1 equal, 1 different, 1 in one folder only"))
        #expect(try scratch.entries("d") == ["sub"] && scratch.entries("d/sub") == ["other.png.png"])
        let reports = try scratch.run(
            Program.path, ["compare", "a", "b", "--report", "r.html", "--junit", "r.xml", "--json"])
        let summary = try #require(reports.objects.last)
        #expect(summary["schema"] as? String == "frost.compare-summary/1" && summary["status"] as? String == "failed")
        #expect(summary["equal"] as? Int == 1 && summary["different"] as? Int == 1 && summary["alone"] as? Int == 1)
        let (page, junit) = (
            String(decoding: try scratch.bytes("r.html"), as: UTF8.self),
            String(decoding: try scratch.bytes("r.xml"), as: UTF8.self)
        )
        #expect(page.contains("Frost compare: 2 failed") && page.contains("only in a") && page.contains("<img"))
        #expect(junit.contains("tests=\"3\" failures=\"1\" errors=\"1\"") && junit.contains("sub/other.png"))
        #expect(try scratch.run(Program.path, ["compare", "a", "a"]).code == 0)
        try scratch.write(Array("not a picture".utf8), "b/sub/other.png")
        let damaged = try scratch.run(Program.path, ["compare", "a", "b"])
        #expect(damaged.code == 1 && damaged.errors.contains("1 equal, 1 in one folder only, 1 not compared"))
        #expect(try scratch.run(Program.path, ["compare", "a", "b/same.png"]).code == 2)
    }
}
