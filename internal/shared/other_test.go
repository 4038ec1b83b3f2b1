//go:build !unix

package shared

import "errors"

func pipe(string) error { return errors.New("this system has no pipes in folders") }
