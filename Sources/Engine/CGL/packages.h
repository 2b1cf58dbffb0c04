// Names the Debian packages if a header is missing. Each file that includes one of these headers includes this file first.
// The list is also in Tools/lib/setup.sh; Tests/acceptance/library.py compares both.
#pragma once
#if !__has_include(<EGL/egl.h>) || !__has_include(<GLES3/gl32.h>) || !__has_include(<gbm.h>) \
    || !__has_include(<libdrm/drm.h>)
#error "Frost needs headers of EGL, OpenGL ES, GBM and DRM: apt-get install libdrm-dev libegl-dev libgbm-dev libgles-dev"
#endif
