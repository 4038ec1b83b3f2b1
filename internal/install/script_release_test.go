package install

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// wantRequest is the request for the binary of release 1.0.0.
var wantRequest = "/v1.0.0/" + asset

func TestScriptPiped(t *testing.T) {
	each(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		// A person who pipes the script may be in a checkout, even with Go, but does not ask for a build.
		s.dir = checkout(t)
		for _, name := range strings.Fields(s.sh) {
			fixture.Put(t, filepath.Join(s.dir, name), "a file called as the shell is", 0o644)
		}
		was := fixture.Tree(t, s.home)
		s.run(0)
		if got := r.requests(); got != wantRequest {
			t.Errorf("asked for %q", got)
		}
		want := "Downloading " + r.URL + "/v1.0.0/" + asset + "\none install --check\nInstalled " + s.bin() + "\n"
		if !strings.HasPrefix(s.out, want) {
			t.Errorf("said %q, want %q", s.out, want)
		}
		if info, err := os.Stat(s.bin()); err != nil || info.Mode() != 0o755 ||
			fixture.Read(t, s.bin()) != build("one") {
			t.Errorf("installed %v, %v", info, err)
		}
		installed := fixture.Tree(t, s.home)
		s.run(0)
		fixture.Same(t, "once more", installed, fixture.Tree(t, s.home))

		r.offer(s, "1.1.0", build("two"))
		s.run(0)
		if fixture.Read(t, s.bin()) != build("two") ||
			fixture.Read(t, filepath.Join(s.home, ".claude",
				"settings.json")) != `{"hooks":"memento two"}` {
			t.Error("not upgraded")
		}
		if now := fixture.Tree(t, s.home); len(now) != len(installed) {
			t.Errorf("left something behind: %v", now)
		}

		r.requests()
		s.run(0, "--uninstall")
		fixture.Same(t, "uninstalling", was, fixture.Tree(t, s.home))
		if got := r.requests(); got != "" {
			t.Errorf("uninstalling asked for %q", got)
		}
	})
}

// TestScriptUninstallsWithoutBinary: a person removed the binary by hand. The hooks fail, and install.sh gets a
// binary that removes them.
func TestScriptUninstallsWithoutBinary(t *testing.T) {
	once(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		s.run(0, "--uninstall")
		s.says("There is no " + s.bin())
		if got := r.requests(); got != "" {
			t.Errorf("asked for %q, with nothing to unwire", got)
		}
		clean := fixture.Tree(t, s.home)
		s.run(0)
		if err := os.Remove(s.bin()); err != nil {
			t.Fatal(err)
		}
		was := fixture.Tree(t, s.home)
		s.run(0, "--uninstall", "--dry-run")
		s.says("one uninstall --dry-run\nNothing was changed.\n")
		fixture.Same(t, "a dry run", was, fixture.Tree(t, s.home))
		s.run(0, "--uninstall")
		s.says("one uninstall\n")
		fixture.Same(t, "uninstalling", clean, fixture.Tree(t, s.home))
	})
}

func TestScriptDryRun(t *testing.T) {
	once(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		was := fixture.Tree(t, s.dir)
		s.run(0, "--dry-run")
		for _, want := range []string{
			"Would download " + r.URL + "/v1.0.0/" + asset + "\n  and check it against the SHA-256 " +
				sha(build("one")) + ", pinned in this script\n",
			"Would write " + s.bin() + "\n",
			"Would wire its hooks into " + filepath.Join(s.home, ".claude", "settings.json"), "Nothing was changed.\n",
		} {
			s.says(want)
		}
		fixture.Same(t, "a dry run", was, fixture.Tree(t, s.dir))

		s.run(0)
		was = fixture.Tree(t, s.dir)
		s.run(0, "--dry-run")
		s.says("Would replace " + s.bin() + "\n")
		s.says("one install --dry-run\n")
		s.env = []string{r.env(), "FAKE=install.one=fail"}
		s.run(1, "--dry-run")
		s.says("memento: install: it was told to fail\nmemento: install: wiring would fail\n")
		s.run(0, "--dry-run", "--uninstall")
		s.says("one uninstall --dry-run\nWould remove " + s.bin() + "\nNothing was changed.\n")
		fixture.Same(t, "a dry run", was, fixture.Tree(t, s.dir))
	})
}

