#!/bin/bash
# Takes a screenshot and blurs it, for example for a lock screen. On a wlroots desktop (sway, wayfire, cage …) only the last
# line of this script is needed. The other lines start a headless sway, which draws on the CPU.
#
#   screenshot.sh FOLDER          writes FOLDER/shot.png and FOLDER/soft.png
#
# The script needs frost in PATH, and the Debian packages sway, swaybg and grim.
set -euo pipefail

folder=$(realpath -- "${1:?give a folder to write to}")
samples=$(realpath -- "${BASH_SOURCE[0]%/*}/../../Samples")
export XDG_RUNTIME_DIR
XDG_RUNTIME_DIR=$(mktemp -d)
export WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1

cp -- "$samples/photo.png" "$XDG_RUNTIME_DIR"
cat >"$XDG_RUNTIME_DIR/config" <<END
output HEADLESS-1 resolution 640x480 background "$XDG_RUNTIME_DIR/photo.png" stretch
END
# sway refuses to run as root, but continuous integration runs as root.
as_user=()
if ((EUID == 0)); then
    chown -R nobody "$XDG_RUNTIME_DIR"
    as_user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi
"${as_user[@]}" sway --config "$XDG_RUNTIME_DIR/config" >"$XDG_RUNTIME_DIR/log" 2>&1 &
sway=$!
trap 'kill "$sway" 2>/dev/null; wait "$sway" 2>/dev/null || true; rm -rf -- "$XDG_RUNTIME_DIR"' EXIT

# The desktop is ready when its socket exists and its background is drawn. Before that, the whole screen is grey.
export WAYLAND_DISPLAY=wayland-1
colors() { grim -t ppm - 2>/dev/null | tail -n +4 | od -An -v -tx1 -w3 | sort -u | wc -l; }
for ((tries = 0; ; tries++)); do
    if [[ -S $XDG_RUNTIME_DIR/$WAYLAND_DISPLAY ]] && (($(colors) > 100)); then
        break
    fi
    if ((tries == 100)) || ! kill -0 "$sway" 2>/dev/null; then
        cat "$XDG_RUNTIME_DIR/log" >&2
        exit 1
    fi
    sleep 0.1
done

grim - | tee "$folder/shot.png" | frost effect light - -o "$folder/soft.png" --force
