package project

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain holds that a closed project leaves no goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
