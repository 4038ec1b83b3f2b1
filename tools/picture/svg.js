// Draws what a terminal shows as an SVG that needs no script, no font and no network.
//
//	node picture/svg.js still [--size 80x24] [--title WORDS] [--show WORDS=OTHERS] <output >still.svg
//	node picture/svg.js film [--title WORDS] [--about WORDS] [--show WORDS=OTHERS] <session.cast >film.svg
//
// still reads what a program printed, colours included, and draws the screen after it, down to the last line in use.
// Programs print colours to a terminal alone, so util-linux' script stands in for one:
//
//	script -qec 'stty cols 80; memento show' /dev/null | node picture/svg.js still --size 80x40 >show.svg
//
// film reads a recording (asciicast v2, as picture/main.go and asciinema write it) and draws an animation by CSS. The
// film begins at the marker "start". Who prefers reduced motion sees the screen at the marker "still" instead.
//
// --show puts other words of the same length in the place of some, such as /home/alice in that of a scratch folder.
//
// `npm ci --prefix picture` fetches the terminal that reads the output: xterm, which Visual Studio Code uses too.
import headless from "@xterm/headless";
import {readFileSync} from "node:fs";
import {parseArgs} from "node:util";

const cell = {width: 8.4, height: 18, base: 13.5}, edge = 16, bar = 34;
const paper = "#16181d", ink = "#d7dae0";
const basic = ["#3b4048", "#f07178", "#8fce7e", "#e5c07b", "#6cb6ff", "#d2a8ff", "#56c8d8", "#d7dae0",
	"#7d8590", "#ff8a8f", "#a5e293", "#f2d391", "#8ec8ff", "#e0bfff", "#7ddce8", "#ffffff"];

