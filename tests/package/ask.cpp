// SPDX-License-Identifier: MIT
//
// A foreign program in C++: `ask FILE MOVES...` prints value and best move after each sequence.
#include <plybase.h>

#include <array>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace {

void check(int error, const plb_message &why) {
    if (error != PLB_OK) throw std::runtime_error(why.text);
}

using table_ptr = std::unique_ptr<plb_table, decltype(&plb_close)>;

table_ptr open_table(const char *path) {
    plb_message why;
    plb_table *table = nullptr;
    check(plb_open(path, &table, &why), why);
    return table_ptr(table, plb_close);
}

void ask(const plb_table *table, const char *moves) {
    plb_message why;
    std::uint64_t x = 0, o = 0;
    plb_answer answer = {};
    std::array<plb_move, PLB_MAX_MOVES> next;
    int count = 0;
    check(plb_parse_moves(table, moves, &x, &o, &why), why);
    check(plb_probe(table, x, o, &answer, &why), why);
    check(plb_moves(table, x, o, next.data(), &count, &why), why);
    std::cout << plb_value_text(answer.value) << ' ' << (count ? next[0].text : "-") << '\n';
}

}  // namespace

int main(int argc, char **argv) try {
    if (argc < 2) throw std::runtime_error("no file");
    table_ptr table = open_table(argv[1]);
    for (int a = 2; a < argc; a++) ask(table.get(), argv[a]);
    return 0;
} catch (const std::exception &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
