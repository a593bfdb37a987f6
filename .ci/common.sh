# What run and nightly share; both begin in the root of the checkout.
export CI=true
export REFSVM_DATA="${REFSVM_DATA:-$(cd .. && pwd)/shared/data}"
[ -d "$REFSVM_DATA" ] || { echo "no data folder at $REFSVM_DATA"; exit 1; }

section() { # say what begins, and the minutes since the start
    printf '\n== %s (minute %d)\n' "$*" $((SECONDS / 60))
}

beside() { # beside WHAT COMMAND: run it at the same time as what follows, which leaves a core idle
    said=$(mktemp) what=$1
    shift
    "$@" >"$said" 2>&1 &
    other=$!
    trap 'kill $other 2>/dev/null || true' EXIT
}

together() { # wait for what runs beside, and show what it said
    section "$what"
    wait "$other" || { status=$?; cat "$said"; exit $status; }
    cat "$said"
    trap - EXIT
}

python_of() { # the interpreter of a version, if there is one on this machine
    { command -v "python$1" && "python$1" -c ''; } 2>/dev/null ||
        ls -d "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python 2>/dev/null | tail -n 1
}

newest() { # newest 3.14 3.13: the first of these versions that is on this machine
    local version
    for version; do
        [ -z "$(python_of "$version" | tail -n 1)" ] || { echo "$version"; return; }
    done
}

on_other_pythons() { # on_other_pythons "3.9 3.13" WORDS: the tests on each of them that is here
    local versions=$1 version python
    shift
    for version in $versions; do
        python=$(python_of "$version" | tail -n 1)
        [ -n "$python" ] || { echo "python $version is not here"; continue; }
        REFSVM_REQUIRE_EXTENSIONS=1 "$python" -m tests "$@"
    done
    if command -v pypy3 >/dev/null && pypy3 -m pip --version >/dev/null 2>&1; then
        REFSVM_REQUIRE_EXTENSIONS= pypy3 -m tests "$@"
    else
        echo "PyPy with pip is not here"
    fi
}
