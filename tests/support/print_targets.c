/* SPDX-License-Identifier: MIT
 *
 * Parses request targets as the server does, for comparison with another parser. A line of input is
 * a target. The line of output is `refused`, or the parts of the target with their bytes in
 * hexadecimal: each segment after a slash, each parameter as ?NAME=VALUE.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/serve/request_target.h"

static void print_bytes(const char *before, const char *text) {
    fputs(before, stdout);
    for (; *text; text++) printf("%02x", (unsigned char)*text);
}

static void print_target(const request_target *target) {
    for (int s = 0; s < target->segments; s++) print_bytes("/", target->segment[s]);
    for (int p = 0; p < target->parameters; p++) {
        print_bytes("?", target->parameter[p].name);
        print_bytes("=", target->parameter[p].value);
    }
}

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        request_target target;
        plb_message message;
        line[strcspn(line, "\n")] = 0;
        if (request_target_parse(line, &target, &message) == PLB_OK)
            print_target(&target);
        else
            fputs("refused", stdout);
        putchar('\n');
    }
    free(line);
    return fflush(stdout) == 0 ? 0 : 1;
}
