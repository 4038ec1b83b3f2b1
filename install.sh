#!/bin/sh
# Installs memento for the user who runs it: puts the binary in place, wires it into Claude Code, checks that it works.
#
# Piped from curl, or in a checkout without Go, it downloads the binary of the release pinned below and checks it against the
# pins. In a checkout with Go it builds the sources. After a failure or an interruption the machine is as it was: all work happens
# in a folder of its own beside the binary, one rename replaces it (a session that runs the old one goes on running it), and
# memento install --check wires all or nothing.
set -eu

# Written by the release, from plugin/checksums.txt. Lines of sha256sum's form.
# pins: begin
version=0.1.0
pins='
6e288438e643edc7cf0a3f944c2a68d076d2ab153dc4214c98a52617b2744026  memento-darwin-amd64
7653615aaee4d86a8191bf89686955f9f63afd64100de93031d6f8a312464d72  memento-darwin-arm64
400000a7f2501a37f0b0988933917ec0d48da47519b67e021e0864a19ee4e9e4  memento-linux-amd64
41556d1f96aecb749c5c314e928ecd75e926d98cd093b922193a38281eb9d330  memento-linux-arm64
a08752639c693de38faa619ac3a61abbba69c2023a18c4ecba9ee4816d795eec  memento-windows-amd64.exe
d009f74a25c6be6ba4e1e493aa3f576683e85fe4caed26eb9715ce5a6b6c8e00  memento-windows-arm64.exe
'
# pins: end

repository=https://github.com/mementohq/memento

usage() {
	cat <<'EOF'
Installs memento for you alone, in Linux and macOS: downloads the binary, or builds it in a checkout that has Go.
It takes Claude Code 2.1.9 or newer: an older one may drop all settings for one hook that it does not know.

Usage:
  curl -fsSL https://github.com/mementohq/memento/releases/latest/download/install.sh | sh
  curl -fsSL https://github.com/mementohq/memento/releases/latest/download/install.sh | sh -s -- OPTIONS
  ./install.sh [OPTIONS]

  --dry-run              say what would be downloaded, written and changed, and change nothing
  --version              say which version this installs, and from where
  --version X.Y.Z        install that release; its own checksums.txt is all there is to check it with
  --uninstall            take everything back; journals, records and settings of memento's stay
  --help

It writes:
  ~/.local/bin/memento               the binary
  ~/.claude/settings.json            its hooks, beside what is there; --uninstall takes them out
  ~/.claude/skills/memento/SKILL.md  what Claude knows about it
  ~/.claude/commands/memento/        its slash commands

Settings:
  MEMENTO_BIN_DIR      where the binary goes   (default: ~/.local/bin)
  CLAUDE_CONFIG_DIR    Claude Code's folder    (default: ~/.claude)
  MEMENTO_RELEASE_URL  a mirror of https://github.com/mementohq/memento/releases/download
  https_proxy, no_proxy and the like are followed.
EOF
}

say() { printf '%s\n' "$1"; }

# fail WHAT WHY HINT
fail() {
	printf 'memento: %s: %s\nmemento: hint: %s\n' "$@" >&2
	exit 1
}

# misuse WHY
misuse() {
	printf 'memento: install: %s\nmemento: hint: %s --help\n' "$1" "$me" >&2
	exit 64
}

# What clean_up has to undo. It runs at every end of the script.
work='' loading=no swapped=no first_made=''

clean_up() {
	ended=$?
	set +eu
	trap - EXIT
	trap '' HUP INT QUIT PIPE TERM
	if [ "$loading" = yes ] && [ -n "$!" ]; then
		kill "$!"
		wait "$!"
	fi 2>/dev/null
	if [ "$swapped" = yes ]; then
		if [ -f "$work/old.memento" ]; then mv -f "$work/old.memento" "$target"; else rm -f "$target"; fi
	fi
	if [ -n "$work" ]; then rm -rf "$work"; fi
	if [ -n "$first_made" ]; then remove_dirs "$first_made"; fi
	exit "$ended"
}

