/* SPDX-License-Identifier: MIT
 *
 * Charts as SVG: panels below each other that show the same series of counts over the same
 * numbers 0, 1, 2 .. below. A file needs nothing besides itself, neither fonts nor scripts; the
 * same chart gives the same bytes everywhere.
 *
 *     title                                     series differ in colour, in grey, in marks and in
 *     subtitle                  a  b  c         dashes: readable in print and for everybody
 *     100 % |=:=.=:             stacked bars
 *      50 % |=:=.=:
 *           0  1  2  3
 *     1000  |    /\             lines, logarithmic: a stack would show its upper parts too thin
 *        1  |__/___\
 *           0  1  2  3
 *             x axis
 *
 * Must not know: tables, games.
 */
#ifndef PLB_TOOLS_ANSWERS_CHART_H
#define PLB_TOOLS_ANSWERS_CHART_H

#include <stdint.h>
#include <stdio.h>

enum { CHART_SERIES = 3 }; /* at most: as many as there are styles */

typedef enum chart_kind {
    CHART_SHARES, /* stacked bars: shares of the sum of all series, in percent */
    CHART_LOG,    /* lines on a logarithmic scale; a count of 0 is a gap */
} chart_kind;

typedef struct chart_series {
    const char *name;
    const uint64_t *counts; /* [points], each below 10^18 */
} chart_series;

typedef struct chart_panel {
    chart_kind kind;
    const char *label; /* of the y axis */
} chart_panel;

typedef struct chart_drawing {
    const char *title, *subtitle, *x_label;
    int points; /* numbers on the x axis: 0 .. points - 1; at least 1 */
    const chart_series *series;
    int series_count; /* 1 to CHART_SERIES */
    const chart_panel *panels;
    int panel_count; /* at least 1 */
} chart_drawing;

/* Write a chart as an SVG document. Texts may hold any characters of UTF-8 but control characters.
 * After a failure to write, `ferror` of the stream is set. */
void chart_write(const chart_drawing *chart, FILE *to);

#endif
