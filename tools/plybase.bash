# SPDX-License-Identifier: MIT
# Completion of the plybase command for bash. Commands and options are asked of the command
# itself, so that they are always those of the version that is installed.

_plybase_commands() {
    "$1" --help 2>/dev/null | sed -nE '/^  plybase /d; s/^  ([a-z]+) .*/\1/p'
}

_plybase_options() {
    "$1" "$2" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u
}

# Files, where a pattern leaves them, and all folders.
_plybase_files() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -X "$1" -- "$2"; compgen -d -- "$2")
}

_plybase_argument() {
    local command=$1 current=$2 previous=$3
    case $command in
        build | plan | solve)
            compopt -o nospace
            mapfile -t COMPREPLY < <(compgen -W 'connect- mnk- square-' -- "$current") ;;
        probe | best | line | stats | info | verify | export | play)
            _plybase_files '!*.plb' "$current" ;;
    esac
    if [[ $command == solve && $COMP_CWORD -gt 2 && $previous != -* ]]; then COMPREPLY=(); fi
}

_plybase() {
    local program=$1 current=$2 previous=$3 command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(
            compgen -W "$(_plybase_commands "$program") --help" -- "$current")
        return
    fi
    case $previous in
        -o | --output) _plybase_files '' "$current"; return ;;
        --values) mapfile -t COMPREPLY < <(compgen -W 'wdl dtm' -- "$current"); return ;;
        --color)
            mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$current")
            return ;;
        --threads | --memory | --save-every | --nodes | --seconds | --samples | --searches | --seed | --ply | \
            --sample)
            return ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(
            compgen -W "$(_plybase_options "$program" "$command")" -- "$current")
    else
        _plybase_argument "$command" "$current" "$previous"
    fi
}
complete -F _plybase plybase
