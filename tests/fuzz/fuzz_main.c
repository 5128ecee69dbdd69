/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target without libFuzzer: every file of its corpus, then a fixed number of
 * mutations of them. The same arguments try the same inputs on every machine.
 *
 *     fuzz_NAME -runs=N FILE-OR-FOLDER...
 *
 * An input that crashes, or takes too long, is left in ./fuzz_failure.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

enum {
    MOST_FILES = 1000,
    MOST_BYTES = 1 << 16,
    SECONDS = 30, /* for one input */
    PATH_ROOM = 4096,
};

typedef struct input {
    uint8_t *bytes;
    size_t size;
} input;

static input corpus[MOST_FILES];
static int corpus_count;
static input at_work; /* what the target is looking at */
static uint64_t random_state = 0x9E3779B97F4A7C15ULL;

/* ---- random numbers ---- */

static uint64_t random_below(uint64_t below) { /* xorshift */
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % below;
}

/* Short more often than long. */
static size_t random_length(size_t most) {
    return random_below(random_below(most + 1) + 1);
}

/* ---- the corpus ---- */

static int compare_inputs(const void *a, const void *b) {
    const input *i = a, *j = b;
    if (i->size != j->size) return i->size < j->size ? -1 : 1;
    return memcmp(i->bytes, j->bytes, i->size);
}

static void load_file(const char *path) {
    FILE *file = fopen(path, "rb");
    FUZZ_REQUIRE(file && corpus_count < MOST_FILES);
    input *loaded = &corpus[corpus_count++];
    loaded->bytes = malloc(MOST_BYTES);
    FUZZ_REQUIRE(loaded->bytes != NULL);
    loaded->size = fread(loaded->bytes, 1, MOST_BYTES, file);
    fclose(file);
}

static void load_folder(const char *path) {
    DIR *folder = opendir(path);
    FUZZ_REQUIRE(folder != NULL);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char file[PATH_ROOM];
        if (entry->d_name[0] == '.') continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        load_file(file);
    }
    closedir(folder);
}

static void load(const char *path) {
    struct stat status;
    FUZZ_REQUIRE(stat(path, &status) == 0);
    if (S_ISDIR(status.st_mode))
        load_folder(path);
    else
        load_file(path);
}

/* ---- mutations, each within MOST_BYTES ---- */

static void change_byte(input *in) {
    static const uint8_t telling[] = {0, 1, 2, 7, 8, 63, 64, 65, 127, 128, 254, 255, '0', '9', '/'};
    if (!in->size) return;
    uint8_t *byte = &in->bytes[random_below(in->size)];
    switch (random_below(4)) {
        case 0:
            *byte ^= 1 << random_below(8);
            break;
        case 1:
            *byte = telling[random_below(sizeof telling)];
            break;
        case 2:
            *byte += random_below(2) ? 1 : -1;
            break;
        default:
            *byte = random_below(256);
    }
}

/* A number of 16, 32 or 64 bits: 0, small, or just below the largest. */
static void change_number(input *in) {
    size_t width = 2ULL << random_below(3);
    if (in->size < width) return;
    uint64_t value = random_below(3) ? random_below(70) : -1ULL - random_below(20);
    memcpy(in->bytes + random_below(in->size - width + 1), &value, width);
}

static void erase(input *in) {
    if (!in->size) return;
    size_t from = random_below(in->size), length = random_length(in->size - from);
    memmove(in->bytes + from, in->bytes + from + length, in->size - from - length);
    in->size -= length;
}

/* Insert or, with over, write over a part of any file of the corpus. */
static void copy_part(input *in, int over) {
    const input *from = &corpus[random_below(corpus_count)];
    size_t at = random_below(in->size + 1), begin = random_below(from->size + 1);
    size_t room = over ? in->size - at : MOST_BYTES - in->size;
    size_t length = random_length(from->size - begin);
    if (length > room) length = room;
    if (!over) {
        memmove(in->bytes + at + length, in->bytes + at, in->size - at);
        in->size += length;
    }
    memcpy(in->bytes + at, from->bytes + begin, length);
}

static void mutate_once(input *in) {
    switch (random_below(8)) {
        case 0:
            change_number(in);
            break;
        case 1:
            erase(in);
            break;
        case 2:
            copy_part(in, 0);
            break;
        case 3:
            copy_part(in, 1);
            break;
        default:
            change_byte(in);
    }
}

static void mutate(input *in) {
    for (uint64_t steps = 1 + random_below(4); steps > 0; steps--) mutate_once(in);
}

/* ---- running ---- */

static void save_and_die(int number) {
    int file = open("fuzz_failure", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && write(file, at_work.bytes, at_work.size) >= 0) close(file);
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void) {
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++) signal(signals[s], save_and_die);
}

static void try(input in) {
    at_work = in;
    alarm(SECONDS);
    LLVMFuzzerTestOneInput(in.bytes, in.size);
}

static void try_mutations(long runs) {
    input mutated = {malloc(MOST_BYTES), 0};
    FUZZ_REQUIRE(mutated.bytes != NULL);
    for (long run = 0; run < runs; run++) {
        const input *from = &corpus[run % corpus_count];
        mutated.size = from->size;
        memcpy(mutated.bytes, from->bytes, from->size);
        mutate(&mutated);
        try(mutated);
    }
    free(mutated.bytes);
}

int main(int argc, char **argv) {
    long runs = argc > 2 && strncmp(argv[1], "-runs=", 6) == 0 ? strtol(argv[1] + 6, NULL, 10) : -1;
    if (runs < 0) {
        fprintf(stderr, "usage: %s -runs=N FILE-OR-FOLDER...\n", argv[0]);
        return 2;
    }
    for (int a = 2; a < argc; a++) load(argv[a]);
    FUZZ_REQUIRE(corpus_count > 0);
    qsort(corpus, corpus_count, sizeof *corpus, compare_inputs); /* folders have no order */
    catch_signals();
    for (int i = 0; i < corpus_count; i++) try(corpus[i]);
    try_mutations(runs);
    printf("%d files of the corpus and %ld mutations tried\n", corpus_count, runs);
    for (int i = 0; i < corpus_count; i++) free(corpus[i].bytes);
    return 0;
}
