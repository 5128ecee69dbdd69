/* SPDX-License-Identifier: MIT */
#include "tools/commands/configuration_table.h"

#include <stdio.h>

#include "tables/proofs/configurations.h"
#include "tools/answers/position_proofs.h"
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

static void put_row(json_writer *to, const plb_configuration *c, const configuration_example *e,
                    const computed_row *row) {
    open_object(to, NULL);
    put_word(to, "name", c->name);
    put_words(to, "groups", c->groups);
    put_word(to, "main_markers", c->main);
    put_number(to, "markers", row->markers);
    put_real(to, "coverage_ratio", row->ratio_percent / 100.0);
    put_number(to, "nodes", (int64_t)row->nodes);
    open_object(to, "paper");
    put_number(to, "markers", e->markers);
    put_number(to, "groups", e->groups);
    put_number(to, "reduction", e->reduction);
    put_real(to, "coverage_ratio", e->ratio_percent / 100.0);
    if (e->nodes)
        put_number(to, "nodes", e->nodes);
    else
        put_null(to, "nodes");
    close_object(to);
    put_word(to, "example_spec", e->spec);
    put_word(to, "example", e->board);
    close_object(to);
}

static void print_heading(void) {
    puts("                    markers     groups  reduction      ratio        nodes");
    puts("configuration     paper here paper here paper here paper here  paper  here  position");
}

void print_configurations(bool json) {
    json_writer w = {0};
    if (json) {
        open_object(&w, NULL);
        open_list(&w, "configurations");
    } else {
        print_heading();
    }
    for (int n = 0; plb_configuration_at(n); n++) {
        const plb_configuration *c = plb_configuration_at(n);
        const configuration_example *e = configuration_example_at(n);
        computed_row row = compute_row(c, e);
        if (json)
            put_row(&w, c, e, &row);
        else
            print_row(e, &row);
    }
    if (!json) return;
    close_list(&w);
    close_object(&w);
    print_json_line(&w);
}
