#!/bin/sh
# Installs memento for the user who runs it: puts the binary in place, and its companion memento-sync beside it, wires it into
# Claude Code, checks that it works.
#
# Piped from curl, or in a checkout without Go, it downloads the binaries of the release pinned below and checks them against the
# pins. In a checkout with Go it builds the sources. After a failure or an interruption the machine is as it was:
# all work happens in a temporary folder, one step replaces each binary (a session that runs the old one goes on running
# it), and until the last check has passed every step can be undone.
if [ -n "${ZSH_VERSION-}" ]; then emulate sh; fi # piped into zsh, which has rules of its own for traps and words
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
3dcba3d93502f5aa53d31e7e81576f7d637ac1f47e90b648e99e2862da6a77a3  memento-sync-darwin-amd64
d099d1bf5df5daf8754ed452b6d019c71796f27c8e047c91de6c856ec3d81a87  memento-sync-darwin-arm64
aae085626980f5cf1f70a51d4820ac0eee9591bb40e312b2db47f142591acd46  memento-sync-linux-amd64
39ce223b207adb7d93fef46b11c84931eab2f8b15bf16cbcffe3bf80d5a48583  memento-sync-linux-arm64
e19e10fe945d2d6cb1d19d90644f8f5940210692c052b008321179d6a90ef0a0  memento-sync-windows-amd64.exe
c3c8693e52c4692454c2380a6f9feadbc2c3ab62902501b8c826648a441eb90a  memento-sync-windows-arm64.exe
'
# pins: end

repository=https://github.com/mementohq/memento

