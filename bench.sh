#!/bin/sh
# Measures memento beside its yardsticks, in the same run. docs/benchmarks.md says what the figures mean; ./bench.sh --help the options.
set -u

start=$PWD
cd "$(dirname "$0")" || exit 1
command -v go >/dev/null || {
	printf 'memento: bench.sh: no go on PATH\nmemento: hint: https://go.dev/dl/\n' >&2
	exit 1
}
# A module of its own, so that what it needs is required by nobody who builds memento.
go build -C tools/bench -o ../../dist/bench/bench . || exit 1
exec ./dist/bench/bench -from "$start" "$@"
