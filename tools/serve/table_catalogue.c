/* SPDX-License-Identifier: MIT
 *
 * A lock guards the list, and is held only to search it. A scan builds a new list without the lock,
 * so that requests never wait for it.
 */
#include "tools/serve/table_catalogue.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/table.h"
#include "tables/array.h"
#include "tables/message.h"
#include "tools/serve/service_log.h"
#include "tools/terminal/operands.h"

#define KIB 1024.

typedef struct table_list {
    served_table **items; /* [count] by spec, the served one first; then files without a spec */
    size_t count, capacity;
    double left_bytes; /* memory that is left for more files */
} table_list;

struct table_catalogue {
    char *const *paths; /* [count] */
    int count;
    double memory_bytes;
    pthread_mutex_t lock; /* guards list, clock, and the messages of damaged tables */
    table_list list;
    uint64_t clock; /* number of acquires so far */
};

static plb_usage usage_of(const served_table *t) {
    plb_usage usage = {0};
    if (t->table) plb_find_usage(t->table, &usage);
    return usage;
}

/* ---- one file ---- */

void table_catalogue_release(served_table *table) {
    if (!table || atomic_fetch_sub_explicit(&table->references, 1, memory_order_acq_rel) != 1)
        return;
    free(table->enumeration);
    plb_close(table->table);
    free(table->path);
    free(table);
}

served_table *table_catalogue_retain(served_table *table) {
    atomic_fetch_add_explicit(&table->references, 1, memory_order_relaxed);
    return table;
}

static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void close_refused(served_table *t) {
    plb_close(t->table);
    t->table = NULL;
    t->info = NULL;
}

/* Called while a table is read, which may take long: report that the server is alive, and stop if a
 * signal to end is pending (signals are blocked). */
static bool continues(void) {
    sigset_t waiting;
    notify_alive();
    return sigpending(&waiting) != 0 ||
           !(sigismember(&waiting, SIGTERM) || sigismember(&waiting, SIGINT));
}

/* Open a table. If it cannot be opened, or needs more memory than is left, its message says why.
 * NULL: out of memory. */
static served_table *new_table(const char *path, const struct stat *file, double left_bytes) {
    plb_answer empty;
    served_table *t = calloc(1, sizeof *t);
    if (t) t->path = strdup(path);
    if (!t || !t->path) {
        free(t);
        return NULL;
    }
    const char *slash = strrchr(t->path, '/');
    t->name = slash ? slash + 1 : t->path;
    t->file = *file;
    atomic_init(&t->references, 1);
    if (plb_open(t->path, &t->table, &t->message) != PLB_OK) return t;
    if (plb_table_read_id(t->table, continues, &t->message) != PLB_OK ||
        plb_probe(t->table, 0, 0, &empty, &t->message) != PLB_OK) {
        close_refused(t);
        return t;
    }
    plb_trim(t->table); /* no cached blocks until the first request */
    t->info = plb_info(t->table);
    t->first_player = empty.value;
    double bytes = (double)usage_of(t).held_bytes;
    if (bytes > left_bytes) {
        plb_fail(&t->message, PLB_ETOOBIG,
                 "%s needs %.0f KiB of memory, and the other tables leave %.0f KiB; --memory gives "
                 "more",
                 t->path, bytes / KIB, left_bytes / KIB);
        close_refused(t);
    }
    return t;
}

/* ---- lists ---- */

static void free_list(table_list *list) {
    for (size_t i = 0; i < list->count; i++) table_catalogue_release(list->items[i]);
    free(list->items);
    *list = (table_list){0};
}

static int fail_memory(plb_message *message) {
    return plb_fail(message, PLB_ENOMEM, "out of memory for a list of tables");
}

/* Add a file: take it from the old list if it is unchanged, or open it. */
static int add_file(table_list *list, const table_list *old, const char *path,
                    const struct stat *file, plb_message *message) {
    if (!PLB_ARRAY_EXTEND(list->items, list->count, list->capacity)) /* NOLINT: of pointers */
        return fail_memory(message);
    served_table *table = NULL;
    for (size_t i = 0; i < old->count && !table; i++) {
        served_table *t = old->items[i];
        if (t->table && !t->damaged && strcmp(t->path, path) == 0 && is_same_file(&t->file, file))
            table = table_catalogue_retain(t);
    }
    if (!table) table = new_table(path, file, list->left_bytes);
    if (!table) return fail_memory(message);
    list->left_bytes -= (double)usage_of(table).held_bytes;
    list->items[list->count++] = table;
    return PLB_OK;
}

/* Add an entry of a folder if it is named like a table and, with links resolved, is a regular file
 * within `real`, the resolved path of the folder. Files that vanish meanwhile are ignored. */
static int add_entry(table_list *list, const table_list *old, const char *folder, const char *real,
                     const char *name, plb_message *message) {
    char *path = NULL;
    struct stat file;
    int error = PLB_OK;
    size_t folder_length = strlen(real);
    if (*name == '.' || !ends_as_table(name)) return PLB_OK;
    if (asprintf(&path, "%s/%s", folder, name) < 0) return fail_memory(message);
    char *real_path = realpath(path, NULL);
    bool within = real_path && strncmp(real_path, real, folder_length) == 0 &&
                  (real_path[folder_length] == '/' || strcmp(real, "/") == 0);
    if (within && stat(path, &file) == 0 && S_ISREG(file.st_mode))
        error = add_file(list, old, path, &file, message);
    free(real_path);
    free(path);
    return error;
}

