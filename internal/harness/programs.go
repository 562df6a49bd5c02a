package harness

import (
	"os"
	"slices"
	"strings"

	"github.com/gobdk/bdk/internal/sandbox"
	"github.com/gobdk/bdk/internal/workspace"
)

// Programs say how programs run for a session.
type Programs struct {
	// Environ is the host's environment, "NAME=value"; programs see a few of its
	// variables, and never a secret.
	Environ []string
	// Sandbox is what the agent asks for: "workspace", "off", or empty for what the
	// kernel can.
	Sandbox string
	// Owner names the host, so that its successor finds what a crash left running.
	Owner string
}

// passed are the variables of the host that programs see.
var passed = []string{"PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LOGNAME"}

// defaultPath is where programs are looked for when the host's environment does not say.
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// environ is the environment of a program.
func (p *Programs) environ(s workspace.Scratch) []string {
	env := map[string]string{"PATH": defaultPath, "LANG": "C.UTF-8"}
	for _, pair := range p.Environ {
		if name, value, ok := strings.Cut(pair, "="); ok && value != "" && slices.Contains(passed, name) {
			env[name] = value
		}
	}
	env["HOME"], env["TMPDIR"], env["TERM"] = s.Home, s.Tmp, "dumb"
	list := make([]string, 0, len(env))
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

// program is what holds for all programs that run in a workspace.
func (p *Programs) program(dir string, s workspace.Scratch, userFolder bool) (*sandbox.Program, error) {
	confine, err := sandbox.Confines(p.Sandbox)
	if err != nil {
		return nil, err
	}
	// What a program was to find there may have been removed by the one before.
	for _, d := range []string{s.Home, s.Tmp} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	return &sandbox.Program{
		Dir: dir, Env: p.environ(s), Owner: p.Owner,
		Confine: confine, Writable: []string{dir, s.Home, s.Tmp},
		KeepPrivileges: p.Sandbox == sandbox.StatusOff, KeepUmask: userFolder,
	}, nil
}
