// Forks while threads render on the CPU. Every child renders, too, and compares its pixels with those of the parent.
// Forks also while threads make the first calls of a process, when the runtime and the codecs prepare what they need.
//
//   forks [FORKS]
//
// A child that hangs is ended by an alarm. With a GPU, children also use the parent's GPU, which is an error at once.
#define _DEFAULT_SOURCE
#include "check.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 150, HEIGHT = 110, THREADS = 3, EFFECTS = 5, DEADLINE = 60 };
static const size_t bytes = (size_t)WIDTH * HEIGHT * 4;

static const char *const effects[EFFECTS][2] = {
    {"gaussian", "sigma=2"}, {"gaussian", "sigma=30"}, {"light", ""}, {"disc", "radius=5"}, {"zoom", ""}};
static frost_effect *made[EFFECTS];
static uint8_t *from, *expected[EFFECTS];
static frost_renderer *shared;
static atomic_bool is_over;

static frost_status render(frost_renderer *renderer, int effect, uint8_t *to, frost_report *report) {
    const frost_source source = source_of(from, WIDTH, HEIGHT);
    const frost_target target = target_of(to, WIDTH, HEIGHT);
    return frost_render(renderer, made[effect], &source, &target, NULL, report);
}

static void check_all(frost_renderer *renderer, uint8_t *to) {
    for (int i = 0; i < EFFECTS; i++) {
        memset(to, 0, bytes);
        EXPECT(FROST_OK, "", render(renderer, i, to, NULL));
        CHECK(memcmp(to, expected[i], bytes) == 0);
    }
}

static void *work(void *user_data) {
    (void)user_data;
    uint8_t *to = noise(bytes, 3);
    while (!atomic_load(&is_over)) {
        check_all(shared, to);
        // A sigma that no other call uses makes a plan of its own.
        char parameters[32];
        snprintf(parameters, sizeof parameters, "sigma=%.4f", 1 + rand() % 100000 * 1e-4);
        frost_effect *effect = NULL;
        EXPECT(FROST_OK, "", frost_effect_create("gaussian", parameters, NULL, &effect));
        const frost_source source = source_of(from, WIDTH, HEIGHT);
        const frost_target target = target_of(to, WIDTH, HEIGHT);
        EXPECT(FROST_OK, "", frost_render(shared, effect, &source, &target, NULL, NULL));
        frost_effect_destroy(effect);
    }
    free(to);
    return NULL;
}

// Calls `body` in a child, and counts its failed checks as one of the parent.
static void in_child(void (*body)(void *), void *user_data) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        failures = 0;
        alarm(DEADLINE);
        body(user_data);
        fflush(stderr);
        _exit(failures > 0);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status)) fprintf(stderr, "a child was ended by signal %d\n", WTERMSIG(status));
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void child_on_cpu(void *user_data) {
    frost_queue *queue = user_data;
    uint8_t *to = noise(bytes, 4);
    check_all(shared, to);
    frost_renderer *own = renderer_of(FROST_BACKEND_CPU, 3);
    check_all(own, to);

    // A queue of the child works, and that of the parent is refused.
    const frost_source source = source_of(from, WIDTH, HEIGHT);
    const frost_target target = target_of(to, WIDTH, HEIGHT);
    frost_ticket *ticket = NULL;
    EXPECT(FROST_ERROR_FORKED, "before the fork",
        frost_queue_submit(queue, made[0], &source, &target, NULL, NULL, NULL, &ticket));
    EXPECT(FROST_ERROR_FORKED, "before the fork", frost_queue_wait(queue));
    frost_queue_destroy(queue);
    EXPECT(FROST_OK, "", frost_queue_create(own, NULL, &queue));
    EXPECT(FROST_OK, "", frost_queue_submit(queue, made[0], &source, &target, NULL, NULL, NULL, &ticket));
    EXPECT(FROST_OK, "", frost_ticket_wait(ticket, -1, NULL));
    CHECK(memcmp(to, expected[0], bytes) == 0);
    frost_ticket_destroy(ticket);
    frost_queue_destroy(queue);
    frost_renderer_destroy(own);
    frost_renderer_destroy(shared);
    free(to);
}

