/* SPDX-License-Identifier: MIT
 *
 * The parts of the server that need no tables: connections and their deadlines, parsing of request
 * targets and streams, hosts, tags and encodings.
 */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/text_answer.h"
#include "tools/serve/http_connections.h"
#include "tools/serve/request_head.h"

/* ---- targets ---- */

static void assert_target(const char *text, bool good) {
    char copy[4096];
    request_target target;
    plb_message why = {""};
    snprintf(copy, sizeof copy, "%s", text);
    int error = request_target_parse(copy, &target, &why);
    if ((error == PLB_OK) != good) fail_msg("%s: %s", text, why.text);
    if (error) assert_true(error == PLB_ESYNTAX && *why.text);
}

static void targets_are_parsed(void **state) {
    char text[] = "/v1/a%20b/c?board=5/5/x%2Bo&moves=1+2&v";
    request_target target;
    (void)state;
    assert_int_equal(request_target_parse(text, &target, NULL), PLB_OK);
    assert_int_equal(target.segments, 3);
    assert_string_equal(target.segment[1], "a b");
    assert_int_equal(target.parameters, 3);
    assert_string_equal(request_target_find(&target, "board"), "5/5/x+o");
    assert_string_equal(request_target_find(&target, "moves"), "1 2");
    assert_string_equal(request_target_find(&target, "v"), "");
    assert_null(request_target_find(&target, "w"));
}

static void ambiguous_targets_are_refused(void **state) {
    static const char *const good[] = {
        "/", "/a", "/?", "/a?b", "/a?b=", "/a?%41=%2f", "/..a", "/a/", "/a/b/?c"};
    static const char *const bad[] = {"",
                                      "a",
                                      "*",
                                      "//",
                                      "/a//",
                                      "/a/./",
                                      "/a//b",
                                      "/.",
                                      "/..",
                                      "/a/..",
                                      "/%2e",
                                      "/%2E.",
                                      "/a%2fb",
                                      "/a%5cb",
                                      "/a;b",
                                      "/%00",
                                      "/%0a",
                                      "/%",
                                      "/%4",
                                      "/%4g",
                                      "/a b",
                                      "/\xc3\xa9",
                                      "/a#b",
                                      "/a?%00",
                                      "/a?b=%",
                                      "http://host/a",
                                      "/a\\b",
                                      "/%7f",
                                      "/1/2/3/4/5/6/7/8/9"};
    (void)state;
    for (size_t t = 0; t < sizeof good / sizeof *good; t++) assert_target(good[t], true);
    for (size_t t = 0; t < sizeof bad / sizeof *bad; t++) assert_target(bad[t], false);
}

/* ---- streams of requests ---- */

/* Streams of requests: how many begin, and the number of the first with a malformed head (0: none).
 */
static const struct {
    const char *text;
    size_t size; /* 0: that of the text */
    int requests, malformed;
} streams[] = {
    {"", 0, 0, 0},
    {"\r\n\n", 0, 0, 0},
    {"GET", 0, 1, 0},
    {"GET / HTTP/1.1\r\n\r\n", 0, 1, 0},
    {"GET / HTTP/1.1\r\nA: b\r\n\r\n\r\nGET / HTTP/1.1\r\nB:c\r\n\r\n", 0, 2, 0},
    {"P / H\r\nContent-Length: 5\r\n\r\na\nb\n:P / H\r\n\r\nP", 0, 3, 0},
    {"P / H\r\ncontent-LENGTH:\t5\r\nA: b\r\n\r\nG\r\n\r\nG", 0, 2, 0},
    {"P / H\r\nContent-Length: 0\r\n\r\nG\n", 0, 2, 2},
    {"P / H\r\nContent-Lengths: 9\r\n\r\nG\r\n\r\n", 0, 2, 0},
    {"G / H\n", 0, 1, 1},
    {"G / H\rA: b\r\n\r\n", 0, 1, 1},
    {"G / H\r\nA: b\r\r\n\r\n", 0, 1, 1},
    {"G / H\r\nA: b\n\r\n", 0, 1, 1},
    {"G / H\r\nA: b\r\n\n", 0, 1, 1},
    {"G / H\r\nA: b\r\n c\r\n\r\n", 0, 1, 1},
    {"G / H\r\nA: b\r\n\tc\r\n\r\n", 0, 1, 1},
    {"G / H\r\n: b\r\n\r\n", 0, 1, 1},
    {"G / H\r\n:\n", 0, 1, 1},
    {"G / H\r\n:\r\n\r\n", 0, 1, 1},
    {"G / H\r\n\r\nG / H\r\n\r\nG / H\r\n:\nG", 0, 3, 3},
    {"G / H\r\nA: \0b\r\n\r\n", 16, 1, 1},
    {"G / H\r\nContent-Length:                                        3\r\n\r\n", 0, 1, 1},
    {"G / H\r\nB: 0123456789012345678901234567890123456789012345678901234\r\n\r\nG", 0, 2, 0},
};

