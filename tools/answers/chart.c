/* SPDX-License-Identifier: MIT
 *
 * Coordinates are rounded to whole tenths of a pixel and printed with integer formats, so that
 * neither the locale nor the machine changes the file.
 */
#include "tools/answers/chart.h"

#include <math.h>
#include <stdbool.h>

/* The page, in pixels. */
enum {
    WIDTH = 760,
    LEFT = 72,
    RIGHT = 20,
    TOP = 92, /* for title, subtitle and legend */
    PANEL_HEIGHT = 210,
    GAP = 46, /* below a panel, for the numbers of the x axis */
    BOTTOM = 22,
    LEGEND_STEP = 90,
    MAX_NUMBERS = 26, /* labels on the x axis */
};
#define FONT "font-family=\"Helvetica, Arial, sans-serif\""

/* The style of a series. The fills also differ in brightness. */
typedef struct style {
    const char *fill, *ink, *dashes;
    double mark_x, mark_y; /* start of the path of a mark, relative to its centre */
    const char *mark;      /* rest of the path: a disc, a square, a triangle */
} style;

/* ---- numbers and texts ---- */

/* Write a coordinate after a text, such as the command of a path. */
static void put_coordinate(FILE *to, const char *before, double coordinate) {
    long tenths = lround(10 * coordinate);
    fprintf(to, tenths % 10 ? "%s%ld.%ld" : "%s%ld", before, tenths / 10, tenths % 10);
}

static void put_point(FILE *to, const char *before, double x, double y) {
    put_coordinate(to, before, x);
    put_coordinate(to, " ", y);
}

void write_escaped(FILE *to, const char *text) {
    for (; *text; text++) {
        const char *entity = *text == '<'   ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            fputs(entity, to);
        else
            fputc(*text, to);
    }
}

static void put_element(FILE *to, const char *name, const char *text) {
    fprintf(to, "<%s>", name);
    write_escaped(to, text);
    fprintf(to, "</%s>\n", name);
}

static void put_text(FILE *to, double x, double y, const char *attributes, const char *text) {
    put_coordinate(to, "<text x=\"", x);
    put_coordinate(to, "\" y=\"", y);
    fprintf(to, "\"%s>", attributes);
    write_escaped(to, text);
    fputs("</text>\n", to);
}

/* ---- styles ---- */

static const style styles[CHART_SERIES] = {
    {"#175a9c", "#124a82", "none", -3, 0, "a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z"},
    {"#dcdcdc", "#6a6a6a", "6 3", -3, -3, "h6v6h-6z"},
    {"#eb9a2c", "#a85a00", "2 2", 0, -4, "l4 7h-8z"}};

static void put_mark(FILE *to, int series, double x, double y) {
    put_point(to, "M", x + styles[series].mark_x, y + styles[series].mark_y);
    fputs(styles[series].mark, to);
}

/* ---- scales ---- */

static double step_width(const chart_drawing *chart) {
    return (double)(WIDTH - LEFT - RIGHT) / chart->points;
}

static double x_of(const chart_drawing *chart, int point) {
    return LEFT + (point + 0.5) * step_width(chart);
}

static double panel_top(int panel) {
    return TOP + panel * (PANEL_HEIGHT + GAP);
}

static double y_of_share(int panel, double share) {
    return panel_top(panel) + PANEL_HEIGHT * (1 - share);
}

/* The number of decades of the logarithmic axis. */
static int count_decades(const chart_drawing *chart) {
    uint64_t max = 10;
    for (int s = 0; s < chart->series_count; s++)
        for (int p = 0; p < chart->points; p++)
            if (chart->series[s].counts[p] > max) max = chart->series[s].counts[p];
    int decades = 0;
    for (uint64_t power = 1; power < max; power *= 10) decades++;
    return decades;
}

/* ---- panels ---- */

static void put_grid_line(FILE *to, double y) {
    put_point(to, "M", LEFT, y);
    fprintf(to, "h%d", WIDTH - LEFT - RIGHT);
}

/* Draw the part of each bar that belongs to a series, on top of the previous series. */
static void put_bars(FILE *to, const chart_drawing *chart, int panel, int series) {
    double width = step_width(chart);
    for (int p = 0; p < chart->points; p++) {
        uint64_t below = 0, all = 0, own = chart->series[series].counts[p];
        for (int s = 0; s < chart->series_count; s++) {
            if (s < series) below += chart->series[s].counts[p];
            all += chart->series[s].counts[p];
        }
        if (!own) continue;
        double sum = (double)all;
        double from = y_of_share(panel, (double)below / sum);
        put_point(to, "M", x_of(chart, p) - 0.4 * width, from);
        put_coordinate(to, "V", y_of_share(panel, (double)(below + own) / sum));
        put_coordinate(to, "h", 0.8 * width);
        put_coordinate(to, "V", from);
        fputc('z', to);
    }
}

static void put_shares(FILE *to, const chart_drawing *chart, int panel) {
    /* The y axis: quarters. */
    fputs("<path stroke=\"#ccc\" d=\"", to);
    for (int quarter = 1; quarter <= 4; quarter++)
        put_grid_line(to, y_of_share(panel, quarter / 4.));
    fputs("\"/>\n<g text-anchor=\"end\">\n", to);
    for (int quarter = 0; quarter <= 4; quarter++) {
        char number[16];
        snprintf(number, sizeof number, "%d %%", 25 * quarter);
        put_text(to, LEFT - 8, y_of_share(panel, quarter / 4.) + 4, "", number);
    }
    fputs("</g>\n", to);
    for (int s = 0; s < chart->series_count; s++) {
        fprintf(to, "<path fill=\"%s\" stroke=\"%s\" stroke-width=\"0.5\" d=\"", styles[s].fill,
                styles[s].ink);
        put_bars(to, chart, panel, s);
        fputs("\"/>\n", to);
    }
}

