"use strict";
// The page of memento view. Somebody else wrote what it shows, so text gets into the document as text alone: no markup
// is ever made of a string. It asks nobody for anything. Of the library that stands before it, only the lexer is used.
(() => {
const $ = id => document.getElementById(id);
const head = JSON.parse($("head").textContent);
$("head").remove();
const many = head.projects.length > 1;
const {lexer} = window.marked; // of Markdown
let project = ""; // the chosen one, "" for all

// el makes an element: attributes, then children. A string becomes a text node.
function el(name, attributes, ...children) {
	const e = document.createElement(name);
	for (const [key, value] of Object.entries(attributes || {})) {
		if (value === undefined || value === null || value === false) continue;
		if (key === "on") for (const [event, f] of Object.entries(value)) e.addEventListener(event, f);
		else e.setAttribute(key, value === true ? "" : value);
	}
	add(e, children);
	return e;
}
function add(e, children) {
	for (const c of children) {
		if (Array.isArray(c)) add(e, c);
		else if (c !== undefined && c !== null && c !== false && c !== "") e.append(c);
	}
}

const count = (n, one, several) => n.toLocaleString() + " " + (n === 1 ? one : several || one + "s");
const dayForm = new Intl.DateTimeFormat(undefined, {dateStyle: "medium"});
const timeForm = new Intl.DateTimeFormat(undefined, {dateStyle: "medium", timeStyle: "short"});
function written(ts, form) {
	const t = new Date(ts || NaN);
	return isNaN(t) ? "" : form.format(t);
}
// when shows a time as people say it, and keeps the exact one.
function when(ts, form) {
	const s = written(ts, form || timeForm);
	return s ? el("time", {datetime: ts, title: ts}, s) : "";
}
// dotted joins what there is by middle dots.
function dotted(...parts) {
	const out = [];
	for (const p of parts) if (p && p.length !== 0) { if (out.length) out.push(" · "); out.push(p); }
	return out;
}
const enc = encodeURIComponent;
const linkTo = s => "#session/" + enc(s.id) + (many ? "/" + enc(s.project) : "");
const turnLink = (s, n) => "#turn/" + enc(s.id) + "/" + n + (many ? "/" + enc(s.project) : "");
const recordLink = r => "#record/" + enc(r.id);

// ---- the turns: for each session a block of JSON, parsed when it is needed

const blocks = []; // the turns of a session, once parsed
let whole = document.readyState !== "loading";
// readBlock returns the turns in block n, oldest first.
function readBlock(n) {
	if (blocks[n]) return blocks[n];
	const e = $("turns-" + n);
	if (!e) return null; // the browser is still reading the file
	blocks[n] = JSON.parse(e.textContent);
	e.remove();
	return blocks[n];
}
const turnsOf = s => readBlock(s.block) || [];
const placed = []; // sessions by their block
for (const s of head.sessions) placed[s.block] = s;

// ---- parts of what is shown

const longest = 1500; // characters of a text that are shown at once
const plain = text => el("p", {class: "words"}, text);
// words shows a text with its lines; of a long one the beginning, and the rest when asked for.
function words(text, show = plain) {
	if (text.length <= longest * 1.5) return show(text);
	const some = show(text.slice(0, longest) + " …");
	const all = el("button", {type: "button", class: "more", on: {click: () => { some.replaceWith(show(text)); all.remove(); }}},
		"Show all " + count(text.length, "character"));
	return [some, all];
}

// marked returns a text with the found words set apart.
function marked(text, found) {
	if (!found || !found.length) return document.createTextNode(text);
	const low = text.toLowerCase(), out = document.createDocumentFragment();
	if (low.length !== text.length) { out.append(text); return out; } // a letter that changes its length: places differ
	let at = 0, marks = 0;
	while (at < text.length && marks < 200) {
		let next = -1, size = 0;
		for (const w of found) {
			const i = low.indexOf(w, at);
			if (i >= 0 && (next < 0 || i < next || i === next && w.length > size)) { next = i; size = w.length; }
		}
		if (next < 0) break;
		if (next > at) out.append(text.slice(at, next));
		out.append(el("mark", null, text.slice(next, next + size)));
		at = next + size;
		marks++;
	}
	if (at < text.length) out.append(text.slice(at));
	return out;
}

// snippet returns the part of a text around what was found.
function snippet(text, found, wide) {
	const low = text.toLowerCase();
	let at = -1;
	for (const w of found) {
		const i = low.indexOf(w);
		if (i >= 0 && (at < 0 || i < at)) at = i;
	}
	const from = Math.max(0, at - wide / 3), to = Math.min(text.length, from + wide);
	return el("span", null, from > 0 && "… ", marked(text.slice(from, to).replace(/\s+/g, " "), found), to < text.length && " …");
}

// list shows items as one scrolls: some at first, more when their end comes near. from is the item to begin at.
const step = 20;
const places = new Map(); // how far each list was unrolled, by the place in the page
function list(items, show, from, key) {
	const ul = el("ol", {class: "cards", role: "list"});
	const box = el("div", null);
	let first = Math.max(0, from || 0), next = first;
	const before = el("button", {type: "button", class: "more", on: {click: earlier}}, "Show earlier");
	const more = el("button", {type: "button", class: "more", on: {click: () => { const n = next; unroll(); const li = ul.children[n - first]; if (li) { li.tabIndex = -1; li.focus({preventScroll: true}); } }}}, "Show more");
	function row(item, i) { const li = show(item, i); return li.tagName === "LI" ? li : el("li", null, li); }
	function unroll(upTo) {
		const end = Math.min(items.length, Math.max(next + step, upTo || 0)), rows = document.createDocumentFragment();
		for (; next < end; next++) rows.append(row(items[next], next));
		ul.append(rows);
		more.hidden = next >= items.length;
		if (key) places.set(key, next);
	}
	function earlier() {
		const to = Math.max(0, first - step), rows = document.createDocumentFragment(), was = document.documentElement.scrollHeight;
		for (let i = to; i < first; i++) rows.append(row(items[i], i));
		first = to;
		ul.prepend(rows);
		before.hidden = first === 0;
		scrollBy(0, document.documentElement.scrollHeight - was);
	}
	before.hidden = first === 0;
	if (items.length) unroll(key && !first ? places.get(key) : 0); else more.hidden = true;
	box.append(before, ul, more);
	new IntersectionObserver(seen => { if (seen.some(e => e.isIntersecting) && !more.hidden) unroll(); }, {rootMargin: "800px"}).observe(more);
	box.renew = () => { if (next < items.length) more.hidden = false; if (next - first < step) unroll(); };
	return box;
}

// compaction says what of memento's block the client's summary kept, too.
function compaction(c) {
	const title = "The client compacted its context here" + (c.trigger ? " (" + c.trigger + ")" : "") + ".";
	if (!c.facts) return el("div", {class: "compaction"}, el("p", null, title));
	return el("div", {class: "compaction"}, el("p", null, title, " ", when(c.time)), el("p", null, lost(c.facts, c.kept)),
		c.lost && [el("p", null, "Lost there, and brought back by memento:"), el("ul", {class: "plain"}, c.lost.map(x => el("li", null, x)))]);
}
// lost says how many facts of memento's blocks summaries of the client kept, and how many they lost.
const lost = (facts, kept) => "memento’s block carried " + count(facts, "fact") + "; the client’s summary kept " +
	(kept < facts ? kept + " of them word for word and lost " + (facts - kept) + "." : "them all, word for word.");

// rich shows Markdown in elements of this page's own making. Links and pictures stay words, and HTML stays text.
function rich(text) {
	const inline = tokens => tokens.map(t => {
		switch (t.type) {
		case "strong": case "em": case "del": return el(t.type, null, inline(t.tokens));
		case "codespan": return el("code", null, t.text);
		case "escape": return t.text;
		case "br": return el("br");
		case "link": return [inline(t.tokens), t.href !== t.text && " (" + t.href + ")"];
		}
		return t.raw;
	});
	const cells = (name, row) => el("tr", null, row.map(c => el(name, null, inline(c.tokens))));
	const block = tokens => tokens.map(t => {
		switch (t.type) {
		case "space": return "";
		case "text": return t.tokens ? inline(t.tokens) : t.raw;
		case "heading": return el("p", null, el("strong", null, inline(t.tokens)));
		case "paragraph": return el("p", null, inline(t.tokens));
		case "blockquote": return el("blockquote", null, block(t.tokens));
		case "list": return el(t.ordered ? "ol" : "ul", {start: t.start || null}, t.items.map(i => el("li", null, block(i.tokens))));
		case "code": return el("pre", {class: "block"}, t.text);
		case "table": return el("table", null, cells("th", t.header), t.rows.map(r => cells("td", r)));
		case "hr": return el("hr");
		}
		return el("p", null, t.raw);
	});
	try {
		return el("div", {class: "words rich"}, block(lexer(text)));
	} catch { return plain(text); } // nested too deep
}

// turn shows one turn: what was typed, answered, run, committed and edited.
function turn(s, t, here) {
	const did = [];
	for (const [cmd, line, failed] of t.r || []) {
		did.push(el("li", {class: failed && "bad"}, failed ? "✗ failed " : "✓ ran ", el("code", null, cmd), line && " → " + line));
	}
	for (const c of t.c || []) did.push(el("li", {class: "good"}, "● committed ", c));
	if (t.f) did.push(el("li", null, "✎ edited ", t.f.map((f, i) => [i > 0 && ", ", el("code", null, f)])));
	const counted = (s.compactions || []).filter(c => c.turn === t.n);
	return el("li", {class: "card turn" + (here ? " here" : ""), id: "turn-" + t.n, tabindex: here ? "-1" : undefined},
		el("h3", null, el("a", {href: turnLink(s, t.n), "aria-label": "Turn " + t.n + ", link to it"}, "#" + t.n), when(t.t)),
		t.q && [el("span", {class: "who claude"}, s.model + " had asked"), words(t.q)],
		el("span", {class: "who you"}, "You"), words(t.p),
		t.a && [el("span", {class: "who claude"}, s.model), words(t.a, rich)],
		did.length > 0 && el("ul", {class: "did"}, did),
		counted.map(compaction),
		!counted.length && t.x && compaction({}));
}

// sums counts what a session had, in words.
function sums(s) {
	return dotted(count(s.turns, "turn"), s.commits && count(s.commits, "commit"),
		s.failed && el("span", {class: "bad"}, count(s.failed, "failed command")),
		s.compacted && count(s.compacted, "compaction"));
}
const clock = ts => el("time", {datetime: ts, title: ts}, new Date(ts).toLocaleTimeString(undefined, {timeStyle: "short"}));
// span says from when to when a session was; under its day only the times.
function span(s, ofDay) {
	if (ofDay) return [clock(s.from), " – ", clock(s.to || s.from)];
	const a = written(s.from, timeForm), b = written(s.to, timeForm);
	return a === b || !b ? when(s.from) : [when(s.from), " – ", written(s.from, dayForm) === written(s.to, dayForm)
		? clock(s.to) : when(s.to)];
}
// lostOf says in a line what the compactions of a session lost.
function lostOf(s) {
	const sum = key => (s.compactions || []).reduce((n, c) => n + c[key], 0);
	return sum("facts") > 0 && el("p", {class: "facts"}, lost(sum("facts"), sum("kept")));
}

// ---- the parts of the page

const ours = x => !project || x.project === project || x.project === "user";
const chosen = {
	sessions: () => head.sessions.filter(ours), rules: () => head.rules.filter(ours), records: () => head.records.filter(ours),
	waiting: () => head.waiting.filter(ours), machines: () => head.machines.filter(ours),
};
const of = x => many && x.project && el("span", {class: "tag"}, x.project === "user" ? "your own" : x.project);

function title(words, ...more) {
	return [el("h1", null, words), more];
}
// command shows a command whole, which a click selects for copying.
const command = words => el("code", {class: "command"}, words);
const none = (...words) => el("p", {class: "empty"}, words);

function row(name, value) {
	if (!value || Array.isArray(value) && !value.length) return [];
	return [el("dt", null, name), el("dd", null, value)];
}
const items = (all, show) => all && all.length && el("ul", null, all.map(x => el("li", null, show ? show(x) : x)));

function nowOf(p) {
	const owner = p.mission_by === "claude" ? ", in Claude’s words" : "";
	const work = [
		row("Mission", p.mission && [el("span", {class: "words"}, p.mission), el("span", {class: "soft"}, p.closed ? [" closed ", when(p.closed)] : p.opened && [" opened ", when(p.opened), owner])]),
		row("Work in hand", p.wip),
		row("Failing", items(p.failing, ([cmd, line]) => [el("code", {class: "bad"}, cmd), line && " → " + line])),
		row("Plan", items(p.plan)), row("Open tasks", items(p.tasks)),
		row("You said", items(p.said, s => "“" + s + "”")),
		row("Done", items(p.done)), row("Files", items(p.files, f => el("code", null, f))),
		row("Before", p.summary), row("Branch", p.branch && el("code", null, p.branch)),
		row("Session", p.session && (head.sessions.some(s => s.id === p.session) ? el("a", {href: linkTo({id: p.session, project: p.name})}, p.session) : p.session)),
	].flat();
	return el("section", null, many && el("h2", null, p.name),
		el("div", {class: "two"},
			el("div", {class: "card"}, el("h3", null, "The work"), work.length ? el("dl", null, work) : none("No work is noted yet. It begins with the first task of a session.")),
			el("div", {class: "card"}, el("h3", null, "What Claude would get"),
				p.block ? [el("p", {class: "soft"}, p.after ? "After a compaction now, exactly this:" : "A session that began now would begin with exactly this:", " ", count(p.tokens, "token"), "."), el("pre", {class: "block", tabindex: "0", role: "region", "aria-label": "The block"}, p.block)]
					: none("Nothing: no mission is noted."))));
}
function showNow() {
	const newest = chosen.sessions().slice(0, 5);
	return [title("Where the work stands"), head.projects.filter(p => !project || p.name === project).map(nowOf),
		newest.length && [el("h2", null, "Newest sessions"), el("ol", {class: "cards", role: "list"}, newest.map(s => el("li", null, sessionCard(s))))]];
}

function sessionCard(s, ofDay) {
	const missions = s.missions && s.missions.length ? s.missions : [s.begins || "(no words kept)"];
	return el("article", {class: "card"},
		el("p", {class: "facts"}, of(s), dotted(el("span", null, span(s, ofDay)), s.model, sums(s))),
		el("p", null, el("a", {class: "title", href: linkTo(s)}, s.title || missions[missions.length - 1])),
		recapOf(s),
		missions.length > 1 && el("p", {class: "facts"}, "before: ", missions.slice(0, -1).join(" · ")),
		lostOf(s));
}
const recapOf = s => s.recap && el("p", {class: "facts"}, "Claude’s recap: ", s.recap);
function showSessions() {
	const all = chosen.sessions(), day = s => written(s.from, dayForm);
	const dated = (s, i) => el("li", null, (!i || day(all[i - 1]) !== day(s)) && el("h2", null, day(s)), sessionCard(s, day(s)));
	return [title("Sessions"), all.length ? list(all, dated, 0, "sessions" + project) : none("No session is kept yet.")];
}

function findSession(id, name) {
	return head.sessions.find(s => s.id === id && (!name || s.project === name)) || head.sessions.find(s => s.id.startsWith(id));
}
function showSession(id, name, n) {
	const s = findSession(id, name);
	if (!s) return [title("Session"), none("This page has no session ", el("code", null, id), ".")];
	const turns = turnsOf(s), at = n ? turns.findIndex(t => t.n === n) : -1;
	const missions = s.missions || [];
	return [title(s.title || missions[missions.length - 1] || s.begins || "Session"),
		el("p", {class: "facts"}, of(s), dotted(el("span", null, span(s)), s.model, sums(s), el("code", null, s.id))),
		recapOf(s),
		missions.length > 1 && el("details", null, el("summary", null, count(missions.length, "mission")), el("ol", {class: "plain"}, missions.map(m => el("li", null, m)))),
		lostOf(s),
		el("h2", null, "Turns"),
		turns.length ? list(turns, t => turn(s, t, t.n === n), at > 5 ? at - 5 : 0) : none(whole ? "No turn of this session is kept." : "One moment …")];
}

function showRules() {
	const all = chosen.rules();
	return [title("Rules", el("p", {class: "soft"}, "What you said that outlives its session. New sessions are told the newest.")),
		all.length ? list(all, r => el("article", {class: "card"},
			el("p", {class: "words"}, "“" + r.text + "”"),
			el("p", {class: "facts"}, dotted(many ? of(r) : (r.own ? "yours, in every project" : "this project’s"), r.sessions > 1 && "said in " + count(r.sessions, "session"),
				r.last && ["last on ", when(r.last, dayForm)], r.by === "user" && "kept by you", r.by === "claude" && "kept by Claude", r.over && "over: newer words say something else",
				command("memento rules drop " + r.n))))) :
			none("Nothing you said here outlives its session yet.")];
}

function recordCard(r) {
	return el("article", {class: "card"},
		el("p", {class: "facts"}, of(r), dotted(r.kind, r.status !== "active" && r.status, r.stage, when(r.updated, dayForm))),
		el("p", null, el("a", {class: "title", href: recordLink(r)}, r.title)),
		tags(r));
}
const tags = r => r.tags && el("p", {class: "facts"}, r.tags.map(t => el("span", {class: "tag"}, t)));
function showRecords() {
	const all = chosen.records();
	return [title("Records"), all.length ? list(all, recordCard, 0, "records" + project) : none("No record is kept yet. memento save keeps one.")];
}
function showRecord(id) {
	const r = head.records.find(r => r.id === id);
	if (!r) return [title("Record"), none("This page has no record ", el("code", null, id), ".")];
	return [title(r.title), el("p", {class: "facts"}, of(r), dotted(r.kind, r.status, r.stage, ["written ", when(r.created)], ["changed ", when(r.updated)], el("code", null, r.id))),
		tags(r), el("div", {class: "card"}, rich(r.body)), r.files && el("p", {class: "facts"}, "Files: ", r.files.join(", "))];
}
function showWaiting() {
	const all = chosen.waiting();
	return [title("Waiting", el("p", {class: "soft"}, "Sentences of yours that nobody has judged. The command keeps one for later sessions.")),
		all.length ? list(all, w => el("article", {class: "card"},
			el("p", {class: "words"}, "“" + w.text + "”"),
			el("p", {class: "facts"}, of(w), dotted(when(w.time), command("memento rules keep " + w.n))))) : none("Nothing waits.")];
}
function showMachines() {
	const all = chosen.machines();
	return [title("Other machines", el("p", {class: "soft"}, "Their missions, as they were synced last.")),
		all.length ? list(all, m => el("article", {class: "card"},
			el("p", {class: "facts"}, of(m), dotted(el("strong", null, m.name), m.closed ? ["closed ", when(m.closed)] : ["open since ", when(m.opened)], m.branch && el("code", null, m.branch))),
			el("p", {class: "words"}, m.mission),
			el("dl", null, row("Work in hand", m.wip), row("Plan", items(m.plan)), row("Done", items(m.done)), row("Before", m.summary)))) :
			none("No other machine has told anything. ", el("code", null, "memento help sync"))];
}

// ---- search: every text in lower case, looked through in short steps so that typing is never held up

const kept = []; // rules, what waits, records, machines
const docs = []; // turns, newest session first
for (const r of head.rules) kept.push({type: "rule", at: "#rules", text: r.text, of: r});
for (const r of head.records) kept.push({type: r.kind, at: recordLink(r), title: r.title, text: [r.title, (r.tags || []).join(" "), r.body].join("\n"), of: r});
for (const w of head.waiting) kept.push({type: "waiting", at: "#waiting", text: w.text, of: w});
for (const m of head.machines) kept.push({type: "mission on " + m.name, at: "#machines", text: [m.mission, m.wip, m.summary].concat(m.plan || [], m.done || []).filter(Boolean).join("\n"), of: m});
for (const p of head.projects) if (p.mission) kept.push({type: "mission", at: "#now", text: p.mission, of: {project: p.name}});
for (const d of kept) d.low = d.text.toLowerCase();

let indexed = 0; // blocks in docs
function indexBlock() {
	const b = readBlock(indexed);
	if (!b) return false;
	for (const t of b) {
		const did = (t.r || []).map(r => r[0] + " " + r[1]).concat(t.c || [], t.f || []).join("\n");
		docs.push({s: placed[indexed], t, said: t.p.toLowerCase(), answer: (t.a || "").toLowerCase(), did: did.toLowerCase()});
	}
	indexed++;
	return true;
}
const soon = new MessageChannel(), waiting = [];
soon.port1.onmessage = () => { const f = waiting.shift(); if (f) f(); };
const later = f => { waiting.push(f); soon.port2.postMessage(0); };
function indexOn() {
	const until = performance.now() + 12;
	while (indexed < head.blocks && performance.now() < until) if (!indexBlock()) break;
	if (indexed < head.blocks) { if (whole && !$("turns-" + indexed) && !blocks[indexed]) return; setTimeout(indexOn, 0); } else { performance.mark("searchable"); if (look.again) look.again(); }
}

const split = s => (s.toLowerCase().match(/"[^"]*"?|[^\s"]+/g) || []).map(w => w.replace(/"/g, "")).filter(Boolean);
function inTurn(d, among, list) {
	for (const w of list) {
		if (!((among === "all" || among === "said") && d.said.includes(w) || (among === "all" || among === "answer") && d.answer.includes(w) ||
			(among === "all" || among === "did") && d.did.includes(w))) return false;
	}
	return true;
}
let last = null; // the last whole search, of which the next letter looks through the hits alone
let run = 0;
// look searches and calls told with the hits: at once with those found in a moment, and again at the end.
function look(query, among, told) {
	const mine = ++run, list = split(query), hits = [];
	if (!list.length) { told(hits, true, list); return; }
	const base = last && last.among === among && last.project === project && last.size === docs.length && !query.includes('"') && query.startsWith(last.query) ? last.hits : null;
	if (among === "all" || among === "kept") for (const d of kept) if (ours(d.of) && list.every(w => d.low.includes(w))) hits.push(d);
	const from = base || (among === "kept" ? [] : docs), size = docs.length;
	let i = 0;
	(function on() {
		if (mine !== run) return;
		const until = performance.now() + (i ? 12 : 30);
		for (; i < from.length; i++) {
			const d = from[i];
			if (d.t && ours(d.s) && inTurn(d, among, list)) hits.push(d);
			if ((i & 127) === 127 && performance.now() > until) { i++; break; }
		}
		const done = i >= from.length;
		if (done) last = {query, among, project, size, hits};
		told(hits, done && indexed >= head.blocks, list);
		if (!done) later(on);
	})();
}

function hit(d, list) {
	if (!d.t) {
		return el("article", {class: "card"}, el("p", {class: "facts"}, of(d.of), el("strong", null, d.type)),
			el("p", null, el("a", {class: "title", href: d.at}, d.title ? marked(d.title, list) : snippet(d.text, list, 240))), d.title && el("p", {class: "facts"}, snippet(d.text.slice(d.title.length).trim(), list, 240)));
	}
	const {s, t} = d, holds = low => list.some(w => low.includes(w));
	const did = (t.r || []).map(r => r[0] + (r[1] ? " → " + r[1] : "")).concat(t.c || [], t.f || []);
	return el("article", {class: "card"},
		el("p", {class: "facts"}, of(s), dotted(when(t.t), el("span", null, "turn " + t.n + " of " + s.turns))),
		el("p", null, el("span", {class: "who you"}, "You"), el("a", {class: "title", href: turnLink(s, t.n)}, snippet(t.p, list, 240))),
		holds(d.answer) && el("p", null, el("span", {class: "who claude"}, s.model), snippet(t.a, list, 240)),
		holds(d.did) && did.filter(x => holds(x.toLowerCase())).slice(0, 3).map(x => el("p", {class: "facts"}, snippet(x, list, 160))));
}
function showSearch(among, query) {
	if ($("words").value !== query) $("words").value = query;
	$("among").value = among;
	const found = el("p", {class: "soft"}), box = el("div", {id: "found"});
	let rows = null;
	look.again = () => look(query, among, told);
	function told(hits, done, wanted) {
		const n = hits.length;
		found.textContent = !wanted.length ? "Type what you look for. Each word has to be there; \"words in quotes\" as they stand." :
			n ? count(n, "place") + (done ? "" : " so far") : done ? "Nothing found." : "Looking …";
		if (done) { $("told").textContent = found.textContent; look.again = null; }
		if (!rows || rows.hits !== hits) {
			rows = list(hits, d => hit(d, wanted));
			rows.hits = hits;
			box.replaceChildren(rows);
		} else rows.renew();
	}
	look(query, among, told);
	again = (among, query) => { run++; look.again = () => look(query, among, told); look(query, among, told); };
	return [title("Search"), found, box];
}
let again = null; // searches anew in the search that is shown

// ---- where one is in the page

const parts = [
	["now", "Now"], ["sessions", "Sessions", chosen.sessions], ["rules", "Rules", chosen.rules], ["records", "Records", chosen.records],
	["waiting", "Waiting", chosen.waiting], ["machines", "Other machines", chosen.machines],
];
const above = {session: "sessions", turn: "sessions", record: "records"};
let current = "", left = new Map();
function go(keep) {
	const hash = location.hash.slice(1) || "now";
	const [name, ...rest] = hash.split("/").map(p => { try { return decodeURIComponent(p); } catch { return p; } });
	left.set(current, scrollY);
	const back = left.get(hash), moved = current !== hash;
	current = hash;
	let n = 0, shown;
	if (name !== "search") { run++; look.again = again = null; if (!keep) $("words").value = ""; }
	switch (name) {
	case "sessions": shown = showSessions(); break;
	case "session": shown = showSession(rest[0] || "", rest[1]); break;
	case "turn": n = +rest[1]; shown = showSession(rest[0] || "", rest[2], n); break;
	case "rules": shown = showRules(); break;
	case "records": shown = showRecords(); break;
	case "record": shown = showRecord(rest.join("/")); break;
	case "waiting": shown = showWaiting(); break;
	case "machines": shown = showMachines(); break;
	case "search": shown = showSearch(rest[0] || "all", rest.slice(1).join("/")); break;
	default: shown = showNow();
	}
	const main = $("main");
	main.replaceChildren();
	add(main, [shown]);
	$("parts").replaceChildren(...parts.map(([id, label, all]) => {
		const n = all && all().length;
		return el("li", null, el("a", {href: "#" + id, "aria-current": (above[name] || name) === id ? "page" : undefined}, label, all && el("small", null, " " + n.toLocaleString())));
	}));
	const h = main.querySelector("h1");
	document.title = (h ? h.textContent.slice(0, 80) + " – " : "") + "memento";
	if (!moved || keep) return;
	const opened = !performance.getEntriesByName("shown").length; // a screen reader begins at the top then
	const here = n && document.getElementById("turn-" + n);
	if (here) { here.focus({preventScroll: true}); here.scrollIntoView(); } else if (name !== "search" && !opened) { main.focus({preventScroll: true}); scrollTo(0, back || 0); }
}
function search() {
	const q = $("words").value, to = "#search/" + enc($("among").value) + "/" + enc(q);
	if (again) {
		current = to.slice(1);
		clearTimeout(naming);
		naming = setTimeout(nameSearch, 300); // browsers count these calls
		again($("among").value, q);
		return;
	}
	history.pushState(null, "", to);
	go(true);
}
let naming = 0;
// nameSearch gives the address of the page the search that is shown.
function nameSearch() {
	clearTimeout(naming);
	if (again && location.hash.slice(1) !== current) history.replaceState(null, "", "#" + current);
}
addEventListener("click", nameSearch, true); // before a link leads away
$("words").addEventListener("input", search);
$("among").addEventListener("change", search);
$("search").addEventListener("submit", e => { e.preventDefault(); const a = document.querySelector("#found a"); if (a) a.focus(); });
$("skip").addEventListener("click", e => { e.preventDefault(); $("main").focus(); });
addEventListener("hashchange", () => go());
addEventListener("keydown", e => {
	const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
	if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); $("words").focus(); $("words").select(); return; }
	if (!again) return;
	if (e.key === "Escape") { e.preventDefault(); $("words").value = ""; location.hash = "#now"; return; }
	if (e.key !== "ArrowDown" && e.key !== "ArrowUp" || e.target.tagName === "SELECT") return;
	const links = [...document.querySelectorAll("#found a.title")], at = links.indexOf(document.activeElement);
	if (at < 0 && e.target !== $("words")) return;
	e.preventDefault();
	const next = e.key === "ArrowDown" ? at + 1 : at - 1;
	if (next < 0) $("words").focus(); else if (links[next]) links[next].focus();
});

$("of").textContent = many ? count(head.projects.length, "project") : head.projects.map(p => p.name).join("");
add($("foot"), ["Written " + written(head.written, timeForm) + " by memento " + head.version + ". The file loads nothing and tells nobody anything. ", el("code", null, "memento view"), " writes it anew."]);
if (many) {
	for (const p of head.projects) $("project").append(el("option", {value: p.name}, p.name));
	$("chosen").hidden = false;
	$("project").addEventListener("change", e => { project = e.target.value; last = null; go(true); });
}
addEventListener("DOMContentLoaded", () => {
	whole = true;
	if (/^#(session|turn)\//.test(location.hash)) { current = ""; go(); }
	setTimeout(indexOn, 0);
});
go();
performance.mark("shown");
if (whole) setTimeout(indexOn, 0);
})();
