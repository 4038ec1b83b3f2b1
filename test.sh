#!/bin/sh
# Runs every test there is: format, vet, shellcheck, units under the race detector, memento as processes, the gate on what a hook
# costs, ten seconds of each fuzzer, and the plugin in the real Claude Code client. Each step says where it is among all and how long
# it took; on a terminal, a long one shows what it is at. Goes through all of it, then says in one line what failed and what was
# skipped.
set -u

usage='usage: ./test.sh [--fast]

  --fast   no fuzzing, no real client, no proof that the gate on start-up cost catches anything

The clients, @anthropic-ai/claude-code in the versions of tools/e2e/clients.txt, come from npm once and are kept in
~/.cache/memento-test (XDG_CACHE_HOME is followed). They run against a mock on loopback, with an empty environment and a scratch
HOME: nothing of yours is read, nothing leaves the machine. On the newest every scenario is run, on the others TestCore: the three
ways to wire it, a session, a compaction, a resume, what runs unasked and what does not.

  MEMENTO_CLIENT           a claude binary to use instead, for every scenario
  MEMENTO_REQUIRE_CLIENT   1: a missing client is a failure, not a skip
  MEMENTO_CORPUS           a folder of real sessions to measure on; tools/corpus says what goes into it
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

passed='' failed='' skipped='' tmp='' at=0 started=$(date +%s)
# All that the tests write is in one folder, which goes at the end, even of a run that somebody breaks off. The folder of a run that
# was killed goes at the next. It has the same name every time, as Go keeps no result of a test under another TMPDIR.
work=${TMPDIR:-/tmp}/memento-$(pwd | cksum | cut -d ' ' -f 1)
if [ -d "$work" ] && ! kill -0 "$(cat "$work/pid" 2>/dev/null)" 2>/dev/null; then rm -rf "$work"; fi
mkdir "$work" 2>/dev/null || work=$(mktemp -d) || exit 1 # there may be a second run in this checkout
echo $$ >"$work/pid" && mkdir "$work/marks" && chmod 711 "$work" || exit 1
export TMPDIR="$work"
trap 'rm -rf "$work"; [ -z "$tmp" ] || rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

ok() { passed="$passed${passed:+, }$1"; }
bad() { failed="$failed${failed:+, }$1"; }

# since SECONDS says how long ago that was, as in 2:07.
since() {
	seconds=$(($(date +%s) - $1))
	printf '%d:%02d' $((seconds / 60)) $((seconds % 60))
}

# next NAME begins the next step.
next() {
	at=$((at + 1))
	began=$(date +%s)
	printf '\n== step %d of %d: %s\n' "$at" "$steps" "$1"
}

# step NAME COMMAND... is one: it runs the command, says how long that took, and notes how it ended.
step() {
	name=$1
	shift
	next "$name"
	if "$@"; then ok "$name"; else bad "$name"; fi
	printf '== %s took %s\n' "$name" "$(since "$began")"
}

# skip WHAT WHY HINT
skip() {
	skipped="$skipped${skipped:+, }$1 ($2)"
	printf '\nmemento: SKIPPED: %s: %s\nmemento: hint: %s\n' "$1" "$2" "$3" >&2
}

# without WHAT WHY HINT is a step that is skipped.
without() {
	next "$1"
	skip "$@"
}

# follow NOW COMMAND... runs a long command. Where standard error is a terminal, its lines come up to a second late, and below them
# stands what NOW prints: how much is done, and what runs.
follow() {
	now=$1
	shift
	if [ ! -t 2 ]; then
		"$@"
		return
	fi
	columns=$({ stty size </dev/tty; } 2>/dev/null | sed 's/.* //')
	[ "${columns:-0}" -gt 20 ] || columns=80
	rm -f "$work/over"
	: >"$work/log"
	watch "$now" &
	watcher=$!
	"$@" >"$work/log" 2>&1
	code=$?
	: >"$work/over"
	wait "$watcher"
	return "$code"
}

