#compdef plybase
# SPDX-License-Identifier: MIT
# Completion of the plybase command for zsh, from the help of the version that is installed.

# _plybase_lines REGEX COMMAND...: `word:description` of each matching line of the output.
_plybase_lines() {
    print -r -- "$("${@[2,-1]}" 2>/dev/null | sed -nE "/^  plybase /d; s/$1/\1:\2/p")"
}

_plybase() {
    local program=${(Q)words[1]} command=$words[2]
    local -a lines
    if ((CURRENT == 2)) || [[ $command == help ]]; then
        lines=(${(f)"$(_plybase_lines '^  ([a-z]+) +(.*)' $program --help)"} 'help:help of a command')
        _describe command lines
    elif [[ $PREFIX == -* ]]; then
        lines=(${(f)"$(_plybase_lines '^  -., (--[a-z-]+)[=A-Z]* *(.*)' $program $command --help)"})
        _describe option lines
    elif [[ $command == (build|plan|solve) && $CURRENT -eq 3 ]]; then
        lines=(${(f)"$(_plybase_lines '^([a-z]+-)[^ ]+ +(.*)' $program games)"})
        _describe -S '' spec lines
    else
        _files
    fi
}

_plybase "$@"
