// Example: a render loop with a live backdrop. A ball bounces beneath a panel of frosted glass, which sometimes moves. For
// each frame the program reports which parts of the picture changed, and Frost recomputes only the pixels that depend on the
// changed parts.
//
//   swift-loop FRAMES FOLDER
//
// The program writes the frames to FOLDER/frame-0.png and so on, and the picture without the panel to FOLDER/picture-0.png
// and so on. For each frame it prints the panel's position and the amount of work done.

import Frost
import FrostImages
import Glibc

guard CommandLine.arguments.count == 3, let frames = Int(CommandLine.arguments[1]), frames > 0 else {
    print("usage: swift-loop FRAMES FOLDER")
    exit(2)
}
let folder = CommandLine.arguments[2]

let scene = Picture(width: 480, height: 270)
let glass = try EffectCatalog.effect("material-thin-light").make()
let backdrop = try Backdrop(coverage: .everywhere)
backdrop.panels = [Panel(Rect(x: 24, y: 40, width: 240, height: 150), effect: glass, cornerRadius: 24)]

var picture = try scene.pixels(of: scene.extent, 0)
// `screen` is the displayed frame: the picture with the panel over it.
var screen = picture

for frame in 0..<frames {
    var repainted: [Rect] = []
    // The ball moves in every frame, except in every fourth one.
    if frame > 0, frame % 4 != 0 {
        let moved = frame - frame / 4
        for place in [scene.ball(moved - 1), scene.ball(moved)] {
            let pixels = try scene.pixels(of: place, moved)
            try picture.paste(pixels, at: place)
            try screen.paste(pixels, at: place)
            backdrop.invalidate(place)
            repainted.append(place)
        }
    }
    // The panel moves in every eighth frame. The picture does not change in that frame.
    if frame % 8 == 4 { backdrop.panels[0].rect.x += 60 }

    // The program has painted the changed parts of the picture over the panel. Frost now redraws the panel in these parts.
    let report = try backdrop.render(picture, into: &screen)
    for place in report.uncovered { try screen.paste(cut(place, from: picture), at: place) }

    let panel = backdrop.panels[0].rect
    print(
        "\(frame) \(panel.x),\(panel.y),\(panel.width),\(panel.height) \(backdrop.panels[0].cornerRadius)",
        "repainted \(repainted.count) passes \(report.passes) samples \(report.levelSamples) pixels \(report.panelPixels)"
    )
    try PNG.write(DecodedImage(pixels: picture), path: "\(folder)/picture-\(frame).png")
    try PNG.write(DecodedImage(pixels: screen), path: "\(folder)/frame-\(frame).png")
}

/// Returns a copy of a part of a picture.
func cut(_ part: Rect, from picture: PixelBuffer) throws -> PixelBuffer {
    let rows = part.rows.flatMap { y in
        let start = y * picture.layout.bytesPerRow + part.x * 4
        return picture.bytes[start..<start + part.width * 4]
    }
    return try PixelBuffer(
        layout: PixelLayout(width: part.width, height: part.height, format: picture.format), bytes: rows)
}
