package cli

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// mapPackages makes a tsconfig.json find the declarations under these names of the
// package. It changes nothing else: comments and order stay. The notes are for people.
func mapPackages(text string, names []string) (out string, notes []string, err error) {
	options, err := memberOf(text, 0, "compilerOptions")
	if err != nil {
		return "", nil, err
	}
	if !options.found {
		text = options.insert(text, `"compilerOptions": {}`)
		if options, err = memberOf(text, 0, "compilerOptions"); err != nil {
			return "", nil, err
		}
	}
	base := "."
	if b, err := memberOf(text, options.at, "baseUrl"); err == nil && b.found {
		_ = json.Unmarshal([]byte(text[b.at:b.end]), &base)
	}
	if !filepath.IsLocal(filepath.FromSlash(base)) {
		return "", nil, fmt.Errorf("baseUrl is %q, outside of the project, and paths are seen from there", base)
	}
	if extends, err := memberOf(text, 0, "extends"); err == nil && extends.found {
		notes = append(notes, "it extends another file, whose paths are replaced by those here")
	}
	paths, err := memberOf(text, options.at, "paths")
	if err != nil {
		return "", nil, err
	}
	if !paths.found {
		text = paths.insert(text, `"paths": {}`)
	} else if len(names) > 0 {
		notes = nil // it had paths of its own before
	}
	for _, name := range slices.Backward(names) { // each goes in front of those before
		for _, e := range [][2]string{{name + "/*", "*.d.ts"}, {name, "index.d.ts"}} {
			var note string
			if text, note, err = mapOne(text, e[0], relativeTo(base, path.Join(typesDir, e[1]))); err != nil {
				return "", nil, err
			}
			if note != "" {
				notes = append(notes, note)
			}
		}
	}
	return text, notes, nil
}

// mapOne adds one entry, or says that it is there and means something else.
func mapOne(text, key, target string) (out, note string, err error) {
	options, err := memberOf(text, 0, "compilerOptions")
	if err != nil {
		return "", "", err
	}
	paths, err := memberOf(text, options.at, "paths")
	if err != nil {
		return "", "", err
	}
	entry, err := memberOf(text, paths.at, key)
	if err != nil {
		return "", "", err
	}
	if !entry.found {
		return entry.insert(text, fmt.Sprintf("%q: [%q]", key, target)), "", nil
	}
	var now []string
	if json.Unmarshal([]byte(text[entry.at:entry.end]), &now) == nil && len(now) == 1 && path.Clean(now[0]) == path.Clean(target) {
		return text, "", nil
	}
	return text, fmt.Sprintf("paths has %q already, and it is left as it is: the declarations are %s", key, target), nil
}

// relativeTo gives a path in the project as seen from the folder base in it.
func relativeTo(base, file string) string {
	up := ""
	if clean := path.Clean(base); clean != "." {
		up = strings.Repeat("../", strings.Count(clean, "/")+1)
	}
	if up == "" {
		return "./" + file
	}
	return up + file
}
