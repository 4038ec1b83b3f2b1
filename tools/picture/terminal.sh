#!/bin/sh
# Draws what memento shows at a terminal into docs/terminal.svg and docs/terminal-narrow.svg: builds memento, fills a
# store in a scratch folder, and runs commands in a pseudo-terminal. It takes Go, util-linux' script, and Node with what
# `npm ci --prefix tools/picture` fetches; it opens no connection itself.
#
#	sh tools/picture/terminal.sh
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
home=$work/home shop=$work/home/shop bin=$work/bin
mkdir -p "$shop/.git" "$bin"
echo 'ref: refs/heads/main' >"$shop/.git/HEAD"
go build -trimpath -o "$bin/memento" ./cmd/memento

# memento runs memento as Alice, in her project.
memento() { (cd "$shop" && env -i HOME="$home" USER=alice PATH="$bin:/usr/bin:/bin" LANG=C.UTF-8 memento "$@"); }

# save DAYS KIND TITLE saves a record as if it were DAYS days old.
save() {
	id=$(memento save "$2" "$3" 2>/dev/null)
	sed -i "s/^updated: .*/updated: $(date -u -d "-$1 days" +%Y-%m-%dT%H:%M:%SZ)/" "$home/.claude/.memento/$id.md"
}

# turn DAYS SESSION PROMPT ANSWER adds a turn to a transcript of the client's.
turn() {
	at=$(date -u -d "-$1 days" +%Y-%m-%dT%H:%M:%SZ) n=$((n + 1))
	transcripts=$home/.claude/projects/shop
	mkdir -p "$transcripts"
	cat >>"$transcripts/$2.jsonl" <<EOF
{"type":"user","uuid":"u$n","timestamp":"$at","sessionId":"$2","cwd":"$shop","message":{"role":"user","content":"$3"}}
{"type":"assistant","uuid":"a$n","parentUuid":"u$n","timestamp":"$at","sessionId":"$2","cwd":"$shop","message":{"role":"assistant","content":[{"type":"text","text":"$4"}]}}
EOF
}

memento install >/dev/null
n=0
turn 9 5f0c2a9e-41d7-4c1e-9b0a-6d1f2c3b4a59 'Orders above 1,000 EUR lose half cents at the export. Find out why.' \
	'The sum overflows int32 in src/cart.go. I widened it, and the export rounds half cents to even now.'
turn 2 c0ffee12-8a3b-4f6d-a2e4-7b9c1d5e3f80 'Round half cents to even, always, also in the refunds.' \
	'The refunds round as the cart does, and the tests of both pass.'
memento backfill --yes >/dev/null
save 12 decision 'Use PASETO for sessions'
save 9 constraint 'Never touch the tax tables without the accountant'
save 9 debt 'The export still reads the old price list, which nobody keeps up to date'
save 5 runbook 'Deploy the shop to staging, then to production'
save 2 decision 'Round half cents to even'
save 1 handoff 'Refunds: what is left to do before Monday'
memento mission 'Refunds lose half cents: round them as the cart does, and leave the tax tables alone' >/dev/null
memento 'done' 'made the cart and the refunds share one function' --result 'all 214 tests pass' --wip 'the export' >/dev/null

# show WIDE HIGH FILE COMMAND... draws a terminal in which the commands were typed.
show() {
	size=$1x$2 file=$3 typed="stty cols $1 rows 999"
	shift 3
	for command; do typed="$typed; printf '\033[2m\$\033[0m %s\n' '$command'; $command"; done
	(cd "$shop" && env -i HOME="$home" USER=alice PATH="$bin:/usr/bin:/bin" TERM=xterm-256color LANG=C.UTF-8 \
		script -qec "$typed" /dev/null) </dev/null |
		node "$root/tools/picture/svg.js" still --size "$size" --title memento >"$root/docs/$file"
}
show 90 40 terminal.svg 'memento list' 'memento search "half cents"' 'memento status'
show 46 40 terminal-narrow.svg 'memento list' 'memento search "half cents" --only records'
