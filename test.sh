#!/bin/sh
# Runs every test there is: format, vet, shellcheck, units under the race detector, memento as processes, the gate on what a hook
# costs, two seconds of each fuzzer, and the plugin in the real Claude Code client. Each step says how long it took. Goes through
# all of it, then says in one line what failed and what was skipped.
set -u

usage='usage: ./test.sh [--fast]

  --fast   no fuzzing, no real client, no proof that the gate on start-up cost catches anything

The clients, @anthropic-ai/claude-code in the versions of tools/e2e/clients.txt and @openai/codex in that of
tools/codex/version.txt, come from npm once and are kept in ~/.cache/memento-test (XDG_CACHE_HOME is followed).
They run against mocks on loopback, with an empty environment and a scratch HOME: nothing of yours is read, nothing
leaves the machine. On the newest every scenario is run, on the others TestCore: the three
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

# As releases are built, so that a package is compiled once for a system and not once more for each way of building it.
export GOFLAGS="-trimpath ${GOFLAGS-}"

passed='' failed='' skipped='' tmp='' started=$(date +%s)
# All that the tests write is in one folder, which goes at the end, even of a run that somebody breaks off. The folder of a run that
# was killed goes at the next. It has the same name every time, as Go keeps no result of a test under another TMPDIR.
disk=${TMPDIR:-/tmp}
# In memory, where that has room (MB) and runs programs: the tests force thousands of files to the disk.
if [ -z "${TMPDIR-}" ] && awk '$2 == "/dev/shm" && $4 !~ /noexec/ { found = 1 } END { exit !found }' /proc/mounts 2>/dev/null &&
	[ "$(df -Pm /dev/shm | awk 'END { print $4 }')" -gt 8000 ]; then
	TMPDIR=/dev/shm
fi
work=${TMPDIR:-/tmp}/memento-$(pwd | cksum | cut -d ' ' -f 1)
if [ -d "$work" ] && ! kill -0 "$(cat "$work/pid" 2>/dev/null)" 2>/dev/null; then rm -rf "$work"; fi
mkdir "$work" 2>/dev/null || work=$(mktemp -d) || exit 1 # there may be a second run in this checkout
echo $$ >"$work/pid" && chmod 711 "$work" || exit 1
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

# step NAME COMMAND... runs the command, says how long that took, and notes how it ended.
step() {
	name=$1
	shift
	began=$(date +%s)
	printf '\n== %s\n' "$name"
	if "$@"; then ok "$name"; else bad "$name"; fi
	printf '== %s took %s\n' "$name" "$(since "$began")"
}

# skip WHAT WHY HINT
skip() {
	skipped="$skipped${skipped:+, }$1 ($2)"
	printf '\nmemento: SKIPPED: %s: %s\nmemento: hint: %s\n' "$1" "$2" "$3" >&2
}

format() {
	found=$(gofmt -l .) || return 1
	[ -z "$found" ] && return
	printf 'memento: gofmt: not formatted:\n%s\nmemento: hint: gofmt -w .\n' "$found" >&2
	return 1
}

# vet also compiles for the systems this machine is not, and vets the packages that Windows may read differently: by
# their files, or by what their tests import.
vet() {
	go vet ./... || return 1
	for os in linux darwin windows; do
		[ "$os" != "$(go env GOOS)" ] || continue
		if ! GOOS=$os CGO_ENABLED=0 go build ./...; then
			printf 'memento: vet: GOOS=%s failed\n' "$os" >&2
			return 1
		fi
	done
	form='{{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}} {{.TestImports}} {{.XTestImports}}'
	go list -f "$form" ./internal/... >"$work/here" && GOOS=windows go list -f "$form" ./internal/... >"$work/windows" || return 1
	differ=$({ grep -vxFf "$work/here" "$work/windows"; grep -w syscall "$work/windows"; } | cut -d ' ' -f 1 | sort -u)
	# shellcheck disable=SC2086 # one word each
	[ -z "$differ" ] || GOOS=windows CGO_ENABLED=0 go vet $differ
}