# remove_dirs FIRST removes the binary's folder and its parents up to FIRST, if they are empty.
remove_dirs() {
	dir=$bin_dir
	while rmdir "$dir" 2>/dev/null && [ "$dir" != "$1" ]; do dir=$(dirname "$dir"); done
}

# find_places sets checkout (empty outside a checkout), bin_dir, target and config_dir.
find_places() {
	case ${HOME:-} in
	/*) ;;
	'') fail "$action" 'HOME is not set, so there is no telling where your files are' 'export HOME=/your/home, then run this again' ;;
	*) fail "$action" "HOME is $HOME, which is not an absolute path" 'export HOME=/your/home, then run this again' ;;
	esac
	# In a pipe $0 is the shell's name, and the working folder may be a checkout that the user does not mean.
	checkout=''
	case $0 in
	install.sh | */install.sh)
		if [ -f "$0" ]; then checkout=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P); fi
		if ! grep -q '^module github.com/mementohq/memento$' "$checkout/go.mod" 2>/dev/null; then checkout=''; fi
		;;
	esac
	bin_dir=${MEMENTO_BIN_DIR:-$HOME/.local/bin}
	case $bin_dir in
	/*) ;;
	*) bin_dir=$PWD/$bin_dir ;;
	esac
	bin_dir=${bin_dir%/}
	target=$bin_dir/memento
	config_dir=${CLAUDE_CONFIG_DIR:-$HOME/.claude}
	if [ -L "$target" ] || { [ -e "$target" ] && [ ! -f "$target" ]; }; then
		fail "$action" "$target is a link or a folder, and is not touched" 'remove it, or set MEMENTO_BIN_DIR'
	fi
	# Even a stripped binary holds the path of memento's module. Running an unknown file would be worse.
	if [ -f "$target" ] && ! LC_ALL=C grep -q 'github.com/mementohq/memento/cmd/memento' "$target" 2>/dev/null; then
		fail "$action" "$target is another program, and is not touched" 'set MEMENTO_BIN_DIR to another folder'
	fi
}

# find_source decides where the binary comes from: the sources, or the release $version at the address $from, of which $platform
# is the one for this machine. $list has their sums, empty for a release that is not pinned here.
find_source() {
	sources=no list=$pins
	if [ -z "$wanted" ] && [ -n "$checkout" ] && command -v go >/dev/null 2>&1; then
		sources=yes
		version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' "$checkout/internal/cli/version.go" 2>/dev/null) || version=''
		return
	fi
	platform=''
	case $(uname -sm) in
	'Linux x86_64' | 'Linux amd64') platform=linux-amd64 ;;
	'Linux aarch64' | 'Linux arm64') platform=linux-arm64 ;;
	'Darwin arm64') platform=darwin-arm64 ;;
	'Darwin x86_64') # as under Rosetta, too
		if [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ]; then platform=darwin-arm64; else platform=darwin-amd64; fi
		;;
	MINGW* | MSYS* | CYGWIN*)
		fail "$action" 'in Windows, PowerShell installs memento' "powershell -c \"irm $repository/releases/latest/download/install.ps1 | iex\""
		;;
	*) fail "$action" "there is no binary for $(uname -sm)" "with Go 1.25 or newer: git clone $repository && memento/install.sh" ;;
	esac
	if [ -n "$wanted" ] && [ "$wanted" != "$version" ]; then version=$wanted list=''; fi
	from=${MEMENTO_RELEASE_URL:-$repository/releases/download}
	from=${from%/}/v$version
	may_fetch || fail "$action" "$(shown) is neither https nor on this machine" 'set MEMENTO_RELEASE_URL to an https address, or unset it'
}

# may_fetch: is $from https, or http on this machine? http://127.0.0.1@elsewhere and http://localhost.elsewhere are not.
may_fetch() {
	scheme=${from%%://*}
	case $from in
	*[!-A-Za-z0-9._~:/@%+=\[\],\;\!\&\?\#]*) return 1 ;;
	https://?*) ;;
	http://*)
		host=${from#http://}
		host=${host%%[/?#]*}
		port=${host##*:}
		case $port in *[!0-9]* | '') ;; *) host=${host%:*} ;; esac
		case $host in 127.0.0.1 | localhost | '[::1]') ;; *) return 1 ;; esac
		;;
	*) return 1 ;;
	esac
}

# shown prints $from without the password that a mirror's address may hold.
shown() { say "$from" | sed 's|//[^/@]*@|//***@|'; }

# sum_in LIST prints the sum of $asset there, in sha256sum's form; nothing unless it is 64 hex digits.
sum_in() { say "$1" | sed -n "s/^\([0-9a-f]\{64\}\) [ *]$asset\$/\1/p"; }

# find_tools finds the programs for downloading and checking, or fails.
find_tools() {
	if command -v curl >/dev/null 2>&1; then
		loader=curl
	elif command -v wget >/dev/null 2>&1; then
		loader=wget
		# wget reads only the lower-case names; curl reads both.
		proxy=${https_proxy:-${HTTPS_PROXY:-${all_proxy:-${ALL_PROXY:-}}}}
		if [ -n "$proxy" ]; then export https_proxy="$proxy"; fi
		if [ -n "${no_proxy:-${NO_PROXY:-}}" ]; then export no_proxy="${no_proxy:-${NO_PROXY:-}}"; fi
	else
		fail "$action" 'there is neither curl nor wget to download with' 'install curl'
	fi
	for hasher in sha256sum shasum openssl ''; do
		if command -v "$hasher" >/dev/null 2>&1; then break; fi
	done
	if [ -z "$hasher" ]; then fail "$action" 'a download could not be checked: there is no sha256sum, shasum or openssl' 'install coreutils, perl or openssl'; fi
}

# sum_of FILE prints the SHA-256 of FILE. It passes FILE on standard input: a backslash in a name changes sha256sum's output.
sum_of() {
	case $hasher in
	sha256sum) sha256sum ;;
	shasum) shasum -a 256 ;;
	openssl) openssl dgst -sha256 -r ;;
	esac <"$1" | sed 's/[^0-9a-f].*//'
}

