/* SPDX-License-Identifier: MIT */
#include "tools/terminal/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "tables/message.h"
#include "tables/rename.h"
#include "tools/terminal/text_stream.h"

static int fail_writing(const output_file *file, plb_message *message) {
    return plb_fail_errno(message, errno, "cannot write",
                          file->stream == stdout ? "the output" : file->path);
}

static int open_temporary(output_file *file, int *descriptor, plb_message *message) {
    if (asprintf(&file->temporary, "%s.XXXXXX", file->path) < 0) {
        file->temporary = NULL;
        return plb_fail(message, PLB_ENOMEM, "out of memory for %s", file->path);
    }
    *descriptor = mkstemp(file->temporary);
    if (*descriptor >= 0) {
        /* mkstemp sets mode 0600: give the file the usual mode of a new one. */
        mode_t mask = umask(0);
        umask(mask);
        return fchmod(*descriptor, 0666 & ~mask) == 0 ? PLB_OK : fail_writing(file, message);
    }
    int number = errno;
    free(file->temporary);
    file->temporary = NULL;
    return plb_fail_errno(message, number, "cannot create", file->path);
}

int output_file_open(const char *path, bool force, output_file *file, plb_message *message) {
    *file = (output_file){.path = path, .force = force};
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
        return PLB_OK;
    }
    struct stat there;
    /* Other errors are reported when the file is created. A link to nowhere exists, too. */
    bool exists = lstat(path, &there) == 0;
    if (exists && stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return plb_fail(message, PLB_EARGUMENT, "%s exists and is not a file", path);
    if (exists && !force)
        return plb_fail(message, PLB_EARGUMENT, "%s exists; --force replaces it", path);
    /* An unnamed file vanishes when the process ends in any way. Not every file system has them,
     * and to name one later, /proc is needed. */
    char *copy = strdup(path);
    bool can_be_named = access("/proc/self/fd", X_OK) == 0;
    int descriptor =
        copy && can_be_named ? open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    free(copy);
    int error = descriptor < 0 ? open_temporary(file, &descriptor, message) : PLB_OK;
    if (!error) file->stream = fdopen(descriptor, "w");
    if (!error && !file->stream) error = fail_writing(file, message);
    if (error && descriptor >= 0) close(descriptor);
    return error;
}

int output_file_add(output_file *file, const char *bytes, size_t size, plb_message *message) {
    return fwrite(bytes, 1, size, file->stream) == size ? PLB_OK : fail_writing(file, message);
}

double output_file_room(const output_file *file) {
    struct statvfs disk;
    struct stat status;
    int descriptor = fileno(file->stream);
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    return fstatvfs(descriptor, &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : 0;
}

int output_file_rewind(output_file *file, plb_message *message) {
    return fseek(file->stream, 0, SEEK_SET) == 0 ? PLB_OK : fail_writing(file, message);
}

static const char *descriptor_path(const output_file *file, char link[OUTPUT_LINK]) {
    snprintf(link, OUTPUT_LINK, "/proc/self/fd/%d", fileno(file->stream));
    return link;
}

const char *output_file_link(output_file *file, char link[OUTPUT_LINK]) {
    struct stat status;
    const mode_t needed = S_IRUSR | S_IWUSR; /* to open the path; the umask may have removed them */
    int descriptor = fileno(file->stream);
    if (fstat(descriptor, &status) == 0 && (status.st_mode & needed) != needed &&
        fchmod(descriptor, status.st_mode | needed) == 0)
        file->mode = status.st_mode;
    if (file->temporary) return file->temporary;
    return descriptor_path(file, link);
}

/* Give an unnamed file a name. Fails with EEXIST if the name exists. */
static int link_unnamed(const output_file *file, const char *path) {
    char link[OUTPUT_LINK];
    return linkat(AT_FDCWD, descriptor_path(file, link), AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* The name is the last step: an incomplete file never gets it. */
int output_file_finish(output_file *file, plb_message *message) {
    bool good = fflush(file->stream) == 0;
    if (file->stream == stdout) return good ? PLB_OK : fail_writing(file, message);
    if (good && file->mode) good = fchmod(fileno(file->stream), file->mode) == 0;
    if (!good || fsync(fileno(file->stream)) != 0) return fail_writing(file, message);
    if (!file->temporary) {
        if (link_unnamed(file, file->path) == 0) return PLB_OK;
        if (errno != EEXIST) return fail_writing(file, message);
        /* linkat cannot replace a file, but rename can: link to a temporary name first. */
        char *name;
        if (asprintf(&name, "%s.%ld", file->path, (long)getpid()) < 0)
            return plb_fail(message, PLB_ENOMEM, "out of memory for %s", file->path);
        if (link_unnamed(file, name) != 0) {
            int error = fail_writing(file, message);
            free(name);
            return error;
        }
        file->temporary = name;
    }
    bool is_named = plb_rename(file->temporary, file->path, file->force) == 0;
    if (!is_named && (file->force || errno != EEXIST)) return fail_writing(file, message);
    int error = PLB_OK;
    if (!is_named) /* keep what may have taken hours */
        error = plb_fail(message, PLB_EARGUMENT,
                         "another process has made %s meanwhile, and it stays: the complete new "
                         "file is %s",
                         file->path, file->temporary);
    free(file->temporary);
    file->temporary = NULL;
    return error;
}

void output_file_close(output_file *file) {
    if (file->stream && file->stream != stdout) fclose(file->stream);
    if (file->temporary) unlink(file->temporary);
    free(file->temporary);
    *file = (output_file){0};
}

int output_file_draw(const char *path, bool force, void (*draw)(FILE *to, const void *what),
                     const void *what, plb_message *message) {
    output_file file = {.path = NULL};
    text_stream drawn;
    FILE *memory = text_stream_open(&drawn);
    if (memory) draw(memory, what);
    if (!text_stream_close(&drawn, memory))
        return plb_fail(message, PLB_ENOMEM, "out of memory for the picture");
    int error = output_file_open(path, force, &file, message);
    if (!error) error = output_file_add(&file, drawn.text, drawn.size, message);
    if (!error) error = output_file_finish(&file, message);
    output_file_close(&file);
    free(drawn.text);
    return error;
}

bool is_picture_name(const char *path) {
    size_t length = strlen(path);
    return strcmp(path, "-") == 0 || (length > 4 && strcmp(path + length - 4, ".svg") == 0);
}