# watch NOW prints what is new in the log, and below it NOW, until the step is over or this script was ended.
watch() {
	lines=0
	over=''
	while [ -z "$over" ] && [ -d "$work" ]; do
		[ ! -e "$work/over" ] || over=1 # then the log is whole
		printf '\r\033[K' >&2
		new=$(tail -n "+$((lines + 1))" "$work/log" | wc -l)
		[ "$new" -eq 0 ] || sed -n "$((lines + 1)),$((lines + new))p" "$work/log"
		lines=$((lines + new))
		[ -n "$over" ] || {
			printf '%s  %s' "$(since "$began")" "$("$1")" | cut -c "1-$((columns - 1))" | tr -d '\n' >&2
			sleep 1
		}
	done
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

# tools is a module of its own, for systems that are a unix, and has modules to fetch once: what it needs is fetched, and said to be
# missing, here.
fetched() { go list -C tools -deps -test ./... >/dev/null; }

tooltests() {
	for os in linux darwin; do
		GOOS=$os CGO_ENABLED=0 go vet -C tools ./... || return 1
	done
	go test -C tools -count=1 -skip '^TestGate' ./bench ./picture ./release
}

# The gate compares with a Go hello-world in the same rounds; -v, for the ratios.
gate() { go test -C tools/bench -count=1 -v -run '^TestGate$' .; }

catches() { go test -C tools/bench -count=1 -v -run '^TestGateCatches$/^(net-http|yaml|regexps)$' .; }

# lint has shellcheck read every shell script there is: known by its first line, whatever it is called.
lint() {
	list=$(find . \( -name .git -o -name node_modules \) -prune -o -type f -exec env LC_ALL=C awk 'FNR == 1 && /^#!.*sh$/ { print FILENAME } { nextfile }' {} + | sort) || return 1
	printf '%s\n' "$list"
	[ -n "$list" ] && printf '%s\n' "$list" | tr '\n' '\0' | xargs -0 shellcheck
}

# What runs leaves a mark, named by its process; the rest is as without -exec.
# shellcheck disable=SC2016 # for that shell
marked='sh -c '\''echo "${PWD##*/}" >"$TEST_MARKS/$$"; exec "$0" "$@"'\'

# units WHICH FLAG... runs the tests of every package but cmd/memento: of those that start goroutines or test in parallel, of the
# others, or of all.
units() {
	which=$1
	shift
	found=$(go list -f '{{.ImportPath}} {{len (or .TestGoFiles .XTestGoFiles)}} {{.Dir}}' ./...) || return 1
	printf '%s\n' "$found" | while read -r package files dir; do
		if [ "$files" = 0 ] || [ "${package%/cmd/memento}" != "$package" ]; then continue; fi
		kind=others
		! grep -qE '(^|[^[:alnum:]_])go (func)?[[:alnum:]_.]*\(|\.(Parallel|Go|AfterFunc)\(|"net/http' "$dir"/*.go || kind=goroutines
		case $which in all | "$kind") printf '%s\n' "$package" ;; esac
	done >"$work/packages"
	rm -f "$work"/marks/*
	# shellcheck disable=SC2046 # one word each
	TEST_MARKS=$work/marks follow packages go test "$@" -timeout 30m -exec "$marked" $(cat "$work/packages")
}

# packages says which are tested now; one whose result Go had kept leaves no mark.
packages() {
	running=''
	gone=$(grep -c '(cached)' "$work/log")
	for mark in "$work"/marks/*; do
		if kill -0 "${mark##*/}" 2>/dev/null; then
			running="$running${running:+, }$(cat "$mark")"
		elif [ -e "$mark" ]; then
			gone=$((gone + 1))
		fi
	done
	printf '%d of %d packages done, now %s' "$gone" "$(grep -c . "$work/packages")" "${running:-Go compiles}"
}

# race leaves out where no two goroutines are: the detector would find nothing and take five to ten times as long. memento itself
# starts none, to which TestNoExit holds it, and the tests of cmd/memento run it as processes; other packages' tests start none either.
race() { CGO_ENABLED=1 units goroutines -race; }

# processes prints what failed, and no more; -v is for tests.
processes() {
	named . cmd/memento/*_test.go >"$work/total"
	: >"$work/tests"
	follow tests verbose
}

verbose() {
	go test -timeout 30m -v ./cmd/memento >"$work/tests" 2>&1
	code=$?
	if [ "$code" -eq 0 ]; then tail -n 1 "$work/tests"; else sed -e '/^=== /d' -e '/^ *--- PASS/d' "$work/tests"; fi
	return "$code"
}

# named PATTERN FILE... counts the tests there whose names match.
named() {
	pattern=$1
	shift
	sed -n 's/^func \(Test[A-Z][A-Za-z0-9]*\)(t .*/\1/p' "$@" | grep -c "$pattern"
}

# tests says which test began last, and how many are over.
tests() {
	printf '%d of %d tests done, now %s' "$(grep -c '^--- ' "$work/tests")" "$(cat "$work/total")" \
		"$(sed -n 's/^=== RUN *//p' "$work/tests" | tail -n 1)"
}

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
	printf '%s\n' "$list" | awk '/^Fuzz/ { names[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, names[i]; n = 0 }' >"$work/fuzzers"
	: >"$work/ended"
	follow fuzzers eachfuzzer
}