/* Each stream is parsed in two pieces, cut anywhere, and byte by byte. */
static void streams_are_parsed_in_pieces(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof streams / sizeof *streams; s++) {
        char text[128];
        size_t size = streams[s].size ? streams[s].size : strlen(streams[s].text);
        memcpy(text, streams[s].text, size + 1);
        for (size_t cut = 0; cut <= size + 1; cut++) {
            request_stream stream = {0};
            int begun = 0;
            if (cut <= size) {
                request_stream_parse(&stream, text, cut);
                request_stream_parse(&stream, text + cut, size - cut);
            }
            for (size_t c = 0; cut > size && c < size; c++)
                begun += request_stream_parse(&stream, text + c, 1);
            if (stream.requests != streams[s].requests || stream.malformed != streams[s].malformed)
                fail_msg("%s: cut at %zu it has %d requests, and %d is malformed", text, cut,
                         stream.requests, stream.malformed);
            if (cut > size) assert_int_equal(begun, stream.requests);
        }
    }
}

/* Only in heads, and also if the head comes in pieces. */
static void cookie_headers_are_renamed(void **state) {
    static const struct {
        const char *received, *seen;
    } rows[] = {
        {"G / H\r\nCookie: a\r\n\r\n", "G / H\r\nCooki-: a\r\n\r\n"},
        {"G / H\r\nA: Cookie\r\ncookie: a\r\n\r\n", "G / H\r\nA: Cookie\r\ncooki-: a\r\n\r\n"},
        {"P / H\r\nContent-Length: 8\r\n\r\nCookie:\n",
         "P / H\r\nContent-Length: 8\r\n\r\nCookie:\n"}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        size_t size = strlen(rows[r].received);
        for (size_t cut = 0; cut <= size; cut++) {
            request_stream stream = {0};
            char text[64];
            memcpy(text, rows[r].received, size + 1);
            request_stream_parse(&stream, text, cut);
            request_stream_parse(&stream, text + cut, size - cut);
            assert_string_equal(text, rows[r].seen);
        }
    }
}

/* ---- hosts, tags ---- */

static void own_hosts_are_known(void **state) {
    static const char *const own[] = {"localhost", "LocalHost:80", "127.0.0.1", "10.1.2.3:8080",
                                      "[::1]",     "[::1]:8080",   "a.example", "B.example:1"};
    static const char *const others[] = {
        "",     "example", "a.example.evil", "x.a.example", "1.2.3",       "::1",
        "[::1", "[::1]x",  "a.example:b",    "localhost.",  "127.0.0.1.x", ":80"};
    (void)state;
    for (size_t h = 0; h < sizeof own / sizeof *own; h++)
        assert_true(host_is_own(own[h], "a.example,b.example"));
    for (size_t h = 0; h < sizeof others / sizeof *others; h++)
        assert_false(host_is_own(others[h], "a.example,b.example"));
    assert_false(host_is_own("a.example", NULL));
}

