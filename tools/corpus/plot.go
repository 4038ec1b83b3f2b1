package main

import (
	"fmt"
	"os"
	"strings"
)

// plotted are the shares that the plot shows, with the words for a reader.
var plotted = []struct{ share, words string }{
	{mission, "the mission"},
	{rules, "your rules"},
	{tasks, "the open tasks"},
	{failing, "the command that fails"},
	{failing + errorLine, "its error line"},
	{anyCue, "sentences with a cue"},
	{workingSet, "the files used next"},
}

// panels are the columns of the plot.
var panels = []struct{ when, words string }{
	{"all", "All compactions"},
	{"2nd+", "From a session's second compaction on"},
}

// The sizes of the plot, in pixels.
const (
	plotMargin = 20
	plotLabels = 190 // the words on the left
	plotBar    = 200 // a bar of 100 %
	plotPanel  = 342 // a bar and its figures
	plotTop    = 108
	plotRow    = 46
)

const plotStyle = `text{font:13px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2328}
.head{font-size:16px;font-weight:600}.name{font-size:14px}.figure{font-size:12px}.dim{fill:#59636e}
.card{fill:#fff;stroke:#d0d7de}.full{fill:#eff1f4}.native{fill:#8c959f}.ours{fill:#1a7f37}
@media (prefers-color-scheme:dark){text{fill:#e6e9ee}.dim{fill:#a3abb6}
.card{fill:#16181d;stroke:#444b55}.full{fill:#262a31}.native{fill:#7d8590}.ours{fill:#57c26b}}`

// writePlot draws the shares into the file at path.
func writePlot(path string, shares []share) error {
	svg, err := plot(shares)
	if err != nil {
		return err
	}
	return os.WriteFile(path, svg, 0o644)
}

// plot draws what is kept of each sort without memento and with it, as an SVG with the figures of the table. The
// picture has a background of its own, so it can be read on a light page and on a dark one.
func plot(shares []share) ([]byte, error) {
	width := 2*plotMargin + plotLabels + len(panels)*plotPanel
	height := plotTop + len(plotted)*plotRow + plotMargin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" `+
		`aria-labelledby="title about">`+"\n", width, height, width, height)
	b.WriteString("<title id=\"title\">What Claude still knows after a compaction</title>\n")
	b.WriteString("<desc id=\"about\">Two bars for each sort of fact: the share that the client's summary keeps " +
		"word for word, and the share with memento's block.</desc>\n")
	fmt.Fprintf(&b, "<style>%s</style>\n", plotStyle)
	fmt.Fprintf(&b, `<rect class="card" x=".5" y=".5" width="%d" height="%d" rx="10"/>`+"\n",
		width-1, height-1)
	label := func(x, y int, class, words string) {
		fmt.Fprintf(&b, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, x, y, words)
	}
	bar := func(x, y, width int, class string) {
		fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="%d" height="14" rx="2"/>`+"\n", class, x, y, width)
	}
	label(plotMargin, 34, "head", "Kept word for word over a compaction")
	bar(plotMargin, 48, 14, "native")
	label(plotMargin+20, 60, "dim", "by the client's summary alone")
	bar(plotMargin+225, 48, 14, "ours")
	label(plotMargin+245, 60, "dim", "with memento's block beside it")
	for p, panel := range panels {
		label(plotMargin+plotLabels+p*plotPanel, 94, "name", panel.words)
	}
	for row, what := range plotted {
		y := plotTop + row*plotRow
		label(plotMargin, y+19, "name", what.words)
		for p, panel := range panels {
			s, err := find(shares, what.share, panel.when)
			if err != nil {
				return nil, err
			}
			x := plotMargin + plotLabels + p*plotPanel
			for i, n := range []int{*s.native, s.ours} {
				at := y + i*16
				bar(x, at, plotBar, "full")
				bar(x, at, plotBar*n/s.items, []string{"native", "ours"}[i])
				label(x+plotBar+8, at+11, "figure", s.percent(n))
			}
		}
	}
	b.WriteString("</svg>\n")
	return []byte(b.String()), nil
}

// find returns the share of this name for these compactions.
func find(shares []share, name, when string) (share, error) {
	for _, s := range shares {
		if s.name == name && s.when == when && s.native != nil {
			return s, nil
		}
	}
	return share{}, fmt.Errorf("drawing the plot: there is no share %q of the compactions %q", name, when)
}
