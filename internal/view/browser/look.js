// Opens the pages of memento view in a real browser, from disk: node look.js PAGES [SHOTS]. PAGES is the folder that
// TestPages wrote, SHOTS a folder for pictures. CHROMIUM names the browser. It prints times, and exits 1 when the page
// does not what it should.
import {chromium} from "playwright-core";
import {existsSync, mkdirSync, readFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";

const [pages, shots] = process.argv.slice(2).map(p => resolve(p));
const executablePath = process.env.CHROMIUM || ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({executablePath, args: process.getuid() === 0 ? ["--no-sandbox"] : []});
if (shots) mkdirSync(shots, {recursive: true});

let failed = 0;
function check(what, good, told) {
	if (!good) failed++;
	console.log((good ? "ok   " : "FAIL ") + what + (told === undefined || good ? "" : ": " + JSON.stringify(told)));
}

// open opens a page and keeps what the console says and what is asked of the network or the disk.
async function open(name, options = {}, hash = "") {
	const context = await browser.newContext({locale: "en-GB", timezoneId: "UTC", viewport: {width: 1280, height: 900}, ...options});
	const page = await context.newPage(), said = [], asked = [];
	page.on("console", m => said.push(m.text()));
	page.on("pageerror", e => said.push(String(e)));
	page.on("request", r => { if (r.resourceType() !== "document" || !r.url().startsWith("file:")) asked.push(r.url()); });
	page.on("dialog", d => { said.push("dialog " + d.message()); d.dismiss(); });
	const url = pathToFileURL(join(pages, name + ".html")).href + hash;
	await page.goto(url);
	return {page, said, asked, close: () => context.close()};
}
const text = (page, at) => page.locator(at).innerText();
// drawn returns when the page shows what the last event asked for. The browser lays out a card when it is to be drawn,
// so its words are there two frames later, however slow the machine: a time to wait for is not known.
const drawn = page => page.evaluate(() => new Promise(f => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(f)))));
// go leads a page to one of its parts.
async function go(page, part) {
	await page.evaluate(h => { location.hash = h; }, part);
	await drawn(page);
}
// comes returns whether a condition is met in the page, at once or soon.
const comes = (page, met, of) => page.waitForFunction(met, of, {timeout: 10000}).then(() => true, () => false);
// shows checks that the element shows the words, at once or soon.
async function shows(what, page, at, words) {
	const there = ([at, words]) => document.querySelector(at)?.innerText.replace(/\s+/g, " ").includes(words);
	const good = await comes(page, there, [at, words]);
	check(what, good, good || await text(page, "main"));
}
const quiet = (where, {said, asked}) => {
	check(where + ": nothing on the console", said.length === 0, said);
	check(where + ": nothing is asked of anybody", asked.length === 0, asked);
};
const parts = ["now", "sessions", "session/s1", "session/s0", "turn/s1/1", "rules", "records", "record/shop--tax", "machines", "search/all/script", "nonsense", "session/none", "record/none"];

// What somebody put into a text is text, wherever the page shows it.
{
	const o = await open("hostile"), {page} = o;
	for (const part of parts) {
		await go(page, part);
		const made = await page.evaluate(() => ({
			pwned: typeof window.pwned, title: document.title, images: document.querySelectorAll("img").length,
			scripts: [...document.querySelectorAll("script")].filter(s => s.type !== "application/json").length,
			links: [...document.querySelectorAll("main a")].every(a => a.getAttribute("href").startsWith("#")),
			text: document.querySelector("main").innerText,
		}));
		check("hostile #" + part + ": no element of it", made.pwned === "undefined" && made.images === 0 && made.links && made.scripts === 1, made);
		if (!/nonsense|none|s0/.test(part)) check("hostile #" + part + ": it is shown as text", /[<‹]\/script/.test(made.text), made.text.slice(0, 300));
	}
	quiet("hostile", o);
	await o.close();
}

