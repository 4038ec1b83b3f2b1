package gitrepo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/revlist"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/client"
	gogitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"github.com/go-git/go-git/v5/storage/filesystem"
	sshagent "github.com/xanzy/ssh-agent"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/mementohq/memento/internal/safefile"
)

// This file speaks with a remote where the person has no git: by https, and by ssh with the agent or the usual keys.

// connectWait is how long ssh waits for an answer where the caller set no deadline.
const connectWait = 30 * time.Second

// endpoint returns the address of a remote as go-git has it, and how to log in, nil for what the address says.
func endpoint(ctx context.Context, at Remote) (*transport.Endpoint, transport.AuthMethod, error) {
	ep, err := transport.NewEndpoint(at.URL)
	if err != nil {
		return nil, nil, problemOf(at, "", err)
	}
	switch ep.Protocol {
	case "https", "http":
		if file := value(orOurs(at.Env), "GIT_SSL_CAINFO"); file != "" {
			if ep.CaBundle, err = safefile.ReadForeign(file, 16<<20); err != nil {
				return nil, nil, problemOf(at, "", err)
			}
		}
		return ep, nil, nil
	case "ssh":
		return ep, newLogin(ctx, ep), nil
	}
	return nil, nil, &Problem{What: "there is no git here", Why: "only https and ssh go without git",
		Hint: "install git, then sync again"}
}

func orOurs(env []string) []string {
	if env == nil {
		return os.Environ()
	}
	return env
}

// fetch is Fetch without git.
func (r *Repo) fetch(ctx context.Context, from Remote) (ID, error) {
	ep, auth, err := endpoint(ctx, from)
	if err != nil {
		return "", err
	}
	remote := git.NewRemote(&receiver{r.store, r}, &config.RemoteConfig{Name: "sync", URLs: []string{from.URL}})
	spec := config.RefSpec("+" + theirs + ":" + string(fetched))
	err = remote.FetchContext(ctx, &git.FetchOptions{RemoteName: "sync", RefSpecs: []config.RefSpec{spec},
		Tags: git.NoTags,
		Auth: auth, CABundle: ep.CaBundle, Force: true})
	var none git.NoMatchingRefSpecError
	switch {
	case err == nil, errors.Is(err, git.NoErrAlreadyUpToDate):
		r.reopen()
		return r.ref(fetched)
	case errors.Is(err, transport.ErrEmptyRemoteRepository):
		return "", nil
	case errors.As(err, &none):
		return "", ErrForeign
	case ctx.Err() != nil:
		return "", ctx.Err()
	}
	return "", problemOf(from, "", err)
}

// receiver lets go-git write into the repository as everything else is written: forced to the disk.
type receiver struct {
	*filesystem.Storage
	r *Repo
}

func (s *receiver) PackfileWriter() (io.WriteCloser, error) { return &packReceiver{r: s.r}, nil }

func (s *receiver) SetReference(ref *plumbing.Reference) error {
	return s.r.setRef(ref.Name(), ID(ref.Hash().String()))
}

func (s *receiver) CheckAndSetReference(ref, _ *plumbing.Reference) error { return s.SetReference(ref) }

// maxPack is the size in bytes of the largest pack that is received without git, which holds it in memory.
const maxPack = 1 << 30

// packReceiver gathers a pack.
type packReceiver struct {
	bytes.Buffer
	r *Repo
}

func (p *packReceiver) Write(data []byte) (int, error) {
	if p.Len()+len(data) > maxPack {
		return 0, fmt.Errorf("%w: the remote sends more than %d MB; install git", safefile.ErrTooLarge, maxPack>>20)
	}
	return p.Buffer.Write(data)
}

// Close stores the pack, unless nothing came.
func (p *packReceiver) Close() error {
	if p.Len() == 0 {
		return nil
	}
	return p.r.storePack(p.Bytes())
}

// push is Push without git.
func (r *Repo) push(ctx context.Context, to Remote, commit, expect ID) error {
	ep, auth, err := endpoint(ctx, to)
	if err != nil {
		return err
	}
	if err := r.send(ctx, ep, auth, commit, expect); err != nil {
		switch {
		case errors.Is(err, ErrRejected):
			return ErrRejected
		case ctx.Err() != nil:
			return ctx.Err()
		}
		return rejection(to, err.Error(), err)
	}
	return nil
}

