#!/bin/sh
# Builds memento from the checkout this file is in, puts the binary in place and wires it into Claude Code.
# Whatever fails, the machine is left as it was: the build happens in a temporary folder, the binary is exchanged
# in one step, and an earlier one comes back when the new one cannot be wired.
set -eu

usage() {
	cat <<'EOF'
Installs memento from this checkout, for you alone.

Usage:
  ./install.sh               build, install, wire into Claude Code, check
  ./install.sh --uninstall   take all of that back; the journals stay
  ./install.sh --help

It needs Go 1.25 or newer, and writes:
  ~/.local/bin/memento               the binary
  ~/.claude/settings.json            its hooks, beside what is there; the file as it was is kept
  ~/.claude/skills/memento/SKILL.md  what Claude knows about it

Settings:
  MEMENTO_BIN_DIR    where the binary goes   (default: ~/.local/bin)
  CLAUDE_CONFIG_DIR  Claude Code's folder    (default: ~/.claude)
EOF
}

say() { printf '%s\n' "$1"; }

# complain WHAT WHY HINT
complain() { printf 'memento: %s: %s\nmemento: hint: %s\n' "$1" "$2" "$3" >&2; }

fail() {
	complain "$@"
	exit 1
}

# What clean_up has to take back; it runs however the script ends.
build_dir='' staged='' previous='' first_made='' replaced=no

clean_up() {
	status=$?
	set +e
	trap - EXIT
	trap '' HUP INT TERM
	if [ "$replaced" = yes ]; then
		if [ -n "$previous" ]; then
			mv -f "$previous" "$target"
		else
			rm -f "$target"
		fi
	fi
	if [ -n "$build_dir" ]; then rm -rf "$build_dir"; fi
	if [ -n "$staged" ]; then rm -f "$staged"; fi
	if [ -n "$previous" ]; then rm -f "$previous"; fi
	if [ -n "$first_made" ]; then
		dir=$bin_dir
		while rmdir "$dir" 2>/dev/null && [ "$dir" != "$first_made" ]; do dir=$(dirname "$dir"); done
	fi
	exit "$status"
}

