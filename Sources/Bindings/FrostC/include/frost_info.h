/*
 * frost_info.h - what a program can ask of Frost: its version, a log, the devices, the list of effects, and
 * whether two effects are equal.
 *
 * A program calls frost_set_log() first, if it wants messages, because the choice of a GPU
 * is logged once. It may then list the effects with their parameters (frost_effect_describe()), for example for a menu,
 * or the GPUs (frost_device_list_create()), which takes about 50 ms for each.
 *
 * Strings of effects and parameters live as long as the library. The caller destroys a device list. All functions may
 * be called on any thread. Frost calls the log's function on any thread, but never on two at the same time.
 */
#ifndef FROST_INFO_H
#define FROST_INFO_H

#include "frost_effect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Effects as keys --------------------------------------------------------------------------------------------- */

/*
 * Returns 1 if two effects are equal, otherwise 0. Effects are equal if they were created with the same name,
 * parameters, options, rectangles and content; different pixels of a content make effects different. Also returns 0 if
 * an argument is NULL.
 */
int32_t frost_effect_equal(const frost_effect *first, const frost_effect *second);

/*
 * Returns a number that is the same for equal effects, for use in hash tables; 0 if effect is NULL. The number differs
 * between runs of a program, so do not store it.
 */
uint64_t frost_effect_hash(const frost_effect *effect);

/* ---- Version ----------------------------------------------------------------------------------------------------- */

/* The version of this header: as "major.minor.patch", and its parts as numbers that the preprocessor can compare.
 * frost_version() returns the version of the library. */
#define FROST_VERSION "0.1.0"
#define FROST_VERSION_MAJOR 0
#define FROST_VERSION_MINOR 1
#define FROST_VERSION_PATCH 0

/* Returns the version of the library, such as "0.1.0". The string lives as long as the library. */
const char *frost_version(void);

/* ---- The log ----------------------------------------------------------------------------------------------------- */

/* The importance of a log message. */
enum {
    /* Work failed, or the GL driver reports a serious error. */
    FROST_LOG_ERROR = 0,
    /* Frost continues in another way than requested: the CPU replaces a GPU, a GPU is opened again, or a stored GL
     * program cannot be used. */
    FROST_LOG_WARNING = 1,
    /* What Frost has found and chosen once, such as the GPU that it opened. */
    FROST_LOG_INFO = 2,
    /* What Frost does for single images and programs, with the reason for each choice of a backend; and all notes of
     * the GL driver. */
    FROST_LOG_DEBUG = 3
};

/*
 * A function that receives the messages of the log. level is a FROST_LOG_... constant. message is English text for
 * people, whose wording may change with every version; it is valid only during the call.
 * Thread-safety: Frost calls the function from any thread, including threads of GL drivers, but never from two threads
 * at the same time. The thread that calls it waits for it; while it runs, messages of other threads are kept, and passed
 * to it afterwards. The function may call functions of Frost; what these calls would log on its own thread is dropped.
 */
typedef void (*frost_log_callback)(void *user_data, int32_t level, const char *message);

/*
 * Sets the function that receives the messages of all Frost calls in the process, up to a level: FROST_LOG_ERROR for
 * the most important ones only, FROST_LOG_DEBUG for all. NULL switches the log off, which is the default. When the call
 * returns, the earlier function is not running and will not be called again.
 *
 * Messages tell which backend was chosen and why, when the CPU replaces a GPU and why, what the GL driver reports
 * (KHR_debug, only in contexts that Frost creates, and not in those of frost_gl_create()), and which stored GL programs
 * could not be used. Frost writes nothing to standard output or standard error.
 *
 * Returns FROST_ERROR_ARGUMENT if level is unknown, or if the call comes from the log callback; nothing has changed
 * then.
 */
frost_status frost_set_log(frost_log_callback callback, int32_t level, void *user_data);

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

/*
 * A list of all EGL devices and platforms that Frost tried to open, with the result for each. `frost devices` prints
 * the same list.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_device_list frost_device_list;

enum {
    /* Frost can create an OpenGL ES context on the device. */
    FROST_DEVICE_USABLE = 0,
    /* Frost cannot use the device; frost_device_info.reason explains why. */
    FROST_DEVICE_UNUSABLE = 1,
    /* The entry is the same device as an earlier entry of the list. */
    FROST_DEVICE_DUPLICATE = 2
};

