package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

// What git, ssh and hosts say, in several versions.
func TestSaid(t *testing.T) {
	const access = "\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\n" +
		"and the repository exists.\n"
	for said, want := range map[string]string{
		"ssh: Could not resolve hostname desk: Name or service not known" +
			access: "its host is unknown",
		"ssh: Could not resolve hostname desk: nodename nor servname provided, or not known" +
			access: "its host is unknown",
		"ssh: connect to host desk port 22: Connection timed out" +
			access: "cannot be reached",
		"ssh: connect to host desk port 22: No route to host" +
			access: "cannot be reached",
		"fatal: unable to access 'https://h/x/': Failed to connect to h port 443 after 130 ms: Timeout was reached\n":             "cannot be reached",
		"error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502\nfatal: the remote end hung up unexpectedly\n": "cannot be reached",
		"git@github.com: Permission denied (publickey,password)." +
			access: "ssh key",
		"Received disconnect from 1.2.3.4 port 22:2: Too many authentication failures" +
			access: "ssh key",
		"@@@@@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\n@@@@@@@\nHost key verification failed." +
			access: "not the one",
		"No ED25519 host key is known for h and you have requested strict checking.\nHost key verification failed." +
			access: "not the one",
		"remote: Support for password authentication was removed on August 13, 2021.\nfatal: Authentication failed for 'https://h/x/'\n": "password or token",
		"remote: HTTP Basic: Access denied. The provided password or token is incorrect\nfatal: Authentication failed for 'https://h/'":  "password or token",
		"fatal: could not read Password for 'https://me@h': terminal prompts disabled\n":                                                 "password or token",
		"remote: Permission to a/b.git denied to c.\nfatal: unable to access 'https://h/': The requested URL returned error: 403\n":      "may not write",
		"ERROR: Permission to a/b.git denied to deploy key" +
			access: "may not write",
		"ERROR: The key you are authenticating with has been marked as read only." +
			access: "may not write",
		"ERROR: This repository was archived so it is read-only." +
			access: "may not write",
		"remote: You are not allowed to push code to this project.\nfatal: unable to access 'https://h/'\n": "may not write",
		"remote: error: insufficient permission for adding an object to repository database ./objects\n":    "may not write",
		"ERROR: Repository not found." +
			access: "no repository",
		"remote: The project you were looking for could not be found or you don't have permission to view it." +
			access: "no repository",
		"remote: Not Found\nfatal: repository 'https://h/x/' not found\n": "no repository",
		"fatal: '/srv/x.git' does not appear to be a git repository" +
			access: "no repository",
		"fatal: protocol error: bad line length character: Welc\n":                                                 "could not use",
		"fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output\n":              "disk is full",
		"remote: fatal: write error: Disk quota exceeded\nerror: remote unpack failed: index-pack abnormal exit\n": "disk is full",
		"fatal: detected dubious ownership in repository at '/srv/x.git'\n":                                        "git refuses",
		"fatal: unsafe repository ('/srv/x.git' is owned by someone else)\n":                                       "git refuses",
		"fatal: unable to access 'https://h/': SSL certificate problem: self signed certificate\n":                 "certificate",
		"fatal: unable to access 'https://h/': Peer's Certificate issuer is not recognized.\n":                     "certificate",
		"remote: error: File a.jsonl is 123.00 MB; this exceeds GitHub's file size limit of 100.00 MB\n":           "too large",
		"error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413\n":                              "too large",
		"fatal: remote did not send all necessary objects\n":                                                       "damaged",
		"fatal: bad object refs/heads/main\n":                                                                      "damaged",
		"fatal: the remote end hung up unexpectedly\nfatal: early EOF\n":                                           "broke",
		"fatal: something new for 'https://me:s3cret@h/x'\n":                                                       "could not use",
	} {
		err := problemOf(Remote{URL: "https://me:s3cret@h/x", Git: "git"}, "",
			&gitError{said, errors.New("exit status 128")})
		var p *Problem
		if !errors.As(err, &p) || !strings.Contains(p.What, want) || p.Why == "" || p.Hint == "" ||
			strings.Contains(fmt.Sprint(p, p.Hint), "s3cret") {
			t.Errorf("%q:\n\t%v (%s)\n\twant %q", said, err, p.Hint, want)
		}
	}
	for status, rejected := range map[string]bool{
		"[rejected] (stale info)": true, "[rejected] (fetch first)": true, "[rejected] (non-fast-forward)": true,
		"[remote rejected] (failed to update ref)":                            true,
		"[remote rejected] (cannot lock ref 'refs/heads/main': is at a)":      true,
		"[remote rejected] (incorrect old value provided)":                    true,
		"[remote rejected] (pre-receive hook declined)":                       false,
		"[remote rejected] (protected branch hook declined)":                  false,
		"[remote rejected] (push declined due to repository rule violations)": false,
		"[remote rejected] (non-fast-forward)":                                false,
		"[remote rejected] (unpacker error)":                                  false,
		"[remote rejected] (branch is currently checked out)":                 false,
		"[remote rejected] (a new reason)":                                    false,
	} {
		err := rejection(Remote{URL: "/x"}, status, &gitError{"", errors.New("exit status 1")})
		var p *Problem
		if errors.Is(err, ErrRejected) != rejected || !rejected &&
			(!errors.As(err, &p) || p.Why == "" || p.Hint == "") {
			t.Errorf("%s: %v", status, err)
		}
	}
}

