#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The manual pages are complete: every command and option of --help, every function, error and field
# of the header. The completion offers every command and option.
#   test_manual.sh PLYBASE SOURCE_FOLDER
set -euo pipefail
plybase=$(realpath "$1")
source=$(realpath "$2")
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

commands=$("$plybase" --help | sed -nE '/^  plybase /d; s/^  ([a-z]+) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 8 ] || fail "plybase --help names few commands: $commands"

# Options of a command: "s longname" if it has a short form, otherwise "longname".
options_of() {
    "$plybase" "$1" --help | sed -nE 's/^ +(-(.), )?--([a-z-]+).*/\2 \3/p' | sed -E '/ (help|usage)$/d'
}

# ---- plybase.1: a section per command, its options in it ----
page=$source/tools/manual/plybase.1
for command in $commands; do
    section=$(awk -v c="$command" '/^\.Ss /{ on = $2 == c } /^\.Sh /{ on = 0 } on' "$page")
    [ -n "$section" ] || { fail "plybase.1 has no .Ss $command"; continue; }
    expected=$(options_of "$command" | awk '{ print "." "It Fl " $1 " , Fl Fl " $2 }')
    described=$(grep '^\.It Fl' <<<"$section" | cut -d " " -f 1-7 || true)
    diff <(sort <<<"$expected") <(sort <<<"$described") ||
        fail "plybase $command: < of --help, > of plybase.1"
    synopsis=$(sed '/^\.Pp/q' <<<"$section" | grep -oE 'Fl [^ ]+|\| [a-z0-9]$' | sed 's/.* //' || true)
    for letter in $(sed -nE 's/^\.It Fl (.) .*/\1/p' <<<"$section"); do
        grep -q "$letter" <<<"$synopsis" || fail "plybase.1: the synopsis of $command has no -$letter"
    done
done

# ---- plybase.3: functions, errors, fields ----
page=$source/probe/plybase.3
headers() { cat "$source/probe/plybase.h" "$source/tables/vocabulary.h"; }
diff <(sed -nE 's/^PLB_API .*[ *](plb_[a-z_]+)\(.*/\1/p' <(headers) | sort) \
    <(sed -nE 's/^\.Fn (plb_[a-z_]+) ("|void).*/\1/p' "$page" | sort) ||
    fail "functions: < of plybase.h, > of plybase.3"
diff <(sed -nE 's/^ +X\((PLB_[A-Z]+), (-?[0-9]+),.*/\1 \2/p' <(headers) | sort) \
    <(sed -nE 's/^\.It Dv (PLB_[A-Z]+) Pq \\?(-?[0-9]+)$/\1 \2/p' "$page" | sort) ||
    fail "errors: < of plybase.h, > of plybase.3"

# ---- a page for each command: all words of its help, and no others ----
pages=$(mktemp -d)
trap 'rm -r "$pages"' EXIT
"$source/tools/manual/make-pages" "$plybase" "$pages" || fail "make-pages"
words_of_help() { # usage and options without their letters and dashes, and the rest
    sed -E '1s/.*\[OPTION...\]//; s/^  -., --([a-z-]+)\[?=?([A-Z]*)\]?/\1 \2 /'
}
words_of_page() {
    sed -E '/^\.(Sh SEE|Xr)/d; /^\.(\\"|D[dt]|N[md]|S|O|B|E|P)/d; s/^\.It Fl . , Fl Fl //; s/ Ns (Oo )?= Ns Ar ([A-Z]+)( Oc)?/ \2/; s/^\.Ar //
        s/^\\&//; s/\\\(ga/`/g; s/\\\(ha/^/g; s/\\\(ti/~/g; s/\\e/\\/g'
}
for command in $commands; do
    [ -e "$pages/plybase-$command.1" ] || { fail "there is no page of $command"; continue; }
    diff <("$plybase" "$command" --help | words_of_help | tr -s ' \n' '\n' | sed '/^$/d' | sort) \
        <(words_of_page <"$pages/plybase-$command.1" | tr -s ' \n' '\n' | sed '/^$/d' | sort) ||
        fail "plybase $command: < of --help, > of plybase-$command.1"
    summary=$("$plybase" --help | sed -nE "s/^  $command +//p")
    grep -qxF ".Nd $summary" "$pages/plybase-$command.1" || fail "plybase-$command.1 has another summary"
done

# ---- all are good mdoc ----
if command -v groff >/dev/null; then
    for page in "$source/tools/manual/plybase.1" "$source/probe/plybase.3" "$pages"/*; do
        messages=$(groff -mdoc -ww -z -Tutf8 "$page" 2>&1)
        [ -z "$messages" ] || fail "$page: $messages"
    done
fi

# ---- completion ----
compopt() { :; } # works only while the shell completes
# shellcheck source=/dev/null
source "$source/tools/manual/plybase.bash"
# complete_words PROGRAM WORD...: prints the completions of the last word.
complete_words() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _plybase "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}"
}
for command in $commands; do
    grep -qx "$command" < <(complete_words "$plybase" "${command:0:3}") ||
        fail "$command is not completed"
    for option in $(options_of "$command" | awk '{ print "--" $NF }'); do
        grep -qx -- "$option" < <(complete_words "$plybase" "$command" "${option:0:4}") ||
            fail "$command $option is not completed"
    done
done
# offers WORD|nothing WORD...: the words of a command line have this completion, or none.
offers() {
    local expected=$1
    shift
    if [ "$expected" = nothing ]; then
        if grep -q . < <(complete_words "$plybase" "$@"); then fail "$*: something is offered"; fi
    else
        grep -qx -- "$expected" < <(complete_words "$plybase" "$@") || fail "$*: no $expected is offered"
    fi
}
offers dtm build --values d
offers dtm build -v d
offers never play -c n
offers second solve -q s
offers keys build --engine k
offers uci export --format u
offers quiet export -w q
offers columns0 probe -i col
offers take-even play connect-4x4-k4-misere --strategy take
offers nothing play connect-4x4-k4 --strategy take
here=$PWD folders=$(mktemp -d)
cd "$folders"
mkdir x.plb.part tables
touch t.plb
offers t.plb stats t
offers tables stats t
offers nothing stats x
offers t.plb play t
cd "$here"
rm -r "$folders"
offers nothing build -t ''
offers nothing best --values # an option of another command
offers verify help ver
offers help hel
offers --version --v
if grep -q . < <(complete_words "$plybase" ply); then fail "plybase is completed as a command"; fi
grep -qx connect- < <(complete_words "$plybase" build con) || fail "specs are not completed"

# ---- completion of other shells, if they are installed ----
offered_by_fish() {
    PATH="$(dirname "$plybase"):$PATH" \
        fish -Nc "source '$source/tools/manual/plybase.fish'; complete -C 'plybase $*'"
}
offered_by_zsh() {
    zsh -fc '
        _describe() { print -rl -- "${(@P)@[-1]}"; }
        _files() { :; }
        script=$1 words=("$@[2,-1]") CURRENT=$(($# - 1)) PREFIX=${@[-1]}
        source $script' zsh "$source/tools/manual/plybase.zsh" "$plybase" "$@"
}
for shell in fish zsh; do
    command -v $shell >/dev/null || continue
    for command in $commands; do
        grep -q "^${command}[^a-z]" < <(offered_by_$shell "${command:0:3}") ||
            fail "$shell: $command is not completed"
        offered=$(offered_by_$shell "$command" --)
        for option in $(options_of "$command" | awk '{ print "--" $NF }'); do
            grep -q -- "^${option}[^a-z-]" <<<"$offered" || fail "$shell: $command $option is not completed"
        done
    done
    grep -q '^connect-' < <(offered_by_$shell build con) || fail "$shell: specs are not completed"
done

echo "$failures failed"
[ $failures -eq 0 ]