# fetch NAME FILE downloads NAME of the release, or fails. It runs in the background, as a shell handles a signal at once only in
# wait. It limits the size of files, so that an endless answer does not fill the disk. curl follows no redirection away from https,
# and none from a mirror on this machine. wget knows neither rule; then the pins decide.
fetch() {
	case $loader in
	curl)
		set -- "$1" "$2" curl -fsSL --proto "=$scheme" --proto-redir =https --connect-timeout 30 -y 60 -Y 1 --retry 2 -o "$2" "$from/$1"
		if [ -t 2 ]; then set -- "$@" --progress-bar -S; fi
		;;
	wget)
		set -- "$1" "$2" wget -O "$2" "$from/$1"
		case $(wget --version 2>/dev/null) in
		*'GNU Wget'*) set -- "$@" -nv -T 60 -t 2 ;;
		*) set -- "$@" -q ;;
		esac
		;;
	esac
	asset=$1
	shift 2
	loading=yes
	(
		ulimit -f 262144 2>/dev/null || : # in units of 512 or 1,024 bytes, depending on the shell
		if [ -t 2 ] && [ "$1" = curl ]; then exec "$@"; else exec "$@" 2>"$work/said"; fi
	) &
	code=0
	wait "$!" || code=$?
	loading=no
	if [ "$code" -eq 0 ]; then return; fi
	case $loader:$code in
	curl:23 | wget:3) fail download "$(shown)/$asset could not be written to $work" "$room" ;;
	esac
	why=$({ sed -n '/^curl: (/p' "$work/said" && tail -n 1 "$work/said"; } 2>/dev/null | sed -n 1p) || why=''
	hint="see that this machine is online (https_proxy names a proxy, MEMENTO_RELEASE_URL a mirror) and that $version is among $repository/releases"
	if [ -n "${MEMENTO_RELEASE_URL:-}" ]; then hint="see that MEMENTO_RELEASE_URL is the address of a mirror that has $version, or unset it"; fi
	fail download "$(shown)/$asset: ${why:-$loader ended with $code}" "$hint"
}

# make_work FOLDER makes the folder $work there.
make_work() {
	room="see that $1 has room and is yours to write to"
	work=$(mktemp -d "$1/.memento.XXXXXX") || fail "$action" "$1 cannot be written to" "$room"
}

