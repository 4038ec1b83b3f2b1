package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// What git, ssh and hosts say, in several versions.
func TestSaid(t *testing.T) {
	const access = "\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access " +
		"rights\n" +
		"and the repository exists.\n"
	for said, want := range map[string]string{
		"ssh: Could not resolve hostname desk: Name or service not " +
			"known" + access: "could not use",
		"fatal: unable to access 'https://h/x/': Failed to connect to h port 443 after 130 ms: Timeout was " +
			"reached\n": "could not use",
		"git@github.com: Permission denied (publickey," +
			"password)." + access: "let you in",
		"No ED25519 host key is known for h and you have requested strict checking.\nHost key verification failed." +
			access: "let you in",
		"remote: HTTP Basic: Access denied. The provided password or token is incorrect\nfatal: Authentication " +
			"failed for 'https://h/'": "let you in",
		"fatal: could not read Password for 'https://me@h': terminal prompts " +
			"disabled\n": "let you in",
		"remote: Permission to a/b.git denied to c.\nfatal: unable to access 'https://h/': The requested URL " +
			"returned error: 403\n": "let you in",
		"ERROR: This repository was archived so it is " +
			"read-only." + access: "let you in",
		"ERROR: Repository not " +
			"found." + access: "no repository",
		"remote: The project you were looking for could not be found or you don't have permission to view " +
			"it." + access: "no repository",
		"remote: Not Found\nfatal: repository 'https://h/x/' not " +
			"found\n": "no repository",
		"fatal: '/srv/x.git' does not appear to be a git " +
			"repository" + access: "no repository",
		"fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack " +
			"output\n": "the disk is full",
		"fatal: remote did not send all necessary " +
			"objects\n": "damaged",
		"fatal: bad object " +
			"refs/heads/main\n": "damaged",
		"fatal: something new for " +
			"'https://me:s3cret@h/x'\n": "could not use",
	} {
		err := problemOf("https://me:s3cret@h/x", "",
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
		err := problemOf("/x", status, &gitError{"", errors.New("exit status 1")})
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
		"ssh://git:s3cret@host:22/x.git": "ssh://***@host:22/x.git",
		"ssh://git@host/x.git":           "ssh://git@host/x.git",
		"git@host:x.git":                 "git@host:x.git",
		"/srv/x.git":                     "/srv/x.git",
	} {
		if got := Mask(url); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
	if got := mask("https://me:p%40s3cret@h/x", "token p%40s3cret"); strings.Contains(got, "s3cret") {
		t.Error(got)
	}
}

// private: nobody else can read the repository, whoever wrote its files.
func private(t *testing.T, dir string) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			t.Fatal(err)
		}
		if d.Name() == "FETCH_HEAD" { // it holds no words
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
			t.Errorf("%s: %v", path, info.Mode())
		}
		return nil
	})
}