/* Describes one entry of a frost_device_list. Text fields that are not known are "". */
typedef struct frost_device_info {
    size_t struct_size;
    /* FROST_DEVICE_USABLE, FROST_DEVICE_UNUSABLE or FROST_DEVICE_DUPLICATE. */
    int32_t status;
    /* The device's position in the list, from 0. frost_renderer_options.device accepts the position as a decimal
     * number. */
    int32_t index;
    /* The index of the earlier entry for the same device, if status is FROST_DEVICE_DUPLICATE. */
    int32_t duplicate_of;
    /* 1 if the device is usable and its GL driver runs on the CPU (software rendering), otherwise 0. */
    int32_t is_software;
    /* 1 if FROST_BACKEND_AUTO uses this device for images that it blurs faster than the CPU, otherwise 0. */
    int32_t is_automatic;
    int32_t reserved;
    /* A stable name of the device. For an entry that is not usable or a duplicate, this is the name of the device or
     * platform that Frost tried to open. */
    char id[128];
    /* The EGL platform that Frost opened the device with: "device", "gbm" or "surfaceless". */
    char platform[32];
    /* The path of the DRM render node, such as "/dev/dri/renderD128", and the PCI address. */
    char render_node[64], pci_path[64];
    /* The GL strings of the driver: GL_VENDOR, GL_RENDERER and GL_VERSION. */
    char vendor[128], renderer[256], version[128];
    /* The reason why the device is not usable, if status is FROST_DEVICE_UNUSABLE. */
    char reason[256];
} frost_device_info;

#define FROST_DEVICE_INFO_INIT \
    { sizeof(frost_device_info), 0, 0, 0, 0, 0, 0, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } }

/*
 * Creates a list of all devices. Frost creates a GL context on each device, which takes about 50 ms per device. Returns
 * FROST_ERROR_NO_DEVICE if EGL is not available.
 */
frost_status frost_device_list_create(frost_device_list **list);

/* Returns the number of entries of a device list, or 0 if list is NULL. */
size_t frost_device_list_count(const frost_device_list *list);
/*
 * Fills in info for the list's entry at index, counted from 0. Returns FROST_ERROR_ARGUMENT if index is out of range.
 */
frost_status frost_device_list_describe(const frost_device_list *list, size_t index, frost_device_info *info);
/* Destroys a device list. */
void frost_device_list_destroy(frost_device_list *list);

/* ---- The list of effects ----------------------------------------------------------------------------------------- */

/* Describes an effect that frost_effect_create() accepts. The strings live as long as the library. */
typedef struct frost_effect_info {
    size_t struct_size;
    const char *name;
    /* The API that the effect is modelled on, such as "UIBlurEffect". */
    const char *family;
    /* A one-line description of the effect. */
    const char *summary;
    /* The number of parameters; frost_effect_describe_parameter() describes each. */
    size_t parameter_count;
} frost_effect_info;

#define FROST_EFFECT_INFO_INIT { sizeof(frost_effect_info), NULL, NULL, NULL, 0 }

enum {
    FROST_PARAMETER_NUMBER = 0, FROST_PARAMETER_COLOR = 1, FROST_PARAMETER_CHOICE = 2,
    /* The stops of a gradient, such as "0:0,0.4:1": positions and values. */
    FROST_PARAMETER_STOPS = 3
};

/* Describes one parameter of an effect or of a transition. The strings live as long as the library. */
typedef struct frost_parameter_info {
    size_t struct_size;
    const char *name;
    /* A one-line description of the parameter. */
    const char *help;
    /* The default value, in the form that frost_effect_create() and frost_transition_create() accept. */
    const char *default_value;
    /* The unit of a number, such as "points", "pixels", "fraction" or "degrees"; "" for a number without a unit. "" for
     * other kinds. */
    const char *unit;
    /* The accepted words of a choice, separated by spaces. "" for other kinds. */
    const char *choices;
    /* The range of a number. 0 for other kinds. */
    double minimum, maximum;
    int32_t kind;
    int32_t reserved;
} frost_parameter_info;

#define FROST_PARAMETER_INFO_INIT { sizeof(frost_parameter_info), NULL, NULL, NULL, NULL, NULL, 0.0, 0.0, 0, 0 }

/* Returns the number of effects that frost_effect_create() accepts. */
size_t frost_effect_count(void);
/* Fills in info for an effect, counted from 0. Returns FROST_ERROR_ARGUMENT if the index is out of range. */
frost_status frost_effect_describe(size_t effect, frost_effect_info *info);
/* Fills in info for a parameter of an effect; both are counted from 0. Returns FROST_ERROR_ARGUMENT if an index is out
 * of range. */
frost_status frost_effect_describe_parameter(size_t effect, size_t parameter, frost_parameter_info *info);

#ifdef __cplusplus
}
#endif

#endif