func TestScriptVersion(t *testing.T) {
	once(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		r.has("0.9.0", asset, build("old"))
		r.has("0.9.0", "checksums.txt", sha("x")+"  memento-plan9-amd64\n"+sha(build("old"))+" *"+asset+"\n")
		was := fixture.Tree(t, s.home)
		s.run(0, "--version")
		if s.out != "memento 1.0.0, from "+r.URL+"/v1.0.0\n" || r.requests() != "" {
			t.Errorf("said %q", s.out)
		}
		fixture.Same(t, "saying the version", was, fixture.Tree(t, s.home))
		s.run(0, "--dry-run", "--version", "0.9.0")
		s.says("and check it against its own checksums.txt")
		fixture.Same(t, "a dry run", was, fixture.Tree(t, s.home))
		r.requests()

		s.run(0, "--version", "v0.9.0")
		s.says("memento 0.9.0 is not the release pinned here: it is checked against its own checksums.txt.\nThat " +
			"is as good as https")
		if got := r.requests(); got != "/v0.9.0/checksums.txt /v0.9.0/"+asset ||
			fixture.Read(t, s.bin()) != build("old") {
			t.Errorf("asked for %q", got)
		}
		s.run(0, "--version", "1.0.0")
		if got := r.requests(); got != wantRequest || strings.Contains(s.out, "is not the release pinned") {
			t.Errorf("asked for %q and said %q", got, s.out)
		}

		installed := fixture.Tree(t, s.home)
		s.run(1, "--version", "0.8.0")
		s.says("memento: download: " + r.URL + "/v0.8.0/checksums.txt: ")
		for name, list := range map[string]string{
			"two lines":  sha(build("old")) + "  " + asset + "\n" + sha("x") + "  " + asset + "\n",
			"half a sum": sha("x")[:32] + "  " + asset + "\n", "nothing": "",
		} {
			r.has("0.9.0", "checksums.txt", list)
			s.run(1, "--version", "0.9.0")
			s.says("the checksums of memento 0.9.0 do not list " + asset + " once")
			fixture.Same(t, name, installed, fixture.Tree(t, s.home))
		}
		r.has("0.9.0", "checksums.txt", sha(build("old"))+"  "+asset+"\n")
		r.has("0.9.0", asset, build("forged"))
		s.run(1, "--version", "0.9.0")
		s.says("has a wrong checksum")
		fixture.Same(t, "a wrong checksum", installed, fixture.Tree(t, s.home))
	})
}

// TestScriptInCheckoutWithoutGo: install.sh downloads the release, and ignores the sources.
func TestScriptInCheckoutWithoutGo(t *testing.T) {
	once(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		dir := checkout(t)
		s.file = filepath.Join(dir, "install.sh")
		fixture.Put(t, s.file, s.text, 0o755)
		s.text, s.path = "", toolbox(t, "curl", "sha256sum")
		s.run(0, "--version")
		s.says("memento 1.0.0, from " + r.URL)
		s.run(0)
		if got := r.requests(); got != wantRequest || fixture.Read(t, s.bin()) != build("one") {
			t.Errorf("asked for %q", got)
		}
		s.path = toolbox(t, "curl", "sha256sum", builder)
		s.run(0, "--version")
		s.says("memento 7.8.9, built from " + dir + "\n")
		s.run(0)
		if got := r.requests(); got != "" {
			t.Errorf("asked for %q, with Go", got)
		}
		s.run(0, "--version", "1.0.0")
		if got := r.requests(); got != wantRequest {
			t.Errorf("asked for %q, told a version", got)
		}
		// A saved install.sh is in no checkout.
		lone := filepath.Join(t.TempDir(), "install.sh")
		fixture.Put(t, lone, fixture.Read(t, s.file), 0o755)
		s.file = lone
		s.run(0)
		if got := r.requests(); got != wantRequest {
			t.Errorf("asked for %q, alone", got)
		}
	})
}