const escaped = s => s.replace(/[&<>"]/g, c => "&#" + c.charCodeAt(0) + ";");
const round = n => String(Math.round(n * 100) / 100);

// palette returns a colour of the 256 that a program names by number.
function palette(n) {
	if (n < 16) return basic[n];
	const level = n < 232 ? [36, 6, 1].map(d => Math.floor((n - 16) / d) % 6).map(v => v && 55 + 40 * v) : Array(3).fill(8 + 10 * (n - 232));
	return "#" + level.map(v => v.toString(16).padStart(2, "0")).join("");
}

function colour(cell, of) {
	const n = cell[`get${of}Color`]();
	if (cell[`is${of}RGB`]()) return "#" + n.toString(16).padStart(6, "0");
	return cell[`is${of}Palette`]() ? palette(n) : null;
}

// style returns what a cell looks like, as the CSS of its text, and the colour behind it.
function style(cell) {
	let front = colour(cell, "Fg") || ink, back = colour(cell, "Bg");
	if (cell.isInverse()) [front, back] = [back || paper, front];
	const css = ["fill:" + front];
	if (cell.isBold()) css.push("font-weight:700");
	if (cell.isItalic()) css.push("font-style:italic");
	if (cell.isUnderline()) css.push("text-decoration:underline");
	if (cell.isDim()) css.push("opacity:.6");
	return {css: css.join(";"), back};
}

// The characters that must meet their neighbours are drawn, since a font may leave a gap: of a block its quarters
// (1 upper left, 2 upper right, 4 lower left, 8 lower right), of a line its arms (1 left, 2 right, 4 up, 8 down).
const quarters = {"▀": 3, "▄": 12, "█": 15, "▌": 5, "▐": 10, "▖": 4, "▗": 8, "▘": 1, "▙": 13, "▚": 9, "▛": 7, "▜": 11, "▝": 2, "▞": 6, "▟": 14};
const arms = {"─": 3, "│": 12, "╭": 10, "╮": 9, "╰": 6, "╯": 5, "┌": 10, "┐": 9, "└": 6, "┘": 5, "├": 14, "┤": 13, "┬": 11, "┴": 7, "┼": 15, "━": 3, "⎿": 6};

// shape returns the path of such a character at column x. A triangle is drawn too, since many fonts lack it.
function shape(char, x, columns) {
	const {width: w, height: h} = cell, left = x * w, path = [];
	if (char === "⏵") return `M${round(left + 1)} ${h / 2 - 4}l7 4l-7 4z`;
	const part = (bit, from, to) => quarters[char] & bit && path.push(`M${round(left + from * w / 2)} ${to * h / 2}h${round(w / 2)}v${h / 2}h-${round(w / 2)}z`);
	if (quarters[char] === 15) return `M${round(left)} 0h${round(columns * w)}v${h}H${round(left)}z`;
	if (quarters[char]) return part(1, 0, 0), part(2, 1, 0), part(4, 0, 1), part(8, 1, 1), path.join("");
	if (arms[char] === 3) return `M${round(left)} ${h / 2 - .5}h${round(columns * w)}v1H${round(left)}z`;
	const arm = (bit, d) => arms[char] & bit && path.push(d);
	arm(1, `M${round(left)} ${h / 2 - .5}h${w / 2 + .5}v1h-${w / 2 + .5}z`);
	arm(2, `M${round(left + w / 2 - .5)} ${h / 2 - .5}h${w / 2 + .5}v1h-${w / 2 + .5}z`);
	arm(4, `M${round(left + w / 2 - .5)} 0h1v${h / 2 + .5}h-1z`);
	arm(8, `M${round(left + w / 2 - .5)} ${h / 2 - .5}h1v${h / 2 + .5}h-1z`);
	return path.join("");
}

// Screen is a terminal without a window.
class Screen {
	constructor(columns, rows, {pipe, show = ""}) {
		[this.words, this.others] = show.split("=");
		if (show && this.words.length !== this.others?.length) throw new Error(`--show ${show}: the two have different lengths`);
		this.columns = columns;
		this.rows = rows;
		this.classes = new Map(); // CSS of a text -> name of its class
		this.terminal = new headless.Terminal({cols: columns, rows, convertEol: pipe, scrollback: 0, allowProposedApi: true});
	}

	write(text) {
		return new Promise(done => this.terminal.write(text, done));
	}

	class(css) {
		if (!this.classes.has(css)) this.classes.set(css, "c" + this.classes.size.toString(36));
		return this.classes.get(css);
	}

	// lines returns each row of the screen as SVG; an empty row is "".
	lines() {
		const buffer = this.terminal.buffer.active;
		return Array.from({length: this.rows}, (_, y) => this.line(buffer.getLine(buffer.baseY + y)));
	}

	line(row) {
		const runs = [];
		for (let x = 0; x < this.columns; x++) {
			const c = row.getCell(x), char = c.getChars() || " ", columns = c.getWidth();
			if (!columns) continue; // the second half of a wide character
			const {css, back} = style(c), last = runs.at(-1);
			// A character that a font may lack comes from another font, with another width.
			const kind = char in quarters || char in arms || char === "⏵" ? char : char > "\u024f" ? "" : "words";
			if (last && kind && last.kind === kind && last.css === css && last.back === back) {
				last.text += char;
				last.columns += columns;
			} else runs.push({x, text: char, columns, css, back, kind});
		}
		return runs.map(r => this.run(r)).join("");
	}

	run({x, text, columns, css, back, kind}) {
		let out = "";
		if (back) out = `<path fill="${back}" d="M${round(x * cell.width)} 0h${round(columns * cell.width)}v${cell.height}h-${round(columns * cell.width)}z"/>`;
		if (!text.trim() && !css.includes("underline")) return out;
		if (kind && kind !== "words") {
			const joins = quarters[kind] === 15 || arms[kind] === 3;
			const path = joins ? shape(kind, x, columns) : Array.from(text, (_, i) => shape(kind, x + i, 1)).join("");
			return out + `<path class="${this.class(css)}" d="${path}"/>`;
		}
		const from = text.length - text.trimStart().length, words = text.trim();
		columns -= text.length - words.length;
		const length = words.length > 1 || columns > 1 ? ` textLength="${round(columns * cell.width)}" lengthAdjust="spacingAndGlyphs"` : "";
		return out + `<text class="${this.class(css)}" x="${round((x + from) * cell.width)}" y="${cell.base}"${length}>${escaped(this.words ? words.replaceAll(this.words, this.others) : words)}</text>`;
	}
}

// card draws the window: a dark card, which stands well on a light page and on a dark one.
function card(screen, rows, {title, about, css, body}) {
	const width = Math.ceil(screen.columns * cell.width) + 2 * edge, height = rows * cell.height + bar + edge;
	const styles = [...screen.classes].map(([css, name]) => `.${name}{${css}}`).join("");
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title about">
<title id="title">${escaped(title)}</title>
<desc id="about">${escaped(about || title)}</desc>
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;white-space:pre}${styles}${css || ""}</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${paper}" stroke="#444b55"/>
<circle cx="20" cy="17" r="5.5" fill="#f07178"/><circle cx="38" cy="17" r="5.5" fill="#e5c07b"/><circle cx="56" cy="17" r="5.5" fill="#8fce7e"/>
<text x="${width / 2}" y="21.5" fill="#9aa2ad" style="font-size:12px" text-anchor="middle">${escaped(title)}</text>
<svg x="${edge}" y="${bar}" width="${width - 2 * edge}" height="${rows * cell.height}">
${body}
</svg>
</svg>
`;
}

const place = (y, x = 0) => x ? `translate(${x} ${y * cell.height})` : `translate(0 ${y * cell.height})`;
const drawn = lines => lines.map((line, y) => line && `<g transform="${place(y)}">${line}</g>`).filter(Boolean).join("\n");

async function still(input, {size, title, show}) {
	const [columns, rows] = size.split("x").map(Number), screen = new Screen(columns, rows, {pipe: true, show});
	await screen.write(input);
	const lines = screen.lines(), used = lines.findLastIndex(Boolean) + 1;
	return card(screen, used, {title, body: drawn(lines)});
}

// shots plays a recording and returns its screens, each with the second in which it appears, how long the film is, and
// the screen that stands for the whole. A pause longer than the recording's idle_time_limit is cut to that.
async function shots(screen, events, limit) {
	const film = [];
	let whole, begun = false, now = 0, last = 0;
	for (const [i, [at, kind, text]] of events.entries()) {
		now += begun ? Math.min(at - last, limit) : 0;
		last = at;
		if (kind === "m") {
			if (text === "start") begun = true;
			if (text === "still") whole = screen.lines();
		}
		if (kind === "o") await screen.write(text);
		// What comes within a thirtieth of a second is one screen.
		const next = events[i + 1];
		if (!begun || next && next[1] === "o" && next[0] - at < 1 / 30) continue;
		const lines = screen.lines();
		if (film.at(-1)?.lines.join("\n") !== lines.join("\n")) film.push({at: now, lines});
	}
	return {film, length: now, whole: whole || film.at(-1).lines};
}

// strip lays all that a row ever shows side by side, and returns the moves that bring each part into view at its time.
function strip(film, y, length, width) {
	const parts = new Map(), moves = [];
	for (const {at, lines} of film) {
		if (!parts.has(lines[y])) parts.set(lines[y], parts.size);
		const x = -parts.get(lines[y]) * width;
		if (moves.at(-1)?.x !== x) moves.push({at: round(at / length * 100), x});
	}
	return {parts, moves};
}

async function film(input, {title, about, show}) {
	const [head, ...events] = input.trim().split("\n").map(line => JSON.parse(line));
	const screen = new Screen(head.width, head.height, {show});
	const {film, length, whole} = await shots(screen, events, head.idle_time_limit || Infinity);
	const width = Math.ceil(screen.columns * cell.width) + 2 * edge, rows = [];
	const strips = Array.from({length: head.height}, (_, y) => strip(film, y, length, width));
	const uses = new Map(); // a line -> the rows that show it
	for (const {parts} of strips) for (const line of parts.keys()) uses.set(line, (uses.get(line) || 0) + 1);
	const shared = new Map([...uses].filter(([line, n]) => n > 1 && line.length > 60).map(([line], i) => [line, "l" + i.toString(36)]));
	let css = ".film{display:none}@media (prefers-reduced-motion:no-preference){.film{display:inline}.still{display:none}}";
	for (const [y, {parts, moves}] of strips.entries()) {
		const row = [...parts].filter(([line]) => line).map(([line, i]) => shared.has(line) ? `<use href="#${shared.get(line)}" x="${i * width}"/>`
			: i ? `<g transform="translate(${i * width})">${line}</g>` : line).join("");
		if (!row) continue;
		if (moves.length < 2) {
			rows.push(`<g transform="${place(y)}">${row}</g>`);
			continue;
		}
		css += `@keyframes r${y}{${moves.map(m => `${m.at}%{transform:translate(${m.x}px)}`).join("")}}.r${y}{animation:r${y} ${round(length)}s step-end infinite}`;
		rows.push(`<g transform="${place(y)}"><g class="r${y}">${row}</g></g>`);
	}
	const defs = [...shared].map(([line, id]) => `<g id="${id}">${line}</g>`).join("\n");
	return card(screen, head.height, {title: title || head.title, about, css,
		body: `<defs>${defs}</defs>\n<g class="film">${rows.join("\n")}</g>\n<g class="still">${drawn(whole)}</g>`});
}

const {values, positionals: [kind]} = parseArgs({allowPositionals: true, options: {
	size: {type: "string", default: "80x24"}, title: {type: "string"}, about: {type: "string"}, show: {type: "string"},
}});
const draw = {still, film}[kind];
if (!draw || !/^[1-9]\d*x[1-9]\d*$/.test(values.size)) {
	console.error("memento: picture: say still or film, and a size as 80x24\nmemento: hint: the first lines of picture/svg.js");
	process.exit(64);
}
process.stdout.write(await draw(readFileSync(0, "utf8"), {...values, title: values.title || (kind === "still" ? "memento" : "")}));
