/* SPDX-License-Identifier: MIT */
#include "tools/serve/request_head.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HOST_BYTES = 256 };

/* ---- lines ---- */

/* A token of RFC 9110, 5.6.2. */
static bool is_token(const char *text, size_t size) {
    return size > 0 && strspn(text,
                              "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == size;
}

void request_head_begin(request_head *h, http_request *request, const char *method) {
    static const char *const methods[] = {
        [HTTP_GET] = "GET", [HTTP_HEAD] = "HEAD", [HTTP_POST] = "POST", [HTTP_OPTIONS] = "OPTIONS"};
    int m = HTTP_GET;
    while (m < HTTP_OTHER && strcmp(method, methods[m]) != 0) m++;
    *h = (request_head){.request = request, .malformed = !is_token(method, strlen(method))};
    request->method = (http_method)m;
}

void request_head_add(request_head *h, const char *name, size_t name_size, const char *value,
                      size_t value_size) {
    h->lines++;
    h->bytes += name_size + value_size + strlen(": \r\n");
    if (!is_token(name, name_size)) h->malformed = true;
    if (!value) return;
    for (size_t c = 0; c < value_size; c++)
        if (((unsigned char)value[c] < ' ' && value[c] != '\t') || value[c] == 0x7f)
            h->malformed = true;
    if (strcasecmp(name, "host") == 0) {
        h->host = h->request->host = value;
        h->hosts++;
    } else if (strcasecmp(name, "content-length") == 0) {
        h->length = value;
        h->lengths++;
    } else if (strcasecmp(name, "transfer-encoding") == 0) {
        h->encoded = true;
    } else if (strcasecmp(name, "content-type") == 0) {
        h->request->content_type = value;
    } else if (strcasecmp(name, "if-none-match") == 0) {
        h->request->if_none_match = value;
    } else if (strcasecmp(name, "accept") == 0) {
        h->request->accept = value;
    } else if (strcasecmp(name, "accept-encoding") == 0) {
        h->request->accept_encoding = value;
    }
}

/* ---- hosts ---- */

bool host_is_own(const char *host, const char *names) {
    char name[HOST_BYTES];
    struct in6_addr v6;
    struct in_addr v4;
    const char *port = *host == '[' ? strchr(host, ']') : strchr(host, ':');
    if (*host == '[' && !port) return false;
    if (*host == '[') port++;
    size_t length = port ? (size_t)(port - host) : strlen(host);
    if (length == 0 || length >= HOST_BYTES) return false;
    if (port && *port && (*port != ':' || port[1 + strspn(port + 1, "0123456789")])) return false;
    memcpy(name, host, length);
    name[length] = 0;
    if (strcasecmp(name, "localhost") == 0) return true;
    for (const char *next = names; next && *next;) {
        size_t this = strcspn(next, ",");
        if (this == length && strncasecmp(next, name, length) == 0) return true;
        next += this + strspn(next + this, ",");
    }
    if (*name != '[') return inet_pton(AF_INET, name, &v4) == 1;
    name[length - 1] = 0;
    return inet_pton(AF_INET6, name + 1, &v6) == 1;
}

/* ---- the whole head ---- */

/* Rearrange a target in absolute form, http://host/path, in place to path, NUL, host. Returns the
 * host, or NULL if the target has another form. */
static const char *split_host(char *target) {
    static const char scheme[] = "http://";
    char name[HOST_BYTES];
    if (strncasecmp(target, scheme, strlen(scheme)) != 0) return NULL;
    char *host = target + strlen(scheme);
    size_t size = strcspn(host, "/?");
    if (size == 0 || size >= HOST_BYTES) return NULL;
    memcpy(name, host, size);
    name[size] = 0;
    size_t slash = host[size] != '/'; /* the path lacks its slash */
    *target = '/';
    memmove(target + slash, host + size, strlen(host + size) + 1);
    return memcpy(target + strlen(target) + 1, name, size + 1);
}

bool request_head_refuse(const request_head *h, char *target, const char *version,
                         const serve_options *limits, bool checks_host, http_answer *answer) {
    plb_message message;
    const char *length = h->length, *host = h->host;
    bool too_long = strlen(target) > (size_t)limits->target_bytes;
    const char *named = too_long ? NULL : split_host(target);
    if (named) host = named; /* takes precedence over the header */
    if (h->malformed)
        answer_problem(answer, PROBLEM_BAD_REQUEST,
                       "a line of the head has characters that are not allowed there");
    else if (h->lines > limits->head_lines || h->bytes > (size_t)limits->head_bytes)
        answer_problem(answer, PROBLEM_HEAD_TOO_LARGE, "a head has at most %d lines and %d bytes",
                       limits->head_lines, limits->head_bytes);
    else if (too_long)
        answer_problem(answer, PROBLEM_TARGET_TOO_LONG, "a target has at most %d bytes",
                       limits->target_bytes);
    else if (request_target_parse(target, &h->request->target, &message) != PLB_OK)
        answer_problem(answer, PROBLEM_BAD_REQUEST, "%s", message.text);
    else if (h->hosts > 1 || (!h->hosts && strcmp(version, "HTTP/1.0") != 0))
        answer_problem(answer, PROBLEM_BAD_REQUEST, "a request needs exactly one Host");
    else if (checks_host && host && !host_is_own(host, limits->hosts))
        answer_problem(answer, PROBLEM_WRONG_HOST,
                       "this server is not '%.80s'; `plybase serve --host` adds names", host);
    else if (h->encoded || (h->request->method == HTTP_POST && !length))
        answer_problem(answer, PROBLEM_LENGTH_NEEDED,
                       "a body needs a Content-Length, and must not have a Transfer-Encoding");
    else if (h->lengths > 1 || (length && (!*length || length[strspn(length, "0123456789")])))
        answer_problem(answer, PROBLEM_BAD_REQUEST, "Content-Length must be one number");
    else if (length && (strlen(length) > 10 || strtoll(length, NULL, 10) > limits->body_bytes))
        answer_problem(answer, PROBLEM_BODY_TOO_LARGE, "a body has at most %d bytes",
                       limits->body_bytes);
    else
        return false;
    return true;
}