func TestMask(t *testing.T) {
	for url, want := range map[string]string{
		"https://me:s3cret@host/x.git":   "https://***@host/x.git",
		"https://ghp_s3cret@host/x.git":  "https://***@host/x.git",
		"https://me:s3c@ret@host/x.git":  "https://***@host/x.git",
		"HTTP://me:s3cret@host":          "HTTP://***@host",
		"ssh://git:s3cret@host:22/x.git": "ssh://git:***@host:22/x.git",
		"ssh://git@host/x.git":           "ssh://git@host/x.git",
		"git@host:x.git":                 "git@host:x.git",
		"/srv/x.git":                     "/srv/x.git",
	} {
		if got := Mask(url); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
	if got := mask("https://me:p%40s3cret@h/x", "token p@s3cret and p%40s3cret"); strings.Contains(got, "s3cret") {
		t.Error(got)
	}
}

// Of many that push at the same time one succeeds; the others are told so, fetch, and succeed in turn.
func TestRace(t *testing.T) {
	fixture.Long(t, "starts programs for each request")
	git := needGit(t)
	scratch(t)
	dir := bare(t, filepath.Join(t.TempDir(), "remote.git"))
	at := Remote{URL: dir, Git: git, Batch: true}
	const pushers = 4
	done := make(chan error, pushers)
	for i := range pushers {
		r := open(t, filepath.Join(t.TempDir(), "r"))
		go func() { done <- pushOwn(r, at, fmt.Sprintf("%d.md", i)) }()
	}
	for range pushers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if files := strings.Fields(run(t, "git", "--git-dir="+dir, "ls-tree", "--name-only",
		"main")); len(files) != pushers {
		t.Errorf("the remote has %q", files)
	}
}

// pushOwn adds a file to what the remote has, as often as it takes.
func pushOwn(r *Repo, at Remote, name string) error {
	for {
		head, err := r.Fetch(context.Background(), at)
		if err != nil {
			return err
		}
		files, parents := map[string]ID{}, []ID(nil)
		if head != "" {
			if files, err = r.Files(head); err != nil {
				return err
			}
			parents = []ID{head}
		}
		if files[name], err = r.Put([]byte(name)); err != nil {
			return err
		}
		id, err := r.Commit(files, parents, name, "sync", noon)
		if err != nil {
			return err
		}
		if err := r.Push(context.Background(), at, id, head); !errors.Is(err, ErrRejected) {
			return err
		}
	}
}

func TestDiskFull(t *testing.T) {
	r := open(t, filepath.Join(t.TempDir(), "r"))
	defer safefile.TestOnlyFault(nil)
	safefile.TestOnlyFault(func(op, path string) error {
		if op == "write" {
			return syscall.ENOSPC
		}
		return nil
	})
	id, _ := r.Put([]byte("x"))
	_, err := r.Commit(map[string]ID{"x": id}, nil, "desk", "m", noon)
	if !errors.Is(err, syscall.ENOSPC) || safefile.Hint(err) == "" {
		t.Error(err)
	}
	safefile.TestOnlyFault(nil)
	if _, err := r.Commit(map[string]ID{"x": id}, nil, "desk", "m", noon); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

// private: nobody else can read the repository, whoever wrote its files.
func private(t *testing.T, dir string) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			t.Fatal(err)
		}
		if info, err := d.Info(); err == nil && info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
			t.Errorf("%s: %v", path, info.Mode())
		}
		return nil
	})
}
