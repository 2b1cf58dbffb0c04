import Frost
import FrostMotion

/// Scenes for tests.
enum SceneExamples {
    /// A scene that has every member that a scene can have, apart from the parameters of single effects.
    static let rich = """
        {
          "$schema": "https://example.org/scene.schema.json",
          "size": [320, 200], "duration": 4, "fps": 30, "background": "navy", "linear": false,
          "backdrop": [
            {"color": "#336699"},
            {"picture": "b.png", "mode": "aspect-fit", "at": 1,
             "transition": {"name": "page-curl-with-shadow", "duration": 0.5, "curve": "ease-in",
                            "parameters": {"angle": 30}, "backside": "back.png", "shading": "s.png"}},
            {"video": "v.y4m", "at": 2, "start": 0.5, "loop": true,
             "transition": {"name": "disintegrate-with-mask", "mask": "m.png",
                            "curve": {"cubic-bezier": [0.1, -0.5, 0.2, 1.5]}}}
          ],
          "reveal": {"effect": "gaussian", "parameters": {"sigma": 8, "edge": "mirror"}, "dither": true,
                     "size": [60, 40], "corner-radius": 10, "corner-exponent": 4,
                     "path": [[0, 0], [100, 50], [120, 0, 200, 0, 300, 100]],
                     "progress": [{"at": 0, "value": 0}, {"at": 2, "value": 1, "curve": "hold"}],
                     "from": 0.5, "to": 3.5},
          "panels": [
            {"id": "a", "effect": "blur-dark", "parameters": {"scale": 2}, "size": [100, 80],
             "position": [{"at": 0, "value": [10, 20], "curve": {"spring": {"stiffness": 100, "damping": 10}}},
                          {"at": 1, "value": [50, 20], "curve": {"spring": {"duration": 0.4, "bounce": 0.3}}},
                          {"at": 1.5, "value": [50, 60]}],
             "alpha": [{"at": 0, "value": 0, "curve": "ease-out"}, {"at": 0.5, "value": 1}], "corner-radius": 12,
             "corner-smoothing": 0.6,
             "content": [{"picture": "c.png", "vibrancy": "label", "mode": "center", "bounds": [5, 5, 90, 70]}]},
            {"effect": "variable", "mask": "m.png", "size": [30, 30], "position": [4, 4], "from": 1, "to": 3,
             "follow": {"panel": "a"}, "dither": false},
            {"effect": "7blur-sky", "size": [320, 60], "position": [0, 64], "vignette": {"alpha": 0.2, "fade-in": 0.2,
             "fade-out": 0.5}, "motions": [{"name": "slide-down", "at": 0.5, "duration": 0.25, "curve": "ease-in-out"},
                                           {"name": "slide-up", "at": 2.5}]},
            {"effect": "dark", "follow": {"item": "box", "rotation": false}, "position": [2, 1]},
            {"effect": "light", "follow": {"item": "other"}, "corner-radius": 4, "shadow": {"sigma": 3, "offset": [1, 2.5],
             "color": "#0008"}, "hairline": {"width": 1.5, "color": "white"}},
            {"effect": "progressive", "size": [60, 50], "position": [200.25, 90.5], "corner-radius": 9,
             "relative-to": "rect", "rotation": [{"at": 0, "value": -20}, {"at": 3, "value": 200}]}
          ],
          "dynamics": {
            "items": [{"id": "box", "center": [160, 30], "size": [40, 30], "rotation": 5},
                      {"id": "other", "center": [60, 150], "size": [20, 20]}],
            "behaviors": [
              {"behavior": "gravity", "items": ["box"], "magnitude": 0.5, "angle": 90, "from": 0.2, "to": 3},
              {"behavior": "collision", "mode": "everything", "insets": [0, 0, 10, 0],
               "boundaries": [[[0, 190], [320, 180]]]},
              {"behavior": "push", "magnitude": 1, "angle": -45, "instantaneous": true, "offset": [3, 0], "from": 1},
              {"behavior": "snap", "items": ["other"], "point": [100, 100], "damping": 0.7},
              {"behavior": "attachment", "items": ["other"], "form": "distance", "anchor": [60, 60], "offset": [1, 1],
               "other-offset": [0, 0], "length": 80, "damping": 0.5, "frequency": 2},
              {"behavior": "attachment", "items": ["box"], "form": "sliding", "anchor": [160, 30], "axis": [1, 0], "to": 0.1},
              {"behavior": "properties", "elasticity": 0.5, "friction": 0.1, "density": 2, "resistance": 0.2,
               "angular-resistance": 0.1, "allows-rotation": false, "anchored": false, "velocity": [10, 0],
               "angular-velocity": 20},
              {"behavior": "field", "form": "vortex", "items": ["other"], "position": [160, 100],
               "strength": 0.2, "falloff": 1, "minimum-radius": 20, "region-radius": 300, "from": 0.1},
              {"behavior": "field", "form": "linear-gravity", "items": ["other"], "direction": [0, 1], "from": 3},
              {"behavior": "push", "magnitude": 1, "items": ["box"], "on-contact": {"item": "box", "with": "other"}, "for": 0.2}]
          }
        }
        """

    /// A scene with one panel of the given members.
    static func panel(_ members: JSONValue) throws -> Scene {
        try Scene(["size": [200, 100], "duration": 2, "backdrop": ["color": "white"], "panels": [members]])
    }

    /// The error of a scene with one panel of the given members, as text.
    static func panelError(_ members: JSONValue) -> String? {
        do {
            _ = try panel(members)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
