# The command in a small image: pictures in, pictures out, as an unprivileged user.
#
#   Tools/package-deb                                             # first makes out/frost_*.deb
#   docker build -t frost:0.1.0 .
#   docker run --rm -v "$PWD:/pictures" --user "$(id -u)" frost:0.1.0 blur photo.png -o soft.png --sigma 8
#
# For a GPU, add Mesa's drivers and the device:
#   docker build -t frost --build-arg GPU_PACKAGES="libegl1 libegl-mesa0 libgbm1 libgles2 libgl1-mesa-dri" .
#   docker run --rm --device /dev/dri --group-add render ...
FROM debian:12-slim

# The libraries of TIFF, AVIF and JPEG XL, of effect sheets, of scenes, and of the server.
ARG FORMAT_PACKAGES="libtiff6 libavif15 libjxl0.7 libjansson4 libmicrohttpd12"
ARG GPU_PACKAGES=""

COPY out/frost_*.deb /tmp/
RUN apt-get update \
    && apt-get install -y --no-install-recommends /tmp/frost_*.deb $FORMAT_PACKAGES $GPU_PACKAGES \
    && rm -rf /var/lib/apt/lists/* /tmp/frost_*.deb \
    && useradd --create-home --uid 1000 frost

USER frost
WORKDIR /pictures
ENTRYPOINT ["frost"]
CMD ["--help"]
