package e2e

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// github stands in for github.com, on loopback: a proxy for HTTPS that accepts connections to that host alone, and
// answers them with a certificate of its own. The client fetches an archive from public hosts only, and reaches this
// one through the proxy (client 2.1.329).
type github struct {
	proxy string // HTTPS_PROXY
	roots string // NODE_EXTRA_CA_CERTS

	mu    sync.Mutex
	files map[string][]byte // by path
	asked []string          // METHOD URL; CONNECT HOST for another host
}

func newGithub(t *testing.T) *github {
	t.Helper()
	const name = "github.com"
	made := func(template, parent *x509.Certificate, key, signer *ecdsa.PrivateKey) []byte {
		template.SerialNumber, template.Subject = big.NewInt(time.Now().UnixNano()),
			pkix.Name{CommonName: "A test of memento"}
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
		der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ca := &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	root := made(ca, ca, key, key)
	site := made(&x509.Certificate{DNSNames: []string{name}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, ca, key, key)

	g := &github{files: map[string][]byte{}, roots: filepath.Join(t.TempDir(), "roots.pem")}
	if err := os.WriteFile(g.roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root}),
		0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(g)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{site}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	proxy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { proxy.Close() })
	g.proxy = "http://" + proxy.Addr().String()
	go func() {
		for {
			c, err := proxy.Accept()
			if err != nil {
				return
			}
			go g.tunnel(c, name+":443", server.Listener.Addr().String())
		}
	}()
	return g
}

// tunnel answers one CONNECT: it connects a request for host with the server at addr, and refuses and notes every
// other.
func (g *github) tunnel(c net.Conn, host, addr string) {
	defer c.Close()
	in := bufio.NewReader(c)
	r, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	if r.Method != http.MethodConnect || r.Host != host {
		g.note(r.Method + " " + r.Host)
		fmt.Fprint(c, "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
		return
	}
	to, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer to.Close()
	fmt.Fprint(c, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		_, _ = io.Copy(to, in)
		to.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(c, to)
}

func (g *github) note(what string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, what)
}

// all returns the requests so far.
func (g *github) all() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.asked)
}

func (g *github) put(path string, data []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.files[path] = data
}

func (g *github) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.note(r.Method + " " + r.URL.Path)
	g.mu.Lock()
	data, ok := g.files[r.URL.Path]
	g.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(data)
}

// TestInstallArchive installs from the release's own marketplace: the client fetches the zip, refuses one with
// another checksum and keeps the run bits. The first session has memory at once, on a machine without Go and Node,
// and downloads nothing.
func TestInstallArchive(t *testing.T) {
	onUnix(t)
	w := newWorld(t)
	w.path = w.plain()
	now, _ := releases(t)
	dist, site := assets(t), newGithub(t)
	name := "memento-plugin_" + now.version + ".zip"
	path := "/mementohq/memento/releases/download/v" + now.version + "/" + name
	zip, err := os.ReadFile(filepath.Join(dist, name))
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"HTTPS_PROXY=" + site.proxy, "HTTP_PROXY=" + site.proxy, "NO_PROXY=127.0.0.1",
		"NODE_EXTRA_CA_CERTS=" + site.roots}
	run := func(args ...string) (string, error) {
		cmd := exec.Command(claude, args...)
		cmd.Dir, cmd.Env = w.dir, append(Environment(w.path, w.home, w.temp, "http://127.0.0.1:9"), env...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}

	// The marketplace is a folder. The client also takes a file of any name as a marketplace and installs from it,
	// but then no session finds the plugin: the client takes the file's grandparent for the marketplace (client
	// 2.1.329).
	market := filepath.Join(filepath.Dir(w.home), "my market")
	listing, err := os.ReadFile(filepath.Join(dist, "marketplace.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(market, ".claude-plugin"), 0o755); err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, filepath.Join(market, ".claude-plugin", "marketplace.json"), string(listing))
	want(t, "validate", w.client("plugin", "validate", "--strict", market), "Validation passed")
	w.client("plugin", "marketplace", "add", market)
	tampered := slices.Clone(zip)
	tampered[len(tampered)/2] ^= 1
	site.put(path, tampered)
	if out, err := run("plugin", "install", "memento@mementohq"); err == nil ||
		!strings.Contains(out, "integrity check failed") {
		t.Errorf("a zip with one bit flipped: %v\n%s", err, out)
	}
	if found, _ := filepath.Glob(w.config("plugins", "cache", "mementohq", "*", "*")); len(found) > 0 {
		t.Errorf("kept of what was refused: %q", found)
	}
	site.put(path, zip)
	if out, err := run("plugin", "install", "memento@mementohq"); err != nil ||
		!strings.Contains(out, "Successfully installed") {
		t.Fatalf("install: %v\n%s", err, out)
	}
	if got, all := site.all(), []string{"GET " + path, "GET " + path}; !slices.Equal(got, all) {
		t.Errorf("the client asked for %q, not %q", got, all)
	}
	programs, err := filepath.Glob(filepath.Join(filepath.Dir(w.launcher(now.version)), "*", "memento"))
	if err != nil || len(programs) != 4 {
		t.Errorf("%d platforms' binaries in the bundle: %q, %v", len(programs), programs, err)
	}
	for _, p := range append(programs, w.launcher(now.version)) {
		if i, err := os.Stat(p); err != nil || i.Mode().Perm()&0o111 != 0o111 {
			t.Errorf("%s does not run: %v, %v", p, i, err)
		}
	}
	if !script(w.launcher(now.version)) {
		t.Error("bin/memento is no launcher")
	}

	r := w.bare(Session{
		// No server runs at the address for downloads.
		Env:     []string{"MEMENTO_RELEASE_URL=http://127.0.0.1:9"},
		Prompts: []string{mission, second, "/compact", "Go on."},
		Script:  Script{Main: append([]Turn{Say("I will look at the session handling.")}, noted()...)},
		Ask:     true,
	})
	quiet(t, r)
	told(t, r, "^"+back)
	restored(t, one(t, "the block", r.Said("SessionStart:compact")), last(t, r), first)
	if !binary(w.launcher(now.version)) {
		t.Error("the launcher did not make way for the binary beside it")
	}
}
