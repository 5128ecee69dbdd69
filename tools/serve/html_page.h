/* SPDX-License-Identifier: MIT
 *
 * Pages for people that are written when they are asked for: HTML without scripts, with the style
 * of manual.css.
 */
#ifndef PLB_TOOLS_SERVE_HTML_PAGE_H
#define PLB_TOOLS_SERVE_HTML_PAGE_H

#include <stdio.h>

#include "tools/serve/exchange.h"
#include "tools/serve/text_stream.h"

/* Write text so that nothing in it is taken for a tag or for the end of an attribute. */
void html_write_text(FILE *to, const char *text);

/* Write all that stands before the content, with the title as its heading. */
void html_begin_page(FILE *to, const char *title);

/* End a page, which is given up, and answer with it. The FILE may be NULL. */
void html_answer_page(FILE *to, text_stream *page, http_answer *answer);

#endif
