# SPDX-License-Identifier: MIT
# Completion of the plybase command for bash. Commands and options come from the help of the command,
# so that they match the installed version.

_plybase_commands() {
    "$1" --help 2>/dev/null | sed -nE '/^  plybase /d; s/^  ([a-z]+) .*/\1/p'
}

_plybase_options() {
    "$1" "$2" --help 2>/dev/null | sed -nE 's/^  -., (--[a-z-]+).*/\1/p'
}

# _plybase_value PROGRAM COMMAND OPTION: the name of the value that the option takes, if any.
_plybase_value() {
    "$1" "$2" --help 2>/dev/null | sed -nE 's/^  (-.), (--[a-z-]+)=([A-Z]+).*/\1 \2 \3/p' |
        awk -v option="$3" '$1 == option || $2 == option { print $3 }'
}

# Files that the pattern does not exclude, and all folders except those of unfinished builds.
_plybase_files() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -X "$1" -- "$2"; compgen -d -X '*.plb.part' -- "$2")
}

_plybase_folders() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$1")
}

# The strategies that the command lists for the board on the command line.
_plybase_strategies() {
    local word
    for word in "${COMP_WORDS[@]}"; do
        [[ $word != connect-* ]] ||
            "$1" strategy "$word" 2>/dev/null | sed -nE 's/^  ([a-z-]+) +(first|second) .*/\1/p'
    done
}

_plybase_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_plybase_argument() {
    local program=$1 command=$2 current=$3 previous=$4
    case $command in
        build | plan | solve | strategy | play)
            compopt -o nospace
            _plybase_words "$("$program" games 2>/dev/null | sed -nE 's/^([a-z]+-).*/\1/p')" "$current" ;;
        probe | best | line | annotate | picture | stats | info | verify | export)
            _plybase_files '!*.plb' "$current" ;;
        serve | site) _plybase_files '!*.plb' "$current" ;;
        help) _plybase_words "$(_plybase_commands "$program")" "$current" ;;
    esac
    if [[ $command == strategy || $command == play ]]; then
        local -a specs=("${COMPREPLY[@]}")
        _plybase_files '!*.plb' "$current"
        COMPREPLY+=("${specs[@]}")
    fi
    if [[ $command == solve && $COMP_CWORD -gt 2 && $previous != -* ]]; then COMPREPLY=(); fi
}

_plybase() {
    local program=$1 current=$2 previous=$3 command=${COMP_WORDS[1]} value=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _plybase_words "$(_plybase_commands "$program") help --help --version" "$current"
        return
    fi
    [[ $previous != -* ]] || value=$(_plybase_value "$program" "$command" "$previous")
    case $value in
        FILE | OUT) _plybase_files '' "$current" ;;
        FOLDER | DIR) _plybase_folders "$current" ;;
        KIND) _plybase_words 'wdl dtm' "$current" ;;
        ENGINE) _plybase_words 'slabs keys' "$current" ;;
        WHEN) _plybase_words 'auto always never' "$current" ;;
        PLAYER) _plybase_words 'first second' "$current" ;;
        FORMAT) _plybase_words 'plybase pons columns0 board uci' "$current" ;;
        WHICH) _plybase_words 'win draw loss quiet' "$current" ;;
        NAME)
            case $command in
                export) _plybase_words 'csv npy uci pons' "$current" ;;
                play) _plybase_words "$(_plybase_strategies "$program")" "$current" ;;
            esac ;;
        WAY) _plybase_words 'first forcing fewest' "$current" ;;
        ?*) ;; # a number, a size, a position
        *)
            if [[ $current == -* ]]; then
                _plybase_words "$(_plybase_options "$program" "$command")" "$current"
            else
                _plybase_argument "$program" "$command" "$current" "$previous"
            fi ;;
    esac
}
complete -F _plybase plybase
