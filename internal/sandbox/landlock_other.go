//go:build !linux

package sandbox

import "errors"

// probe says why programs cannot be confined here.
func probe() error { return errors.New("only Linux has Landlock") }