# get writes the binary to $work.
get() {
	if [ "$sources" = yes ]; then
		say 'Building memento; the first time takes a minute.'
		sh "$checkout/plugin/build" --binary "$work/memento" ||
			fail "$action" 'the build failed' "memento needs Go 1.25 or newer, and this is $(go env GOVERSION 2>/dev/null || echo unknown)"
		return
	fi
	if [ -z "$list" ]; then get_list; fi
	asset=memento-$platform
	sum=$(sum_in "$list")
	if [ ${#sum} -ne 64 ]; then fail download "the checksums of memento $version do not list $asset once" "see $repository/releases"; fi
	say "Downloading $(shown)/$asset"
	fetch "$asset" "$work/memento"
	got=$(sum_of "$work/memento")
	if [ "$got" != "$sum" ]; then
		fail download "$(shown)/$asset has a wrong checksum, $got in place of $sum, and was thrown away" \
			"try again, without a mirror or a network that asks who you are; should it stay so: $repository/issues"
	fi
	chmod 755 "$work/memento"
}

# get_list reads the sums of a release that is not pinned here from that release's own checksums.txt.
get_list() {
	# wget follows a redirection from https to http, and here only https protects the sums.
	if [ "$loader" != curl ] && [ "$scheme" = https ]; then
		fail "$action" "release $version is not pinned here, and checking it takes curl" \
			"that release's own script has its pins: wget -qO- $(shown)/install.sh | sh"
	fi
	say "memento $version is not the release pinned here: it is checked against its own checksums.txt."
	say 'That is as good as https and whoever answers there, no better.'
	fetch checksums.txt "$work/checksums.txt"
	list=$(cat "$work/checksums.txt")
}

install_memento() {
	find_places
	find_source
	if [ "$sources" = no ]; then find_tools; fi
	if [ "$dry_run" = yes ]; then
		show_install
		return
	fi
	find_made
	mkdir -p "$bin_dir" || fail install "$bin_dir cannot be made" 'set MEMENTO_BIN_DIR to a folder that is yours to write to'
	make_work "$bin_dir"
	get
	answer=$("$work/memento" version) || answer='' # a shell runs an empty file with success
	case $answer in
	'memento '*) ;;
	*) fail install "the new memento does not run in $bin_dir" 'set MEMENTO_BIN_DIR to a folder that programs may run from' ;;
	esac
	if [ -f "$target" ]; then
		ln "$target" "$work/old.memento" 2>/dev/null || cp -p "$target" "$work/old.memento" ||
			fail install 'keeping the earlier binary failed' "$room"
	fi

	# What follows takes a second, and no signal interrupts it. So settings never name a missing binary.
	trap '' HUP INT QUIT PIPE TERM
	again='the binary was removed again'
	if [ -f "$work/old.memento" ]; then again='the earlier binary was put back'; fi
	swapped=yes
	mv -f "$work/memento" "$target" || fail install "$target cannot be replaced" "$room"
	code=0
	"$target" install --check >"$work/said" || code=$? # to a file, since nobody may read on
	cat "$work/said" || :
	if [ "$code" -ne 0 ]; then
		# One that was killed may have wired itself already.
		if [ "$code" -gt 128 ] && [ ! -f "$work/old.memento" ]; then "$target" uninstall >/dev/null || :; fi
		fail install "wiring and checking it failed, so $again, and the settings are as they were" 'the lines above say why'
	fi
	swapped=no first_made=''
	say "Installed $target"
	# Client 2.1.329 reads its settings again when the file changes or appears (measured).
	say 'It is at work from your next prompt on, in a session that runs already too; before Claude Code 2.1.139 in new sessions.'
	say 'To see it: give a session its first task, then ask Claude: what does memento have on this session?'
	case :$PATH: in
	*:"$bin_dir":*) ;;
	*) say "$bin_dir is not on your PATH. Claude Code does not need it; to type memento yourself: export PATH=\"$bin_dir:\$PATH\"" ;;
	esac
}

