/* SPDX-License-Identifier: MIT
 *
 * The subcommands of `plybase`.
 */
#pragma once

/* Each takes its own name as argv[0] and returns an exit status. */
int command_build(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_probe(int argc, char **argv);
int command_best(int argc, char **argv);
int command_line(int argc, char **argv);
int command_annotate(int argc, char **argv);
int command_picture(int argc, char **argv);
int command_stats(int argc, char **argv);
int command_info(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_solve(int argc, char **argv);
int command_export(int argc, char **argv);
int command_play(int argc, char **argv);
int command_strategy(int argc, char **argv);
int command_serve(int argc, char **argv);
int command_site(int argc, char **argv);
int command_pairing(int argc, char **argv);
int command_ring(int argc, char **argv);
int command_count(int argc, char **argv);
int command_games(int argc, char **argv);