func (r *Repo) send(ctx context.Context, ep *transport.Endpoint, auth transport.AuthMethod, commit, expect ID) error {
	by, err := client.NewClient(ep)
	if err != nil {
		return err
	}
	session, err := by.NewReceivePackSession(ep, auth)
	if err != nil {
		return err
	}
	defer session.Close()
	they, err := session.AdvertisedReferencesContext(ctx)
	if err != nil && !errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return err
	}
	at := ID("")
	if h, ok := they.References[theirs]; ok {
		at = ID(h.String())
	}
	if at == commit {
		return nil
	}
	if at != expect {
		return ErrRejected
	}
	req := packp.NewReferenceUpdateRequestFromCapabilities(they.Capabilities)
	old, have := plumbing.ZeroHash, []plumbing.Hash(nil)
	if expect != "" {
		if old, err = hash(expect); err != nil {
			return err
		}
		if r.has(old) {
			have = append(have, old)
		}
	}
	tip, err := hash(commit)
	if err != nil {
		return err
	}
	req.Commands = []*packp.Command{{Name: theirs, Old: old, New: tip}}
	objects, err := revlist.Objects(r.store, []plumbing.Hash{tip}, have)
	if err != nil {
		return err
	}
	var pack bytes.Buffer
	if _, err := packfile.NewEncoder(&pack, r.store, false).Encode(objects, 0); err != nil {
		return err
	}
	req.Packfile = io.NopCloser(&pack)
	report, err := session.ReceivePack(ctx, req)
	if err == nil && report != nil {
		err = report.Error()
	}
	return err
}

// login is how ssh logs in without git: with the keys of the agent, then with those in files, if no passphrase guards
// them. Host keys come from known_hosts.
type login struct {
	name    string
	agent   agent.Agent // nil for none
	files   []string
	timeout time.Duration
}

func newLogin(ctx context.Context, ep *transport.Endpoint) *login {
	l := &login{name: ep.User, timeout: connectWait}
	if until, ok := ctx.Deadline(); ok {
		l.timeout = min(l.timeout, max(time.Until(until), time.Millisecond))
	}
	if l.name == "" {
		l.name = gogitssh.DefaultSSHConfig.Get(ep.Host, "User")
	}
	if l.name == "" {
		if u, err := user.Current(); err == nil {
			l.name = u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
		}
	}
	if sshagent.Available() {
		l.agent, _, _ = sshagent.New()
	}
	home, _ := os.UserHomeDir()
	if file := gogitssh.DefaultSSHConfig.Get(ep.Host, "IdentityFile"); file != "" {
		if rest, ok := strings.CutPrefix(file, "~/"); ok {
			file = filepath.Join(home, filepath.FromSlash(rest))
		}
		l.files = append(l.files, file)
	}
	for _, name := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
		l.files = append(l.files, filepath.Join(home, ".ssh", name))
	}
	return l
}

func (l *login) Name() string   { return "ssh-public-keys" }
func (l *login) String() string { return cmp.Or(l.name, "nobody") + " with ssh keys" }

func (l *login) ClientConfig() (*ssh.ClientConfig, error) {
	return &ssh.ClientConfig{User: l.name, Timeout: l.timeout,
		Auth: []ssh.AuthMethod{ssh.PublicKeysCallback(l.signers)}}, nil
}

// signers returns the keys, the agent's first.
func (l *login) signers() ([]ssh.Signer, error) {
	var signers []ssh.Signer
	if l.agent != nil {
		signers, _ = l.agent.Signers() // an agent without an answer has no keys
	}
	for _, file := range l.files {
		data, err := safefile.ReadForeign(file, 1<<20)
		if err != nil {
			continue
		}
		if s, err := ssh.ParsePrivateKey(data); err == nil {
			signers = append(signers, s)
		}
	}
	if len(signers) == 0 {
		return nil, errors.New("no ssh key: the agent has none, and neither has ~/.ssh one without a passphrase")
	}
	return signers, nil
}