# tools is a module of its own, for systems that are a unix, and has modules to fetch once: what it needs is fetched, and said to be
# missing, here.
fetched() { go list -C tools -deps -test ./... >/dev/null; }

tooltests() {
	go vet -C tools ./... || return 1
	GOOS=darwin CGO_ENABLED=0 go build -C tools ./... || return 1
	go test -C tools -count=1 -vet=off -skip '^TestGate' ./bench ./corpus ./picture ./release
}

# The gate compares with a Go hello-world in the same rounds; -v, for the ratios. On a disk, from which programs are started.
gate() { TMPDIR=$disk go test -C tools/bench -count=1 -v -run '^TestGate$' .; }

catches() { TMPDIR=$disk go test -C tools/bench -count=1 -v -run '^TestGateCatches$/^yaml$' .; }

# lint has shellcheck read every shell script there is: known by its first line, whatever it is called.
lint() {
	list=$(find . \( -name .git -o -name node_modules \) -prune -o -type f -exec env LC_ALL=C awk 'FNR == 1 && /^#!.*sh$/ { print FILENAME } { nextfile }' {} + | sort) || return 1
	printf '%s\n' "$list"
	[ -n "$list" ] && printf '%s\n' "$list" | tr '\n' '\0' | xargs -0 shellcheck
}

# units runs the tests of every package. Those of cmd/memento, which run it as processes, begin first and end last.
units() { go test -vet=off -timeout 30m ./...; }

# race runs the short tests of the packages that start goroutines under the race detector, which would find nothing in
# the others, nor in what a test does longer or with more processes. memento starts no goroutine, to which TestNoExit
# holds it, and the tests of the cmd folders run it as processes.
race() {
	found=$(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}' ./internal/...) || return 1
	chosen=$(printf '%s\n' "$found" | while read -r package dir; do
		case $package in */install) continue ;; esac # what its tests start are shells
		! grep -qE '(^|[^[:alnum:]_])go (func)?[[:alnum:]_.]*\(|\.(Go|AfterFunc)\(' "$dir"/*.go || printf '%s\n' "$package"
	done)
	# shellcheck disable=SC2086 # one word each
	CGO_ENABLED=1 go test -race -vet=off -short -timeout 30m $chosen
}

# fuzzed FOLDER runs the fuzzers of a package, which is compiled for it once. Before Go 1.27 the end of the fuzz time itself
# could be reported as a failure with no failing input (golang/go#75804): only such a run is made again, twice at most.
fuzzed() {
	program=$work/fuzz$(printf '%s' "$1" | tr / -)
	go test -c -vet=off -fuzz . -o "$program" "$1" && names=$("$program" -test.list '^Fuzz') || return
	code=0
	for fuzzer in $names; do
		for try in 1 2 3; do
			said=$(cd "$1" && "$program" -test.run '^$' -test.fuzz "^$fuzzer\$" -test.fuzztime 2s -test.fuzzminimizetime 100x \
				-test.parallel 1 -test.fuzzcachedir "$program.found" </dev/null 2>&1) && continue 2
			case $said in *panic* | *'ailing input'*) break ;; *'context deadline exceeded'*) ;; *) break ;; esac
		done
		printf '%s %s, try %d\n%s\n' "$1" "$fuzzer" "$try" "$said"
		code=1
	done
	return "$code"
}

# fuzz gives each fuzzer its two seconds and a processor, two packages at a time.
fuzz() {
	grep -rlE '^func Fuzz' --include='*_test.go' cmd internal plugin | xargs -n 1 dirname | sort -u >"$work/fuzzed"
	grep -c . "$work/fuzzed" || return
	half 0 &
	other=$!
	half 1
	code=$?
	wait "$other" && [ "$code" -eq 0 ]
}

# half N takes every second package.
half() {
	bad=0
	awk "NR % 2 == $1 { print \"./\" \$0 }" "$work/fuzzed" >"$work/half$1"
	while read -r dir; do fuzzed "$dir" || bad=1; done <"$work/half$1"
	return "$bad"
}

# sshdstarts says whether sshd would start with the settings that the tests give it.
sshdstarts() {
	[ "$(id -u)" != 0 ] || mkdir -p /run/sshd # sshd asks for it
	ssh-keygen -q -t ed25519 -N '' -f "$work/host" && "$sshd" -t -f /dev/null -h "$work/host"
}

# runs CLIENT says whether it is the client $version and starts here.
runs() {
	case $(env -i HOME="$TMPDIR" PATH="$PATH" "$1" --version 2>/dev/null) in
	"$version "* | "codex-cli $version") return 0 ;;
	*) return 1 ;;
	esac
}

# fetch PACKAGE PROGRAM sets $client to the program of npm's package in the $version, from the cache or from npm. What is in the cache is
# whole: it is moved there in one step.
fetch() {
	cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/memento-test
	dir=$cache/${1#*/}-$version
	client=$dir/node_modules/.bin/$2
	runs "$client" && return
	client=
	command -v npm >/dev/null || return
	mkdir -p "$cache" && tmp=$(mktemp -d "$cache/.install.XXXXXX") || return
	printf 'installing %s@%s into %s (100 to 400 MB, once)\n' "$1" "$version" "$dir"
	npm install --prefix "$tmp" --include=optional --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
		"$1@$version" || return
	# Where npm is told to run no install scripts, Claude Code's own stays to be run.
	runs "$tmp/node_modules/.bin/$2" || node "$tmp/node_modules/$1/install.cjs" || return
	runs "$tmp/node_modules/.bin/$2" || return
	rm -rf "$dir"
	mv "$tmp" "$dir" && tmp=
	client=$dir/node_modules/.bin/$2
	runs "$client" || client=
}