usage() {
	cat <<'EOF'
Installs memento for you alone, in Linux and macOS: downloads the binary, or builds it in a checkout that has Go.
It takes Claude Code 2.1.9 or newer; with an older one on this machine nothing is changed.

Usage:
  curl -fsSL https://github.com/mementohq/memento/releases/latest/download/install.sh | sh
  curl -fsSL https://github.com/mementohq/memento/releases/latest/download/install.sh | sh -s -- OPTIONS
  ./install.sh [OPTIONS]

  --dry-run              say what would be downloaded, written and changed, and change nothing
  --scope WHERE          wire user (default), project or local settings, as memento install does
  --version              say which version this installs, and from where
  --version X.Y.Z        install that release; its own checksums.txt is all there is to check it with
  --uninstall            take everything back; journals, records and settings of memento's stay
  --help

It writes:
  ~/.local/bin/memento               the binary
  ~/.local/bin/memento-sync          its companion, which memento sync alone runs
  ~/.local/share/man/man1/memento.1  its manual page
  ~/.claude/settings.json            its hooks, beside what is there; the file as it was is kept
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

# complain WHAT WHY HINT
complain() { printf 'memento: %s: %s\nmemento: hint: %s\n' "$1" "$2" "$3" >&2; }

fail() {
	complain "$@"
	exit 1
}

# misuse WHY
misuse() {
	complain install "$1" "$me --help"
	exit 64
}

# What clean_up has to undo. It runs at every end of the script.
work='' caught='' child='' staged='' previous='' first_made='' replaced=no kept=no wired=no
sync_staged='' sync_previous='' sync_replaced=no

clean_up() {
	ended=$? # zsh keeps the name status for itself
	if [ -n "$caught" ]; then ended=$caught; fi # in zsh 5.9, $? is not the code that another trap exits with
	set +eu
	trap - EXIT
	trap '' HUP INT QUIT PIPE TERM
	if [ -n "$child" ]; then wait "$child" 2>/dev/null; fi
	save=no
	# Correct what the script has said about the settings.
	if [ "$kept" = yes ] && [ "$ended" -gt 128 ]; then complain "$action" 'interrupted, so what was changed is put back' 'run this again'; fi
	if [ "$kept" = yes ]; then
		# Only the binary finds a project's settings. If they were wired before, they still name the same path.
		if [ -n "$scope" ] && [ "$(records)" != "$(cat "$work/records")" ]; then memento "$target" uninstall >/dev/null; fi
		each_file put_back
		while read -r dir; do rmdir "$dir" 2>/dev/null; done <"$work/missing"
	fi
	if [ "$replaced" = yes ]; then
		if [ -n "$previous" ]; then
			mv -f "$previous" "$target"
		else
			rm -f "$target"
		fi
	fi
	if [ "$sync_replaced" = yes ]; then
		if [ -n "$sync_previous" ]; then
			mv -f "$sync_previous" "$companion"
		else
			rm -f "$companion"
		fi
	fi
	if [ -n "$work" ] && [ "$save" = no ]; then rm -rf "$work"; fi
	for file in "$staged" "$previous" "$sync_staged" "$sync_previous"; do
		if [ -n "$file" ]; then rm -f "$file"; fi
	done
	if [ -n "$first_made" ]; then
		rm -f "$made"
		remove_dirs "$first_made" "$bin_dir"
	fi
	exit "$ended"
}

catch_signals() {
	trap 'stop 129; exit 129' HUP
	trap 'stop 130; exit 130' INT
	trap 'stop 131; exit 131' QUIT
	trap 'stop 141; exit 141' PIPE # the reader may stop: install.sh | head -1
	trap 'stop 143; exit 143' TERM
}

# stop CODE ends the download. When the signal comes just before zsh waits for $child, zsh runs the trap and then waits all the same.
# So the trap itself ends $child; and as that wait may have missed its end, the end of another child wakes zsh.
stop() {
	caught=$1
	set +eu
	if [ "$child" = starting ]; then child=$!; fi # the signal came before $child was set
	if [ -n "$child" ]; then kill "$child" 2>/dev/null; fi
	if [ -n "$child" ] && [ -n "$ZSH_VERSION" ]; then sleep 1 >/dev/null 2>&1 & fi
}

# remove_dirs FIRST DIR removes DIR and its parents up to FIRST, if they are empty.
remove_dirs() {
	case $2/ in "${1%/}"/*) ;; *) return 0 ;; esac
	dir=$2
	while rmdir "$dir" 2>/dev/null && [ "$dir" != "$1" ]; do dir=$(dirname "$dir"); done
}

# find_places sets checkout (empty outside a checkout), bin_dir, target, companion, made and memento_dir.
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
		if [ ! -f "$checkout/plugin/build" ] || ! grep -q '^module github.com/mementohq/memento$' "$checkout/go.mod" 2>/dev/null; then checkout=''; fi
		;;
	esac
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
	companion=$bin_dir/memento-sync${name#memento}
	# They hold the topmost folders that were made, for --uninstall.
	made=$bin_dir/.memento-made page_made=$bin_dir/.memento-man-made
	page='' # where man looks for the pages of programs in the binary's folder
	case $bin_dir in */bin) page=${bin_dir%/bin}/share/man/man1/memento.1 ;; esac
	config_dir=${CLAUDE_CONFIG_DIR:-$HOME/.claude}
	memento_dir=$config_dir/.memento
}

# unwire BINARY VERB [OPTION...] takes memento out of the settings. It leaves out the binary's line that the binary stays, as it is
# removed next, and the line about the journals, as uninstall_memento prints its own.
unwire() {
	said=$(memento "$@") || {
		say "$said"
		return 1
	}
	case $scope:$dry_run in
	:no) say "$said" | sed -e '/^stays: The binary, /d' -e '/^stays: Your journals, /d' ;;
	:yes) say "$said" | sed '/^stays: The binary, /d' ;;
	*) say "$said" ;;
	esac
}

# is_memento FILE: does FILE hold the path of memento's module? Even a stripped binary does. Running an unknown file would be worse.
is_memento() { LC_ALL=C grep -q 'github.com/mementohq/memento/cmd/memento' "$1" 2>/dev/null; }

# runs FILE: does FILE print memento's version? Its exit code does not count: a shell runs an empty file with success.
runs() {
	answer=$("$1" version) || return 1
	case $answer in 'memento '*) ;; *) return 1 ;; esac
}