static double y_of_log(int panel, int decades, uint64_t count) {
    return y_of_share(panel, log10((double)count) / decades);
}

static void put_lines(FILE *to, const chart_drawing *chart, int panel) {
    int decades = count_decades(chart);
    /* The y axis: powers of ten. Exponents are raised by dy, since not every SVG viewer supports
     * baseline-shift. */
    int step = decades > 10 ? 2 : 1;
    fputs("<path stroke=\"#ccc\" d=\"", to);
    for (int d = step; d <= decades; d += step)
        put_grid_line(to, y_of_share(panel, (double)d / decades));
    fputs("\"/>\n<g text-anchor=\"end\">\n", to);
    for (int d = 0; d <= decades; d += step) {
        put_coordinate(to, "<text x=\"", LEFT - 8);
        put_coordinate(to, "\" y=\"", y_of_share(panel, (double)d / decades) + 5);
        fprintf(to, "\">10<tspan dy=\"-5\" font-size=\"9\">%d</tspan></text>\n", d);
    }
    fputs("</g>\n", to);
    for (int s = 0; s < chart->series_count; s++) {
        const uint64_t *counts = chart->series[s].counts;
        fprintf(
            to,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" stroke-dasharray=\"%s\" d=\"",
            styles[s].ink, styles[s].dashes);
        for (int p = 0; p < chart->points; p++) {
            if (!counts[p]) continue;
            bool begins = p == 0 || !counts[p - 1];
            put_point(to, begins ? "M" : "L", x_of(chart, p), y_of_log(panel, decades, counts[p]));
        }
        fprintf(to, "\"/>\n<path fill=\"%s\" stroke=\"%s\" d=\"", styles[s].fill, styles[s].ink);
        for (int p = 0; p < chart->points; p++)
            if (counts[p]) put_mark(to, s, x_of(chart, p), y_of_log(panel, decades, counts[p]));
        fputs("\"/>\n", to);
    }
}

static void put_panel(FILE *to, const chart_drawing *chart, int panel) {
    switch (chart->panels[panel].kind) {
        case CHART_SHARES:
            put_shares(to, chart, panel);
            break;
        case CHART_LOG:
            put_lines(to, chart, panel);
            break;
    }
    /* The x axis: the smallest step with at most MAX_NUMBERS labels. */
    static const int steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    enum { LAST = sizeof steps / sizeof *steps - 1 };
    int s = 0;
    while (s < LAST && (chart->points - 1) / steps[s] >= MAX_NUMBERS) s++;
    double y = panel_top(panel) + PANEL_HEIGHT;
    fputs("<path stroke=\"#333\" d=\"", to);
    put_grid_line(to, y);
    for (int p = 0; p < chart->points; p += steps[s]) {
        put_point(to, "M", x_of(chart, p), y);
        fputs("v5", to);
    }
    fputs("\"/>\n<g text-anchor=\"middle\">\n", to);
    for (int p = 0; p < chart->points; p += steps[s]) {
        char number[16];
        snprintf(number, sizeof number, "%d", p);
        put_text(to, x_of(chart, p), y + 18, "", number);
    }
    fputs("</g>\n", to);
    char turn[80];
    int middle = (int)panel_top(panel) + PANEL_HEIGHT / 2;
    snprintf(turn, sizeof turn, " text-anchor=\"middle\" transform=\"rotate(-90 18 %d)\"", middle);
    put_text(to, 18, middle, turn, chart->panels[panel].label);
}

/* ---- the page ---- */

void chart_write(const chart_drawing *chart, FILE *to) {
    int height = (int)panel_top(chart->panel_count) + BOTTOM - (GAP - 22);
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\" " FONT " font-size=\"12\" fill=\"#222\">\n",
            WIDTH, height, WIDTH, height);
    put_element(to, "title", chart->title);
    put_element(to, "desc", chart->subtitle);
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", to);
    put_text(to, LEFT, 28, " font-size=\"18\" font-weight=\"bold\"", chart->title);
    put_text(to, LEFT, 48, "", chart->subtitle);
    /* The legend: each series as a bar and as a mark, with its name. */
    double y = TOP - 22;
    for (int s = 0; s < chart->series_count; s++) {
        double x = LEFT + s * LEGEND_STEP;
        fprintf(to, "<path fill=\"%s\" stroke=\"%s\" d=\"", styles[s].fill, styles[s].ink);
        put_point(to, "M", x, y - 5);
        fputs("h14v10h-14z", to);
        put_mark(to, s, x + 24, y);
        fputs("\"/>\n", to);
        put_text(to, x + 34, y + 4, "", chart->series[s].name);
    }
    for (int panel = 0; panel < chart->panel_count; panel++) put_panel(to, chart, panel);
    put_text(to, LEFT + (WIDTH - LEFT - RIGHT) / 2., height - 8, " text-anchor=\"middle\"",
             chart->x_label);
    fputs("</svg>\n", to);
}
