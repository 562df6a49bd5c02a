package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// translate rewrites what JavaScript's u flag allows and the engine does not
// know: \u{1F600}, \p{Script=Greek}, \p{Letter}. The engine's own Unicode mode is
// not used: with it, v1.12.0 does not find "abc1" by ^(?=.*\d)[a-zа-я0-9]{3,}$.
func translate(pattern string) (string, error) {
	if !strings.Contains(pattern, `\u{`) && !strings.Contains(pattern, `\p{`) && !strings.Contains(pattern, `\P{`) {
		return pattern, nil
	}
	var b strings.Builder
	for i := 0; i < len(pattern); {
		if pattern[i] != '\\' || i+2 >= len(pattern) || pattern[i+2] != '{' {
			n := 1
			if pattern[i] == '\\' && i+1 < len(pattern) {
				n = 2
			}
			b.WriteString(pattern[i : i+n])
			i += n
			continue
		}
		end := strings.IndexByte(pattern[i:], '}')
		if end < 0 {
			return "", fmt.Errorf("unclosed %q", pattern[i:])
		}
		escape, err := translateEscape(pattern[i+1], pattern[i+3:i+end], pattern[i:i+end+1])
		if err != nil {
			return "", err
		}
		b.WriteString(escape)
		i += end + 1
	}
	return b.String(), nil
}

func translateEscape(letter byte, body, whole string) (string, error) {
	switch letter {
	case 'u':
		n, err := strconv.ParseUint(body, 16, 32)
		if err != nil || n > unicode.MaxRune {
			return "", fmt.Errorf("%s is no character", whole)
		}
		if n <= 0xffff {
			return fmt.Sprintf(`\u%04x`, n), nil
		}
		return string(rune(n)), nil
	case 'p', 'P':
		return `\` + string(letter) + `{` + propertyName(body) + `}`, nil
	}
	return whole, nil
}

// propertyName gives the short name, without "Script=" and the like.
func propertyName(s string) string {
	if key, value, ok := strings.Cut(s, "="); ok {
		switch key {
		case "Script", "sc", "Script_Extensions", "scx", "General_Category", "gc":
			s = value
		}
	}
	if short, ok := unicode.CategoryAliases[s]; ok {
		return short
	}
	return s
}
