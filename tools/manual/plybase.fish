# SPDX-License-Identifier: MIT
# Completion of the plybase command for fish, from the help of the version that is installed.

# __plybase_list REGEX ARGUMENT...: word and description of each matching line of the output.
function __plybase_list
    set -l program (commandline -opc)[1]
    $program $argv[2..] 2>/dev/null | string match -v '  plybase *' |
        string replace -fr "$argv[1]" '$1\t$2'
end

function __plybase_commands
    __plybase_list '^  ([a-z]+) +(.*)' --help
end

function __plybase_options
    __plybase_list '^  -., (--[a-z-]+)[=A-Z]* *(.*)' (commandline -opc)[2] --help
end

function __plybase_specs
    __plybase_list '^([a-z]+-)\S+ +(.*)' games
end

complete -c plybase -n __fish_use_subcommand -f -a '(__plybase_commands)'
complete -c plybase -n __fish_use_subcommand -f -a help -d 'help of a command'
complete -c plybase -n '__fish_seen_subcommand_from help' -f -a '(__plybase_commands)'
complete -c plybase -n 'not __fish_use_subcommand' -a '(__plybase_options)'
complete -c plybase -n '__fish_seen_subcommand_from build plan solve strategy' -f -a '(__plybase_specs)'
