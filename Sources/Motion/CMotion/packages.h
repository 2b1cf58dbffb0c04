// Names the Debian packages if a header is missing. Each file that includes one of these headers includes this file first.
// The list is also in Tools/lib/setup.sh; Tests/acceptance/library.py compares both.
#pragma once
#if !__has_include(<jansson.h>) || (defined(__cplusplus) && !__has_include(<box2d/box2d.h>))
#error "FrostMotion needs headers: apt-get install libbox2d-dev libjansson-dev"
#endif
