# shellcheck shell=bash
# Definitions that all tools share: the packages, the Swift toolchain, the build flags and the stamps. A stamp records
# that a step was done, so that an unchanged checkout skips the step. A tool sources this file with `root` set to the
# repository. No function here prints to standard output or reads standard input, because both belong to the user.

: "${root:?set root to the repository before sourcing setup.sh}"

# --- Definitions -------------------------------------------------------------------------------------

# Packages that a Swift toolchain from an archive needs to compile and link.
toolchain_packages=(binutils git libc6-dev libstdc++-12-dev libcurl4 libncurses6 libsqlite3-0 libxml2)
# Packages with headers and libraries of the system modules in Package.swift: those that programs need which use the product
# Frost, those of FrostImages and of FrostMotion, and the others. Errors in the modules' packages.h, and
# docs/Embedding-Swift.md, name them too.
frost_packages=(libdrm-dev libegl-dev libgbm-dev libgles-dev)
images_packages=(libjpeg62-turbo-dev liblcms2-dev libpng-dev libwebp-dev libzimg-dev zlib1g-dev)
motion_packages=(libbox2d-dev libjansson-dev)
build_packages=(
    "${frost_packages[@]}" "${images_packages[@]}" "${motion_packages[@]}" libmicrohttpd-dev libseccomp-dev nettle-dev
    pkg-config
)
# The traits of Package.swift, one for each format, and the packages that contain the library and the headers of each
# format. FROST_TRAITS=TIFF,AVIF Tools/install builds a `frost` with these two formats, and FROST_TRAITS=none builds one
# without any. By default `frost` has all formats, and so do the tests.
declare -A trait_packages=([AVIF]=libavif-dev [HEIC]=libheif-dev [JPEGXL]=libjxl-dev [TIFF]=libtiff-dev)
# The libraries that each format opens at run time, as far as an archive may contain them. That of HEIC links x265, which is
# under the GPL, so a user installs it.
declare -A trait_libraries=([AVIF]=avif [HEIC]='' [JPEGXL]='jxl jxl_threads' [TIFF]=tiff)
all_traits=AVIF,HEIC,JPEGXL,TIFF
case ${FROST_TRAITS-} in
    '') traits=$all_traits trait_flags=() frost_name=frost ;;
    none) traits='' trait_flags=(--disable-default-traits) frost_name=frost-none ;;
    *) traits=$FROST_TRAITS trait_flags=(--traits "$FROST_TRAITS") frost_name=frost-$FROST_TRAITS ;;
esac
# Packages that are loaded at run time if installed: EGL, OpenGL ES and Mesa's drivers, including the software driver.
runtime_packages=(libegl1 libegl-mesa0 libgbm1 libgl1-mesa-dri libgles2)
# Packages that only Tools/check needs.
check_packages=(
    abigail-tools ffmpeg fish g++ glslang-tools grim libavif-bin libc6-dbg libheif-examples libimage-exiftool-perl libjxl-tools
    libtiff-tools libvips-tools libvulkan-dev make man-db mandoc mesa-vulkan-drivers openssl python3-venv shellcheck slowhttptest strace
    sway swaybg systemd valgrind virgl-server zsh
)

# Packages that only Tools/package-deb and its test need.
package_packages=(binutils debootstrap dpkg-dev lintian)
# Packages that only Tools/test-drm needs: a 10 MB emulator. The 70 MB kernel is downloaded but not installed.
drm_packages=(busybox-static cpio kmod qemu-system-x86)
# Packages that only Tools/check-arm needs: the C library for 64-bit Arm, and an emulator for its programs.
arm_packages=(libc6-dev-arm64-cross libgcc-12-dev-arm64-cross qemu-user-static)
# The programs with which Frost is compared. Tools/bench peers uses Python packages. These contain the libraries that
# they need, except for Skia, which needs some libraries of the system. Tools/bench files runs programs.
peer_packages=(python3-venv libegl1 libgl1 libfontconfig1)
peer_programs=(libvips-tools ffmpeg)
# Packages that only Tests/acceptance/page needs. They are 80 MB to download and take 300 MB when installed. On a system
# without a desktop, they need other packages that take as much again.
page_packages=(chromium fonts-dejavu-core)

