/* SPDX-License-Identifier: MIT */
#include "tools/commands/count_answers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "tables/vocabulary.h"
#include "tools/terminal/console.h"

#define HEADING_OF_ANY_VERSION "board (version %d),"
#define HEADING HEADING_OF_ANY_VERSION "column,least,most,given,x,counts,check"

enum { PART_SECONDS = 300 };

typedef struct kept_part {
    plb_count_board board;
    plb_column_slice slice;
    plb_ply_count *plies; /* [count_plies] */
} kept_part;

struct count_answers {
    const char *path;
    FILE *file; /* at its end; reading and appending */
    kept_part *parts;
    size_t count, room;
    bool has_failed;       /* the last line may have no end */
    plb_count_board board; /* that is being counted */
    plb_count_keeper keeper;
};

static int count_plies(const plb_count_board *board) {
    return board->width * board->height + 1;
}

static bool is_same_board(const plb_count_board *a, const plb_count_board *b) {
    return a->width == b->width && a->height == b->height && a->k == b->k &&
           a->cylinder == b->cylinder;
}

/* ---- parts in memory ---- */

/* Takes over the plies, also after an error. */
static int add_part(count_answers *a, const kept_part *part) {
    if (a->count == a->room) {
        size_t room = 2 * a->room + 16;
        kept_part *grown = realloc(a->parts, room * sizeof *grown);
        if (!grown) {
            free(part->plies);
            return PLB_ENOMEM;
        }
        a->parts = grown;
        a->room = room;
    }
    a->parts[a->count++] = *part;
    return PLB_OK;
}

static plb_kept find(void *context, const plb_column_slice *slice, plb_ply_count *plies) {
    const count_answers *a = context;
    plb_kept kept = PLB_KEPT_NOTHING;
    for (size_t i = 0; i < a->count; i++) {
        const kept_part *part = &a->parts[i];
        if (!is_same_board(&part->board, &a->board) ||
            !plb_column_slice_contains(slice, &part->slice))
            continue;
        kept = PLB_KEPT_PARTS;
        if (!plb_column_slice_contains(&part->slice, slice)) continue;
        for (int ply = 0; ply < count_plies(&a->board); ply++) {
            plies[ply].total += part->plies[ply].total;
            plies[ply].terminal += part->plies[ply].terminal;
        }
        return PLB_KEPT_ALL;
    }
    return kept;
}

/* ---- lines ---- */

static void print_line(FILE *to, const kept_part *part) {
    const plb_count_board *b = &part->board;
    const plb_column_slice *s = &part->slice;
    char total[PLB_COUNT_TEXT], terminal[PLB_COUNT_TEXT];
    fprintf(to, "connect-%dx%d-k%d%s,%d,%d,%d,%d,%" PRIu32, b->width, b->height, b->k,
            b->cylinder ? "-cylinder" : "", s->column, s->least, s->most, s->given, s->x);
    for (int ply = 0; ply < count_plies(b); ply++)
        fprintf(to, "%c%s:%s", ply ? ' ' : ',',
                plb_format_big_count(part->plies[ply].total, 0, total),
                plb_format_big_count(part->plies[ply].terminal, 0, terminal));
}

/* Add a line to the file, whole and on the disk. */
static int write_line(count_answers *a, const kept_part *part) {
    char *text = NULL;
    size_t size = 0;
    FILE *line = open_memstream(&text, &size);
    if (!line) return PLB_ENOMEM;
    print_line(line, part);
    bool is_made = fclose(line) == 0;
    uint64_t check = is_made ? XXH3_64bits(text, size) : 0;
    bool is_written = is_made && fprintf(a->file, "%s,%016" PRIx64 "\n", text, check) > 0 &&
                      fflush(a->file) == 0 && fsync(fileno(a->file)) == 0;
    free(text);
    if (!is_made) return PLB_ENOMEM;
    if (is_written) return PLB_OK;
    a->has_failed = true;
    complain("%s: %s", a->path, strerror(errno));
    return PLB_EIO;
}