static void child_of_child(void *user_data) { in_child(child_on_cpu, user_data); }

static void child_with_ticket(void *user_data) {
    EXPECT(FROST_ERROR_FORKED, "before the fork", frost_ticket_wait(user_data, -1, NULL));
}

// A ticket whose image is not done when the process forks: its callback waits until the child has ended.
static pthread_mutex_t blocked = PTHREAD_MUTEX_INITIALIZER;

static void block(void *user_data, frost_status status, const frost_report *report) {
    (void)user_data, (void)report;
    CHECK(status == FROST_OK);
    pthread_mutex_lock(&blocked);
    pthread_mutex_unlock(&blocked);
}

static void tickets(frost_queue *queue) {
    uint8_t *to = noise(bytes, 5);
    const frost_source source = source_of(from, WIDTH, HEIGHT);
    const frost_target target = target_of(to, WIDTH, HEIGHT);
    frost_ticket *ticket = NULL;
    pthread_mutex_lock(&blocked);
    EXPECT(FROST_OK, "", frost_queue_submit(queue, made[0], &source, &target, NULL, block, NULL, &ticket));
    in_child(child_with_ticket, ticket);
    pthread_mutex_unlock(&blocked);
    EXPECT(FROST_OK, "", frost_ticket_wait(ticket, -1, NULL));
    frost_ticket_destroy(ticket);
    free(to);
}

static void child_with_gpu(void *user_data) {
    frost_renderer **gpu = user_data;
    uint8_t *to = noise(bytes, 6);
    frost_report report = FROST_REPORT_INIT;
    EXPECT(FROST_ERROR_FORKED, "before the fork", render(gpu[0], 0, to, &report));
    EXPECT(FROST_OK, "", render(gpu[1], 0, to, &report));
    CHECK(report.backend == FROST_BACKEND_CPU);
    CHECK(memcmp(to, expected[0], bytes) == 0);
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    options.backend = FROST_BACKEND_GPU;
    frost_renderer *own = NULL;
    EXPECT(FROST_ERROR_FORKED, "before the fork", frost_renderer_create(&options, &own));
    frost_device_list *devices = NULL;
    EXPECT(FROST_ERROR_FORKED, "before the fork", frost_device_list_create(&devices));
    check_all(shared, to);
    frost_renderer_destroy(gpu[0]);
    frost_renderer_destroy(gpu[1]);
    free(to);
}

// The first calls of a process that has not used Frost.
static void first_calls(bool stores) {
    uint8_t *to = noise(bytes, 8);
    frost_renderer *renderer = renderer_of(FROST_BACKEND_CPU, 3);
    for (int i = 0; i < EFFECTS; i++) {
        frost_effect *effect = NULL;
        EXPECT(FROST_OK, "", frost_effect_create(effects[i][0], effects[i][1], NULL, &effect));
        const frost_source source = source_of(from, WIDTH, HEIGHT);
        const frost_target target = target_of(to, WIDTH, HEIGHT);
        EXPECT(FROST_OK, "", frost_render(renderer, effect, &source, &target, NULL, NULL));
        if (stores) memcpy(expected[i], to, bytes);
        CHECK(memcmp(to, expected[i], bytes) == 0);
        frost_effect_destroy(effect);
    }
    frost_renderer_destroy(renderer);
    free(to);
}

static void *first_calls_of_thread(void *user_data) {
    (void)user_data;
    first_calls(false);
    return NULL;
}

static void first_calls_of_child(void *stores) { first_calls(stores != NULL); }

static void fork_during_first_calls(void *microseconds) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, first_calls_of_thread, NULL) == 0);
    usleep(*(const useconds_t *)microseconds);
    in_child(first_calls_of_child, NULL);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

