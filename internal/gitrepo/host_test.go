package gitrepo

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// scratch gives the test a home of its own, without the settings of whoever runs it, and returns the home.
func scratch(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "GIT_") ||
			strings.HasPrefix(name, "SSH_") {
			t.Setenv(name, value) // so that the end of the test restores it
			os.Unsetenv(name)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	return home
}

// run runs a program and returns what it wrote.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// bare makes an empty bare repository that anybody with an account may push to.
func bare(t *testing.T, dir string) string {
	t.Helper()
	run(t, "git", "init", "-q", "--bare", dir)
	run(t, "git", "--git-dir="+dir, "config", "gc.auto", "0")
	return dir
}

// needGit returns git's path, and skips the test where there is none.
func needGit(t *testing.T) string {
	t.Helper()
	if Git() == "" {
		t.Skip("SKIPPED: no git on PATH")
	}
	return Git()
}

// serve serves the repositories below root by https, to alice with the password, and to mallory for reading, and
// returns the server's address. Its certificate is in GIT_SSL_CAINFO.
func serve(t *testing.T, root, password string) string {
	t.Helper()
	backend := filepath.Join(strings.TrimSpace(run(t, "git", "--exec-path")), "git-http-backend")
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		name, given, _ := req.BasicAuth()
		switch {
		case given != password:
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		case name == "mallory" && strings.Contains(req.URL.String(), "receive-pack"):
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		body, _ := io.ReadAll(req.Body) // a CGI program wants to know the length
		req.Body, req.ContentLength, req.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		(&cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1",
			"REMOTE_USER=" + name}, Stderr: io.Discard}).ServeHTTP(w, req)
	}))
	srv.Config.ErrorLog = nil
	t.Cleanup(srv.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	fixture.Write(t, ca, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw})))
	t.Setenv("GIT_SSL_CAINFO", ca)
	return strings.TrimPrefix(srv.URL, "https://")
}

// sshHost is an sshd on this machine's loopback.
type sshHost struct {
	address string // ssh://name@127.0.0.1:port
	dir     string
	key     string // the file of the key that opens it
}

// serveSSH starts an sshd that this user's new key opens, and lets ssh know the host.
func serveSSH(t *testing.T, home string) sshHost {
	t.Helper()
	sshd, err := exec.LookPath("sshd")
	if err != nil {
		sshd = "/usr/sbin/sshd"
	}
	if _, err := os.Stat(sshd); err != nil {
		t.Skip("SKIPPED: no sshd: install the package openssh-server")
	}
	if os.Getuid() == 0 {
		_ = os.MkdirAll("/run/sshd", 0o755) // sshd asks for it
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	h := sshHost{fmt.Sprintf("ssh://%s@127.0.0.1:%d", me.Username, port), t.TempDir(), ""}
	h.key = filepath.Join(home, ".ssh", "id_ed25519")
	fixture.Write(t, filepath.Join(home, ".ssh", "config"), "")
	for _, key := range []string{h.key, filepath.Join(h.dir, "host")} {
		run(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
	}
	public, _ := os.ReadFile(h.key + ".pub")
	fixture.Write(t, filepath.Join(h.dir, "authorized"), string(public))
	fixture.Write(t, filepath.Join(h.dir, "conf"), fmt.Sprintf("ListenAddress 127.0.0.1:%d\nHostKey %s/host\n"+
		"AuthorizedKeysFile %s/authorized\nStrictModes no\nPidFile none\nPasswordAuthentication no\n"+
		"KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\nUsePAM no\n", port, h.dir, h.dir))
	var said bytes.Buffer
	cmd := exec.Command(sshd, "-D", "-e", "-f", filepath.Join(h.dir, "conf"))
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Skip("SKIPPED: sshd does not start: " + err.Error())
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for wait := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			c.Close()
			break
		}
		if time.Now().After(wait) {
			cmd.Process.Kill()
			cmd.Wait()
			t.Skipf("SKIPPED: sshd does not listen: %s", said.String())
		}
	}
	host, _ := os.ReadFile(filepath.Join(h.dir, "host.pub"))
	fixture.Write(t, filepath.Join(home, ".ssh", "known_hosts"), fmt.Sprintf("[127.0.0.1]:%d %s", port, host))
	h.use(t, home, h.key)
	return h
}

// use lets ssh, which takes the home from the list of users, take it from here, with the key, "" for none.
func (h sshHost) use(t *testing.T, home, key string) {
	command := fmt.Sprintf("ssh -F none -o UserKnownHostsFile=%s/.ssh/known_hosts -o GlobalKnownHostsFile=/dev/null",
		home)
	if key != "" {
		command += " -o IdentitiesOnly=yes -i " + key
	} else {
		command += " -o IdentityFile=none"
	}
	t.Setenv("GIT_SSH_COMMAND", command)
}

// agentWith starts an ssh-agent that has the key, which is then nowhere else.
func agentWith(t *testing.T, key string) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "agent")
	cmd := exec.Command("ssh-agent", "-D", "-a", socket)
	if err := cmd.Start(); err != nil {
		t.Skip("SKIPPED: ssh-agent does not start: " + err.Error())
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for wait := time.Now().Add(10 * time.Second); !exists(socket) && time.Now().Before(wait); {
		time.Sleep(10 * time.Millisecond)
	}
	t.Setenv("SSH_AUTH_SOCK", socket)
	run(t, "ssh-add", "-q", key)
	os.Remove(key)
}
