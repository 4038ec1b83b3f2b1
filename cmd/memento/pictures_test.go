package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocsPictures checks that the SVG files of the documents play where a page shows them as an image, load nothing,
// move for nobody who asked for less motion, and name no home but that of alice. It checks that a document shows each.
func TestDocsPictures(t *testing.T) {
	docs := newDocs(t)
	var shown strings.Builder
	for _, page := range docs.pages(t) {
		text, err := os.ReadFile(filepath.Join(docs.root, page))
		if err != nil {
			t.Fatal(err)
		}
		shown.Write(text)
	}
	found, err := filepath.Glob(filepath.Join(docs.root, "docs", "*.svg"))
	if err != nil || len(found) == 0 {
		t.Fatalf("found %q, %v", found, err)
	}
	for _, path := range found {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		for _, fault := range faults(data) {
			t.Errorf("%s: %s", name, fault)
		}
		if !strings.Contains(shown.String(), name+")") {
			t.Errorf("no document shows %s", name)
		}
	}
	for _, bad := range []string{
		`<svg><script/></svg>`, `<svg><image href="x.png"/></svg>`, `<svg><use href="https://example.org/#x"/></svg>`,
		`<svg onload="x()"></svg>`, `<svg><style>@font-face{src:url(x)}</style></svg>`, `<svg><g></svg>`,
		`<svg><style>@keyframes x{}</style></svg>`, `<svg><text>/tmp/12/x</text></svg>`,
		`<svg><text>/home/bob</text></svg>`, "<svg>" + strings.Repeat(" ", 300<<10) + "</svg>",
	} {
		if len(faults([]byte(bad))) != 1 {
			t.Errorf("%.80s has the faults %q, and should have one", bad, faults([]byte(bad)))
		}
	}
}

// faults returns why an SVG must not stand in a document.
func faults(svg []byte) (out []string) {
	if len(svg) > 300<<10 {
		out = append(out, "more than 300 KB")
	}
	words := strings.NewReplacer("/home/alice", "").Replace(string(svg))
	for _, bad := range []string{"@font-face", "@import", "/tmp/", "/home/", "/root"} {
		if strings.Contains(words, bad) {
			out = append(out, "it has "+bad)
		}
	}
	if strings.Contains(words, "@keyframes") && !strings.Contains(words, "(prefers-reduced-motion:no-preference)") {
		out = append(out, "it moves for everybody")
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			return append(out, err.Error())
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "script", "image", "foreignObject", "a", "iframe":
			out = append(out, "it has an element "+start.Name.Local)
		}
		for _, a := range start.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") &&
				start.Name.Local != "image" {
				out = append(out, "it has an attribute "+a.Name.Local+"="+a.Value)
			}
		}
	}
}
