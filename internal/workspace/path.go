package workspace

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds on what one caller may put into a workspace.
const (
	// MaxFiles is the number of files of one request.
	MaxFiles = 1000
	// MaxBytes is the size of their contents together.
	MaxBytes = 10 << 20
	// MaxPath is the length of a path in bytes.
	MaxPath = 1024
	// MaxSegment is the length of one name of a path in bytes.
	MaxSegment = 255
)

// A PathError says which path was refused and why. Path may hold anything that a
// caller sent; Error quotes it.
type PathError struct{ Path, Reason string }

// Error names the path, cut when it is long, and the reason.
func (e *PathError) Error() string {
	p := e.Path
	if len(p) > 200 {
		p = strings.ToValidUTF8(p[:200], "") + "…"
	}
	return fmt.Sprintf("path %q %s", p, e.Reason)
}

// A NewFile is a file that a caller wants in a workspace.
type NewFile struct {
	Path    string
	Content []byte
}

// CheckFiles is Check with the bound on the size of all contents together.
func CheckFiles(files []NewFile) error {
	paths := make([]string, len(files))
	total := 0
	for i, f := range files {
		paths[i] = f.Path
		if total += len(f.Content); total > MaxBytes {
			return &PathError{f.Path, fmt.Sprintf("brings the files to more than %d bytes; send less", MaxBytes)}
		}
	}
	return Check(paths)
}

// Check refuses a set of paths that a caller wants in a workspace, all or nothing.
// The error is a *PathError for the first bad one. Besides what CheckPath refuses
// these are: names that would change how the host or git behaves, two spellings of
// one file or folder, a file where another path needs a folder, and too many files.
func Check(paths []string) error {
	if len(paths) > MaxFiles {
		return &PathError{paths[MaxFiles], fmt.Sprintf("is one file too many; at most %d are taken at once", MaxFiles)}
	}
	for _, p := range paths {
		if err := CheckPath(p); err != nil {
			return err
		}
		if why := Reserved(p); why != "" {
			return &PathError{p, why}
		}
	}
	return conflicts(paths)
}

// CheckPath refuses a path that is not plain on every system: it must be relative,
// slash-separated, NFC, within the length bounds, and made of names that mean
// themselves everywhere. The error is a *PathError.
func CheckPath(p string) error {
	if why := badWhole(p); why != "" {
		return &PathError{p, why}
	}
	for name := range strings.SplitSeq(p, "/") {
		if why := badName(name); why != "" {
			return &PathError{p, why}
		}
	}
	if strings.HasPrefix(p, "~/") {
		return &PathError{p, "starts with ~/, which means a home folder elsewhere; use another name"}
	}
	return nil
}

// badWhole says what is wrong with a path as a whole, or nothing.
func badWhole(p string) string {
	switch {
	case p == "":
		return "is empty"
	case len(p) > MaxPath:
		return fmt.Sprintf("is longer than %d bytes", MaxPath)
	case !utf8.ValidString(p):
		return "is not UTF-8"
	case p[0] == '/':
		return "is absolute; give it relative to the workspace"
	case strings.ContainsRune(p, '\\'):
		return "has a backslash; separate names by slashes"
	case strings.ContainsRune(p, ':'):
		return "has a colon, which names a drive or a stream on some systems"
	case strings.ContainsFunc(p, control):
		return "has a control character"
	case !norm.NFC.IsNormalString(p):
		return fmt.Sprintf("is not in Unicode form NFC; send %q", norm.NFC.String(p))
	}
	return ""
}

// control also holds the two Unicode line ends, which split lines in logs and lists.
func control(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

// badName says what is wrong with one name of a path, or nothing.
func badName(name string) string {
	switch {
	case name == "":
		return "has an empty part"
	case name == "." || name == "..":
		return "has the part " + name
	case len(name) > MaxSegment:
		return fmt.Sprintf("has a part of more than %d bytes", MaxSegment)
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return "has a part that ends in a dot or a space"
	case disguised(name):
		return "has a part that other programs read as a dot, a slash or other letters"
	case device(name):
		return "has the name of a device on some systems"
	}
	return ""
}

// disguised finds names that turn into path syntax, or into another name, when
// somebody decodes percent signs or folds compatibility forms.
func disguised(name string) bool {
	if strings.ContainsFunc(name, func(r rune) bool { return r >= 'ﬀ' && r <= 'ﬆ' }) {
		return true
	}
	return syntax(norm.NFKC.String(name)) || strings.ContainsRune(name, '%') && syntax(unescape(name))
}

// syntax says whether a decoded name would not be one plain name.
func syntax(name string) bool {
	return name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00")
}

// unescape decodes the escapes that matter here and leaves everything else.
func unescape(name string) string {
	return escapes.Replace(strings.ToLower(name))
}

var escapes = strings.NewReplacer("%2e", ".", "%2f", "/", "%5c", `\`, "%00", "\x00",
	"%252e", ".", "%252f", "/", "%255c", `\`, "%2500", "\x00")

// device knows the names that Windows gives to devices, with any extension.
func device(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	rest, ok := strings.CutPrefix(base, "COM")
	if !ok {
		rest, ok = strings.CutPrefix(base, "LPT")
	}
	return ok && utf8.RuneCountInString(rest) == 1 && strings.Contains("0123456789¹²³", rest)
}

// IsInstructions says whether a path is where a workspace has its instructions, in
// any spelling that some file system takes for it.
func IsInstructions(p string) bool { return fold(p) == "agents.md" }

// Reserved says why a path may not be written to by others than the host, because it
// would steer the host or git; empty when it may: the instructions, a git folder at
// any depth, Cursor's hooks.
func Reserved(p string) string {
	folded := fold(p)
	switch folded {
	case "agents.md":
		return "is where the agent's instructions go; use another name"
	case ".cursor/hooks.json":
		return "would install hooks; use another name"
	}
	for name := range strings.SplitSeq(folded, "/") {
		if name == ".git" || name == "git~1" {
			return "lies in a git folder, whose hooks and settings run programs"
		}
	}
	return ""
}

// conflicts finds paths that cannot all be there, or that are one on some systems.
func conflicts(paths []string) error {
	files := make(map[string]string, len(paths))
	for _, p := range paths {
		key := fold(p)
		if other, ok := files[key]; ok {
			return &PathError{p, fmt.Sprintf("is the same file as %q on some systems", other)}
		}
		files[key] = p
	}
	folders := make(map[string]string)
	for _, p := range paths {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			key := fold(dir)
			if file, ok := files[key]; ok {
				return &PathError{p, fmt.Sprintf("needs a folder where %q is a file", file)}
			}
			if other, ok := folders[key]; ok && other != dir {
				return &PathError{p, fmt.Sprintf("spells the folder %q differently", other)}
			}
			folders[key] = dir
		}
	}
	return nil
}
