#!/bin/sh
# Runs every test there is: format, vet, shellcheck, units under the race detector, the gate on what a hook costs, ten seconds of each
# fuzzer, and the plugin in the real Claude Code client. Goes through all of it, then says in one line what failed and what was skipped.
set -u

usage='usage: ./test.sh [--fast]

  --fast   no fuzzing, no real client, no proof that the gate on start-up cost catches anything

The clients, @anthropic-ai/claude-code in the versions of internal/e2e/clients.txt, come from npm once and are kept in
~/.cache/memento-test (XDG_CACHE_HOME is followed). They run against a mock on loopback, with an empty environment and a scratch
HOME: nothing of yours is read, nothing leaves the machine. On the newest every scenario is run, on the others TestCore: the three
ways to wire it, a session, a compaction, a resume, what runs unasked and what does not.

  MEMENTO_CLIENT           a claude binary to use instead, for every scenario
  MEMENTO_REQUIRE_CLIENT   1: a missing client is a failure, not a skip
  MEMENTO_CORPUS           a folder of real sessions to measure on; internal/corpus says what goes into it
  MEMENTO_LOCOMO           LoCoMo, its data/locomo10.json, to measure search on; docs/search.md says how'

fast=
case ${1-} in
'') ;;
--fast) fast=1 ;;
-h | --help)
	printf '%s\n' "$usage"
	exit 0
	;;
*)
	printf 'memento: test.sh: no option %s\nmemento: hint: ./test.sh --help\n' "$1" >&2
	exit 64
	;;
esac
start=$PWD
cd "$(dirname "$0")" || exit 1

