/* SPDX-License-Identifier: MIT */
#include "tools/serve/html_page.h"

#include "tools/serve/page_assets.h"

void html_write_text(FILE *to, const char *text) {
    for (; text && *text; text++) {
        const char *escaped = *text == '&'   ? "&amp;"
                              : *text == '<' ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '"' ? "&quot;"
                                             : NULL;
        if (escaped)
            fputs(escaped, to);
        else
            putc(*text, to);
    }
}

void html_begin_page(FILE *to, const char *title) {
    fputs(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        to);
    html_write_text(to, title);
    fprintf(to,
            "</title>\n<link rel=\"stylesheet\" href=\"/assets/%s/manual.css\">\n</head>\n"
            "<body>\n<main>\n<h1>",
            page_assets_hash());
    html_write_text(to, title);
    fputs("</h1>\n", to);
}

void html_answer_page(FILE *to, text_stream *page, http_answer *answer) {
    size_t size;
    if (to) fputs("</main>\n</body>\n</html>\n", to);
    char *text = text_stream_close(page, to, &size);
    http_answer_begin(answer, 200, "text/html; charset=utf-8");
    http_answer_own(answer, text, size);
    answer->caching = CACHE_ASK;
    if (answer->status == 200) answer->audience = FOR_BROWSERS;
}