# real SCENARIOS runs them on $client. Each one's line and its time are worth seeing, so -v.
real() { MEMENTO_CLIENT=$client MEMENTO_REQUIRE_CLIENT=1 go test -C tools -count=1 -v -run "$1" ./e2e; }

# incodex runs the scenarios on Codex.
incodex() { MEMENTO_CODEX=$client MEMENTO_REQUIRE_CLIENT=1 go test -C tools -count=1 -v ./codex; }

# on WHAT STEP... takes the step if $client is there, and says what is missing otherwise.
on() {
	what=$1
	shift
	if [ -n "$client" ]; then
		step "$what" "$@"
	elif command -v npm >/dev/null; then
		skip "$what" 'npm could not install it' 'npm has said why above; ./test.sh tries again'
	else
		skip "$what" 'no npm' 'install Node.js with npm, then ./test.sh'
	fi
	[ -n "$client" ] || [ "$required" != 1 ] || bad "$what: required, and not there"
}

# onclient SCENARIOS runs them on the client $version, which is fetched unless there is one.
onclient() {
	[ -n "$client" ] || fetch @anthropic-ai/claude-code claude
	on "the real client ${version:-of MEMENTO_CLIENT}, end to end" real "$1"
}

# install has npm install what the folder's package.json names, unless the module is there.
install() { [ -d "$1/node_modules/$2" ] || npm ci --prefix "$1" --no-audit --no-fund --loglevel=error; }

# looks has a browser open the pages of memento view, made for the purpose, and prints how long that takes.
looks() {
	mkdir -p "$work/pages" && MEMENTO_PAGES=$work/pages go test -count=1 -run '^TestPages$' ./internal/view &&
		CHROMIUM=$chromium node internal/view/browser/look.js "$work/pages"
}

# pictures also records the film of the README anew where there is a client: its words must still come.
pictures() {
	install tools/picture @xterm/headless && node --test tools/picture/ || return 1
	[ -z "$client" ] || MEMENTO_CLIENT=$client go run -C tools/picture . "$work/session.svg"
}

# paint begins with the pictures, and painted waits for them: a film takes as long as somebody would watch it.
paint() {
	pictures >"$work/painted" 2>&1 &
	painter=$!
}
painted() {
	wait "$painter"
	code=$?
	cat "$work/painted"
	return "$code"
}

measured() { go run -C tools ./corpus "$corpus"; }

ranked() { go run -C tools ./locomo "$locomo"; }

command -v go >/dev/null || {
	printf 'memento: test.sh: no go on PATH\nmemento: hint: https://go.dev/dl/\n' >&2
	exit 1
}