static void tags_are_found_in_lists(void **state) {
    (void)state;
    assert_true(http_etag_matches("\"a\"", "\"a\""));
    assert_true(http_etag_matches("\"b\", W/\"a\" ,\"c\"", "\"a\""));
    assert_false(http_etag_matches("\"ab\"", "\"a\""));
    assert_false(http_etag_matches("", "\"a\""));
    assert_false(http_etag_matches(NULL, "\"a\""));
    assert_false(http_etag_matches("*", "\"a\""));
}

static void gzip_is_used_as_accept_encoding_says(void **state) {
    static const char *const taken[] = {
        "gzip", "GZIP",        "br, gzip",  "gzip;q=0.001",  "gzip ; q=1",     "deflate;q=0,gzip",
        "*",    "*;q=0, gzip", "br;q=0, *", "gzip;q=0.5,br", "identity, gzip", ", ,gzip"};
    static const char *const refused[] = {
        "",      "br",    "gzip;q=0",    "gzip; q=0.000", "gzip ;Q=0, br", "*, gzip;q=0",
        "xgzip", "gzipx", "gzip;q=0, *", "*;q=0",         "x;gzip",        "identity"};
    (void)state;
    for (size_t a = 0; a < sizeof taken / sizeof *taken; a++)
        if (!http_accepts_gzip(taken[a])) fail_msg("'%s' takes no gzip", taken[a]);
    for (size_t a = 0; a < sizeof refused / sizeof *refused; a++)
        if (http_accepts_gzip(refused[a])) fail_msg("'%s' takes gzip", refused[a]);
    assert_false(http_accepts_gzip(NULL));
}

/* ---- connections ---- */

enum { PAIRS = 4 };

/* Connections over pairs of sockets: the other end shows what the server does. */
typedef struct crowd {
    http_connections all;
    http_connection *one[PAIRS];
    int other[PAIRS];
} crowd;