// TestScriptTools tries each program that downloads with each program that computes a checksum.
func TestScriptTools(t *testing.T) {
	once(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		for _, with := range [][]string{
			{"curl", "shasum"}, {"curl", "openssl"}, {"wget", "sha256sum"},
			{"busybox wget", "busybox sha256sum"}, alpine(), {"curl", "wget: exit 9", "openssl: exit 9", "sha256sum"},
		} {
			t.Run(strings.Join(with[:2], " and "), func(t *testing.T) {
				s.t, s.path = t, toolbox(t, with...)
				was := fixture.Tree(t, s.home)
				s.run(0)
				if fixture.Read(t, s.bin()) != build("one") {
					t.Error("not installed")
				}
				r.has("1.0.0", asset, build("forged"))
				defer r.has("1.0.0", asset, build("one"))
				s.run(1)
				s.says("has a wrong checksum, " + sha(build("forged")) + " in place of " + sha(build("one")) +
					", and was thrown away")
				s.run(0, "--uninstall")
				fixture.Same(t, "uninstalling", was, fixture.Tree(t, s.home))
			})
		}
		for _, tt := range []struct {
			name, want string
			with       []string
		}{
			{"neither curl nor wget", "there is neither curl nor wget to download with", []string{"sha256sum"}},
			{"nothing that computes a sum", "a download could not be checked: there is no sha256sum, shasum or openssl",
				[]string{"curl", "wget"}},
			{"a sha256sum that fails", "has a wrong checksum,  in place of", []string{"curl", "sha256sum: exit 1"}},
		} {
			t.Run(tt.name, func(t *testing.T) {
				s.t, s.path = t, toolbox(t, tt.with...)
				was := fixture.Tree(t, s.home)
				s.run(1)
				s.says(tt.want)
				fixture.Same(t, tt.name, was, fixture.Tree(t, s.home))
			})
		}
	})
}

// alpine returns the tools of a machine on which every tool is busybox.
func alpine() []string {
	with := []string{"busybox wget", "busybox sha256sum"}
	for _, tool := range tools {
		with = append(with, "busybox "+tool)
	}
	return with
}

func TestScriptPlatform(t *testing.T) {
	t.Parallel()
	s := newShell(t, "sh")
	tests := []struct{ system, machine, sysctl, want string }{
		{"Linux", "x86_64", "", "linux-amd64"},
		{"Linux", "aarch64", "", "linux-arm64"},
		{"Darwin", "arm64", "1", "darwin-arm64"},
		{"Darwin", "x86_64", "0", "darwin-amd64"},
		{"Darwin", "x86_64", "1", "darwin-arm64"}, // a shell under Rosetta
		{"Linux", "riscv64", "", "there is no binary for Linux riscv64"},
		{"Linux", "i686", "", "there is no binary for Linux i686"},
		{"FreeBSD", "amd64", "", "there is no binary for FreeBSD"},
		{"MINGW64_NT-10.0", "x86_64", "", "in Windows, PowerShell installs memento\nmemento: hint: powershell -c " +
			"\"irm https://"},
	}
	s.text = script(t, "1.0.0", nil)
	for _, tt := range tests {
		t.Run(tt.system+" "+tt.machine, func(t *testing.T) {
			s.t, s.path = t, toolbox(t, "curl", "sha256sum", "uname: echo "+tt.system+" "+tt.machine,
				"sysctl: echo "+tt.sysctl)
			if strings.Contains(tt.want, " ") {
				s.run(1, "--version")
				s.says(tt.want)
				return
			}
			s.run(0, "--dry-run")
			s.says("/v1.0.0/memento-" + tt.want + "\n")
		})
	}
}

// TestScriptAddresses: install.sh accepts https and this machine, and refuses addresses that only look like these.
func TestScriptAddresses(t *testing.T) {
	once(t, func(t *testing.T, s *shell) {
		offered(t, s)
		// No server runs at the proxy's address: a forbidden request fails, and its error shows it.
		nobody := "http://127.0.0.1:1"
		was := fixture.Tree(t, s.home)
		const refused = "is neither https nor on this machine"
		for url, want := range map[string]string{
			"http://mirror.example":                  refused,
			"http://127.0.0.1.example":               refused,
			"http://localhost:1@mirror.example/":     refused,
			"http://mirror.example#127.0.0.1":        refused,
			"http://mirror.example/http://127.0.0.1": refused,
			"file:///tmp":                            refused,
			"https://mirror.example/a b":             refused,
			"https://mirror.example/\n-o/etc/passwd": refused,
			"https://mirror.example/$(touch pwned)":  refused,
			"https://127.0.0.1:1":                    "memento: download: https://127.0.0.1:1/v1.0.0/",
			"http://[::1]:1/mirror":                  "memento: download: http://[::1]:1/mirror/v1.0.0/",
			"https://bob:s3cret@127.0.0.1:1/some/place": "memento: download: " +
				"https://***@127.0.0.1:1/some/place/v1.0.0/",
		} {
			s.env = []string{"MEMENTO_RELEASE_URL=" + url, "https_proxy=" + nobody, "http_proxy=" + nobody,
				"all_proxy=" + nobody}
			s.run(1)
			s.says(want)
			if strings.Contains(s.out+s.err, "s3cret") {
				t.Errorf("told a password: %q %q", s.out, s.err)
			}
			fixture.Same(t, url, was, fixture.Tree(t, s.home))
		}
	})
}