# What drives a browser may take npm minutes to fetch: the other tests run meanwhile.
if command -v npm >/dev/null; then
	install internal/view/browser playwright-core &
	driver=$!
fi

step 'gofmt' format
step 'go vet, for linux, darwin and windows' vet
if command -v shellcheck >/dev/null; then
	step 'shellcheck' lint
else
	skip 'shellcheck' 'it is not on PATH' 'install the package shellcheck, then ./test.sh'
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
command -v wine >/dev/null || skip 'the Windows binary' 'wine is not on PATH' 'cmd/memento/wine_test.go says which packages; docs/install.md what it shows'
command -v zsh >/dev/null || skip 'quoting as zsh reads it' 'zsh is not on PATH' 'install the package zsh, then ./test.sh'
if command -v "$(go env CC)" >/dev/null; then
	step 'short unit tests with goroutines, with -race' race
else
	skip 'the race detector' 'no C compiler' 'install gcc, then ./test.sh'
fi
step 'unit tests, and memento as processes' units

if fetched; then
	step 'the tools' tooltests
	step 'start-up cost' gate
	[ "$(go env GOOS)/$(go env GOARCH)" = linux/amd64 ] ||
		skip 'start-up cost but for allocations' 'its limits were measured on linux/amd64' './bench.sh --only hook --beside OTHERBINARY compares two builds'
	if [ -n "$fast" ]; then
		skip 'that the gate on start-up cost catches a heavy package' '--fast' './test.sh'
	else
		step 'the gate catches a heavy package' catches
	fi
else
	skip 'the tools and start-up cost' 'the modules of tools/ could not be had' 'go has said why above; it needs Go 1.26 and the module proxy once'
fi

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
	skip 'the page in a browser' 'no chromium on PATH' 'install the package chromium, then ./test.sh'
elif ! command -v npm >/dev/null; then
	skip 'the page in a browser' 'no npm' 'install Node.js with npm, then ./test.sh'
elif wait "$driver"; then
	step 'the page in a browser' looks
else
	skip 'the page in a browser' 'npm could not install what drives it' 'npm has said why above; ./test.sh tries again'
fi

if [ -n "$corpus" ]; then
	step 'what real sessions keep' measured
else
	skip 'the corpus' 'MEMENTO_CORPUS is not set' 'tools/corpus says what goes into the folder it names'
fi
if [ -n "$locomo" ]; then
	step 'how well search ranks' ranked
else
	skip 'the quality of search' 'MEMENTO_LOCOMO is not set' 'docs/search.md says what it names'
fi

if [ -n "$fast" ]; then
	skip 'fuzzing' '--fast' './test.sh'
	skip 'the real clients, end to end' '--fast' './test.sh'
else
	step 'fuzzing, two seconds each' fuzz
	scenarios=. versions=$(cat tools/e2e/clients.txt) newest=$client
	if [ -n "$client" ]; then
		version='' versions=''
		onclient .
		skip 'the clients of tools/e2e/clients.txt' 'MEMENTO_CLIENT names another' 'unset MEMENTO_CLIENT'
	fi
	for version in $versions; do
		client=''
		onclient "$scenarios"
		if [ "$scenarios" = . ]; then
			newest=$client scenarios='^TestCore$'
			! command -v npm >/dev/null || paint
		fi
	done
	version=$(cat tools/codex/version.txt)
	fetch @openai/codex codex
	on "the real Codex $version, end to end" incodex
	client=$newest
fi

if command -v npm >/dev/null; then
	[ -n "${painter-}" ] || paint
	step 'pictures of a terminal' painted
else
	skip 'pictures of a terminal' 'no npm' 'install Node.js with npm, then ./test.sh'
fi

printf '\nmemento: all took %s\nmemento: passed: %s\n' "$(since "$started")" "${passed:-nothing}"
[ -z "$skipped" ] || printf 'memento: SKIPPED: %s\n' "$skipped"
[ -z "$failed" ] || printf 'memento: FAILED: %s\n' "$failed"
[ -z "$failed" ]