# find_source decides where the binary comes from: the sources, or the release $version. For a release it sets asset, url and sum,
# and sync_url and sync_sum for the companion. The sums of a release that is not pinned here come from get_sum.
find_source() {
	sources=no
	if [ -z "$wanted" ] && [ -n "$checkout" ] && command -v go >/dev/null 2>&1; then
		sources=yes
		version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' "$checkout/internal/cli/version.go" 2>/dev/null) || version=''
		return
	fi
	case $(uname -s) in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	MINGW* | MSYS* | CYGWIN*)
		fail "$action" 'in Windows, PowerShell installs memento' "powershell -c \"irm $repository/releases/latest/download/install.ps1 | iex\""
		;;
	*) fail "$action" "there is no binary for $(uname -s)" "with Go 1.25 or newer: git clone $repository && memento/install.sh" ;;
	esac
	case $(uname -m) in
	x86_64 | amd64)
		arch=amd64
		# Under Rosetta uname names the wrong machine.
		if [ "$os" = darwin ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ]; then arch=arm64; fi
		;;
	aarch64 | arm64) arch=arm64 ;;
	*) fail "$action" "there is no binary for $os on $(uname -m)" "with Go 1.25 or newer: git clone $repository && memento/install.sh" ;;
	esac
	asset=memento-$os-$arch
	sync_asset=memento-sync-$os-$arch
	sum='' sync_sum=''
	if [ -z "$wanted" ] || [ "$wanted" = "$version" ]; then
		sum=$(printf '%s\n' "$pins" | listed "$asset")
		sync_sum=$(printf '%s\n' "$pins" | listed "$sync_asset")
	else
		version=$wanted
	fi
	base=${MEMENTO_RELEASE_URL:-$repository/releases/download}
	url=${base%/}/v$version/$asset
	sync_url=${base%/}/v$version/$sync_asset
}

# listed NAME prints the sum of NAME in a list on standard input, in sha256sum's form.
listed() {
	while read -r hex file; do
		if [ "${file#\*}" = "$1" ]; then say "$hex"; fi
	done
}

# is_sum WORD: is WORD 64 hex digits? Zeros, as before the first release, are no sum.
is_sum() {
	[ ${#1} -eq 64 ] || return 1
	case $1 in *[!0-9a-f]*) return 1 ;; *[1-9a-f]*) return 0 ;; *) return 1 ;; esac
}

# may_fetch URL: is URL https, or http on this machine? http://127.0.0.1@elsewhere and http://localhost.elsewhere are not.
may_fetch() {
	case $1 in
	*[!-A-Za-z0-9._~:/@%+=\[\],\;\!\&\?\#]*) return 1 ;;
	https://?*) scheme=https ;;
	http://*)
		scheme=http
		host=${1#http://}
		host=${host%%[/?#]*}
		port=${host##*:}
		case $port in *[!0-9]* | '') ;; *) host=${host%:*} ;; esac
		case $host in 127.0.0.1 | localhost | '[::1]') ;; *) return 1 ;; esac
		;;
	*) return 1 ;;
	esac
}

# shown URL prints URL without the password that a mirror's URL may hold.
shown() { say "$1" | sed 's|//[^/@]*@|//***@|'; }

