/* SPDX-License-Identifier: MIT */
#include "tools/serve/request_target.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Decode a text in place, which never makes it longer. False: an invalid escape, or a control
 * character. */
static bool decode(char *text, bool plus_is_blank) {
    if (!strchr(text, '%') && !(plus_is_blank && strchr(text, '+'))) return true;
    char *to = text;
    for (const char *from = text; *from; from++) {
        unsigned char c = (unsigned char)*from;
        if (c == '%') {
            if (!isxdigit((unsigned char)from[1]) || !isxdigit((unsigned char)from[2]))
                return false;
            c = (unsigned char)strtoul((char[]){from[1], from[2], 0}, NULL, 16);
            from += 2;
        } else if (c == '+' && plus_is_blank) {
            c = ' ';
        }
        if (c < ' ' || c == 0x7f) return false;
        *to++ = (char)c;
    }
    *to = 0;
    return true;
}

int request_target_parse(char *text, request_target *target, plb_message *message) {
    request_target found;
    found.segments = found.parameters = 0;
    bool plain = true; /* only printable ASCII; all else must be encoded */
    for (const char *c = text; *c; c++)
        if (*c <= ' ' || *c >= 0x7f || *c == '#') plain = false;
    if (*text != '/' || !plain)
        return plb_fail(message, PLB_ESYNTAX,
                        "the target of a request is a path that begins with / and has no blanks, "
                        "no control characters and nothing that is not ASCII");
    char *query = text, *path = strsep(&query, "?") + 1;
    if (!*path) path = NULL; /* the target `/` has no segments */
    for (char *segment; (segment = strsep(&path, "/"));) {
        if (found.segments == TARGET_SEGMENTS)
            return plb_fail(message, PLB_ESYNTAX, "the path has more than %d segments",
                            TARGET_SEGMENTS);
        bool last = !path && !*segment;
        if (!last && (!decode(segment, false) || !*segment || strcmp(segment, ".") == 0 ||
                      strcmp(segment, "..") == 0 || strpbrk(segment, "/\\;")))
            return plb_fail(message, PLB_ESYNTAX,
                            "a segment of the path is empty, or not a name: '%.60s'", segment);
        found.segment[found.segments++] = segment;
    }
    for (char *value; (value = strsep(&query, "&"));) {
        char *name = strsep(&value, "=");
        if (!*name && !value) continue;
        if (found.parameters == TARGET_PARAMETERS)
            return plb_fail(message, PLB_ESYNTAX, "the query has more than %d parameters",
                            TARGET_PARAMETERS);
        if (!decode(name, true) || (value && !decode(value, true)))
            return plb_fail(message, PLB_ESYNTAX,
                            "a parameter of the query has a percent sign without two hexadecimal "
                            "digits, or a control character: '%.60s'",
                            name);
        found.parameter[found.parameters++] = (target_parameter){name, value ? value : ""};
    }
    *target = found;
    return PLB_OK;
}

const char *request_target_find(const request_target *target, const char *name) {
    for (int p = 0; p < target->parameters; p++)
        if (strcmp(target->parameter[p].name, name) == 0) return target->parameter[p].value;
    return NULL;
}