client=${MEMENTO_CLIENT-}
required=${MEMENTO_REQUIRE_CLIENT-}
corpus=${MEMENTO_CORPUS-}
[ -z "$corpus" ] || corpus=$(CDPATH='' cd -- "$start" && CDPATH='' cd -- "$corpus" && pwd) || exit 1
locomo=${MEMENTO_LOCOMO-}
case $locomo in '' | /*) ;; *) locomo=$start/$locomo ;; esac
# Someone may run this from inside a session of Claude Code, or with settings of their own: neither is the tests' concern.
for name in $(env | sed -n -e 's/^\(MEMENTO_[A-Z_]*\)=.*/\1/p' -e 's/^\(CLAUDE[A-Z_]*\)=.*/\1/p' -e 's/^\(ANTHROPIC_[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done

passed='' failed='' skipped='' tmp=''
trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

step() { printf '\n== %s\n' "$1"; }
ok() { passed="$passed${passed:+, }$1"; }
bad() { failed="$failed${failed:+, }$1"; }

# skip WHAT WHY HINT
skip() {
	skipped="$skipped${skipped:+, }$1 ($2)"
	printf '\nmemento: SKIPPED: %s: %s\nmemento: hint: %s\n' "$1" "$2" "$3" >&2
}

# try NAME COMMAND... runs a step and notes how it ended.
try() {
	name=$1
	shift
	if "$@"; then ok "$name"; else bad "$name"; fi
}

format() {
	found=$(gofmt -l .) || return 1
	[ -z "$found" ] && return
	printf 'memento: gofmt: not formatted:\n%s\nmemento: hint: gofmt -w .\n' "$found" >&2
	return 1
}

# vet also compiles for the systems this machine is not.
vet() {
	for os in linux darwin windows; do
		if ! GOOS=$os CGO_ENABLED=0 go vet ./... || ! GOOS=$os CGO_ENABLED=0 go build -o /dev/null ./cmd/memento; then
			printf 'memento: vet: GOOS=%s failed\n' "$os" >&2
			return 1
		fi
	done
}

# bench is a module of its own, for systems that are a unix, and has modules to fetch once: what it needs is fetched, and said to be
# missing, here.
fetched() { (cd bench && go list -deps -test ./... >/dev/null); }

benchtest() {
	for os in linux darwin; do
		GOOS=$os CGO_ENABLED=0 go vet -C bench ./... || return 1
	done
	go test -C bench -count=1 -skip '^TestGate' ./...
}

# The gate compares with a Go hello-world in the same rounds; -v, for the ratios.
gate() { go test -C bench -count=1 -v -run '^TestGate$' .; }

catches() { go test -C bench -count=1 -v -run '^TestGateCatches$/^(net-http|yaml|regexps)$' .; }

# lint has shellcheck read every shell script there is: known by its first line, whatever it is called.
lint() {
	list=$(find . -name .git -prune -o -type f -exec env LC_ALL=C awk 'FNR == 1 && /^#!.*sh$/ { print FILENAME } { nextfile }' {} + | sort) || return 1
	printf '%s\n' "$list"
	[ -n "$list" ] && printf '%s\n' "$list" | tr '\n' '\0' | xargs -0 shellcheck
}

# The tests that let each file operation fail are thousands of runs in which no two processes meet: they go without the race
# detector, which would make them several times as long.
faults='^Test(Hook|Command|Migrate)Faults$'

race() { CGO_ENABLED=1 go test -race -timeout 30m -skip "$faults" ./...; }

faulty() { go test -timeout 30m -run "$faults" ./cmd/memento; }

# fuzzed LOG PACKAGE FUZZER runs one fuzzer. Before Go 1.27 the end of the fuzz time itself could be reported as a failure with no
# failing input (golang/go#75804): only such a run is made again, twice at most.
fuzzed() {
	for try in 1 2 3; do
		go test -run '^$' -fuzz "^$3\$" -fuzztime 10s -fuzzminimizetime 100x -parallel 1 "$2" </dev/null >"$1" 2>&1
		code=$?
		if [ "$code" -eq 0 ] || ! grep -q '^ *context deadline exceeded$' "$1" || grep -qi -e 'failing input' -e panic "$1"; then break; fi
		[ "$try" -eq 3 ] || printf '%s: the deadline itself was taken for a failure; once more\n' "$3"
	done
	return "$code"
}

# fuzz gives each fuzzer its ten seconds and a processor, two at a time. go test names a package after the fuzzers it lists for it.
fuzz() {
	list=$(go test -list '^Fuzz' ./...) || {
		printf '%s\n' "$list"
		return 1
	}
	pairs=$(printf '%s\n' "$list" | awk '/^Fuzz/ { names[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, names[i]; n = 0 }')
	logs=$(mktemp -d) || return 1
	count=0
	broken=0
	while read -r package fuzzer; do
		[ -n "$fuzzer" ] || continue
		fuzzed "$logs/1" "$package" "$fuzzer" &
		other=$!
		if read -r package fuzzer && [ -n "$fuzzer" ]; then
			fuzzed "$logs/2" "$package" "$fuzzer"
			tally $? "$logs/2"
		fi
		wait "$other"
		tally $? "$logs/1"
	done <<EOF
$pairs
EOF
	rm -rf "$logs"
	printf 'fuzzed %d, %d with a finding\n' "$count" "$broken"
	[ "$count" -gt 0 ] && [ "$broken" -eq 0 ]
}

# tally CODE LOG shows what a fuzzer printed and counts it.
tally() {
	cat "$2"
	if [ "$1" -eq 0 ]; then count=$((count + 1)); else broken=$((broken + 1)); fi
}

# runs CLIENT says whether it is the client $version and starts here.
runs() {
	case $(env -i HOME="${TMPDIR:-/tmp}" PATH="$PATH" "$1" --version 2>/dev/null) in
	"$version "*) return 0 ;;
	*) return 1 ;;
	esac
}

# fetch sets $client to that of $version, from the cache or from npm. What is in the cache is whole: it is moved there in one step.
fetch() {
	cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/memento-test
	dir=$cache/claude-code-$version
	client=$dir/node_modules/.bin/claude
	runs "$client" && return
	client=
	command -v npm >/dev/null || return
	mkdir -p "$cache" && tmp=$(mktemp -d "$cache/.install.XXXXXX") || return
	printf 'installing @anthropic-ai/claude-code@%s into %s (100 to 360 MB, once)\n' "$version" "$dir"
	npm install --prefix "$tmp" --include=optional --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
		"@anthropic-ai/claude-code@$version" || return
	# Where npm is told to run no install scripts, the client's own stays to be run.
	runs "$tmp/node_modules/.bin/claude" || node "$tmp/node_modules/@anthropic-ai/claude-code/install.cjs" || return
	runs "$tmp/node_modules/.bin/claude" || return
	rm -rf "$dir"
	mv "$tmp" "$dir" && tmp=
	client=$dir/node_modules/.bin/claude
	runs "$client" || client=
}

# real SCENARIOS runs them on $client. Each one's line and its time are worth seeing, so -v.
real() { MEMENTO_CLIENT=$client MEMENTO_REQUIRE_CLIENT=1 go test -count=1 -v -run "$1" ./internal/e2e; }

