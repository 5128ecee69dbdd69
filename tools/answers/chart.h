/* SPDX-License-Identifier: MIT
 *
 * Draws charts as SVG: panels, one below the other, which show the same series of counts over the
 * same x axis 0, 1, 2 .. A file is self-contained, without fonts or scripts; the same chart gives
 * the same bytes on every machine.
 *
 *     title                                     series differ in colour, brightness, marks and
 *     subtitle                  a  b  c         dashes, for print and for colour-blind readers
 *     100 % |=:=.=:             stacked bars
 *      50 % |=:=.=:
 *           0  1  2  3
 *     1000  |    /\             lines on a logarithmic scale, not stacked
 *        1  |__/___\
 *           0  1  2  3
 *             x axis
 *
 * Must not know: tables, games.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

enum { CHART_SERIES = 3 }; /* maximum: one for each style */

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
    int points; /* the x axis is 0 .. points - 1; at least 1 */
    const chart_series *series;
    int series_count; /* 1 to CHART_SERIES */
    const chart_panel *panels;
    int panel_count; /* at least 1 */
} chart_drawing;

/* Write text with the special characters of SVG and HTML escaped. */
void write_escaped(FILE *to, const char *text);

/* Write a chart as an SVG document. Texts are UTF-8 without control characters. After a write
 * error, `ferror` of the stream is set. */
void chart_write(const chart_drawing *chart, FILE *to);
