package eval

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strings"
	"unicode"
)

// longest is what a name of a file may have in bytes, with room for an ending: most file
// systems take 255.
const longest = 200

// devices are names that Windows keeps for itself, whatever their ending.
var devices = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$`)

// ending is of a folder that the file of a case, or what it is written to first, could be.
var ending = regexp.MustCompile(`(?i)\.json(\.tmp)?$`)

// caseNames gives the files of cases below CasesName. Two ids never share a file, also
// where a file system does not tell upper case from lower.
type caseNames struct{ taken map[string]string }

// name is the path of a case: its id, and ".json". What some file system would not take, or
// another id has, is told apart by a hash.
func (n *caseNames) name(id string) string {
	parts := strings.Split(id, "/")
	for i, p := range parts {
		parts[i] = segment(p, i < len(parts)-1)
	}
	name := strings.Join(parts, "/")
	if n.taken == nil {
		n.taken = map[string]string{}
	}
	if by, ok := n.taken[strings.ToLower(name)]; ok && by != id {
		name += "~" + hash(id)
	}
	n.taken[strings.ToLower(name)] = id
	return path.Join(CasesName, name) + ".json"
}

// segment is a name that every file system takes. A folder never has the name that the
// file of a case could have.
func segment(s string, folder bool) string {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"\|?*`, r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '_'
		}
		return r
	}, s)
	clean = strings.TrimRight(clean, ". ")
	for len(clean) > longest {
		clean = clean[:strings.LastIndexFunc(clean, func(rune) bool { return true })]
	}
	if clean == s && s != "" && !devices.MatchString(s) && !(folder && ending.MatchString(s)) {
		return s
	}
	if devices.MatchString(clean) {
		clean = "_" + clean
	}
	return clean + "~" + hash(s)
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}
