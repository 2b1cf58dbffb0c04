// Random pictures, effects and transitions.
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t pixel_bytes(int32_t channels, int32_t sample) {
    static const size_t counts[] = {4, 4, 3, 1, 2}, sizes[] = {1, 2, 4, 2};
    return counts[channels] * sizes[sample];
}

// Returns a size of at most 9216 pixels: in one of eight cases a very thin one.
static void random_size(generator *random, int32_t *width, int32_t *height) {
    if (one_in(random, 8)) {
        const int32_t thin = between(random, 1, 3), long_side = between(random, 1, 2000);
        const bool is_wide = one_in(random, 2);
        *width = is_wide ? long_side : thin;
        *height = is_wide ? thin : long_side;
    } else {
        *width = between(random, 1, 96);
        *height = between(random, 1, 96);
    }
}

frost_source random_source(job *job) {
    generator *random = &job->random;
    frost_source source = FROST_SOURCE_INIT;
    random_size(random, &source.width, &source.height);
    source.alpha = between(random, FROST_ALPHA_STRAIGHT, FROST_ALPHA_PREMULTIPLIED);
    if (!job->is_familiar) {
        source.channels = between(random, FROST_CHANNELS_RGBA, FROST_CHANNELS_GREY_ALPHA);
        if (one_in(random, 2)) source.sample = between(random, FROST_SAMPLE_U8, FROST_SAMPLE_F16);
    }
    const size_t pixel = pixel_bytes(source.channels, source.sample);
    source.bytes_per_row = ((size_t)source.width + (size_t)between(random, 0, 3)) * pixel;
    source.byte_count = ((size_t)source.height - 1) * source.bytes_per_row + (size_t)source.width * pixel;
    const uint8_t *pixels[] = {common.bytes, common.bytes, common.floats, common.halves};
    // The offset selects other pixels of the noise. It is a multiple of every size of a sample.
    source.pixels = pixels[source.sample] + 16 * (size_t)between(random, 0, CAPACITY / 32);
    note(job, "%dx%d, channels %d, sample %d, alpha %d, rows of %zu bytes", source.width, source.height, source.channels,
        source.sample, source.alpha, source.bytes_per_row);
    return source;
}

void place_target(generator *random, frost_target *target, uint8_t *memory) {
    const size_t pixel = pixel_bytes(target->channels, target->sample);
    target->bytes_per_row = ((size_t)target->width + (size_t)between(random, 0, 3)) * pixel;
    target->byte_count = ((size_t)target->height - 1) * target->bytes_per_row + (size_t)target->width * pixel;
    target->pixels = memory + 64;
    if (target->byte_count + 128 > CAPACITY) {
        fprintf(stderr, "a target of %zu bytes is too large\n", target->byte_count);
        abort();
    }
    memset(memory, UNTOUCHED, target->byte_count + 128);
}

static bool is_untouched(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != UNTOUCHED) return false;
    }
    return true;
}

bool is_contained(const frost_target *target, const uint8_t *memory) {
    const uint8_t *pixels = target->pixels;
    const size_t row = (size_t)target->width * pixel_bytes(target->channels, target->sample);
    if (!is_untouched(memory, 64) || !is_untouched(pixels + target->byte_count, 64)) return false;
    for (int32_t y = 0; y + 1 < target->height; y++) {
        if (!is_untouched(pixels + (size_t)y * target->bytes_per_row + row, target->bytes_per_row - row)) return false;
    }
    return true;
}

bool is_same(const frost_target *first, const frost_target *second) {
    const uint8_t *a = first->pixels, *b = second->pixels;
    const size_t row = (size_t)first->width * pixel_bytes(first->channels, first->sample);
    for (size_t y = 0; y < (size_t)first->height; y++) {
        if (memcmp(a + y * first->bytes_per_row, b + y * second->bytes_per_row, row) != 0) return false;
    }
    return true;
}

