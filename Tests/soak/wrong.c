// Calls with wrong arguments. Each must return an error, and change nothing.
#include "soak.h"

#include <math.h>
#include <string.h>

static void expect(job *job, const char *what, frost_status wanted, frost_status status) {
    if (status != wanted) fail(job, "%s: %s instead of %s", what, frost_status_name(status), frost_status_name(wanted));
    else if (frost_error_message()[0] == 0) fail(job, "%s: no message", what);
}

// Renders with one argument that is wrong.
static void render_wrongly(job *job, const frost_effect *effect) {
    generator *random = &job->random;
    worker *worker = job->worker;
    frost_source source = random_source(job);
    frost_target target = FROST_TARGET_INIT;
    frost_render_options options = FROST_RENDER_OPTIONS_INIT;
    frost_report report = FROST_REPORT_INIT;
    const frost_rect whole = {0, 0, source.width, source.height};
    const frost_effect *used = effect;
    options.region = &whole;
    if (frost_effect_describe_target(effect, &source, &whole, &target) != FROST_OK) fail(job, "%s", frost_error_message());
    const size_t row = target.bytes_per_row;
    place_target(random, &target, worker->target);
    const size_t written = target.byte_count + 128;
    frost_status wanted = FROST_ERROR_ARGUMENT;
    frost_rect wrong = whole;
    // A row of one byte cannot be shorter: 0 has another meaning.
    const int32_t kind = between(random, row > 1 ? 0 : 8, 13);
    switch (kind) {
        case 0: source.struct_size = (size_t)between(random, 0, (int32_t)sizeof source - 1); break;
        case 1: target.struct_size = SIZE_MAX - (size_t)between(random, 0, 100); break;
        case 2: source.pixels = NULL; break;
        case 3: target.pixels = NULL; break;
        case 4: source.byte_count -= (size_t)between(random, 1, (int32_t)(source.byte_count < 64 ? source.byte_count : 64)); break;
        case 5: source.channels = between(random, 5, 1000); break;
        case 6: source.sample = -between(random, 1, 1000); break;
        case 7: target.bytes_per_row = row - 1; break;
        case 8: used = NULL; break;
        case 9: report.struct_size = 8; break;
        case 10: options.error_budget = one_in(random, 2) ? NAN : -unit(random) - 0.1; break;
        case 11: source.width = -source.width; break;
        case 12:
            wrong.width = -between(random, 1, 100);
            options.region = &wrong;
            break;
        default: target.width += between(random, 1, 9); break;
    }
    if (kind == 10 || kind == 12) wanted = FROST_ERROR_PARAMETER;
    if (kind == 11) wanted = FROST_ERROR_PIXELS;
    start_clock(job);
    const frost_status status = frost_render(common.cpu[0], used, &source, &target, &options, &report);
    stop_clock(job);
    // A wrong size can be found as a size, or as a row that is too short.
    if (kind == 7 || kind == 13 || kind == 4) {
        if (status != FROST_ERROR_PIXELS && status != FROST_ERROR_ARGUMENT) fail(job, "case %d: %d", kind, status);
    } else {
        if (status != wanted) fail(job, "case %d: %s instead of %s", kind, frost_status_name(status), frost_status_name(wanted));
    }
    for (size_t i = 0; i < written; i++) {
        if (worker->target[i] == UNTOUCHED) continue;
        fail(job, "case %d wrote pixels", kind);
        break;
    }
}

void call_wrongly(job *job) {
    generator *random = &job->random;
    frost_effect *effect = NULL, *none = NULL;
    frost_backdrop *backdrop = NULL;
    frost_panel panel = FROST_PANEL_INIT;
    start_clock(job);
    if (frost_effect_create_gaussian(2, 2, FROST_EDGE_MIRROR, NULL, &effect) != FROST_OK) {
        fail(job, "%s", frost_error_message());
        return;
    }
    switch (between(random, 0, 7)) {
        case 0: expect(job, "an unknown effect", FROST_ERROR_PARAMETER, frost_effect_create("lihgt", "", NULL, &none)); break;
        case 1: expect(job, "an unknown parameter", FROST_ERROR_PARAMETER, frost_effect_create("light", "a=1", NULL, &none)); break;
        case 2:
            expect(job, "a sigma", FROST_ERROR_PARAMETER, frost_effect_create_gaussian(-1, 1e9, FROST_EDGE_CLAMP, NULL, &none));
            break;
        case 3:
            if (frost_backdrop_create(NULL, &backdrop) != FROST_OK) fail(job, "%s", frost_error_message());
            panel.effect = NULL;
            expect(job, "a panel", FROST_ERROR_ARGUMENT, frost_backdrop_set_panels(backdrop, &panel, 1));
            frost_backdrop_destroy(backdrop);
            break;
        case 4: expect(job, "no queue", FROST_ERROR_ARGUMENT, frost_queue_wait(NULL)); break;
        default: render_wrongly(job, effect); break;
    }
    stop_clock(job);
    if (none != NULL) fail(job, "an effect was created");
    frost_effect_destroy(effect);
}
