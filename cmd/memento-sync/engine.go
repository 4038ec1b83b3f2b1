package main

import (
	"context"
	"errors"

	"github.com/mementohq/memento/internal/cli"
)

// engine is the companion that memento-sync plugs into the command line.
type engine struct{}

var errMissing = errors.New("this build has no engine")

func (engine) Sync(context.Context, cli.SyncOptions, func(string)) (cli.SyncReport, error) {
	return cli.SyncReport{}, errMissing
}

func (engine) Status(cli.SyncOptions) (cli.SyncStatus, error) { return cli.SyncStatus{}, nil }

func (engine) Versions(cli.SyncOptions, string) ([]cli.KeptVersion, error) { return nil, errMissing }

func (engine) ReadVersion(cli.SyncOptions, string, cli.KeptVersion) ([]byte, error) {
	return nil, errMissing
}

func (engine) Off(cli.SyncOptions) (cli.SyncStatus, error) { return cli.SyncStatus{}, nil }
