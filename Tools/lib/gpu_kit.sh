#!/bin/sh
# Tests Frost on the GPUs of this machine. Tools/gpu-kit packs this script as gpu-kit, beside the programs that it runs.
#
#   gpu-kit run [--output FILE.json] [--seconds N] [--only STEP,...] [--device INDEX] [--fault NAME]
#       runs the steps on every hardware device, or on the software renderers of a machine without one, and writes a result:
#       a JSON object per line. --seconds shortens the limits of all steps. --fault puts a faulty driver in front of the real
#       one (draws, memory, ...), to check that the kit notices it.
#   gpu-kit COMMAND...
#       runs a command of frost, for example 'gpu-kit doctor'
#
# steps, each stopped after its limit:
#   doctor: tests the CPU and every driver by blurring with it, 30 s at most
#   devices: lists the devices that EGL offers, 15 s at most
#   exactness: compares blurs of 8-bit, 16-bit and float pictures with the exact result, 40 s at most
#   effects: compares every effect with its exact result, 40 s at most
#   compute: does both with compute shaders, 40 s at most
#   fragment: does both with fragment shaders, 40 s at most
#   8k: compares a picture of 7680x4320 pixels with the CPU's, 30 s at most
#   faults: makes GL calls fail, and expects errors that name the call, 30 s at most
#   context-loss: simulates a reset of the GPU at each draw, and expects the same picture from a new context, 30 s at most
#   frames: measures frames of a live backdrop, 30 s at most
#   bench: measures blurs from texture to texture with both kinds of shaders, beside the device's fastest copy of the picture, 50 s at most
#   memory: measures blurs from memory to memory on the GPU and on all processors, 35 s at most
#   threads: measures the CPU with 1, 2, 4, 8 and 16 threads, 20 s at most
#   skia: measures the same blurs with Skia's GPU backend, 20 s at most
#   host: draws in the context of a program in C, and compares the program's GL state before and after, 15 s at most
#   dma-buf: allocates dma-bufs, draws into them and reads them back, 15 s at most
set -u
here=$(cd "$(dirname "$0")" && pwd)
libraries=${LD_LIBRARY_PATH-}
export LD_LIBRARY_PATH="$here/lib${libraries:+:$libraries}" FROST_PROGRAM_CACHE="${FROST_PROGRAM_CACHE-off}"

