#pragma once
#include "packages.h"

#include <zlib.h>
