package sandbox

import "fmt"

// Values of Status, besides "unavailable: " and why.
const (
	StatusWorkspace = "workspace"
	StatusOff       = "off"
)

// Status says what holds for programs of an agent that asks for a sandbox: asked is
// "workspace", "off", or empty for what the kernel can.
func Status(asked string) string {
	if asked == StatusOff {
		return StatusOff
	}
	if err := probe(); err != nil {
		return "unavailable: " + err.Error()
	}
	return StatusWorkspace
}

// Confines says whether a program is to be confined where asked is as for Status. The
// error is for what is asked for by name and cannot be had.
func Confines(asked string) (bool, error) {
	switch {
	case asked == StatusOff:
		return false, nil
	case probe() == nil:
		return true, nil
	case asked == StatusWorkspace:
		return false, unavailable()
	}
	return false, nil
}

func unavailable() error {
	return fmt.Errorf("%w: %w; set local.sandbox to %q to run without", ErrUnavailable, probe(), StatusOff)
}