# A copy of the folder may have lost the permissions.
[ -x "$here/frost" ] || chmod +x "$here/frost" "$here"/programs/*

case ${1-} in
    run | step) command=$1; shift ;;
    '' | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; [ "${1-}" = --help ]; exit ;;
    *) unset FROST_PROGRAM_CACHE; exec "$here/frost" "$@" ;;
esac

# Quotes a text as a JSON string.
json() {
    printf '%s' "$1" | tr '\t\r' '  ' | tr -d '\000-\010\013\014\016-\037' | sed 's/\\/\\\\/g; s/"/\\"/g' \
        | awk 'BEGIN { printf "\"" } NR > 1 { printf "\\n" } { printf "%s", $0 } END { printf "\"" }'
}

# The driver that fails: KIND is a number of Tests/CFaultyGL, and AFTER calls succeed before the first call fails.
faulty() { # KIND AFTER LASTS COMMAND...
    FAULTY="$1 $2 $3" FAULTY_EGL=$egl LD_LIBRARY_PATH="$here/faulty:$LD_LIBRARY_PATH"
    shift 3
    export FAULTY FAULTY_EGL
    "$@"
}
kinds='display=1 context=2 compiling=3 framebuffers=4 memory=5 reset=6 fences=7 readback=8 draws=9'
kind() { echo "$kinds" | tr ' ' '\n' | sed -n "s/^$1=//p"; }
frost() {
    if [ -n "${fault-}" ]; then (faulty "$(kind "$fault")" 0 1 "$here/frost" "$@"); else "$here/frost" "$@"; fi
}

# --- Steps: each prints what it found, the finding last, and returns 0 if it passed and 77 if it was skipped -----------

check() { # the arguments of frost check
    frost check "$@" --device "$index" >"$work/check" 2>&1
    code=$?
    grep -v '^ok ' "$work/check" | tail -n 20
    grep -q '^ok ' "$work/check" || return 1
    worst=$(sed -n 's/.*against exact: max \([0-9.]*\) steps.*/\1/p' "$work/check" | sort -g | tail -n 1)
    echo "$(grep -c '^ok ' "$work/check") of $(grep -c ' against ' "$work/check") comparisons within the bound; largest error: ${worst:-0} 8-bit steps"
    return $code
}
step_doctor() {
    frost doctor --timeout 13 >"$work/doctor" 2>&1
    code=$?
    # Lines that begin with 'ok' or 'note' describe the machine, and may name its owner. Details are indented.
    awk '/^[^ ]/ { shown = !/^(ok|note)/ } shown && !/summary: /' "$work/doctor"
    sed -n 's/.*summary: //p' "$work/doctor"
    return $code
}
step_devices() {
    frost devices || return
    grep -q '"status":"usable"' "$work/devices" || { echo 'no device can be used'; return 1; }
}
step_exactness() { check "$here"/pictures/noise.*; }
step_effects() {
    names=$("$here/frost" effects --json | sed -n 's/.*"frost.effect[^"]*","name":"\([^"]*\)".*/\1/p' | paste -sd , -)
    check "$here/pictures/noise.pam" --effect "$names" --mask "$here/pictures/photo.png"
}
both() { # KIND
    FROST_GPU_SHADERS=$1
    export FROST_GPU_SHADERS
    code=0
    # Each prints its finding last: of the pictures, then of the effects.
    first=$(step_exactness) || code=1
    second=$(step_effects) || code=1
    printf '%s\n' "$first" "$second" | sed '$d'
    echo "pictures: $(printf '%s' "$first" | tail -n 1); effects: $(printf '%s' "$second" | tail -n 1)"
    return $code
}
step_compute() { both compute; }
step_fragment() { both fragment; }
step_8k() {
    { printf 'P6\n7680 4320\n255\n'; dd if=/dev/urandom bs=497664 count=200 2>/dev/null; } >"$work/8k.ppm"
    device=''
    for backend in cpu gpu; do
        # shellcheck disable=SC2086 # the CPU needs no --device
        frost blur "$work/8k.ppm" -o "$work/$backend.ppm" --sigma 30 --backend $backend $device -q || return
        device="--device $index"
    done
    frost compare "$work/cpu.ppm" "$work/gpu.ppm" --max 2
}
blur() { rm -f "$work/blur.ppm"; "$here/frost" blur "$here/pictures/photo.png" -o "$work/blur.ppm" --sigma 9 --backend gpu --device "$index" -q; }
step_faults() {
    [ -n "$egl" ] || { echo 'libEGL.so.1 was not found'; return 77; }
    wrong=0
    for case in 'display 0 eglInitialize' 'context 0 eglCreateContext' 'compiling 0 does not compile' \
        'framebuffers 0 cannot be rendered to' 'memory 0 out of memory' 'memory 1 out of memory' 'memory 2 out of memory' \
        'reset 0 lost' 'readback 0 ' 'draws 0 blurs a test picture wrongly'; do
        # shellcheck disable=SC2086 # the words of a case are separate arguments
        set -- $case
        message=$(faulty "$(kind "$1")" "$2" 1 blur 2>&1) && message="no error: $message"
        shift 2
        case $message in *"no error"*) ;; *"$*"*) continue ;; esac
        echo "$case: $message"
        wrong=$((wrong + 1))
    done
    echo "10 faults, $wrong without the right error"
    [ $wrong = 0 ]
}
step_context_loss() {
    [ -n "$egl" ] || { echo 'libEGL.so.1 was not found'; return 77; }
    blur || return
    mv "$work/blur.ppm" "$work/expected.ppm"
    wrong=0
    for draw in 0 1 2 3 4 5 6 7 8 9; do
        said=$(faulty "$(kind reset)" $draw 0 blur 2>&1 && cmp "$work/blur.ppm" "$work/expected.ppm" 2>&1)
        [ -z "$said" ] || { wrong=$((wrong + 1)); echo "draw $draw: $said"; }
    done
    echo "10 resets, $wrong with a wrong picture"
    [ $wrong = 0 ]
}
bench() { # COLUMN NAME ARGUMENT... : prints the table, and then this column of all rows
    column=$1 name=$2
    shift 2
    frost bench "$@" --device "$index" --runs 3 >"$work/bench" || return
    cat "$work/bench"
    awk -v column="$column" -v name="$name" \
        '$1 ~ /^[0-9]+x[0-9]+$/ { text = text "; " $1 " sigma " $2 ": " $column } END { print name substr(text, 2) }' "$work/bench"
}
# Software is too slow for larger pictures.
sizes() { if [ -n "${FROST_KIT_SOFTWARE-}" ]; then echo 1920x1080; else echo 1920x1080,3840x2160; fi; }
step_frames() { bench 3 'milliseconds of a frame that changes everywhere,' --backdrop --backend gpu --size 960x540 --sigma 12; }
step_bench() { bench 7 'times of the copy,' --textures --size "$(sizes)" --sigma 2,8,30,100; }
step_memory() { bench 3 'milliseconds,' --backend cpu,gpu --size "$(sizes)" --sigma 2,8,30; }
step_threads() {
    frost bench --backend cpu --threads 1,2,4,8,16 --size "$(sizes)" --sigma 8 --runs 3 >"$work/bench" || return
    cat "$work/bench"
    awk '$1 ~ /^[0-9]+x[0-9]+$/ { text = text "; " $1 ": " $3 } END { print "milliseconds with 1, 2, 4, 8, 16 threads, sigma 8," substr(text, 2) }' "$work/bench"
}
step_skia() {
    python3 -c 'import numpy, skia' >/dev/null 2>&1 || { echo 'python3 cannot import numpy and skia'; return 77; }
    LD_LIBRARY_PATH=$libraries python3 -B "$here/python/skia_gl.py" "$here/pictures/photo.png" 1920x1080 --runs 5
}
step_host() { "$here/programs/states"; }
step_dma_buf() {
    [ -n "${FROST_RENDER_NODE-}" ] || { echo 'the device has no render node'; return 77; }
    FROST_DRM_NODE=$FROST_RENDER_NODE "$here/programs/dmabufs"
}