func TestScriptProxy(t *testing.T) {
	once(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		var asked []string
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			asked = append(asked, req.Method+" "+req.URL.String()+req.URL.Opaque)
			if req.Method == http.MethodConnect {
				http.Error(w, "no tunnel here", http.StatusForbidden)
				return
			}
			req.URL.Scheme, req.URL.Host = "http", r.Listener.Addr().String()
			r.ServeHTTP(w, req)
		}))
		t.Cleanup(proxy.Close)
		for _, loader := range []string{"curl", "wget", "busybox wget"} {
			t.Run(loader, func(t *testing.T) {
				asked = nil
				s.t, s.path = t, toolbox(t, loader, "sha256sum")
				s.env = []string{"MEMENTO_RELEASE_URL=http://127.0.0.1:1", "http_proxy=" + proxy.URL}
				s.run(0)
				if !slices.Equal(asked, []string{"GET http://127.0.0.1:1/v1.0.0/" + asset}) {
					t.Errorf("the proxy was asked for %q", asked)
				}
				if loader == "busybox wget" {
					return // this tool knows no exceptions
				}
				s.env = []string{r.env(), "http_proxy=" + proxy.URL, "NO_PROXY=127.0.0.1"}
				asked = nil
				s.run(0)
				if asked != nil {
					t.Errorf("the proxy was asked for %q", asked)
				}
				s.env = []string{"MEMENTO_RELEASE_URL=https://mirror.example", "HTTPS_PROXY=" + proxy.URL}
				s.run(1)
				if len(asked) == 0 || !strings.HasPrefix(asked[0], "CONNECT ") ||
					!strings.Contains(asked[0], "mirror.example:443") {
					t.Errorf("the proxy was asked for %q", asked)
				}
			})
		}
	})
}

// TestScriptHTTPS: install.sh refuses an unknown certificate, and a redirection to http.
func TestScriptHTTPS(t *testing.T) {
	once(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		secure := httptest.NewUnstartedServer(r)
		secure.Config.ErrorLog = log.New(io.Discard, "", 0) // a handshake that is refused, as it is to be
		secure.StartTLS()
		t.Cleanup(secure.Close)
		ca := filepath.Join(t.TempDir(), "ca.pem")
		fixture.Put(t, ca, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})),
			0o644)
		s.path = toolbox(t, "curl", "sha256sum")
		was := fixture.Tree(t, s.home)

		s.env = []string{"MEMENTO_RELEASE_URL=" + secure.URL}
		s.run(1)
		s.says("memento: download: " + secure.URL + "/v1.0.0/" + asset + ": curl: (60)")
		s.env = append(s.env, "CURL_CA_BUNDLE="+ca)
		r.does("0.9.0", "checksums.txt", func(w http.ResponseWriter, req *http.Request) {
			http.Redirect(w, req, r.URL+"/v1.0.0/checksums.txt", http.StatusFound)
		})
		s.run(1, "--version", "0.9.0")
		s.says("/v0.9.0/checksums.txt: curl: (1) Protocol \"http\"")
		fixture.Same(t, "refusing", was, fixture.Tree(t, s.home))

		r.does("2.0.0", asset, func(w http.ResponseWriter, req *http.Request) {
			http.Redirect(w, req, secure.URL+"/v1.0.0/"+asset, http.StatusFound)
		})
		s.env[0] = r.env()
		r.does("3.0.0", "checksums.txt", func(w http.ResponseWriter, req *http.Request) {
			http.Redirect(w, req, r.URL+"/v1.0.0/checksums.txt", http.StatusFound)
		})
		s.run(1, "--version", "3.0.0")
		s.says("/v3.0.0/checksums.txt: curl: (1) Protocol \"http\"")
		fixture.Same(t, "refusing", was, fixture.Tree(t, s.home))
		s.env[0] = "MEMENTO_RELEASE_URL=" + secure.URL
		r.has("2.0.0", "checksums.txt", sha(build("one"))+"  "+asset+"\n")
		s.run(0, "--version", "2.0.0")
		if fixture.Read(t, s.bin()) != build("one") {
			t.Error("not installed")
		}

		// wget follows a redirection to http silently, so it may not download the only sum.
		s.path = toolbox(t, "wget", "sha256sum")
		s.run(1, "--version", "2.0.0")
		s.says("release 2.0.0 is not pinned here, and checking it takes curl\nmemento: hint: that release's own " +
			"script has its pins: wget -qO- " + secure.URL + "/v2.0.0/install.sh | sh")
	})
}
