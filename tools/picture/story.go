package main

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/tools/e2e"
)

// step is what the person types, the words that show that the answer is there, and the time to read them.
type step struct {
	typed, until string
	read         time.Duration
}

var story = []step{
	{"Fix the checkout: orders above 1,000 EUR are lost. Don't touch the tax tables.", "still fails", 2 * time.Second},
	{"The mobile app sends them; keep its API as it is.", "stays as it is", time.Second},
	{"/compact", "failing test are back", 3 * time.Second},
	{"What do you still know?", "Files: src/cart.js", 4 * time.Second},
}

// shop is the project, with a mistake that a test finds. A second one is left when the first is mended.
var shop = map[string]string{
	"package.json": `{"name": "shop", "private": true, "scripts": {"test": "node test.js"}}` + "\n",
	"src/cart.js":  "exports.cents = total => Math.round(parseFloat(total) * 100);\n",
	"src/app.js":   "exports.order = total => ({total: parseFloat(total)});\n",
	"test.js": `const {cents} = require("./src/cart.js"), {order} = require("./src/app.js");
for (const [name, got, want] of [["cart", cents("1,000.01"), 100001], ["app", order("1,000.01").total, 1000.01]])
	if (got !== want) {
		console.error("Error: " + name + ": expected " + want + ", got " + got);
		process.exit(1);
	}
`,
}

// model is the script that answers in the model's place.
type model struct {
	dir  string // the project
	mock *e2e.Mock
}

const summary = "The user reported a problem in the checkout of the shop. src/cart.js was changed, and the tests were run."

func (m *model) script() e2e.Script {
	cart := filepath.Join(m.dir, "src", "cart.js")
	return e2e.Script{
		Main: []e2e.Turn{
			slow(e2e.Use("Read", map[string]any{"file_path": cart})),
			slow(e2e.Use("Edit", map[string]any{"file_path": cart, "old_string": "parseFloat(total)",
				"new_string": `parseFloat(total.replaceAll(",", ""))`})),
			slow(e2e.Bash("npm test")),
			slow(e2e.Say("The comma in 1,000 cut the sum. src/cart.js is mended; the test of the app still fails.")),
			slow(e2e.Say("The mobile app's API stays as it is.")),
			e2e.Later(m.quote),
		},
		Summary: []string{summary},
	}
}

// slow returns the turn as a model would, after a moment.
func slow(t e2e.Turn) e2e.Turn {
	return e2e.Later(func() e2e.Turn {
		time.Sleep(800 * time.Millisecond)
		return t
	})
}

// quote answers with the summary and with memento's block, as the client gave it to the model. The project's name and
// the journal's path are left out, since they make the first line long.
func (m *model) quote() e2e.Turn {
	time.Sleep(800 * time.Millisecond)
	block := ""
	for _, r := range m.mock.Requests() {
		if r.Kind == e2e.Main {
			_, block, _ = strings.Cut(r.Text(), "[MEMENTO] ")
		}
	}
	lines := []string{"The summary: " + summary, "", "memento's block:", ""}
	for _, line := range strings.Split(block, "\n") {
		if line == "" || strings.HasPrefix(line, "<") {
			break
		}
		line, _, _ = strings.Cut(line, " | proj:")
		lines = append(lines, "- "+line)
	}
	return e2e.Say(strings.Join(lines, "\n"))
}