if [ "$command" = step ]; then
    "step_$(echo "$1" | tr - _)"
    exit
fi

# --- The run -----------------------------------------------------------------------------------------------------------

output=gpu-kit.json seconds=480 only='' device='' fault=''
while [ $# -gt 1 ]; do
    case $1 in
        --output | -o) output=$2 ;;
        --seconds) seconds=$2 ;;
        --only) only=,$2, ;;
        --device) device=$2 ;;
        --fault) fault=$2 ;;
        *) break ;;
    esac
    shift 2
done
[ $# -eq 0 ] || { echo "gpu-kit: unexpected argument $1; see gpu-kit --help" >&2; exit 2; }
[ -z "$fault" ] || [ -n "$(kind "$fault")" ] || { echo "gpu-kit: unknown fault $fault; known are: $kinds" >&2; exit 2; }

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
start=$(date +%s) passed=0 failed=0 skipped=0 index='' share=1
egl=
for folder in $(echo "$libraries" | tr : ' ') $(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null \
    | sed -n 's|.*libEGL\.so\.1 .*64.* => \(.*\)/libEGL\.so\.1$|\1|p'); do
    [ -n "$egl" ] || [ ! -e "$folder/libEGL.so.1" ] || egl=$folder/libEGL.so.1
done
export work egl fault index libraries

# Runs a step in a process that `timeout` stops, and adds its result.
run() { # STEP LIMIT
    case $only in '' | *",$1,"*) ;; *) return ;; esac
    # Several devices share the time.
    limit=$(($2 * seconds / 480 / share))
    [ $limit -ge 3 ] || limit=3
    began=$(date +%s)
    LD_LIBRARY_PATH=$libraries timeout -k 2 $limit "$0" step "$1" >"$work/said" 2>&1
    code=$?
    finding=$(tail -n 1 "$work/said")
    case $code in
        0) outcome=passed passed=$((passed + 1)) ;;
        77) outcome=skipped skipped=$((skipped + 1)) ;;
        *) outcome=failed failed=$((failed + 1)) ;;
    esac
    case $code in
        0 | 1 | 77) ;;
        124 | 137) finding="the step was stopped after $limit s" ;;
        *) finding="exit code $code: $finding" ;;
    esac
    took=$(($(date +%s) - began)) device=null
    [ -z "$index" ] || device=\"$index\"
    printf '{"schema":"frost.kit.step/1","step":"%s","device":%s,"seconds":%s,"limit":%s,"outcome":"%s","finding":%s,"evidence":%s}\n' \
        "$1" "$device" $took $limit $outcome "$(json "$finding")" "$(json "$(sed '$d' "$work/said" | tail -n 24)")" >>"$output"
    printf '%s  %s%s, %s s: %s\n' $outcome "$1" "${index:+ (device $index)}" $took "$finding"
}