eachfuzzer() {
	while read -r package fuzzer; do
		printf '%s ' "$fuzzer" >"$work/running"
		fuzzed "$work/1" "$package" "$fuzzer" &
		other=$!
		if read -r package fuzzer; then
			printf '%s' "$fuzzer" >>"$work/running"
			fuzzed "$work/2" "$package" "$fuzzer"
			tally $? "$work/2"
		fi
		wait "$other"
		tally $? "$work/1"
	done <"$work/fuzzers"
	count=$(grep -c 0 "$work/ended")
	broken=$(grep -c 1 "$work/ended")
	printf 'fuzzed %d, %d with a finding\n' "$count" "$broken"
	[ "$count" -gt 0 ] && [ "$broken" -eq 0 ]
}

# tally CODE LOG shows what a fuzzer printed, and counts it.
tally() {
	cat "$2"
	if [ "$1" -eq 0 ]; then echo 0; else echo 1; fi >>"$work/ended"
}

# fuzzers says which run, and how long the others will take.
fuzzers() {
	all=$(grep -c . "$work/fuzzers")
	over=$(grep -c . "$work/ended")
	printf '%d of %d fuzzers done, %d0 s to go at least, now %s' "$over" "$all" $(((all - over + 1) / 2)) "$(cat "$work/running")"
}

# sshdstarts says whether sshd would start with the settings that the tests give it.
sshdstarts() {
	[ "$(id -u)" != 0 ] || mkdir -p /run/sshd # sshd asks for it
	ssh-keygen -q -t ed25519 -N '' -f "$work/host" && "$sshd" -t -f /dev/null -h "$work/host"
}

