// Names the Debian packages if a header is missing. Each file that includes one of these headers includes this file first.
// The list is also in Tools/lib/setup.sh; Tests/acceptance/library.py compares both.
#pragma once
#if !__has_include(<jpeglib.h>) || !__has_include(<lcms2.h>) || !__has_include(<png.h>) || !__has_include(<webp/mux.h>) \
    || !__has_include(<zimg.h>) || !__has_include(<zlib.h>)
#error "FrostImages needs headers: apt-get install libjpeg62-turbo-dev liblcms2-dev libpng-dev libwebp-dev libzimg-dev zlib1g-dev"
#endif