# find_tools finds the programs for downloading and checking, or fails.
find_tools() {
	may_fetch "$url" || fail "$action" "$(shown "$url") is neither https nor on this machine" 'set MEMENTO_RELEASE_URL to an https address, or unset it'
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

# fetch URL FILE downloads URL, or says why not and returns 1. It runs in the background, as a shell handles a signal at once only
# in wait. It limits the size of files, so that an endless answer does not fill the disk. curl follows no redirection away from
# https, and none from a mirror on this machine. wget knows neither rule; then the pins decide.
fetch() {
	case $loader in
	curl)
		set -- "$1" "$2" curl -fsSL --proto "=$scheme" --proto-redir =https --connect-timeout 30 -y 60 -Y 1 --retry 2 -o "$2" "$1"
		if [ -t 2 ]; then set -- "$@" --progress-bar -S; fi
		;;
	wget)
		set -- "$1" "$2" wget -O "$2" "$1"
		case $(wget --version 2>/dev/null) in
		*'GNU Wget'*) set -- "$@" -nv -T 60 -t 2 ;;
		*) set -- "$@" -q ;;
		esac
		;;
	esac
	from=$1
	shift 2
	child=starting
	(
		ulimit -f 262144 2>/dev/null || : # in units of 512 or 1,024 bytes, depending on the shell
		if [ -t 2 ] && [ "$1" = curl ]; then exec "$@"; else exec "$@" 2>"$work/said"; fi
	) &
	child=$!
	code=0
	wait "$child" || code=$?
	child=''
	if [ "$code" -eq 0 ]; then return 0; fi
	case $loader:$code in
	curl:23 | wget:3) fail download "$(shown "$from") could not be written to $work" 'set TMPDIR to a folder with room in it' ;;
	esac
	why=$({ sed -n '/^curl: (/p' "$work/said" && tail -n 1 "$work/said"; } 2>/dev/null | sed -n 1p) || why=''
	hint="see that this machine is online (https_proxy names a proxy, MEMENTO_RELEASE_URL a mirror) and that $version is among $repository/releases"
	if [ -n "${MEMENTO_RELEASE_URL:-}" ]; then hint="see that MEMENTO_RELEASE_URL is the address of a mirror that has $version, or unset it"; fi
	complain download "$(shown "$from"): ${why:-$loader ended with $code}" "$hint"
	return 1
}