# runs CLIENT says whether it is the client $version and starts here.
runs() {
	case $(env -i HOME="$TMPDIR" PATH="$PATH" "$1" --version 2>/dev/null) in
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
real() {
	named "$1" tools/e2e/*_test.go >"$work/total"
	rm -f "$work/tests"
	ln -s log "$work/tests"
	MEMENTO_CLIENT=$client MEMENTO_REQUIRE_CLIENT=1 follow tests go test -C tools -count=1 -v -run "$1" ./e2e
}

# onclient SCENARIOS runs them on the client $version, which is fetched unless there is one.
onclient() {
	what="the real client ${version:-of MEMENTO_CLIENT}, end to end"
	[ -n "$client" ] || fetch
	if [ -n "$client" ]; then
		step "$what" real "$1"
	elif command -v npm >/dev/null; then
		without "$what" 'npm could not install it' 'npm has said why above; ./test.sh tries again'
	else
		without "$what" 'no npm' 'install Node.js with npm, then ./test.sh'
	fi
	[ -n "$client" ] || [ "$required" != 1 ] || bad "$what: required, and not there"
}

# driver installs what drives the browser, unless it is there.
driver() {
	[ -d internal/view/browser/node_modules/playwright-core ] ||
		npm ci --prefix internal/view/browser --no-audit --no-fund --loglevel=error
}

# looks has a browser open the pages of memento view, made for the purpose, and prints how long that takes.
looks() {
	mkdir -p "$work/pages" && MEMENTO_PAGES=$work/pages go test -count=1 -run '^TestPages$' ./internal/view &&
		CHROMIUM=$chromium node internal/view/browser/look.js "$work/pages"
}

# painter fetches what draws and records a terminal, unless it is there.
painter() {
	{ [ -d tools/picture/node_modules/@xterm/headless ] ||
		npm ci --prefix tools/picture --no-audit --no-fund --loglevel=error; }
}

# pictures also records the film of the README anew where there is a client: its words must still come.
pictures() {
	node --test tools/picture/ || return 1
	[ -z "$client" ] || MEMENTO_CLIENT=$client go run -C tools/picture . "$work/session.svg"
}

# measured runs with -v: the table is what one wants to see.
measured() {
	MEMENTO_CORPUS=$corpus go test -C tools -count=1 -v -run '^(TestCorpus|TestSuggestions)$' ./corpus &&
		MEMENTO_CORPUS=$corpus go test -count=1 -v -run '^TestRuleOnCorpus$' ./internal/sentence
}

ranked() { MEMENTO_LOCOMO=$locomo go test -count=1 -v -run '^(TestQuality|TestCross|TestClear)$' ./internal/search; }

command -v go >/dev/null || {
	printf 'memento: test.sh: no go on PATH\nmemento: hint: https://go.dev/dl/\n' >&2
	exit 1
}

versions=$(cat tools/e2e/clients.txt)
[ -z "$client" ] || versions=''
# shellcheck disable=SC2086 # one word each
set -- ${versions:-MEMENTO_CLIENT}
steps=$((14 + $#))
if [ -n "$fast" ]; then steps=15; fi

step 'gofmt' format
step 'go vet, for linux, darwin and windows' vet
if command -v shellcheck >/dev/null; then
	step 'shellcheck' lint
else
	without 'shellcheck' 'it is not on PATH' 'install the package shellcheck, then ./test.sh'
fi
# The unit tests run the launcher and install.sh with each of these that is there.
absent=''
for tool in dash bash busybox curl wget openssl; do
	command -v "$tool" >/dev/null || absent="$absent${absent:+, }$tool"
done
[ -z "$absent" ] || skip "the launcher and install.sh with $absent" 'not on PATH' 'install that, then ./test.sh'
[ "$(id -u)" = 0 ] || skip 'memento as several users' 'only root can run it as others' 'sudo go test ./cmd/memento'
command -v strace >/dev/null || skip 'hooks whose system calls fail' 'strace is not on PATH' 'install the package strace (Linux), then ./test.sh'
command -v git >/dev/null || skip 'sync by git' 'git is not on PATH' 'install git, then ./test.sh'
sshd=$(command -v sshd || echo /usr/sbin/sshd)
if [ ! -x "$sshd" ]; then
	skip 'sync over ssh' 'there is no sshd' 'install the package openssh-server, then ./test.sh'
elif ! sshdstarts; then
	skip 'sync over ssh' 'sshd cannot start here' "$sshd -t"
fi
command -v wine >/dev/null || skip 'the Windows binary' 'wine is not on PATH' 'cmd/memento/wine_test.go says which packages; docs/windows.md what it shows'
command -v zsh >/dev/null || skip 'quoting as zsh reads it' 'zsh is not on PATH' 'install the package zsh, then ./test.sh'
if command -v "$(go env CC)" >/dev/null; then
	step 'unit tests with goroutines, with -race' race
	step 'the other unit tests' units others
else
	without 'the race detector' 'no C compiler' 'install gcc, then ./test.sh'
	step 'unit tests' units all
fi
step 'memento as processes' processes

if fetched; then
	step 'the tools' tooltests
	step 'start-up cost' gate
	[ "$(go env GOOS)/$(go env GOARCH)" = linux/amd64 ] ||
		skip 'start-up cost but for allocations' 'its limits were measured on linux/amd64' './bench.sh --only hook --beside OTHERBINARY compares two builds'
	if [ -n "$fast" ]; then
		without 'that the gate on start-up cost catches a heavy package' '--fast' './test.sh'
	else
		step 'the gate catches a heavy package' catches
	fi
else
	at=$((at + 2))
	without 'the tools and start-up cost' 'the modules of tools/ could not be had' 'go has said why above; it needs Go 1.26 and the module proxy once'
fi

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
	without 'the page in a browser' 'no chromium on PATH' 'install the package chromium, then ./test.sh'
elif ! command -v npm >/dev/null; then
	without 'the page in a browser' 'no npm' 'install Node.js with npm, then ./test.sh'
elif driver; then
	step 'the page in a browser' looks
else
	without 'the page in a browser' 'npm could not install what drives it' 'npm has said why above; ./test.sh tries again'
fi

if [ -n "$corpus" ]; then
	step 'what real sessions keep' measured
else
	without 'the corpus' 'MEMENTO_CORPUS is not set' 'tools/corpus says what goes into the folder it names'
fi
if [ -n "$locomo" ]; then
	step 'how well search ranks' ranked
else
	without 'the quality of search' 'MEMENTO_LOCOMO is not set' 'docs/search.md says what it names'
fi

if [ -n "$fast" ]; then
	without 'fuzzing' '--fast' './test.sh'
	without 'the real client, end to end' '--fast' './test.sh'
else
	step 'fuzzing, ten seconds each' fuzz
	if [ -n "$client" ]; then
		version=''
		onclient .
		skip 'the clients of tools/e2e/clients.txt' 'MEMENTO_CLIENT names another' 'unset MEMENTO_CLIENT'
	fi
	for version in $versions; do
		client=''
		case $versions in *"$version") onclient . ;; *) onclient '^TestCore$' ;; esac
	done
fi

# $client is the newest client now, or none.
if ! command -v npm >/dev/null; then
	without 'pictures of a terminal' 'no npm' 'install Node.js with npm, then ./test.sh'
elif painter; then
	step 'pictures of a terminal' pictures
else
	without 'pictures of a terminal' 'what reads and records the output could not be had' 'npm or go has said why above; ./test.sh tries again'
fi

# Tests of what a later part of the rebuilding mends are skipped until then.
waiting=$(grep -rhoE "(fixture\.Part\(t, [0-9], \"|^skip 'part [0-9]: ).*" --include='*_test.go' --include='*.txtar' cmd internal plugin)
[ -z "$waiting" ] || printf '\nmemento: SKIPPED until a later part:\n%s\n' "$waiting"

printf '\nmemento: all took %s\nmemento: passed: %s\n' "$(since "$started")" "${passed:-nothing}"
[ -z "$skipped" ] || printf 'memento: SKIPPED: %s\n' "$skipped"
[ -z "$failed" ] || printf 'memento: FAILED: %s\n' "$failed"
[ -z "$failed" ]
