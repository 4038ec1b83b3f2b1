import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {fileURLToPath} from "node:url";
import test from "node:test";

const program = fileURLToPath(new URL("svg.js", import.meta.url));
function draw(input, ...args) {
	const {stdout, stderr, status} = spawnSync(process.execPath, [program, ...args], {input, encoding: "utf8"});
	return {stdout, stderr, status};
}
const texts = svg => [...svg.matchAll(/<text class[^>]*>([^<]*)</g)].map(m => m[1]);

test("a still has the words at their places, in their colours", () => {
	const {stdout: svg} = draw("one  \x1b[1;31mtwo\x1b[0m\n\n  größer ⎿ ● x\n", "still", "--size", "40x10", "--title", "a & b");
	assert.deepEqual(texts(svg), ["one", "two", "größer", "●", "x"]);
	assert.match(svg, /fill:#f07178;font-weight:700/);
	assert.match(svg, /x="42" y="13.5" textLength="25.2"[^>]*>two</, "column 5, three columns wide");
	assert.match(svg, /<title id="title">a &#38; b</);
	assert.match(svg, /height="104"/, "three lines are in use");
});

test("what a program prints stays text", () => {
	const {stdout: svg} = draw(`<script>alert("x")</script><image href='http://example.com/x'/>`, "still", "--title", `"><script>`);
	assert.doesNotMatch(svg, /<script|<image|<use/);
	assert.equal(svg.match(/http/g).length, 2, "the words and the name of the format");
});

const cast = (...events) => [{version: 2, width: 20, height: 3, idle_time_limit: 2}, ...events].map(l => JSON.stringify(l)).join("\n");

test("a film shows each screen at its time", () => {
	const {stdout: svg} = draw(cast([0, "o", "before\r\n"], [5, "m", "start"], [5.1, "o", "a"], [6, "o", "b"], [6.01, "o", "c"],
		[16, "m", "still"], [16, "o", "\x1b[2Jafter"], [19, "m", "end"]), "film", "--title", "t", "--about", "u");
	// From 5 s on: 0.1 s to "a", 0.91 s to "abc" (b and c are one screen), at most 2 s to "after", and 2 s to the end.
	assert.match(svg, /animation:r1 5.01s step-end infinite/);
	assert.match(svg, /@keyframes r1\{0%\{transform:translate\(0px\)\}2%\{transform:translate\(-200px\)\}20.16%\{[^}]*\}60.08%/);
	const [, , still] = svg.match(/<g class="film">(.*)<g class="still">(.*)<\/g>\n<\/svg>/s);
	assert.deepEqual(texts(still), ["before", "abc"]);
});

test("reduced motion gets the still, and everyone else the film", () => {
	const {stdout: svg} = draw(cast([0, "m", "start"], [1, "o", "x"], [2, "o", "y"]), "film", "--title", "t");
	assert.match(svg, /\.film\{display:none\}@media \(prefers-reduced-motion:no-preference\)\{\.film\{display:inline\}\.still\{display:none\}\}/);
});

test("a wrong call does nothing", () => {
	for (const args of [["move"], ["still", "--size", "80"]]) assert.deepEqual([draw("", ...args).status, draw("", ...args).stdout], [64, ""]);
});