// An answer's Markdown is rendered, by the library as npm has it.
{
	const at = name => readFileSync(new URL(name, import.meta.url), "utf8");
	check("page/marked.js is npm's", at("../page/marked.js") === at("node_modules/marked/lib/marked.umd.js"));
	const o = await open("demo", {}, "#turn/5f0c2a9e-41d7-4c8e-9d1b-7a2f60c3b8d4/1"), {page} = o;
	const made = await page.evaluate(() => ["li", "code", "strong", "th", "td"].map(n => document.querySelectorAll("#turn-1 .rich " + n).length));
	check("an answer's list, code and table", made.join() === "2,1,1,2,4", made);
	quiet("demo", o);
	await o.close();
}

// What the page tells.
{
	const o = await open("calm"), {page} = o;
	check("now: the block", (await text(page, "pre.block")) === "[MEMENTO] Mission ");
	await shows("now: the failing command", page, "main", "→ l");
	await page.click("nav a[href='#sessions']");
	await shows("sessions: what was lost", page, "main", "memento’s block carried 6 facts; the client’s summary kept 1 of them word for word and lost 5.");
	check("sessions: newest first", (await page.locator("main .title").allTextContents()).join("|") === "Typed before turns were kept|Fix the checkout");
	await page.click("text=Fix the checkout");
	for (const words of ["Which one?", "Found it", "failed npm test → 1 failing", "committed abc1234 Widen", "edited src/.ts", "the client’s summary kept 1 of them word for word and lost 5.", "Lost there, and brought back by memento: staging only"]) {
		await shows("session: " + words, page, "main", words);
	}
	check("one is where the link leads", (await page.evaluate(() => document.activeElement.id)) === "main");
	await page.goBack();
	await shows("back", page, "h1", "Sessions");
	for (const [part, words] of [["rules", "Never touch the tax tables"], ["rules", "memento rules drop "], ["records", "Tax"], ["machines", "laptop"]]) {
		await page.click("nav a[href='#" + part + "']");
		await shows(part, page, "main", words);
	}
	// keyboard alone
	await page.keyboard.press("/");
	check("/ goes to the search", (await page.evaluate(() => document.activeElement.id)) === "words");
	await page.keyboard.type("tax");
	await shows("search as typed", page, "main", "2 places");
	await page.keyboard.press("ArrowDown");
	check("an arrow goes to the first", await page.evaluate(() => document.activeElement.classList.contains("title")));
	await page.keyboard.press("Enter");
	await shows("Enter opens it", page, "h1", "Rules");
	await page.goBack();
	await shows("back to the search", page, "main", "2 places");
	check("with its words", (await page.inputValue("#words")) === "tax" && (await page.locator("#found .title").count()) === 2);
	await page.keyboard.press("Escape");
	await shows("Escape leaves it", page, "h1", "Where the work stands");
	// what a screen reader finds
	for (const [role, n] of [["banner", 1], ["navigation", 1], ["search", 1], ["main", 1], ["contentinfo", 1]]) {
		check("one " + role, (await page.getByRole(role).count()) === n);
	}
	const nameless = await page.evaluate(() => [...document.querySelectorAll("a, button, input, select")].filter(e =>
		!(e.textContent.trim() || e.getAttribute("aria-label") || e.labels && e.labels.length)).map(e => e.outerHTML));
	check("everything to press has a name", nameless.length === 0, nameless);
	quiet("calm", o);
	await o.close();
	const linked = await open("calm", {}, "#turn/s1/2");
	check("a link to a turn", (await linked.page.evaluate(() => document.activeElement.id)) === "turn-2");
	await linked.close();
	const none = await open("empty");
	for (const part of parts) {
		await go(none.page, part);
	}
	quiet("empty", none);
	await none.close();
}

