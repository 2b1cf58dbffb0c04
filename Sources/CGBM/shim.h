// GBM's types and constants only: libgbm is opened at run time.
#pragma once
#include <gbm.h>

// gbm.h declares functions, not pointer types; these follow the declarations, so a changed signature is noticed.
typedef __typeof__(&gbm_create_device) FrostGBMCreateDevice;
typedef __typeof__(&gbm_device_destroy) FrostGBMDestroyDevice;
