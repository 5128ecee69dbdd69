/* SPDX-License-Identifier: MIT */
#include "tools/commands/configuration_table.h"

#include <stdio.h>

#include "tables/proofs/configurations.h"
#include "tools/answers/json_pairing.h"
#include "tools/strategy/configuration_examples.h"

/* A row as it is computed here. */
typedef struct computed_row {
    int markers, groups, reduction, ratio_percent;
    uint64_t nodes;
} computed_row;

static computed_row compute_row(const plb_configuration *c, const configuration_example *e) {
    uint32_t groups[PLB_MOST_CONFIGURATION_GROUPS];
    computed_row row = {.markers = plb_configuration_markers(c),
                        .groups = plb_configuration_read(c, groups),
                        .nodes = configuration_example_nodes(e)};
    row.reduction = 2 * row.groups - row.markers;
    row.ratio_percent = (200 * row.markers + row.groups) / (2 * row.groups);
    return row;
}

static void print_row(const configuration_example *e, const computed_row *row) {
    char nodes[16] = "-";
    if (e->nodes) snprintf(nodes, sizeof nodes, "%d", e->nodes);
    printf("%-17s %4d %4d  %4d %4d  %4d %4d  %4.2f %4.2f  %5s %5llu  %s %s\n", e->name, e->markers,
           row->markers, e->groups, row->groups, e->reduction, row->reduction,
           e->ratio_percent / 100.0, row->ratio_percent / 100.0, nodes,
           (unsigned long long)row->nodes, e->spec, e->board);
}

static json_t *json_of_row(const plb_configuration *c, const configuration_example *e,
                           const computed_row *row) {
    return json_pack("{s:s, s:o, s:s, s:i, s:f, s:I, s:{s:i, s:i, s:i, s:f, s:o}, s:s, s:s}",
                     "name", c->name, "groups", json_of_words(c->groups), "main_markers", c->main,
                     "markers", row->markers, "coverage_ratio", row->ratio_percent / 100.0, "nodes",
                     (json_int_t)row->nodes, "paper", "markers", e->markers, "groups", e->groups,
                     "reduction", e->reduction, "coverage_ratio", e->ratio_percent / 100.0, "nodes",
                     e->nodes ? json_integer(e->nodes) : json_null(), "example_spec", e->spec,
                     "example", e->board);
}

static void print_heading(void) {
    puts("                    markers     groups  reduction      ratio        nodes");
    puts("configuration     paper here paper here paper here paper here  paper  here  position");
}

void print_configurations(bool json) {
    json_t *list = json ? json_array() : NULL;
    if (!json) print_heading();
    for (int n = 0; plb_configuration_at(n); n++) {
        const plb_configuration *c = plb_configuration_at(n);
        const configuration_example *e = configuration_example_at(n);
        computed_row row = compute_row(c, e);
        if (json)
            json_array_append_new(list, json_of_row(c, e, &row));
        else
            print_row(e, &row);
    }
    if (json) print_json_line(json_pack("{s:o}", "configurations", list));
}
