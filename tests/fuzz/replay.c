/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target on the files of its corpus, in builds without libFuzzer, like libFuzzer
 * with -runs=0.
 *
 *     fuzz_NAME -runs=0 FOLDER...
 */
#include <ftw.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

static int files;

static int try_file(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)where;
    if (kind != FTW_F) return 0;
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(status->st_size + 1);
    FUZZ_REQUIRE(file && bytes);
    size_t size = fread(bytes, 1, status->st_size, file);
    fclose(file);
    printf("%s\n", path); /* the last one is the failing one */
    fflush(stdout);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    files++;
    return 0;
}

int main(int argc, char **argv) {
    for (int a = 1; a < argc; a++)
        if (argv[a][0] != '-') FUZZ_REQUIRE(nftw(argv[a], try_file, 8, FTW_PHYS) == 0);
    FUZZ_REQUIRE(files > 0);
    printf("%d files\n", files);
    return 0;
}