state=$root/.build/tools     # stamps, locks, logs and the installed binary
frost_binary=$state/$frost_name
frost_library=$state/libfrost.so
images_library=$state/libfrost-images.so
motion_library=$state/libfrost-motion.so
all_library=$state/libfrost-all.so
venv=$root/.venv
requirements=$root/Tests/acceptance/requirements.txt
peers_venv=$root/.venv-peers
peers_requirements=$root/Tools/lib/bench_peers.txt

# The command, the library and the tests share one build, so that tests run the code that users run, and nothing is
# compiled twice. -enable-testing gives tests access to internal declarations; it makes the command 7 % larger and no
# slower. The build is optimised, because the tests compare millions of pixels with float64 arithmetic. Most test
# targets themselves are not optimised; see Package.swift.
build_flags=(-c release -Xswiftc -enable-testing --disable-local-rpath --package-path "$root")
frost_flags=("${build_flags[@]}" --product frost "${trait_flags[@]}")
library_flags=("${build_flags[@]}" --product FrostC "${trait_flags[@]}")
images_flags=("${build_flags[@]}" --product FrostImagesC "${trait_flags[@]}")
motion_flags=("${build_flags[@]}" --product FrostMotionC "${trait_flags[@]}")
all_flags=("${build_flags[@]}" --product FrostAllC "${trait_flags[@]}")
test_flags=("${build_flags[@]}")
# Flags for Tools/test --quick: a debug build, which compiles only the files that an edit affects. Package.swift optimises
# the modules with heavy computation; see FROST_QUICK there.
quick_scratch=$root/.build/quick
quick_flags=(-c debug --package-path "$root" --scratch-path "$quick_scratch")
# The tests as a program that can be run directly, with --testing-library swift-testing and the options of swift test.
test_program=$root/.build/release/FrostPackageTests.xctest
# A library that answers DRM calls in place of the kernel if the kernel has no DRM device; see
# Tests/drm-shim/drm-shim.c.
drm_shim=$state/drm-shim.so
# A library that makes a program's calls for files fail, and records them; see Tests/faulty-files/faulty-files.c.
faulty_files=$state/faulty-files.so
# A library that lets the system refuse memory or threads; see Tests/fault-shim/fault-shim.c.
fault_shim=$state/fault-shim.so

# The files and folders that stamps depend on, besides the toolchain. Folders are included so that deleted files are noticed.
frost_inputs=("$root/Package.swift" "$root/Sources" "$root/Shaders" "$root/Tools/lib")
test_inputs=("${frost_inputs[@]}" "$root/Tests")

# --- Messages ----------------------------------------------------------------------------------------

note() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { note "$*"; exit 1; }

# Runs a command with its output in a log, and shows the end of the log if the command fails.
quietly() { # LOG COMMAND...
    local log=$state/$1.log status=0
    shift
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if ((status)); then
        # Compiler errors come first, because SwiftPM prints whole command lines after them.
        grep -E '(^|[^a-z])(error|fatal error):' "$log" | sort -u | head -n 40 >&2 || true
        printf -- '--- end of %s\n' "$log" >&2
        tail -n 40 "$log" >&2
    fi
    return "$status"
}

# --- Stamps ------------------------------------------------------------------------------------------

# Returns whether a stamp is fresh. A fresh stamp was made for this checkout and this toolchain, and no input has
# changed since. The function compares the inputs' change times (ctime), because unpacking an archive or copying may set
# modification times back.
is_fresh() { # STAMP INPUT...
    local stamp=$1 line='' newer
    shift
    [[ -r $stamp ]] || return 1
    read -r line <"$stamp" || true
    [[ $line == "$root $swift" ]] || return 1
    newer=$(find -H "$swift" "$@" -newercm "$stamp" -print -quit 2>&1) || return 1
    [[ -z $newer ]]
}

# Calls MAKE unless its stamp is fresh. If several callers run concurrently, one calls MAKE and the others wait. The stamp
# has the time at which MAKE started, so an edit during MAKE counts as a change.
ensure() { # NAME MAKE INPUT...
    local name=$1 make=$2 stamp=$state/$1.stamp
    shift 2
    if is_fresh "$stamp" "$@"; then return; fi
    mkdir -p "$state"
    (
        if ! flock --nonblock 9; then
            note "waiting for another run to finish its set-up"
            flock 9
        fi
        if is_fresh "$stamp" "$@"; then exit 0; fi
        printf '%s\n' "$root $swift" >"$stamp.new"
        "$make" 9>&-
        mv -f "$stamp.new" "$stamp"
    ) 9>"$state/$name.lock" >&2 </dev/null
}

