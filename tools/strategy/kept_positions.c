/* SPDX-License-Identifier: MIT */
#include "tools/strategy/kept_positions.h"

typedef struct collector {
    const rule_walk_options *options; /* as given; reports go there */
    kept_positions *kept;
    plb_message *message;
} collector;

static int keep(void *context, plb_position position) {
    collector *c = context;
    plb_position least = plb_orbit_least(c->options->game, c->kept->symmetry, position);
    if ((position.x | position.o) == 0) return PLB_OK;
    if (plb_position_set_is_full(&c->kept->set))
        return plb_fail(c->message, PLB_ETOOBIG,
                        "the positions of the strategy do not fit the memory given; --memory "
                        "allows more");
    return plb_position_set_add(&c->kept->set, least, plb_position_hash(least))
               ? plb_fail(c->message, PLB_ENOMEM, "out of memory for the positions of a strategy")
               : PLB_OK;
}

static void pass_report(void *context, int ply, uint64_t positions) {
    const rule_walk_options *o = ((collector *)context)->options;
    if (o->report) o->report(o->context, ply, positions);
}

static void pass_beat(void *context, int ply, double share) {
    const rule_walk_options *o = ((collector *)context)->options;
    if (o->beat) o->beat(o->context, ply, share);
}

int kept_positions_collect(const rule_walk_options *options, const plb_symmetry *symmetry,
                           kept_positions *kept, rule_walk_result *result, plb_message *message) {
    collector c = {options, kept, message};
    rule_walk_options walk = *options;
    walk.report = pass_report;
    walk.beat = pass_beat;
    walk.visit = keep;
    walk.context = &c;
    *kept = (kept_positions){.symmetry = symmetry};
    plb_position_set_begin(&kept->set,
                           (uint64_t)(options->memory_bytes / plb_position_set_bytes(1)));
    return rule_walk(&walk, result, message);
}

void kept_positions_free(kept_positions *kept) {
    plb_position_set_free(&kept->set);
}
