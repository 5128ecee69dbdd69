/* SPDX-License-Identifier: MIT */
#include "tables/outer_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "tables/stop.h"
#include "tables/vocabulary.h"

enum {
    MOST_TASKS = 1 << 14, /* that wait: 1 MiB */
    AT_ONCE = 256         /* that are done, before anybody can stop it */
};

int plb_outer_tasks_open(const plb_outer_columns *outer, bool open_only, plb_vectors vectors,
                         const volatile sig_atomic_t *stop, plb_outer_tasks *tasks) {
    *tasks = (plb_outer_tasks){.outer = outer,
                               .open_only = open_only,
                               .vectors = vectors,
                               .stop = stop,
                               .tasks.bytes = sizeof(plb_outer_task),
                               .times = calloc(MOST_TASKS, sizeof *tasks->times)};
    return tasks->times ? PLB_OK : PLB_ENOMEM;
}

void plb_outer_tasks_free(plb_outer_tasks *tasks) {
    plb_row_set_free(&tasks->tasks);
    free(tasks->times);
}

void plb_outer_tasks_flush(plb_outer_tasks *t) {
    for (uint32_t first = 0; first < t->tasks.count && !plb_is_stopped(t->stop); first += AT_ONCE) {
        uint32_t left = t->tasks.count - first;
        plb_outer_batch batch = {plb_row_set_at(&t->tasks, first), t->times + first,
                                 left < AT_ONCE ? left : AT_ONCE, t->open_only};
        plb_outer_pairs_count(t->outer, &batch, t->vectors);
    }
    memset(t->times, 0, t->tasks.count * sizeof *t->times);
    plb_row_set_clear(&t->tasks);
}

/* Where there is no memory for it, it does not wait. */
static void add_task(plb_outer_tasks *t, const plb_outer_task *task, uint32_t times) {
    if (t->tasks.count == MOST_TASKS) plb_outer_tasks_flush(t);
    int64_t number = plb_row_set_add(&t->tasks, task);
    if (number < 0) {
        plb_outer_batch batch = {task, &times, 1, t->open_only};
        plb_outer_pairs_count(t->outer, &batch, t->vectors);
        return;
    }
    t->times[number] += times;
    if (t->times[number] > PLB_OUTER_MOST_TIMES / 2) plb_outer_tasks_flush(t);
}

/* ---- three columns ---- */

/* Lines through all three columns, by rows of an outer one. */
static plb_lines lines_of(const plb_outer_three *three, int side, int x) {
    return side ? plb_lines_next(three->lines[x]) : plb_lines_before(three->lines[x]);
}

/* The tasks of the three but for what is counted. */
static plb_outer_task begin_task(const plb_outer_columns *outer, const plb_outer_three *three) {
    plb_outer_task task = {.sums = three->sums, .class = three->class, .balance = three->balance};
    uint32_t height = (uint32_t)plb_low_bits(outer->classes->words->height);
    for (int s = 0; s < PLB_OUTER_SIDES; s++)
        for (int x = 0; x < 2; x++)
            task.rows[s][x] = (uint16_t)(plb_lines_rows(lines_of(three, s, x)) & height);
    return task;
}

static void add_tops(plb_outer_tasks *t, const plb_outer_three *three, plb_outer_task task,
                     uint32_t times) {
    task.what = PLB_OUTER_TOP;
    for (int c = 0; c < PLB_OUTER_BETWEEN; c++) {
        if (three->before[c] == PLB_DEAD_CLASS) continue;
        task.class = three->before[c];
        task.x = three->x[c];
        add_task(t, &task, times);
    }
}

/* The row of an outer column where the line of a bit makes a group that may be the only one; -1:
 * there is none. */
static int find_row(const plb_outer_tasks *t, plb_lines lines, int side, int at) {
    int direction = at / PLB_LINE_ROWS, steps = side ? 1 : -PLB_OUTER_BETWEEN;
    int row = at % PLB_LINE_ROWS + steps * (direction - 1);
    if (row < 0 || row >= t->outer->classes->words->height) return -1;
    return plb_lines_alone(lines) >> (direction * PLB_LINE_ROWS + row) & 1 ? row : -1;
}

/* The line of a bit, of the colour of the task. */
static void add_line(plb_outer_tasks *t, const plb_outer_three *three, plb_outer_task task, int at,
                     uint32_t times) {
    for (int c = 0; c < PLB_OUTER_BETWEEN; c++)
        if (three->top[c] >> at & 1) task.before[task.tops++] = three->before[c];
    for (int s = 0; s < PLB_OUTER_SIDES; s++)
        task.row[s] = (int16_t)find_row(t, lines_of(three, s, task.x), s, at);
    if (task.row[0] >= 0 || task.row[1] >= 0) add_task(t, &task, times);
}

static void add_lines(plb_outer_tasks *t, const plb_outer_three *three, plb_outer_task task,
                      uint32_t times) {
    task.what = PLB_OUTER_LINE;
    for (task.x = 0; task.x < 2; task.x++) {
        plb_lines tops = three->top[0] | three->top[1] | three->top[2];
        for (plb_lines left = three->lines[task.x] & tops; left; left &= left - 1)
            add_line(t, three, task, plb_lowest(left), times);
    }
}

void plb_outer_tasks_add(plb_outer_tasks *tasks, const plb_outer_three *three, uint32_t times) {
    plb_outer_task task = begin_task(tasks->outer, three);
    add_task(tasks, &task, times);
    if (tasks->open_only) return;
    add_tops(tasks, three, task, times);
    add_lines(tasks, three, task, times);
}
