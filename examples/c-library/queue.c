// Renders images in the background, waits for one and cancels the others.
#include <frost.h>
#include <stdio.h>
#include <stdlib.h>

enum { IMAGES = 4, BYTES = 256 * 256 * 4 };

static void check(frost_status status) {
    if (status == FROST_OK) return;
    fprintf(stderr, "%s: %s\n", frost_status_name(status), frost_error_message());
    exit(1);
}

/* Runs on a thread of the queue. */
static void done(void *user_data, frost_status status, const frost_report *report) {
    printf("image %d: %s%s\n", *(int *)user_data, frost_status_name(status), report ? "" : ", without a report");
}

int main(void) {
    frost_renderer *renderer = NULL;
    frost_queue *queue = NULL;
    frost_effect *effect = NULL;
    frost_ticket *tickets[IMAGES];
    frost_queue_options options = FROST_QUEUE_OPTIONS_INIT;
    frost_source source = FROST_SOURCE_INIT;
    frost_target targets[IMAGES];
    int numbers[IMAGES], i;

    options.depth = IMAGES;
    source.width = source.height = 256;
    source.byte_count = BYTES;
    source.pixels = calloc(1, BYTES);
    check(frost_renderer_create(NULL, &renderer));
    check(frost_queue_create(renderer, &options, &queue));
    check(frost_effect_create("light", NULL, NULL, &effect));
    for (i = 0; i < IMAGES; i++) {
        frost_target target = FROST_TARGET_INIT;
        check(frost_effect_describe_target(effect, &source, NULL, &target));
        target.pixels = malloc(target.byte_count);
        targets[i] = target;
        numbers[i] = i;
        /* The status would be FROST_BUSY if the queue were full. */
        check(frost_queue_submit(queue, effect, &source, &targets[i], NULL, done, &numbers[i], &tickets[i]));
    }
    printf("%d images are not finished\n", (int)frost_queue_count(queue));

    /* Waits for the first image, and cancels the second if it is not done. The others are no longer needed either. */
    check(frost_ticket_wait(tickets[0], -1, NULL));
    if (frost_ticket_poll(tickets[1], NULL) == FROST_NOT_READY) frost_ticket_cancel(tickets[1]);
    frost_queue_cancel_all(queue);
    check(frost_queue_wait(queue));
    printf("all images are done\n");

    for (i = 0; i < IMAGES; i++) {
        frost_ticket_destroy(tickets[i]);
        free(targets[i].pixels);
    }
    frost_queue_destroy(queue);
    frost_effect_destroy(effect);
    frost_renderer_destroy(renderer);
    free((void *)source.pixels);
    return 0;
}