static int add_folder(table_list *list, const table_list *old, const char *folder,
                      plb_message *message) {
    char *real = realpath(folder, NULL);
    DIR *entries = real ? opendir(folder) : NULL;
    int error = PLB_OK;
    if (!entries) error = plb_fail_errno(message, errno, "cannot open", folder);
    for (const struct dirent *e; entries && !error && (e = readdir(entries));)
        error = add_entry(list, old, folder, real, e->d_name, message);
    if (entries) closedir(entries);
    free(real);
    return error;
}

/* Distances are preferred to values, and values to a strategy. */
static int preference(const plb_table_info *info) {
    return info->player ? 0 : strcmp(info->values, "dtm") == 0 ? 2 : 1;
}

static int compare_listed(const void *a, const void *b) {
    const served_table *s = *(served_table *const *)a, *t = *(served_table *const *)b;
    if (!s->info || !t->info)
        return !s->info != !t->info ? !s->info - !t->info : strcmp(s->path, t->path);
    int order = strcmp(s->info->spec, t->info->spec);
    if (!order) order = preference(t->info) - preference(s->info);
    return order ? order : strcmp(s->path, t->path);
}

int table_catalogue_scan(table_catalogue *c, plb_message *message) {
    table_list list = {.left_bytes = c->memory_bytes};
    int error = PLB_OK;
    for (int p = 0; p < c->count && !error; p++) {
        const char *path = c->paths[p];
        struct stat file;
        if (stat(path, &file) != 0) {
            error = plb_fail_errno(message, errno, "cannot open", path);
            if (error == PLB_ENOTFOUND) suggest_table(path, NULL, message);
        } else if (S_ISDIR(file.st_mode)) {
            error = add_folder(&list, &c->list, path, message);
        } else if (S_ISREG(file.st_mode)) {
            error = add_file(&list, &c->list, path, &file, message);
        } else {
            error = plb_fail(message, PLB_ENOTTABLE, "%s is neither a file nor a folder", path);
        }
    }
    if (error) {
        free_list(&list);
        return error;
    }
    if (list.count) qsort(list.items, list.count, sizeof(void *), compare_listed);
    pthread_mutex_lock(&c->lock);
    table_list old = c->list;
    c->list = list;
    pthread_mutex_unlock(&c->lock);
    free_list(&old);
    return PLB_OK;
}

/* ---- the catalogue ---- */

int table_catalogue_open(char *const *paths, int count, double memory_bytes,
                         table_catalogue **catalogue, plb_message *message) {
    table_catalogue *made = calloc(1, sizeof *made);
    if (!made) return fail_memory(message);
    made->paths = paths;
    made->count = count;
    made->memory_bytes = memory_bytes;
    pthread_mutex_init(&made->lock, NULL);
    int error = table_catalogue_scan(made, message);
    return PLB_HAND_OVER(error, made, catalogue, table_catalogue_close);
}

void table_catalogue_close(table_catalogue *c) {
    if (!c) return;
    free_list(&c->list);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

served_table *table_catalogue_acquire(table_catalogue *c, const char *spec) {
    served_table *found = NULL;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->list.count && !found; i++) { /* the first table of a spec is served */
        served_table *t = c->list.items[i];
        if (t->info && strcmp(t->info->spec, spec) == 0) found = t;
    }
    if (found) table_catalogue_retain(found)->last_use = ++c->clock;
    pthread_mutex_unlock(&c->lock);
    return found;
}

void table_catalogue_report(table_catalogue *c, served_table *table, const plb_message *message) {
    pthread_mutex_lock(&c->lock);
    if (!table->damaged) table->message = *message;
    table->damaged = true;
    pthread_mutex_unlock(&c->lock);
}

void table_catalogue_visit(table_catalogue *c, table_visitor *visit, void *context) {
    const plb_table_info *before = NULL;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->list.count; i++) {
        const plb_table_info *info = c->list.items[i]->info;
        visit(context, c->list.items[i], info && before && strcmp(info->spec, before->spec) == 0);
        before = info;
    }
    pthread_mutex_unlock(&c->lock);
}

/* ---- memory ---- */

void table_catalogue_trim(table_catalogue *c) {
    double sum = 0;
    uint64_t trimmed = 0; /* last_use of the last trimmed table */
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->list.count; i++) {
        plb_usage usage = usage_of(c->list.items[i]);
        sum += (double)usage.cached_bytes + (double)usage.held_bytes;
    }
    while (sum > c->memory_bytes) {
        served_table *oldest = NULL;
        for (size_t i = 0; i < c->list.count; i++) {
            served_table *t = c->list.items[i];
            if (t->last_use > trimmed && usage_of(t).cached_bytes &&
                (!oldest || t->last_use < oldest->last_use))
                oldest = t;
        }
        if (!oldest) break;
        uint64_t before = usage_of(oldest).cached_bytes;
        trimmed = oldest->last_use;
        plb_trim(oldest->table);
        sum -= (double)(before - usage_of(oldest).cached_bytes);
    }
    pthread_mutex_unlock(&c->lock);
}

static void count_served(void *context, const served_table *table, bool shadowed) {
    *(int *)context += table->info && !shadowed;
}

int table_catalogue_count(table_catalogue *c) {
    int count = 0;
    table_catalogue_visit(c, count_served, &count);
    return count;
}