# --- Toolchain ---------------------------------------------------------------------------------------

# Sets `swift` to the program that SWIFT names, either directly or by the folder of its toolchain. If SWIFT is not set,
# uses the swift in PATH. If PATH has none, uses the swift in /opt/swift.
find_swift() {
    local candidate
    swift=
    for candidate in "${SWIFT-}" "${SWIFT:+$SWIFT/usr/bin/swift}" "${SWIFT:+$SWIFT/bin/swift}"; do
        if [[ -n $candidate && -f $candidate && -x $candidate ]]; then swift=$candidate; return; fi
    done
    [[ -z ${SWIFT-} ]] || die "SWIFT=$SWIFT is neither a swift binary nor the folder of a toolchain"
    swift=$(type -P swift) || swift=/opt/swift/usr/bin/swift
    [[ -x $swift ]] || die "no Swift toolchain: put swift 6.3 in PATH or set SWIFT=…/usr/bin/swift" \
        "(https://www.swift.org/install/linux)"
}

# Sets `swift_licence` to the licence of the Swift runtime. Every program and library of Frost contains the runtime, so no
# product is made without the licence. FROST_SWIFT_LICENCE names it on a machine without a toolchain.
find_swift_licence() {
    local resources
    swift_licence=${FROST_SWIFT_LICENCE-}
    if [[ -z $swift_licence ]]; then
        find_swift
        resources=$("$swift" -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p') || true
        swift_licence=${resources%/lib/swift}/share/swift/LICENSE.txt
    fi
    [[ -s $swift_licence ]] && grep -q 'Runtime Library Exception' -- "$swift_licence" \
        || die "$swift_licence is not the licence of the Swift runtime, which the product contains; FROST_SWIFT_LICENCE" \
            "names it"
}

# Prints the names of the Debian packages of libraries, in the same order.
packages_of() { # LIBRARY...
    local line path candidate package
    local -A packages=()
    # One query for all libraries takes as long as a query for one.
    while read -r line; do packages[${line##*: }]=${line%%[:,]*}; done < <(dpkg-query -S '*/lib*.so.*')
    for path in "$@"; do
        package=''
        # dpkg knows a file by one of its names, with or without /usr.
        for candidate in "$path" "$(readlink -f -- "$path")"; do
            candidate=${candidate#/usr}
            package=${package:-${packages[$candidate]:-${packages[/usr$candidate]-}}}
        done
        printf '%s\n' "${package:-none}"
    done
}

# Writes the licences of third parties in a folder: that of the Swift runtime, those of the Debian packages of libraries, and
# the common licences to which they refer.
put_licences() { # FOLDER LIBRARY...
    local folder=$1 path packages i
    find_swift_licence
    mkdir -p -- "$folder"
    cp -L -- "$swift_licence" "$folder/swift"
    shift
    mapfile -t packages < <(packages_of "$@")
    for ((i = 1; i <= $#; i++)); do
        path=/usr/share/doc/${packages[i - 1]}/copyright
        [[ -s $path ]] || die "the licence of ${!i} is missing"
        cp -L -- "$path" "$folder/${packages[i - 1]}"
    done
    # Debian's files refer to the texts of common licences.
    for path in $(grep -Eoh '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' -- "$folder"/* | sort -u); do
        cp -L -- "$path" "$folder/${path##*/}" || die "the licence $path is missing"
    done
    chmod 644 -- "$folder"/*
}

# --- Packages ----------------------------------------------------------------------------------------

# Installs those packages that are missing.
install_packages() { # PACKAGE...
    local package installed missing=() as_root=()
    if ! type -P apt-get >/dev/null || ! type -P dpkg-query >/dev/null; then
        note "not a Debian system: skipping the check for the equivalents of $*"
        return
    fi
    # dpkg-query fails if a package is unknown; such a package counts as missing.
    installed=$(dpkg-query -W -f '|${Package} ${db:Status-Status}|' "$@" 2>/dev/null) || true
    for package in "$@"; do
        [[ $installed == *"|$package installed|"* ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    if ((EUID != 0)); then
        if ! type -P sudo >/dev/null || ! sudo -n true 2>/dev/null; then
            note "packages are missing and only root can install them; run this line, then the command again:"
            printf 'sudo apt-get install -y --no-install-recommends %s\n' "${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo -n)
    fi
    note "installing ${missing[*]}"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq)
    # If the update fails, the old package lists may still be good enough, so the installation is attempted.
    quietly apt-update "${apt[@]}" update || note "apt-get update failed; trying with the existing package lists"
    quietly apt-install "${apt[@]}" install -y --no-install-recommends "${missing[@]}" \
        || die "could not install ${missing[*]}"
}

# --- Products ----------------------------------------------------------------------------------------

# SwiftPM passes the traits to the compiler in the order of a Set. Without this variable the order differs between runs, and
# a different command line makes SwiftPM compile everything again.
swift_build() { SWIFT_DETERMINISTIC_HASHING=1 "$swift" build "$@"; }

# Installs what a build with the traits needs.
install_with_traits() {
    local trait more=()
    for trait in ${traits//,/ }; do more+=("${trait_packages[$trait]}"); done
    install_packages "${toolchain_packages[@]}" "${build_packages[@]}" "${runtime_packages[@]}" "${more[@]}"
}

# Copies what was built to a file with its own name, which a build with other flags in .build does not change.
keep_product() { # PRODUCT FILE
    cp "$root/.build/release/$1" "$2.new"
    mv -f "$2.new" "$2"
}

make_frost() {
    install_with_traits
    note "building frost (release); the first time takes minutes"
    quietly build-frost swift_build "${frost_flags[@]}" || die "frost does not build"
    keep_product frost "$frost_binary"
}

# The libraries share their modules with frost, so little remains to be built after frost.
make_library() {
    install_with_traits
    note "building libfrost.so, libfrost-images.so and libfrost-motion.so (release)"
    quietly build-library swift_build "${library_flags[@]}" || die "libfrost.so does not build"
    keep_product libFrostC.so "$frost_library"
    quietly build-images-library swift_build "${images_flags[@]}" || die "libfrost-images.so does not build"
    keep_product libFrostImagesC.so "$images_library"
    quietly build-motion-library swift_build "${motion_flags[@]}" || die "libfrost-motion.so does not build"
    keep_product libFrostMotionC.so "$motion_library"
    # The Python package contains all of them as one file.
    quietly build-all-library swift_build "${all_flags[@]}" || die "libfrost-all.so does not build"
    keep_product libFrostAllC.so "$all_library"
}

# Installs all packages that Tools/check needs, in a single step.
make_packages() {
    install_packages "${toolchain_packages[@]}" "${build_packages[@]}" "${runtime_packages[@]}" "${trait_packages[@]}" \
        "${check_packages[@]}"
}

make_test_packages() {
    install_packages "${toolchain_packages[@]}" "${build_packages[@]}" "${runtime_packages[@]}" "${trait_packages[@]}"
}

make_tests() {
    make_test_packages
    note "building the tests (release)"
    quietly build-tests swift_build --build-tests "${test_flags[@]}" || die "the tests do not build"
}

make_quick_tests() {
    make_test_packages
    note "building the tests (debug)"
    FROST_QUICK=1 quietly build-quick swift_build --build-tests "${quick_flags[@]}" || die "the tests do not build"
}

# Compiles a library for LD_PRELOAD with the toolchain's own clang, because a system that only builds Swift has no other C
# compiler.
make_preload() { # LIBRARY SOURCE OPTION...
    local library=$1 source=$2
    shift 2
    "$(dirname -- "$(readlink -f -- "$(command -v -- "$swift")")")/clang" -std=c2x -O2 -Wall -Wextra -Werror -shared -fPIC \
        "$@" -o "$library" "$source" || die "$source does not build"
}

make_drm_shim() {
    make_test_packages
    # shellcheck disable=SC2046 # each option must become a separate word
    make_preload "$drm_shim" "$root/Tests/drm-shim/drm-shim.c" $(pkg-config --cflags libdrm)
}

make_faulty_files() {
    make_preload "$faulty_files" "$root/Tests/faulty-files/faulty-files.c" "$root/Tests/faulty-files/journal.c"
}
make_fault_shim() { make_preload "$fault_shim" "$root/Tests/fault-shim/fault-shim.c" -fexceptions; }

make_venv() {
    install_packages "${check_packages[@]}"
    note "preparing Python for the acceptance checks"
    rm -rf "$venv"
    quietly venv python3 -m venv "$venv" || die "python3 -m venv failed"
    quietly pip "$venv/bin/python" -m pip install --disable-pip-version-check --quiet --no-compile -r "$requirements" \
        || die "could not install the acceptance checks' Python packages"
}

make_peers() {
    install_packages "${peer_packages[@]}"
    note "preparing Python for the comparison"
    rm -rf "$peers_venv"
    quietly venv-peers python3 -m venv "$peers_venv" || die "python3 -m venv failed"
    printf '*\n' >"$peers_venv/.gitignore"
    quietly pip-peers "$peers_venv/bin/python" -m pip install --disable-pip-version-check --quiet \
        -r "$peers_requirements" || die "could not install the peers' Python packages"
}

# Each of these functions builds what its name says, unless it was built before and is still up to date. In that case the
# function only runs `find`, which checks this.
ensure_frost() {
    local trait
    for trait in ${traits//,/ }; do
        [[ -n ${trait_packages[$trait]-} ]] || die "FROST_TRAITS=$traits: unknown trait $trait (allowed: $all_traits)"
    done
    [[ -x $frost_binary ]] || rm -f "$frost_binary.stamp"
    ensure "${frost_binary##*/}" make_frost "${frost_inputs[@]}"
}
ensure_library() {
    [[ -e $frost_library && -e $images_library && -e $motion_library && -e $all_library ]] || rm -f "$state/library.stamp"
    ensure library make_library "${frost_inputs[@]}"
}
ensure_packages() { ensure packages make_packages "$root/Tools/lib"; }
ensure_tests() { ensure tests make_tests "${test_inputs[@]}"; }
ensure_quick_tests() { ensure quick make_quick_tests "${test_inputs[@]}"; }
ensure_drm_shim() { ensure drm-shim make_drm_shim "$root/Tests/drm-shim" "$root/Tools/lib"; }
ensure_faulty_files() { ensure faulty-files make_faulty_files "$root/Tests/faulty-files" "$root/Tools/lib"; }
ensure_fault_shim() {
    [[ -e $fault_shim ]] || rm -f "$state/fault-shim.stamp"
    ensure fault-shim make_fault_shim "$root/Tests/fault-shim" "$root/Tools/lib"
}
ensure_venv() { ensure venv make_venv "$requirements"; }

ensure_peers() {
    [[ -x $peers_venv/bin/python ]] || rm -f "$state/peers.stamp"
    ensure peers make_peers "$peers_requirements"
}

# --- Environment of the tests ------------------------------------------------------------------------

# Tests that need a GPU are skipped without EGL. If EGL is installed they must run, if necessary on Mesa's software renderer.
test_environment() { # FROST
    if [[ -z ${FROST_REQUIRE_GPU-} ]] && PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q 'libEGL\.so\.1'; then
        export FROST_REQUIRE_GPU=1
    fi
    export MESA_SHADER_CACHE_DIR=${MESA_SHADER_CACHE_DIR:-$root/.build/mesa-cache}
    mkdir -p "$MESA_SHADER_CACHE_DIR"
    # Mesa's software driver starts a thread per processor for each context. The tests already run in parallel, so one thread
    # each is faster: 28 s in place of 41 s for the GPU's tests on two processors.
    export LP_NUM_THREADS=${LP_NUM_THREADS:-1}
    # A test draws a program only a few times, so compiling takes most of the time of Mesa's software driver. Without optimisation
    # it takes less, and the results are the same.
    if [[ -z ${FROST_EVERY_CASE-} ]]; then export GALLIVM_PERF=${GALLIVM_PERF-nopt}; fi
    # A measurement would choose between the kinds of shaders. Tools/check runs the tests of the GPU with both.
    export FROST_GPU_SHADERS=${FROST_GPU_SHADERS:-fragment}
    # Tests do not use the user's program cache. Tests of the cache use their own folder.
    export FROST_PROGRAM_CACHE=off
    ensure_faulty_files
    export FROST_FAULTY_FILES=$faulty_files
    # The program that the command-line tests run, and the library that makes the system refuse memory or threads.
    export FROST_BINARY=$1
    ensure_fault_shim
    export FROST_FAULT_SHIM=$fault_shim
}