static void begin_crowd(crowd *c, int max) {
    http_connections_init(&c->all, max);
    for (int p = 0; p < PAIRS; p++) {
        int ends[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
        c->other[p] = ends[1];
        c->one[p] = http_connections_add(&c->all, ends[0], 100);
        assert_non_null(c->one[p]);
    }
}

static void end_crowd(crowd *c) {
    for (int p = 0; p < PAIRS; p++) {
        int socket = c->one[p]->socket;
        http_connections_remove(&c->all, c->one[p]);
        close(socket);
        close(c->other[p]);
    }
    assert_int_equal(c->all.count, 0);
    http_connections_destroy(&c->all);
}

static bool is_shut(const crowd *c, int p) {
    char byte;
    return recv(c->other[p], &byte, 1, 0) == 0;
}

/* Has the server's end reached the end of its input? */
static bool reads_nothing_more(const crowd *c, int p) {
    char byte;
    return recv(c->one[p]->socket, &byte, 1, 0) == 0;
}

static void late_connections_are_shut(void **state) {
    (void)state;
    crowd c;
    begin_crowd(&c, PAIRS);
    http_connection_set_idle(c.one[0], -1);     /* it was idle for too long */
    http_connection_begin_answer(c.one[1], -1); /* it did not read in time */
    http_connection_begin_answer(c.one[2], -1); /* it did, */
    http_connection_begin_request(c.one[2]);    /* and sends another request */
    http_connection_begin_answer(c.one[3], -1);
    http_connection_hold(c.one[3]); /* its answer is being computed */
    http_connections_sweep(&c.all, false);
    assert_true(is_shut(&c, 0));
    assert_true(is_shut(&c, 1));
    assert_false(is_shut(&c, 2));
    assert_false(is_shut(&c, 3));
    end_crowd(&c);
}

/* The answer is sent, but may still be in the buffers of the system. */
static void clients_that_do_not_read_are_shut(void **state) {
    (void)state;
    crowd c;
    begin_crowd(&c, PAIRS);
    for (int p = 0; p < 2; p++) {
        assert_int_equal(write(c.one[p]->socket, "answer", 6), 6);
        http_connection_begin_answer(c.one[p], -1);
        http_connection_set_idle(c.one[p], 100);
    }
    char answer[6];
    assert_int_equal(recv(c.other[0], answer, sizeof answer, 0), 6);
    http_connections_sweep(&c.all, false);
    assert_false(is_shut(&c, 0));
    assert_int_equal(recv(c.other[1], answer, sizeof answer, 0), 6);
    assert_true(is_shut(&c, 1));
    end_crowd(&c);
}

static void a_first_request_has_one_deadline(void **state) {
    (void)state;
    crowd c;
    begin_crowd(&c, PAIRS);
    http_connection_set_idle(c.one[0], -1);
    http_connection_begin_request(c.one[0]); /* its first line came late */
    http_connections_sweep(&c.all, false);
    assert_true(is_shut(&c, 0));
    assert_false(is_shut(&c, 1));
    end_crowd(&c);
}

static void a_request_begins_with_its_first_byte(void **state) {
    (void)state;
    crowd c;
    begin_crowd(&c, PAIRS);
    for (int p = 0; p < PAIRS; p++) {
        c.one[p]->request_seconds = p == 3 ? 100 : -1;
        http_connection_begin_answer(c.one[p], 100);
        if (p == 0)
            http_connection_receive(c.one[p], "G\r\n\r\nG",
                                    6); /* with the first byte of the next request */
        http_connection_set_idle(c.one[p], 100);
    }
    http_connection_receive(c.one[2], "G", 1);
    http_connection_receive(c.one[3], "G", 1);
    http_connections_sweep(&c.all, false);
    assert_true(is_shut(&c, 0));
    assert_false(is_shut(&c, 1)); /* it is idle */
    assert_true(is_shut(&c, 2));
    assert_false(is_shut(&c, 3));
    c.one[3]->request_seconds = -1;
    http_connection_begin_request(c.one[3]); /* it has begun */
    http_connections_sweep(&c.all, true);
    assert_false(is_shut(&c, 3));
    assert_false(reads_nothing_more(&c, 3));
    assert_true(reads_nothing_more(&c, 1));
    end_crowd(&c);
}

static void idle_connections_are_shut_for_new_ones(void **state) {
    (void)state;
    crowd c;
    begin_crowd(&c, PAIRS - 1);
    assert_false(c.one[2]->over_limit);
    assert_true(c.one[3]->over_limit); /* no connection is idle */
    http_connection_begin_answer(c.one[1], 100);
    http_connection_set_idle(c.one[1], 100);
    int socket = c.one[3]->socket;
    http_connections_remove(&c.all, c.one[3]);
    c.one[3] = http_connections_add(&c.all, socket, 100); /* it connects again */
    assert_false(c.one[3]->over_limit);
    assert_true(is_shut(&c, 1));
    http_connections_sweep(&c.all, true); /* when the server ends, idle connections are not kept */
    for (int p = 0; p < PAIRS; p++) assert_true(reads_nothing_more(&c, p));
    end_crowd(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_connections_are_shut),
        cmocka_unit_test(clients_that_do_not_read_are_shut),
        cmocka_unit_test(a_first_request_has_one_deadline),
        cmocka_unit_test(a_request_begins_with_its_first_byte),
        cmocka_unit_test(idle_connections_are_shut_for_new_ones),
        cmocka_unit_test(streams_are_parsed_in_pieces),
        cmocka_unit_test(cookie_headers_are_renamed),
        cmocka_unit_test(targets_are_parsed),
        cmocka_unit_test(ambiguous_targets_are_refused),
        cmocka_unit_test(own_hosts_are_known),
        cmocka_unit_test(tags_are_found_in_lists),
        cmocka_unit_test(gzip_is_used_as_accept_encoding_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