// contrast returns the smallest contrast of text and its ground in the page.
const contrast = page => page.evaluate(() => {
	const light = c => { const [r, g, b] = c.match(/[\d.]+/g).map(Number).map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
	let least = [99, ""];
	for (const e of document.querySelectorAll("body *")) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.offsetParent) continue;
		let ground = e, back;
		do { back = getComputedStyle(ground).backgroundColor; ground = ground.parentElement; } while (ground && /, 0\)$/.test(back));
		const [a, b] = [light(getComputedStyle(e).color), light(back)], c = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (c < least[0]) least = [c, e.outerHTML.slice(0, 80)];
	}
	return least;
});
// Every width and both colours: nothing sticks out, everything can be read.
{
	const o = await open("10000"), {page} = o;
	const first = await page.evaluate(() => document.querySelector("main .title").hash);
	for (const part of ["now", "sessions", first.slice(1), "search/all/invoice%20rounding"]) {
		await go(page, part);
		for (const width of [320, 768, 1280, 1920]) {
			await page.setViewportSize({width, height: width < 500 ? 640 : 900});
			const where = width + " #" + part.split("/")[0];
			const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			check(where + ": nothing sticks out", wide <= 0, wide);
			for (const colorScheme of width < 1920 ? ["light", "dark"] : []) {
				await page.emulateMedia({colorScheme});
				const [least, at] = await contrast(page);
				check(where + " " + colorScheme + ": contrast " + least.toFixed(1), least >= 4.5, at);
				if (shots) await page.screenshot({path: join(shots, [part.split("/")[0], width, colorScheme].join("-") + ".png")});
			}
		}
	}
	await o.close();
}
{
	const o = await open("calm");
	await o.page.emulateMedia({media: "print"});
	check("print: no search, no buttons", !(await o.page.isVisible("#words")) && !(await o.page.isVisible("nav")) && await o.page.isVisible("pre.block"));
	if (shots) await o.page.screenshot({path: join(shots, "print.png")});
	await o.close();
}

// How long it takes. A person's machine differs: these are printed, and only what is far out fails.
async function key(page, letters) {
	return page.evaluate(async letters => {
		const input = document.getElementById("words"), out = [];
		input.focus();
		input.value = "";
		for (const letter of letters) {
			input.value += letter;
			const from = performance.now();
			input.dispatchEvent(new Event("input"));
			while (!/^[\d,]+ places?$|^Nothing found\.$/.test(document.querySelector("main .soft").textContent)) await new Promise(f => setTimeout(f, 0));
			document.body.offsetHeight; // laid out
			out.push(performance.now() - from);
			await new Promise(f => setTimeout(f, 30));
		}
		return out;
	}, letters);
}
for (const [name, turns] of [["10000", 10000], ["60000", 60000]]) {
	const from = performance.now(), o = await open(name), {page} = o;
	const loaded = performance.now() - from;
	const times = await page.evaluate(() => { const n = performance.getEntriesByType("navigation")[0], p = performance.getEntriesByName("first-contentful-paint")[0]; return {paint: p && p.startTime, interactive: n.domInteractive, shown: performance.getEntriesByName("shown")[0].startTime}; });
	console.log(`time ${turns} turns: first paint ${times.paint?.toFixed(0)} ms, file read ${times.interactive.toFixed(0)} ms, the browser says loaded ${loaded.toFixed(0)} ms, where the work stands is shown ${times.shown.toFixed(0)} ms`);
	await page.waitForFunction(() => performance.getEntriesByName("searchable").length, null, {timeout: 60000});
	console.log(`time ${turns} turns: all of it can be searched ${(await page.evaluate(() => performance.getEntriesByName("searchable")[0].startTime)).toFixed(0)} ms after opening`);
	for (const letters of ["invoice rounding", "zzz", "e", "the tax 42"]) {
		const all = await key(page, letters);
		if (process.env.EACH) console.log(all.map(n => n.toFixed(0)).join(" "));
		console.log(`time ${turns} turns: "${letters}" a key: most ${Math.max(...all).toFixed(0)} ms, median ${all.sort((a, b) => a - b)[all.length >> 1].toFixed(0)} ms`);
	}
	await go(page, "sessions");
	const rows = await page.locator("main li").count();
	await page.evaluate(() => scrollTo(0, 1e9));
	const grown = await comes(page, n => document.querySelectorAll("main li").length > n, rows);
	check(turns + ": a list grows as one scrolls", rows > 0 && rows < 150 && grown, rows);
	quiet(turns + " turns", o);
	await o.close();
}
{
	const o = await open("long", {}, "#turn/00000000-0000-4000-8000-000000000000/19990"), {page} = o;
	await page.waitForSelector("#turn-19990");
	check("a late turn of a long session", (await page.locator("main li.turn").count()) < 200);
	await page.click("text=Show earlier");
	check("and the turns before it", (await page.locator("#turn-19970").count()) === 1);
	quiet("long", o);
	await o.close();
}
await browser.close();
console.log(failed ? failed + " failed" : "all is as it should be");
process.exit(failed ? 1 : 0);