static int keep(void *context, const plb_column_slice *slice, const plb_ply_count *plies) {
    count_answers *a = context;
    size_t bytes = count_plies(&a->board) * sizeof *plies;
    if (a->has_failed) return PLB_EIO;
    kept_part part = {a->board, *slice, malloc(bytes)};
    if (!part.plies) return PLB_ENOMEM;
    memcpy(part.plies, plies, bytes);
    int error = write_line(a, &part);
    if (!error) return add_part(a, &part);
    free(part.plies);
    return error;
}

static bool read_big_count(char **text, char end, plb_big_count *count) {
    char *at = *text;
    for (*count = 0; *at >= '0' && *at <= '9'; at++) *count = *count * 10 + (unsigned)(*at - '0');
    bool is_read = at > *text && (*at == end || (end == ' ' && *at == 0));
    *text = *at ? at + 1 : at;
    return is_read;
}

static bool read_plies(char *text, const plb_count_board *board, plb_ply_count *plies) {
    for (int ply = 0; ply < count_plies(board); ply++)
        if (!read_big_count(&text, ':', &plies[ply].total) ||
            !read_big_count(&text, ' ', &plies[ply].terminal))
            return false;
    return *text == 0;
}

/* The line without its check and its end, if that is right. */
static bool take_check(char *line) {
    char *check = strrchr(line, ',');
    uint64_t hash;
    if (!check || sscanf(check, ",%16" SCNx64 "\n", &hash) != 1) return false;
    *check = 0;
    return hash == XXH3_64bits(line, (size_t)(check - line));
}

/* A line of the right check is as it was written; the plies are to be freed. */
static bool read_line(char *line, kept_part *part) {
    plb_count_board *b = &part->board;
    plb_column_slice *s = &part->slice;
    int end = 0;
    *part = (kept_part){.plies = NULL};
    if (!take_check(line) ||
        sscanf(line, "connect-%2dx%2d-k%9d%n", &b->width, &b->height, &b->k, &end) != 3)
        return false;
    b->cylinder = strncmp(line + end, "-cylinder", strlen("-cylinder")) == 0;
    if (b->cylinder) end += (int)strlen("-cylinder");
    line += end;
    if (sscanf(line, ",%2d,%2d,%2d,%2d,%10" SCNu32 ",%n", &s->column, &s->least, &s->most,
               &s->given, &s->x, &end) != 5)
        return false;
    part->plies = calloc(count_plies(b), sizeof *part->plies);
    return part->plies && read_plies(line + end, b, part->plies);
}

/* ---- the file ---- */

/* What is read of a file. */
typedef struct file_text {
    char *line; /* the last one */
    size_t room;
    ssize_t size;   /* of it; 0 or less: there is none */
    int count;      /* lines that have an end .. */
    long whole;     /* .. and their bytes */
    bool lacks_end; /* the last one of these */
} file_text;

/* The version that a heading names, or -1: it is none. What follows is up to the version. */
static int read_heading(const char *line) {
    int version = -1, end = 0;
    return sscanf(line, HEADING_OF_ANY_VERSION "%n", &version, &end) == 1 && end ? version : -1;
}

static void complain_of_heading(const char *path, int version) {
    if (version > 0)
        complain("%s was written by another version of plybase, whose parts are others", path);
    else
        complain("%s is no file of counts: these begin with " HEADING, path, PLB_PARTS_VERSION);
}

/* Read a line of the file, a number from 1 on. */
static int take_line(count_answers *a, char *line, int number) {
    if (number == 1) {
        int version = read_heading(line);
        if (version == PLB_PARTS_VERSION) return PLB_OK;
        complain_of_heading(a->path, version);
        return PLB_ECORRUPT;
    }
    kept_part part;
    if (read_line(line, &part)) return add_part(a, &part);
    free(part.plies);
    complain("%s, line %d: not as it was written; without it the count goes on", a->path, number);
    return PLB_ECORRUPT;
}