// This process has not called Frost yet, so each of its children begins like a new process.
static void forks_during_first_calls(int forks) {
    bool stores = true;
    in_child(first_calls_of_child, &stores);
    for (int i = 0; i < forks; i++) {
        useconds_t delay = (useconds_t)(rand() % 8000);
        in_child(fork_during_first_calls, &delay);
    }
}

// A child of the links' process cannot change their timers, and destroys them at once.
static void child_with_links(void *user_data) {
    frost_display_link *const *links = user_data;
    for (int i = 0; i < 2; i++) {
        EXPECT(FROST_ERROR_FORKED, "before the fork", frost_display_link_set_paused(links[i], 1));
        EXPECT(FROST_ERROR_FORKED, "before the fork", frost_display_link_status(links[i]));
        frost_display_link_destroy(links[i]);
    }
}

// The ticks of a link go on when a child of its process has paused and destroyed the link.
static void display_links(void) {
    frost_display_link *links[2] = {NULL, NULL};
    const int32_t sources[2] = {FROST_CLOCK_DESCRIPTOR, FROST_CLOCK_TIMER};
    for (int i = 0; i < 2; i++) {
        frost_display_link_options options = FROST_DISPLAY_LINK_OPTIONS_INIT;
        options.source = sources[i];
        options.rate_numerator = 50;
        options.rate_denominator = 1;
        EXPECT(FROST_OK, "", frost_display_link_create(&options, NULL, NULL, &links[i]));
    }
    int descriptor = -1;
    EXPECT(FROST_OK, "", frost_display_link_descriptor(links[0], &descriptor));
    for (int i = 0; i < 3; i++) {
        in_child(child_with_links, links);
        struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
        CHECK(poll(&wanted, 1, 1000 * DEADLINE) == 1);
        EXPECT(FROST_OK, "", frost_display_link_dispatch(links[0], NULL));
    }
    for (int i = 0; i < 2; i++) frost_display_link_destroy(links[i]);
}

int main(int count, char **words) {
    const int forks = count > 1 ? atoi(words[1]) : 60;
    from = noise(bytes, 1);
    for (int i = 0; i < EFFECTS; i++) {
        // Children write to the memory, too.
        expected[i] = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (expected[i] == MAP_FAILED) abort();
    }
    forks_during_first_calls(forks);
    shared = renderer_of(FROST_BACKEND_CPU, 3);
    frost_queue *queue = NULL;
    EXPECT(FROST_OK, "", frost_queue_create(shared, NULL, &queue));
    for (int i = 0; i < EFFECTS; i++) {
        EXPECT(FROST_OK, "", frost_effect_create(effects[i][0], effects[i][1], NULL, &made[i]));
        uint8_t *to = noise(bytes, 2);
        EXPECT(FROST_OK, "", render(shared, i, to, NULL));
        CHECK(memcmp(to, expected[i], bytes) == 0);
        free(to);
    }
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < forks; i++) in_child(i % 10 == 9 ? child_of_child : child_on_cpu, queue);
    tickets(queue);
    display_links();
    if (!without_gpu()) {
        frost_renderer *gpu[2] = {renderer_of(FROST_BACKEND_GPU, 3), renderer_of(FROST_BACKEND_AUTO, 3)};
        uint8_t *to = noise(bytes, 7);
        EXPECT(FROST_OK, "", render(gpu[0], 0, to, NULL));
        for (int i = 0; i < 1 + forks / 10; i++) in_child(child_with_gpu, gpu);
        // The parent goes on.
        EXPECT(FROST_OK, "", render(gpu[0], 0, to, NULL));
        frost_renderer_destroy(gpu[0]);
        frost_renderer_destroy(gpu[1]);
        free(to);
    }
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    frost_queue_destroy(queue);
    frost_renderer_destroy(shared);
    for (int i = 0; i < EFFECTS; i++) {
        frost_effect_destroy(made[i]);
        munmap(expected[i], bytes);
    }
    free(from);
    return finish("forks");
}