catch_signals() {
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# find_places sets root, bin_dir, target and memento_dir.
find_places() {
	case ${HOME:-} in
	/*) ;;
	'') fail "$1" 'HOME is not set, so there is no telling where your files are' 'HOME=/your/home ./install.sh' ;;
	*) fail "$1" "HOME is $HOME, which is not an absolute path" 'HOME=/your/home ./install.sh' ;;
	esac
	root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
	bin_dir=${MEMENTO_BIN_DIR:-$HOME/.local/bin}
	case $bin_dir in
	/*) ;;
	*) bin_dir=$PWD/$bin_dir ;;
	esac
	bin_dir=${bin_dir%/}
	case $(uname -s) in
	MINGW* | MSYS* | CYGWIN*) name=memento.exe ;;
	*) name=memento ;;
	esac
	target=$bin_dir/$name
	memento_dir=${CLAUDE_CONFIG_DIR:-$HOME/.claude}/.memento
}

# is_memento FILE: the binary carries its module's path, stripped or not. Running it to find out would be worse.
is_memento() { LC_ALL=C grep -q 'github.com/mementohq/memento/cmd/memento' "$1" 2>/dev/null; }

# build WHAT: makes $build_dir/memento.
build() {
	if ! grep -q '^module github.com/mementohq/memento$' "$root/go.mod" 2>/dev/null; then
		fail "$1" "$root is not a checkout of memento" \
			'git clone https://github.com/mementohq/memento && memento/install.sh'
	fi
	if ! command -v go >/dev/null 2>&1; then
		fail "$1" 'Go is not on PATH' 'install Go 1.25 or newer (https://go.dev/dl), then run this again'
	fi
	build_dir=$(mktemp -d "${TMPDIR:-/tmp}/memento.XXXXXX") || fail "$1" 'no temporary folder could be made' 'set TMPDIR to a folder with room in it'
	say 'Building memento; the first time takes a minute.'
	sh "$root/plugin/build" --binary "$build_dir/$name" ||
		fail "$1" 'the build failed' "memento needs Go 1.25 or newer, and this is $(go env GOVERSION 2>/dev/null || echo unknown)"
}

install_memento() {
	find_places install
	if [ -L "$target" ] || { [ -e "$target" ] && [ ! -f "$target" ]; }; then
		fail install "$target is a link or a folder, and is not replaced" 'remove it, or set MEMENTO_BIN_DIR'
	fi
	if [ -f "$target" ] && ! is_memento "$target"; then
		fail install "$target is another program, and is not replaced" 'set MEMENTO_BIN_DIR to another folder'
	fi
	build install

	room="see that $bin_dir has room and is yours to write to, or set MEMENTO_BIN_DIR"
	dir=$bin_dir
	while [ ! -e "$dir" ] && [ ! -L "$dir" ]; do
		first_made=$dir
		dir=$(dirname "$dir")
	done
	mkdir -p "$bin_dir" || fail install "$bin_dir cannot be made" "$room"
	staged=$(mktemp "$bin_dir/.memento.XXXXXX") || fail install "$bin_dir cannot be written to" "$room"
	cp "$build_dir/$name" "$staged" || fail install "copying to $bin_dir failed" "$room"
	chmod 755 "$staged"
	"$staged" version >/dev/null || fail install "the new binary does not run in $bin_dir" 'set MEMENTO_BIN_DIR to a folder that programs may run from'

	if [ -f "$target" ]; then
		previous=$(mktemp "$bin_dir/.memento.XXXXXX") || fail install "$bin_dir cannot be written to" "$room"
		cp -p "$target" "$previous" || fail install 'keeping the earlier binary failed' "$room"
	fi
	# The exchange and the wiring go together: settings must never point at a binary that was taken back.
	trap '' HUP INT TERM
	replaced=yes
	mv -f "$staged" "$target" || fail install "$target cannot be replaced" "$room"
	staged=''
	if ! "$target" install; then
		if [ -n "$previous" ]; then
			fail install 'wiring failed, so the earlier binary was put back' 'the lines above say why'
		fi
		fail install 'wiring failed, so the binary was removed again' 'the lines above say why'
	fi
	replaced=no first_made=''
	catch_signals

	say "Installed $target"
	case :$PATH: in
	*:"$bin_dir":*) ;;
	*) say "$bin_dir is not on your PATH. Claude Code does not need it; to type memento yourself: export PATH=\"$bin_dir:\$PATH\"" ;;
	esac
	if ! "$target" doctor; then
		fail doctor 'memento is installed, but the check found something' 'the lines above say what'
	fi
}

uninstall_memento() {
	find_places uninstall
	if [ -f "$target" ] && ! is_memento "$target"; then
		fail uninstall "$target is another program, and is not touched" 'set MEMENTO_BIN_DIR as it was at installation'
	fi
	if [ -f "$target" ]; then
		"$target" uninstall || fail uninstall 'the settings could not be put back, so the binary stays too' 'the lines above say why'
		rm -f "$target" || fail uninstall "$target cannot be removed" "remove it yourself; nothing else is left but the journals"
		say "Removed $target"
	else
		# Somebody removed the binary first, and every hook now fails. A new one can still unwire it.
		build uninstall
		"$build_dir/$name" uninstall || fail uninstall 'the settings could not be put back' 'the lines above say why'
		say "There was no $target"
	fi
	if [ -d "$memento_dir" ]; then say "The journals stay in $memento_dir; to erase them: rm -r '$memento_dir'"; fi
}

main() {
	trap clean_up EXIT
	catch_signals
	if [ $# -gt 1 ]; then
		complain install "one argument at most, not $#" './install.sh --help'
		exit 64
	fi
	case ${1:-} in
	'') install_memento ;;
	--uninstall) uninstall_memento ;;
	-h | --help) usage ;;
	*)
		complain install "no such option: $1" './install.sh --help'
		exit 64
		;;
	esac
}

main "$@"