# The name of the distribution, without the name of the machine or its user.
system=$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null)
processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
printf '{"schema":"frost.kit.run/1","frost":%s,"date":"%s","processor":%s,"system":%s,"seconds":%s}\n' \
    "$(json "$("$here/frost" --version | sed 's/^frost //')")" "$(date -u +%Y-%m-%dT%H:%M:%S)" \
    "$(json "${processor:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) processors")" \
    "$(json "${system:-Linux}, Linux $(uname -r | sed 's/[^0-9.].*//'), $(getconf GNU_LIBC_VERSION)")" "$seconds" >"$output" || exit 1

# All usable hardware, or the software renderers of a machine without hardware. The driver may hang.
timeout -k 2 $((seconds / 32 + 1)) "$here/frost" devices --json >"$work/devices" 2>/dev/null
grep '"status":"usable"' "$work/devices" >"$work/usable"
if [ -n "$device" ]; then pattern="\"index\":$device,"
elif grep -q '"software":false' "$work/usable"; then pattern='"software":false'
else pattern='"index":'; fi
grep "$pattern" "$work/usable" | sed 's|frost\.device/1|frost.kit.device/1|' >"$work/chosen"
cat "$work/chosen" >>"$output"

run doctor 30
run devices 15
share=$(grep -c . "$work/chosen")
while read -r line <&3; do
    index=$(echo "$line" | sed -n 's/.*"index":"\{0,1\}\([0-9]*\).*/\1/p')
    FROST_RENDER_NODE=$(echo "$line" | sed -n 's/.*"renderNode":"\([^"]*\)".*/\1/p')
    # The variables that tell programs in C which device to use: see Tests/c/host.h.
    unset FROST_EGL_DEVICE FROST_DRM_NODE
    case $line in
        *'"platform":"device"'*) export FROST_EGL_DEVICE="$index" ;;
        *'"platform":"gbm"'*) export FROST_DRM_NODE="$FROST_RENDER_NODE" ;;
    esac
    export FROST_RENDER_NODE
    case $line in *'"software":true'*) export FROST_KIT_SOFTWARE=1 ;; *) unset FROST_KIT_SOFTWARE ;; esac
    run exactness 40
    run effects 40
    run compute 40
    run fragment 40
    run 8k 30
    run faults 30
    run context-loss 30
    run frames 30
    run bench 50
    run memory 35
    run threads 20
    run skia 20
    run host 15
    run dma-buf 15
done 3<"$work/chosen"
printf '{"schema":"frost.kit.end/1","passed":%s,"failed":%s,"skipped":%s,"seconds":%s}\n' \
    $passed $failed $skipped $(($(date +%s) - start)) >>"$output"
echo "$passed passed, $failed failed, $skipped skipped in $(($(date +%s) - start)) s: $output"
[ -s "$work/chosen" ] || echo "gpu-kit: no device was tested; see the step 'devices'" >&2
[ $failed = 0 ] && [ $passed -gt 0 ] && [ -s "$work/chosen" ]