# onclient SCENARIOS runs them on the client $version, which is fetched unless there is one.
onclient() {
	what="the real client ${version:-of MEMENTO_CLIENT}, end to end"
	step "$what"
	[ -n "$client" ] || fetch
	if [ -n "$client" ]; then
		try "$what" real "$1"
	elif command -v npm >/dev/null; then
		skip "$what" 'npm could not install it' 'npm has said why above; ./test.sh tries again'
	else
		skip "$what" 'no npm' 'install Node.js with npm, then ./test.sh'
	fi
	[ -n "$client" ] || [ "$required" != 1 ] || bad "$what: required, and not there"
}

# measured runs with -v: the table is what one wants to see.
measured() { MEMENTO_CORPUS=$corpus go test -count=1 -v -run '^(TestCorpus|TestRuleOnCorpus|TestSuggestions)$' ./internal/corpus ./internal/sentence; }

ranked() { MEMENTO_LOCOMO=$locomo go test -count=1 -v -run '^(TestQuality|TestCross|TestClear)$' ./internal/search; }

command -v go >/dev/null || {
	printf 'memento: test.sh: no go on PATH\nmemento: hint: https://go.dev/dl/\n' >&2
	exit 1
}

step 'gofmt'
try gofmt format
step 'go vet, for linux, darwin and windows'
try vet vet
step 'shellcheck'
if command -v shellcheck >/dev/null; then
	try shellcheck lint
else
	skip 'shellcheck' 'it is not on PATH' 'install the package shellcheck, then ./test.sh'
fi
# The unit tests run the launcher and install.sh with each of these that is there.
absent=''
for tool in dash bash busybox curl wget openssl; do
	command -v "$tool" >/dev/null || absent="$absent${absent:+, }$tool"
done
[ -z "$absent" ] || skip "the launcher and install.sh with $absent" 'not on PATH' 'install that, then ./test.sh'
command -v strace >/dev/null || skip 'hooks whose system calls fail' 'strace is not on PATH' 'install the package strace (Linux), then ./test.sh'
command -v wine >/dev/null || skip 'the Windows binary' 'wine is not on PATH' 'cmd/memento/wine_test.go says which packages; docs/windows.md what it shows'
command -v zsh >/dev/null || skip 'quoting as zsh reads it' 'zsh is not on PATH' 'install the package zsh, then ./test.sh'
if command -v "$(go env CC)" >/dev/null; then
	step 'go test -race'
	try 'unit tests with -race' race
	step 'each file operation fails'
	try 'file faults' faulty
else
	step 'go test'
	skip 'the race detector' 'no C compiler' 'install gcc, then ./test.sh'
	try 'unit tests' go test -timeout 30m ./...
fi

step 'start-up cost'
if fetched; then
	try 'the bench' benchtest
	try 'start-up cost' gate
	[ "$(go env GOOS)/$(go env GOARCH)" = linux/amd64 ] ||
		skip 'start-up cost but for allocations' 'its limits were measured on linux/amd64' './bench.sh --only hook --beside OTHERBINARY compares two builds'
	if [ -n "$fast" ]; then
		skip 'that the gate on start-up cost catches a heavy package' '--fast' './test.sh'
	else
		try 'the gate catches a heavy package' catches
	fi
else
	skip 'the bench and start-up cost' 'the modules of bench/ could not be had' 'go has said why above; it needs Go 1.26 and the module proxy once'
fi

if [ -n "$corpus" ]; then
	step 'what real sessions keep'
	try 'the corpus' measured
else
	skip 'the corpus' 'MEMENTO_CORPUS is not set' 'internal/corpus says what goes into the folder it names'
fi
if [ -n "$locomo" ]; then
	step 'how well search ranks'
	try 'the quality of search' ranked
else
	skip 'the quality of search' 'MEMENTO_LOCOMO is not set' 'docs/search.md says what it names'
fi

if [ -n "$fast" ]; then
	skip 'fuzzing' '--fast' './test.sh'
	skip 'the real client, end to end' '--fast' './test.sh'
else
	step 'fuzzing, ten seconds each'
	try fuzzing fuzz
	versions=$(cat internal/e2e/clients.txt)
	if [ -n "$client" ]; then
		version=''
		onclient .
		skip 'the clients of internal/e2e/clients.txt' 'MEMENTO_CLIENT names another' 'unset MEMENTO_CLIENT'
	else
		for version in $versions; do
			client=''
			case $versions in *"$version") onclient . ;; *) onclient '^TestCore$' ;; esac
		done
	fi
fi

printf '\nmemento: passed: %s\n' "${passed:-nothing}"
[ -z "$skipped" ] || printf 'memento: SKIPPED: %s\n' "$skipped"
[ -z "$failed" ] || printf 'memento: FAILED: %s\n' "$failed"
[ -z "$failed" ]
