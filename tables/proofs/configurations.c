/* SPDX-License-Identifier: MIT
 *
 * The configurations, in the order of the paper's table of them. Of a cycle the corners come first,
 * then the markers of the sides: a-b is the side without a marker of its own.
 */
#include "tables/proofs/configurations.h"

#include <stddef.h>
#include <string.h>

static const plb_configuration configurations[] = {
    {"Triangle", "ab adc bec", "ab"},
    {"Square", "ab aed bfc cgd", "ab"},
    {"C5", "ab bfc cgd dhe eia", "ab"},
    {"C6", "ab bgc chd die ejf fka", "ab"},
    {"C7", "ab bhc cid dje ekf flg gma", "ab"},
    {"C8", "ab bic cjd dke elf fmg gnh hoa", "ab"},
    {"Triangle/Line", "ab adc bec dfe", "ab"},
    {"Square/Line", "ab aed bfc cgd ehf", "ab"},
    {"C5/Line", "ab bfc cgd dhe eia fji", "ab"},
    {"C6/Line", "ab bgc chd die ejf fka glk", "ab"},
    {"C7/Line", "ab bhc cid dje ekf flg gma hnm", "ab"},
    {"C8/Line", "ab bic cjd dke elf fmg gnh hoa ipo", "ab"},
    {"BiTriangle", "ab adc agf bec bhf", "ab"},
    {"BiTriangleX", "ab adc aef bec bgf", "ab"},
    {"FlatStar", "abc adg bdf beh ceg fgh", "bg"},
    {"BiTriangle/Line", "ab adc agf bec bhf dei", "ab"},
    {"BiTriangle/BiLine", "ab adc agf bec bhf dei ghj", "ab"},
    {"BiTriangleX/Line", "ab adc aef bec bgf dgh", "ab"},
    {"FlatStar/Line", "abc adg bdf beh bg ceg fgh", "bg"},
    {"TriTriangleX", "ab adc aef aih bec bgf bjh", "ab"},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof configurations[0] };

const plb_configuration *plb_configuration_at(int number) {
    return number >= 0 && number < CONFIGURATIONS ? &configurations[number] : NULL;
}

int plb_configuration_find(const char *name) {
    for (int c = 0; c < CONFIGURATIONS; c++)
        if (strcmp(configurations[c].name, name) == 0) return c;
    return -1;
}

int plb_configuration_read(const plb_configuration *configuration,
                           uint32_t groups[PLB_MOST_CONFIGURATION_GROUPS]) {
    int count = 1;
    groups[0] = 0;
    for (const char *c = configuration->groups; *c; c++) {
        if (*c == ' ')
            groups[count++] = 0;
        else
            groups[count - 1] |= 1U << (*c - 'a');
    }
    return count;
}

int plb_configuration_markers(const plb_configuration *configuration) {
    char last = 'a';
    for (const char *c = configuration->groups; *c; c++)
        if (*c > last) last = *c;
    return last - 'a' + 1;
}
