package cli

import (
	"encoding/json"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by a release build with -ldflags "-X …cli.version=v1.2.3".
var version string

// Version is the program's version: that of the release, else what the Go tool
// knows of the build, else "dev".
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// revision is the commit that the program was built from, empty when unknown.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}

func (a *app) newVersion() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  bdk version\n  bdk version --json",
		Args:    takesNothing,
		RunE: func(*cobra.Command, []string) error {
			if !asJSON {
				return a.print("bdk %s %s %s/%s\n", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			}
			return a.printJSON(struct {
				Version  string `json:"version"`
				Revision string `json:"revision,omitempty"`
				Go       string `json:"go"`
				OS       string `json:"os"`
				Arch     string `json:"arch"`
			}{Version(), revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// printJSON writes a value as indented JSON to stdout.
func (a *app) printJSON(v any) error {
	return encodeJSON(a.Stdout, v)
}

// encodeJSON writes a value as people read it.
func encodeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