frost_rect random_part(generator *random, int32_t width, int32_t height) {
    frost_rect rect;
    rect.x = between(random, 0, width - 1);
    rect.y = between(random, 0, height - 1);
    rect.width = between(random, 1, width - rect.x);
    rect.height = between(random, 1, height - rect.y);
    return rect;
}

// Appends a random value of a parameter to a text.
static void append(generator *random, char *text, size_t size, const frost_parameter_info *parameter) {
    const size_t length = strlen(text);
    char *end = text + length;
    switch (parameter->kind) {
        case FROST_PARAMETER_NUMBER: {
            // Lengths beyond 40 pixels only take longer in pictures of this size. A third power makes small ones frequent.
            const bool is_length = strcmp(parameter->unit, "points") == 0 || strcmp(parameter->unit, "pixels") == 0;
            const double most = is_length && parameter->maximum > 40 ? 40 : parameter->maximum;
            const double least = parameter->minimum, part = unit(random);
            double value = least + (most - least) * (is_length ? part * part * part : part);
            // Scales and seeds are whole numbers or small ones.
            if (strcmp(parameter->name, "scale") == 0) value = between(random, 1, 2);
            if (strcmp(parameter->name, "seed") == 0) value = between(random, 1, 1000);
            snprintf(end, size - length, "%s=%.6g ", parameter->name, value);
            break;
        }
        case FROST_PARAMETER_CHOICE: {
            int words = 1;
            for (const char *c = parameter->choices; *c; c++) words += *c == ' ';
            const char *word = parameter->choices;
            for (int skip = between(random, 0, words - 1); skip > 0; skip--) word = strchr(word, ' ') + 1;
            snprintf(end, size - length, "%s=%.*s ", parameter->name, (int)strcspn(word, " "), word);
            break;
        }
        default:
            snprintf(end, size - length, "%s=%s ", parameter->name, parameter->default_value);
            break;
    }
}

static frost_effect *effect_of_catalogue(job *job, frost_mask **mask) {
    generator *random = &job->random;
    frost_effect_options options = FROST_EFFECT_OPTIONS_INIT;
    frost_effect_info info = FROST_EFFECT_INFO_INIT;
    frost_effect *effect = NULL;
    options.dither = between(random, FROST_DITHER_DEFAULT, FROST_DITHER_ON);
    options.light = one_in(random, 8) ? FROST_LIGHT_LINEAR : FROST_LIGHT_ENCODED;
    const size_t index = next(random) % frost_effect_count();
    if (frost_effect_describe(index, &info) != FROST_OK) fail(job, "effect %zu: %s", index, frost_error_message());
    char parameters[512] = "";
    // A redaction needs a seed. Otherwise its secret differs from rendering to rendering.
    const bool all = one_in(random, 2);
    for (size_t i = 0; i < info.parameter_count; i++) {
        frost_parameter_info parameter = FROST_PARAMETER_INFO_INIT;
        if (frost_effect_describe_parameter(index, i, &parameter) != FROST_OK) fail(job, "%s", frost_error_message());
        if (all || strcmp(parameter.name, "seed") == 0) append(random, parameters, sizeof parameters, &parameter);
    }
    note(job, "%s %s, dither %d, light %d", info.name, parameters, options.dither, options.light);
    frost_status status = frost_effect_create(info.name, parameters, &options, &effect);
    // Some combinations of values are errors, and some effects have no linear light.
    if (status == FROST_ERROR_PARAMETER) status = frost_effect_create(info.name, "", NULL, &effect);
    if (status != FROST_OK) fail(job, "%s %s: %s", info.name, parameters, frost_error_message());
    if (strstr(info.name, "variable") != NULL) {
        const frost_source picture = random_source(job);
        if (frost_mask_create(&picture, mask) != FROST_OK) fail(job, "mask: %s", frost_error_message());
    }
    return effect;
}

static frost_effect *replaced(job *job, frost_effect *effect, frost_effect *by, frost_status status) {
    if (status != FROST_OK) {
        fail(job, "%s", frost_error_message());
        return effect;
    }
    frost_effect_destroy(effect);
    return by;
}