# find_made sets first_made to the topmost folder that has to be made for the binary; empty if there is none.
find_made() {
	dir=$bin_dir
	while [ ! -e "$dir" ] && [ ! -L "$dir" ]; do
		first_made=$dir
		dir=$(dirname "$dir")
	done
}

# show_install says what install_memento would do. It neither builds nor downloads: an installed binary says what would change in
# the settings.
show_install() {
	if [ "$sources" = yes ]; then
		say "Would build memento${version:+ $version} from $checkout"
	else
		asset=memento-$platform
		say "Would download $(shown)/$asset"
		if [ -n "$list" ]; then say "  and check it against the SHA-256 $(sum_in "$list"), pinned in this script"; else say '  and check it against its own checksums.txt'; fi
	fi
	if [ -f "$target" ]; then
		say "Would replace $target"
		"$target" install --dry-run || fail install 'wiring would fail' 'the lines above say why'
	else
		say "Would write $target"
		say "Would wire its hooks into $config_dir/settings.json, beside what is there, and keep a copy of the file as it was"
		say "Would write $config_dir/skills/memento/SKILL.md and the slash commands in $config_dir/commands/memento"
	fi
	say 'Then memento doctor would check it. Nothing was changed.'
}

uninstall_memento() {
	find_places
	binary=$target
	if [ ! -f "$target" ]; then
		# Somebody may have removed the binary first, and every hook now fails. A new binary can still unwire the settings.
		if ! grep -q memento "$config_dir/settings.json" 2>/dev/null; then
			say "There is no $target, and nothing in $config_dir/settings.json that names memento."
			remove_binary
			return
		fi
		find_source
		if [ "$sources" = no ]; then find_tools; fi
		make_work "${TMPDIR:-/tmp}"
		get
		binary=$work/memento
	fi
	set -- uninstall
	if [ "$dry_run" = yes ]; then set -- uninstall --dry-run; fi
	said=$("$binary" "$@") || {
		say "$said"
		fail uninstall 'the settings could not be put back, so the binary stays too' 'the lines above say why'
	}
	say "$said" | sed '/^stays: The binary, /d' # it goes next
	remove_binary
}

# remove_binary removes the binary, what a killed installation left, and its folder and the parent if they are empty then.
remove_binary() {
	if [ "$dry_run" = yes ]; then
		if [ -f "$target" ]; then say "Would remove $target"; fi
		say 'Nothing was changed.'
		return
	fi
	if [ -f "$target" ]; then
		rm -f "$target" || fail uninstall "$target cannot be removed" 'remove it yourself; nothing else is left but the journals'
		say "Removed $target"
	fi
	rm -rf "$bin_dir"/.memento.??????
	remove_dirs "$(dirname "$bin_dir")"
}

say_version() {
	find_places
	find_source
	if [ "$sources" = yes ]; then say "memento $version, built from $checkout"; else say "memento $version, from $(shown)"; fi
}

main() {
	case $0 in
	install.sh | */install.sh) me=./install.sh ;;
	*) me="curl -fsSL $repository/releases/latest/download/install.sh | sh -s --" ;;
	esac
	action=install dry_run=no wanted=''
	while [ $# -gt 0 ]; do
		case $1 in
		--uninstall) action=uninstall ;;
		--dry-run) dry_run=yes ;;
		--version)
			case ${2-} in
			'' | -*) action=version ;;
			[0-9v]*)
				wanted=${2#v}
				case $wanted in *[!0-9A-Za-z:.+-]* | [!0-9]* | '') misuse "'$wanted' is not a version; --version takes one like 0.1.0" ;; esac
				shift
				;;
			*) misuse "'$2' is not a version; --version takes one like 0.1.0" ;;
			esac
			;;
		-h | --help)
			usage
			return
			;;
		*) misuse "no such option: $1" ;;
		esac
		shift
	done
	trap clean_up EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 131' QUIT
	trap 'exit 141' PIPE # the reader may stop: install.sh | head -1
	trap 'exit 143' TERM
	case $action in
	install) install_memento ;;
	uninstall) uninstall_memento ;;
	version) say_version ;;
	esac
}

# The braces stay open in a download that was cut short: then no line of this runs.
{ main "$@"; } </dev/null
