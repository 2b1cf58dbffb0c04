import Frost

/// Gives advice about errors of EGL, of a driver or of the dynamic loader.
enum Advice {
    /// Returns advice about an error, or nil if no rule matches.
    ///
    /// - Parameters:
    ///   - reason: the text of the error.
    ///   - node: the path of the device's node in /dev; nil if it is unknown.
    static func about(_ reason: String, node: String? = nil, isNVIDIA: Bool = false) -> String? {
        let rules: [(words: [String], advice: String)] = [
            (
                ["GLIBCXX", "CXXABI"],
                "an older libstdc++ hides the one that the driver needs: look for it in LD_LIBRARY_PATH, in conda or next to a "
                    + "program that brings its own"
            ),
            (
                ["libEGL.so.1: cannot open"],
                "install the loader: apt install libegl1 libegl-mesa0 libgl1-mesa-dri (or the GPU vendor's EGL)"
            ),
            (
                ["file too short", "invalid ELF header", "wrong ELF class"],
                "the file with this name is not a library for this machine: look for it in LD_LIBRARY_PATH, or reinstall the "
                    + "library"
            ),
            (["libEGL_mesa.so"], "install Mesa's EGL: apt install libegl-mesa0 libgl1-mesa-dri"),
            (
                ["libEGL_nvidia.so"],
                "the driver's EGL is missing: install libnvidia-egl; for a container, start it with "
                    + "NVIDIA_DRIVER_CAPABILITIES=all (or compute,utility,graphics)"
            ),
            (["libgbm.so"], "install GBM: apt install libgbm1"),
            (
                ["Permission denied", "EACCES"],
                node.map(permission) ?? "add the user to the groups render and video, then log in again"
            ),
            (
                ["EGL_BAD_ACCESS"],
                "the context is current on another thread, or another process uses the device exclusively: end that process"
            ),
            (
                ["EGL_BAD_MATCH"],
                "the driver refuses the buffer's format or modifier: update Mesa or the vendor's driver"
            ),
            (
                ["EGL_BAD_PARAMETER"],
                "EGL has no driver for the device: in a container, add the vendor's file to /usr/share/glvnd/egl_vendor.d and "
                    + "install its library"
            ),
        ]
        if let rule = rules.first(where: { $0.words.contains(where: reason.contains) }) { return rule.advice }
        if isNVIDIA {
            return "NVIDIA's GBM needs nvidia-drm.modeset=1 and 15_nvidia_gbm.json in "
                + "/usr/share/egl/egl_external_platform.d; the EGL device of the same GPU needs neither"
        }
        guard reason.contains("EGL_NOT_INITIALIZED") || reason.contains("no EGL display") else { return nil }
        return
            "the driver does not start: apt install libgl1-mesa-dri, or unset the variable (above) that selects another driver"
    }

    /// Returns advice about a device node that the user may not open.
    static func permission(_ node: String) -> String {
        guard let facts = FileFacts(FilePath(node)), Int(facts.group) == nil else {
            return "its group has no name here: start the container with --group-add and the group's number"
        }
        guard facts.group != "root", facts.mode & 0o060 == 0o060 else {
            return "only its owner can open it: chgrp render \(node) && chmod 660 \(node), as udev's rules do"
        }
        return "usermod -aG \(facts.group) \(FileFacts.user), then log in again"
    }
}