// Returns any effect.
static frost_effect *create_effect(job *job, frost_mask **mask) {
    generator *random = &job->random;
    frost_effect *effect = NULL, *other = NULL;
    if (one_in(random, 3)) {
        const double sigma = 60 * unit(random) * unit(random) * unit(random);
        const double other_sigma = one_in(random, 4) ? 60 * unit(random) * unit(random) : sigma;
        const int32_t edge = between(random, FROST_EDGE_CLAMP, FROST_EDGE_CLEAR);
        note(job, "sigma %g, %g, edge %d", sigma, other_sigma, edge);
        if (frost_effect_create_gaussian(sigma, other_sigma, edge, NULL, &effect) != FROST_OK) {
            fail(job, "sigma %g: %s", sigma, frost_error_message());
        }
    } else {
        effect = effect_of_catalogue(job, mask);
    }
    if (effect != NULL && one_in(random, 6)) {
        frost_rounded_rect rects[3];
        const int32_t count = between(random, 1, 3);
        for (int32_t i = 0; i < count; i++) {
            rects[i] = (frost_rounded_rect){96 * unit(random), 96 * unit(random), 1 + 60 * unit(random), 1 + 60 * unit(random), 0};
            const double side = rects[i].width < rects[i].height ? rects[i].width : rects[i].height;
            rects[i].radius = unit(random) * side / 2;
            note(job, "clip %g,%g %gx%g radius %g", rects[i].x, rects[i].y, rects[i].width, rects[i].height, rects[i].radius);
        }
        const frost_status status = frost_effect_clip(effect, rects, (size_t)count, &other);
        effect = replaced(job, effect, other, status);
    }
    if (effect != NULL && one_in(random, 10)) {
        const frost_source picture = random_source(job);
        frost_content content = FROST_CONTENT_INIT;
        content.picture = &picture;
        content.mode = one_in(random, 2) ? "aspect-fit" : NULL;
        const frost_status status = frost_effect_add_content(effect, &content, &other);
        effect = replaced(job, effect, other, status);
    }
    return effect;
}

frost_effect *random_effect(job *job, frost_mask **mask) {
    if (!job->is_familiar) return create_effect(job, mask);
    const generator kept = job->random;
    job->random.state = (uint64_t)between(&job->random, 1, FAMILIAR) * 0x2545F4914F6CDD1Du;
    frost_effect *effect = create_effect(job, mask);
    job->random = kept;
    next(&job->random);
    return effect;
}

frost_transition *random_transition(job *job, uint32_t *extra_images) {
    generator *random = &job->random;
    frost_transition_options options = FROST_TRANSITION_OPTIONS_INIT;
    frost_transition_info info = FROST_TRANSITION_INFO_INIT;
    frost_transition *transition = NULL;
    options.light = one_in(random, 4) ? FROST_LIGHT_LINEAR : FROST_LIGHT_ENCODED;
    const size_t index = next(random) % frost_transition_count();
    if (frost_transition_describe(index, &info) != FROST_OK) fail(job, "%s", frost_error_message());
    char parameters[512] = "";
    if (one_in(random, 2)) {
        for (size_t i = 0; i < info.parameter_count; i++) {
            frost_parameter_info parameter = FROST_PARAMETER_INFO_INIT;
            if (frost_transition_describe_parameter(index, i, &parameter) != FROST_OK) fail(job, "%s", frost_error_message());
            append(random, parameters, sizeof parameters, &parameter);
        }
    }
    note(job, "%s %s, light %d", info.name, parameters, options.light);
    frost_status status = frost_transition_create(info.name, parameters, &options, &transition);
    if (status == FROST_ERROR_PARAMETER) status = frost_transition_create(info.name, "", &options, &transition);
    if (status != FROST_OK) fail(job, "%s %s: %s", info.name, parameters, frost_error_message());
    *extra_images = info.extra_images;
    return transition;
}
