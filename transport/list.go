package transport

import (
	"encoding/json"
	"fmt"
	"strings"
)

// names reads a list of texts that name something; nil when it is not there.
func (f *form) names(key string, most int) []string {
	v, ok := f.raw(key)
	if !ok {
		return nil
	}
	var items []json.RawMessage
	if v[0] != '[' || json.Unmarshal(v, &items) != nil {
		f.note(key, "must be a list of strings")
		return nil
	}
	if len(items) > most {
		f.note(key, fmt.Sprintf("must have at most %d elements", most))
		return nil
	}
	names := make([]string, 0, len(items))
	for i, item := range items {
		name, fault := nameOfItem(item)
		if fault != "" {
			f.note(fmt.Sprintf("%s[%d]", key, i), fault)
		}
		names = append(names, name)
	}
	return names
}

func nameOfItem(v []byte) (name, fault string) {
	if v[0] != '"' {
		return "", "must be a string"
	}
	name, lone := unquote(v[1 : len(v)-1])
	switch {
	case lone:
		return "", "has half of a surrogate pair"
	case strings.TrimSpace(name) == "":
		return "", "must not be blank"
	}
	return name, ""
}

// between reads an integer in a range; 0 when it is not there.
func (f *form) between(key string, least, most uint64) uint64 {
	v, ok := f.raw(key)
	if !ok {
		return 0
	}
	n, ok := plainInteger(string(v))
	if !ok || n < least || n > most {
		f.note(key, fmt.Sprintf("must be an integer from %d to %d", least, most))
		return 0
	}
	return n
}