# get_sum reads the sum of a release that is not pinned here from that release's own checksums.txt.
get_sum() {
	if [ -n "$sum" ]; then
		is_sum "$sum" || fail "$action" "this install.sh knows no binary of memento $version yet" \
			"curl -fsSL $repository/releases/latest/download/install.sh | sh; in a checkout: install Go 1.25 or newer (https://go.dev/dl)"
		return 0
	fi
	# wget follows a redirection from https to http, and here only https protects the sum.
	if [ "$loader" != curl ] && [ "$scheme" = https ]; then
		fail "$action" "release $version is not pinned here, and checking it takes curl" \
			"that release's own script has its pins: wget -qO- $(shown "${url%/*}")/install.sh | sh"
	fi
	say "memento $version is not the release pinned here: it is checked against its own checksums.txt."
	say 'That is as good as https and whoever answers there, no better.'
	fetch "${url%/*}/checksums.txt" "$work/checksums.txt" || exit 1
	sum=$(listed "$asset" <"$work/checksums.txt")
	is_sum "$sum" || fail download "$(shown "${url%/*}/checksums.txt") does not list $asset once" "see $repository/releases"
	sync_sum=$(listed "$sync_asset" <"$work/checksums.txt")
}

# make_work makes the temporary folder.
make_work() {
	work=$(mktemp -d "${TMPDIR:-/tmp}/memento.XXXXXX") || fail "$action" 'no temporary folder could be made' 'set TMPDIR to a folder with room in it'
	new=$work/$name
	sync_new=$work/memento-sync
}

# get writes $new, the binary to install.
get() {
	if [ "$sources" = yes ]; then
		say 'Building memento; the first time takes a minute.'
		sh "$checkout/plugin/build" --binary "$new" ||
			fail "$action" 'the build failed' "memento needs Go 1.25 or newer, and this is $(go env GOVERSION 2>/dev/null || echo unknown)"
		return
	fi
	get_sum
	download "$url" "$sum" "$new"
}

# get_sync writes $sync_new, the companion to install. A release without one has no sum for it, or zeros.
get_sync() {
	if [ "$sources" = yes ]; then
		sh "$checkout/plugin/build" --companion "$sync_new" || fail "$action" 'the build of memento-sync failed' 'the lines above say why'
	elif is_sum "$sync_sum"; then
		download "$sync_url" "$sync_sum" "$sync_new"
	else
		say "memento $version comes without memento-sync."
	fi
}

# download URL SUM FILE writes the binary at URL to FILE, if it has the SHA-256 SUM.
download() {
	say "Downloading $(shown "$1")"
	fetch "$1" "$3" || exit 1
	got=$(sum_of "$3")
	if [ "$got" != "$2" ]; then
		fail download "$(shown "$1") has a wrong checksum, $got in place of $2, and was thrown away" \
			"try again, without a mirror or a network that asks who you are; should it stay so: $repository/issues"
	fi
	chmod 755 "$3"
}

# each_file DO... runs DO for every file that wiring the user's settings writes. $n is the file's number, $file its path.
each_file() {
	n=0
	for file in "$config_dir/settings.json" "$config_dir/settings.json.memento-backup" "$config_dir/skills/memento/SKILL.md" "$memento_dir/state/install.json" \
		"$config_dir/commands/memento/remember.md" "$config_dir/commands/memento/recall.md" "$config_dir/commands/memento/handoff.md" "$config_dir/commands/memento/status.md"; do
		n=$((n + 1))
		"$@" || return
	done
}

# keep AS copies $file into the temporary folder.
keep() { [ ! -f "$file" ] || cp -p "$file" "$work/$1.$n"; }

# same A B: do A and B have the same content, or are both missing? cmp is not part of coreutils, and small images lack it: without
# cmp every file would look changed, and none would be put back.
same() {
	if [ ! -f "$1" ] || [ ! -f "$2" ]; then
		[ ! -f "$1" ] && [ ! -f "$2" ]
		return
	fi
	one=$(cat "$1" && echo .) && other=$(cat "$2" && echo .) && [ "$one" = "$other" ]
}

# put_back gives $file its earlier content, unless another program wrote it after the wiring.
put_back() {
	if same "$file" "$work/before.$n"; then return 0; fi
	if [ "$wired" = yes ] && ! same "$file" "$work/after.$n"; then
		complain "$action" "$file was changed by another program meanwhile, and stays as it is now" "look for memento in it"
		return 0
	fi
	if [ ! -f "$work/before.$n" ]; then
		rm -f "$file"
		return 0
	fi
	real=$(readlink -f "$file" 2>/dev/null) || real=$file # settings.json may be a link to the user's dotfiles
	if ! { beside=$(mktemp "$real.XXXXXX") && cp -p "$work/before.$n" "$beside" && mv -f "$beside" "$real"; }; then
		rm -f "$beside"
		complain "$action" "$file could not be put back as it was" "it is kept in $work/before.$n"
		save=yes
	fi
}

# list_missing notes the folders that wiring may make and that do not exist, children first.
list_missing() {
	for dir in "$config_dir/skills/memento" "$config_dir/skills" "$config_dir/commands/memento" "$config_dir/commands" "$memento_dir/state/install" "$memento_dir/state" "$memento_dir" "$config_dir"; do
		if [ ! -d "$dir" ]; then say "$dir"; fi
	done >"$work/missing"
	records >"$work/records"
}

# records lists the records of wired projects.
records() {
	say records
	ls "$memento_dir/state/install" 2>/dev/null || :
}

# memento BINARY VERB [OPTION...] runs BINARY with the scope added.
memento() {
	if [ -n "$scope" ]; then set -- "$@" --scope "$scope"; fi
	"$@"
}

# stage FILE copies FILE into the binary's folder, as $copy, and sees that it runs there.
stage() {
	copy=$(mktemp "$bin_dir/.memento.XXXXXX") || fail install "$bin_dir cannot be written to" "$room"
	if [ "$1" = "$new" ]; then staged=$copy; else sync_staged=$copy; fi
	cp "$1" "$copy" || fail install "copying to $bin_dir failed" "$room"
	chmod 755 "$copy"
	runs "$copy" || fail install "the new binary does not run in $bin_dir" 'set MEMENTO_BIN_DIR to a folder that programs may run from'
}

# set_aside FILE keeps FILE, a binary to be replaced, as $copy.
set_aside() {
	copy=$(mktemp "$bin_dir/.memento.XXXXXX") || fail install "$bin_dir cannot be written to" "$room"
	if [ "$1" = "$target" ]; then previous=$copy; else sync_previous=$copy; fi
	ln -f "$1" "$copy" 2>/dev/null || cp -p "$1" "$copy" || fail install 'keeping the earlier binary failed' "$room"
}

install_memento() {
	find_places
	for file in "$target" "$companion"; do
		if [ -L "$file" ] || { [ -e "$file" ] && [ ! -f "$file" ]; }; then
			fail install "$file is a link or a folder, and is not replaced" 'remove it, or set MEMENTO_BIN_DIR'
		fi
		if [ -f "$file" ] && ! is_memento "$file"; then
			fail install "$file is another program, and is not replaced" 'set MEMENTO_BIN_DIR to another folder'
		fi
	done
	find_source
	if [ "$sources" = no ]; then find_tools; fi
	make_work
	if [ "$dry_run" = yes ]; then
		show_install
		return
	fi
	get
	get_sync

	room="see that $bin_dir has room and is yours to write to, or set MEMENTO_BIN_DIR"
	find_made "$bin_dir"
	mkdir -p "$bin_dir" || fail install "$bin_dir cannot be made" "$room"
	if [ -n "$first_made" ]; then say "$first_made" >"$made" || fail install "$bin_dir cannot be written to" "$room"; fi
	stage "$new"
	if [ -f "$sync_new" ]; then stage "$sync_new"; fi

	# From here to the last line every exit restores the files, then the binary: settings never name a missing binary.
	if ! { list_missing && each_file keep before; }; then
		fail install 'keeping the files as they are failed' "see that what is in $config_dir is yours to read, and that ${TMPDIR:-/tmp} has room"
	fi
	kept=yes
	if [ -f "$target" ]; then set_aside "$target"; fi
	if [ -f "$companion" ]; then set_aside "$companion"; fi
	replaced=yes
	mv -f "$staged" "$target" || fail install "$target cannot be replaced" "$room"
	staged=''
	sync_replaced=yes
	if [ -n "$sync_staged" ]; then
		mv -f "$sync_staged" "$companion" || fail install "$companion cannot be replaced" "$room"
		sync_staged=''
	else
		rm -f "$companion" # of another version
	fi
	if [ -n "$previous" ]; then again='the earlier binary was put back'; else again='the binary was removed again'; fi
	memento "$target" install || fail install "wiring failed, so $again" 'the lines above say why'
	each_file keep after || fail install "looking after the settings failed, so $again" 'set TMPDIR to a folder with room in it'
	wired=yes
	"$target" doctor || fail doctor "the check found something, so $again, and the settings are as they were" 'the lines above say what'

	trap '' HUP INT QUIT PIPE TERM
	replaced=no sync_replaced=no kept=no first_made=''
	say "Installed $target"
	write_page
	# Client 2.1.329 reads its settings again when the file changes or appears (measured).
	if [ "$scope" != project ]; then say 'It is at work from your next prompt on, in a session that runs already too; before Claude Code 2.1.139 in new sessions.'; fi
	say 'To see it: give a session its first task, then ask Claude: what does memento have on this session?'
	case :$PATH: in
	*:"$bin_dir":*) ;;
	*)
		if [ "$scope" = project ]; then
			say "$bin_dir is not on your PATH, and these hooks run the memento on the PATH. In your shell's profile: export PATH=\"$bin_dir:\$PATH\""
		else
			say "$bin_dir is not on your PATH. Claude Code does not need it; to type memento yourself: export PATH=\"$bin_dir:\$PATH\""
		fi
		;;
	esac
}

# write_page writes the manual page, unless another one is there. An installation without it is whole, too.
write_page() {
	if ! page_is_ours || ! "$target" help --man >"$work/page" 2>/dev/null || ! has_page_mark "$work/page"; then return 0; fi
	find_made "${page%/*}"
	first=$first_made first_made=''
	# In the page's folder first: man may read the page at any time.
	if { mkdir -p "${page%/*}" && cp "$work/page" "$page.new" && chmod 644 "$page.new" && mv -f "$page.new" "$page"; } 2>/dev/null; then
		if [ -n "$first" ]; then say "$first" >"$page_made" || :; fi
		say 'Its manual page: man memento'
	fi
}

# page_is_ours: may the manual page be written or removed?
page_is_ours() { [ -n "$page" ] && [ ! -L "$page" ] && { [ ! -e "$page" ] || has_page_mark "$page"; }; }
has_page_mark() { [ -f "$1" ] && [ "$(sed 1q "$1")" = '.\" memento(1), made by memento help --man' ]; }

# find_made DIR sets first_made to the topmost folder that has to be made for DIR; empty if there is none.
find_made() {
	first_made=''
	dir=$1
	while [ ! -e "$dir" ] && [ ! -L "$dir" ]; do
		first_made=$dir
		dir=$(dirname "$dir")
	done
}

# show_install says what install_memento would do. It neither builds nor downloads the binary: an installed one says what would
# change in the settings; without one, show_install names the files.
show_install() {
	if [ "$sources" = yes ]; then
		say "Would build memento${version:+ $version} from $checkout"
	else
		if [ -n "$sum" ]; then origin='pinned in this script'; else origin='from its own checksums.txt'; fi
		get_sum
		say "Would download $(shown "$url")"
		say "  and check it against the SHA-256 $sum, $origin"
		if is_sum "$sync_sum"; then
			say "Would download $(shown "$sync_url")"
			say "  and check it against the SHA-256 $sync_sum, $origin"
		fi
	fi
	find_made "$bin_dir"
	if [ -n "$first_made" ]; then say "Would make $first_made, and a note in $made, so that uninstalling removes that folder too"; fi
	first_made=''
	if [ -f "$target" ] && runs "$target" 2>/dev/null; then
		say "Would replace $target, now $answer"
		memento "$target" install --dry-run || fail install 'wiring would fail' 'the lines above say why'
	else
		if [ -f "$target" ]; then say "Would replace $target, now a memento that does not run"; else say "Would write $target"; fi
		case $scope in
		project) say "Would wire its hooks into the project's .claude/settings.json" ;;
		local) say "Would wire its hooks into the project's .claude/settings.local.json" ;;
		*)
			file=$config_dir/settings.json
			if [ -f "$file" ]; then
				say "Would wire its hooks into $file, beside what is there; the file as it was is kept in $file.memento-backup"
			else
				say "Would write $file, with its hooks"
			fi
			;;
		esac
		say "Would write $config_dir/skills/memento/SKILL.md and the slash commands in $config_dir/commands/memento"
	fi
	if [ "$sources" = yes ] || is_sum "$sync_sum"; then
		if [ -f "$companion" ]; then say "Would replace $companion"; else say "Would write $companion"; fi
	fi
	if page_is_ours; then say "Would write $page"; fi
	say 'Then memento doctor would check it. Nothing was changed.'
}

uninstall_memento() {
	find_places
	if [ -L "$target" ]; then
		fail uninstall "$target is a link, which this script does not make, and is not touched" 'remove it, or set MEMENTO_BIN_DIR as it was at installation'
	fi
	if [ -f "$target" ] && ! is_memento "$target"; then
		fail uninstall "$target is another program, and is not touched" 'set MEMENTO_BIN_DIR as it was at installation'
	fi
	set -- uninstall
	if [ "$dry_run" = yes ]; then set -- uninstall --dry-run; fi
	if [ -f "$target" ]; then
		unwire "$target" "$@" || fail uninstall 'the settings could not be put back, so the binary stays too' 'the lines above say why'
		if [ "$dry_run" = yes ]; then
			if [ -z "$scope" ]; then say "Would remove $target"; fi
			if [ -z "$scope" ] && has_companion; then say "Would remove $companion"; fi
			if [ -z "$scope" ] && [ -e "$page" ] && page_is_ours; then say "Would remove $page"; fi
			say 'Nothing was changed.'
			return
		fi
		if [ -n "$scope" ]; then
			say "Taken out of the $scope settings alone: $target stays. $me --uninstall takes back everything."
			return
		fi
		rm -f "$target" || fail uninstall "$target cannot be removed" "remove it yourself; nothing else is left but the journals"
		say "Removed $target"
		remove_companion
		remove_made
	elif wired_somewhere; then
		# Somebody removed the binary first, and every hook now fails. A new binary can still unwire the settings.
		find_source
		if [ "$sources" = no ]; then find_tools; fi
		make_work
		get
		unwire "$new" "$@" || fail uninstall 'the settings could not be put back' 'the lines above say why'
		say "There was no $target"
		if [ -z "$scope" ] && [ "$dry_run" = no ]; then
			remove_companion
			remove_made
		fi
		# The hooks may name a binary in another folder.
		other=$(say "$said" | sed -n 's|^  - \(/.*\): SessionStart.*|\1|p' | sed -n 1p)
		if [ -n "$other" ] && is_memento "$other"; then
			say "A binary stays, $other: --uninstall with MEMENTO_BIN_DIR set to its folder removes it"
		fi
	else
		say "There is no $target, and nothing in $config_dir/settings.json that names memento."
		if [ "$dry_run" = no ]; then
			remove_companion
			remove_made
		fi
	fi
	if [ -d "$memento_dir" ]; then say "Your journals, their history, your records and memento's own settings stay in $memento_dir; to erase them: rm -r '$memento_dir'"; fi
}

# has_companion: is there a memento-sync of ours beside the binary?
has_companion() { [ -f "$companion" ] && [ ! -L "$companion" ] && is_memento "$companion"; }

# remove_companion removes memento-sync.
remove_companion() {
	if has_companion && rm -f "$companion"; then say "Removed $companion"; fi
}

# remove_page removes the manual page, and the folders that were made for it.
remove_page() {
	if ! page_is_ours; then return 0; fi
	if [ -e "$page" ] && rm -f "$page"; then say "Removed $page"; fi
	first=$(cat "$page_made" 2>/dev/null) || first=''
	rm -f "$page_made"
	if [ -n "$first" ]; then remove_dirs "$first" "${page%/*}"; fi
}

# remove_made removes the note beside the binary, and the folders that were made for the binary.
remove_made() {
	remove_page
	first=$(cat "$made" 2>/dev/null) || first=''
	rm -f "$made" "$bin_dir"/.memento.?????? # the latter are of a killed installation
	if [ -n "$first" ]; then remove_dirs "$first" "$bin_dir"; fi
}

# wired_somewhere: does one of the files that wiring writes name memento?
wired_somewhere() { [ -d "$memento_dir/state/install" ] || ! each_file without_it; }
without_it() { ! grep -q memento "$file" 2>/dev/null; }

say_version() {
	find_places
	find_source
	if [ "$sources" = yes ]; then say "memento $version, built from $checkout"; else say "memento $version, from $(shown "$url")"; fi
}

main() {
	case $0 in
	install.sh | */install.sh) me=./install.sh ;;
	*) me="curl -fsSL $repository/releases/latest/download/install.sh | sh -s --" ;;
	esac
	action=install dry_run=no scope='' wanted=''
	while [ $# -gt 0 ]; do
		case $1 in
		--uninstall) action=uninstall ;;
		--dry-run) dry_run=yes ;;
		--scope | --scope=*)
			case $1 in --scope) if [ $# -gt 1 ]; then shift; scope=$1; fi ;; *) scope=${1#*=} ;; esac
			case $scope in user | project | local) ;; *) misuse '--scope takes user, project or local' ;; esac
			;;
		--version | --version=*)
			case $1:${2-} in
			--version: | --version:-*) action=version ;;
			--version:*)
				wanted=${2#v}
				shift
				;;
			*) wanted=${1#*=} wanted=${wanted#v} ;;
			esac
			case $action:$wanted in version:) ;; *: | *:[!0-9]* | *[!0-9A-Za-z:.+-]*) misuse "'$wanted' is not a version; --version takes one like 0.1.0" ;; esac
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
	catch_signals
	case $action in
	install) install_memento ;;
	uninstall) uninstall_memento ;;
	version) say_version ;;
	esac
}

# The braces stay open in a download that was cut short: then no line of this runs.
{ main "$@"; } </dev/null