/* Is it what was written of a heading that has no end? */
static bool begins_heading(const char *text, ssize_t size) {
    char heading[sizeof HEADING + 16];
    int length = snprintf(heading, sizeof heading, HEADING, PLB_PARTS_VERSION);
    return size <= length && memcmp(text, heading, size) == 0;
}

/* Read all lines that have an end; what is left has none, and may be empty. */
static int read_whole_lines(count_answers *a, file_text *t) {
    int error = PLB_OK;
    errno = 0;
    while (!error && (t->size = getline(&t->line, &t->room, a->file)) > 0 &&
           t->line[t->size - 1] == '\n') {
        error = take_line(a, t->line, ++t->count);
        t->whole += t->size;
    }
    if (error || feof(a->file)) return error;
    complain("%s: %s", a->path, strerror(errno));
    return PLB_EIO;
}

/* A last line without an end: right, but for that; or torn, as by a power cut. */
static int take_rest(count_answers *a, file_text *t) {
    kept_part part;
    if (t->count == 0) {
        if (begins_heading(t->line, t->size)) return PLB_OK;
        complain_of_heading(a->path, read_heading(t->line));
        return PLB_ECORRUPT;
    }
    if (read_line(t->line, &part)) {
        t->whole += t->size;
        t->lacks_end = true;
        return add_part(a, &part);
    }
    free(part.plies);
    complain("%s: the last line has no end and is dropped; its part is counted again", a->path);
    return PLB_OK;
}

/* Leave the whole lines, with ends, and at least the heading. */
static int mend_file(const count_answers *a, const file_text *t) {
    if (ftruncate(fileno(a->file), t->whole) != 0 || fseek(a->file, 0, SEEK_END) != 0)
        return complain("%s: %s", a->path, strerror(errno));
    if (t->count == 0) fprintf(a->file, HEADING "\n", PLB_PARTS_VERSION);
    if (t->lacks_end) fputc('\n', a->file);
    return fflush(a->file) == 0 ? PLB_OK : complain("%s: %s", a->path, strerror(errno));
}

static int read_lines(count_answers *a) {
    file_text t = {.line = NULL};
    int error = read_whole_lines(a, &t);
    if (!error && t.size > 0) error = take_rest(a, &t);
    free(t.line);
    if (error == PLB_ENOMEM) complain("out of memory");
    return error ? error : mend_file(a, &t);
}

/* Lock it: two processes would count the same. */
static bool open_file(count_answers *a) {
    struct stat status;
    int file = open(a->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool is_regular = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    bool is_mine = is_regular && flock(file, LOCK_EX | LOCK_NB) == 0;
    if (is_mine) a->file = fdopen(file, "r+");
    if (a->file) return true;
    if (file >= 0 && !is_regular)
        complain("%s is not a regular file, in which counts are kept", a->path);
    else if (file >= 0 && !is_mine && errno == EWOULDBLOCK)
        complain("%s is in use by another process", a->path);
    else
        complain("%s: %s", a->path, strerror(errno));
    if (file >= 0) close(file);
    return false;
}

count_answers *open_count_answers(const char *path) {
    count_answers *a = calloc(1, sizeof *a);
    if (!a) {
        complain("out of memory");
        return NULL;
    }
    a->path = path;
    if (open_file(a) && read_lines(a) == PLB_OK) return a;
    close_count_answers(a);
    return NULL;
}

void close_count_answers(count_answers *answers) {
    if (!answers) return;
    for (size_t i = 0; i < answers->count; i++) free(answers->parts[i].plies);
    free(answers->parts);
    if (answers->file) fclose(answers->file);
    free(answers);
}

const plb_count_keeper *keep_answers_of(count_answers *answers, const plb_count_board *board) {
    answers->board = *board;
    answers->keeper = (plb_count_keeper){answers, PART_SECONDS, find, keep};
    return &answers->keeper;
}
