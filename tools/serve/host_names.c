/* SPDX-License-Identifier: MIT */
#include "tools/serve/host_names.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { HOST_BYTES = 256 };

/* The host without its port; false: it is none. */
static bool cut_port(const char *host, char name[HOST_BYTES]) {
    const char *colon = *host == '[' ? strchr(host, ']') : strchr(host, ':');
    if (*host == '[') {
        if (!colon) return false;
        colon++;
    }
    size_t length = colon ? (size_t)(colon - host) : strlen(host);
    if (length == 0 || length >= HOST_BYTES) return false;
    if (colon && *colon && (*colon != ':' || colon[1 + strspn(colon + 1, "0123456789")]))
        return false;
    memcpy(name, host, length);
    name[length] = 0;
    return true;
}

static bool is_address(char *name) {
    struct in6_addr v6;
    struct in_addr v4;
    size_t length = strlen(name);
    if (*name != '[') return inet_pton(AF_INET, name, &v4) == 1;
    name[length - 1] = 0;
    return inet_pton(AF_INET6, name + 1, &v6) == 1;
}

static bool is_one_of(const char *name, const char *names) {
    size_t length = strlen(name);
    for (const char *next = names; next && *next;) {
        size_t this = strcspn(next, ",");
        if (this == length && strncasecmp(next, name, length) == 0) return true;
        next += this + strspn(next + this, ",");
    }
    return false;
}

bool host_is_own(const char *host, const char *names) {
    char name[HOST_BYTES];
    return cut_port(host, name) &&
           (strcasecmp(name, "localhost") == 0 || is_one_of(name, names) || is_address(name));
}
