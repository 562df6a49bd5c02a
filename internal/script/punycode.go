package script

import "strings"

// The numbers of RFC 3492.
const (
	punyBase, punyMin, punyMax, punySkew, punyDamp = 36, 1, 26, 38, 700
	punyBias, punyFirst                            = 72, 128
)

// toUnicode writes a domain's labels as people read them; what is broken stays.
func toUnicode(domain string) string {
	labels := strings.Split(domain, ".")
	for i, l := range labels {
		if rest, ok := strings.CutPrefix(strings.ToLower(l), "xn--"); ok {
			if text, ok := unpunycode(rest); ok {
				labels[i] = text
			}
		}
	}
	return strings.Join(labels, ".")
}

// unpunycode decodes one label.
func unpunycode(label string) (string, bool) {
	var out []rune
	if cut := strings.LastIndexByte(label, '-'); cut > 0 {
		out, label = []rune(label[:cut]), label[cut+1:]
	}
	n, i, bias := punyFirst, 0, punyBias
	for len(label) > 0 {
		old, weight := i, 1
		for k := punyBase; ; k += punyBase {
			if label == "" {
				return "", false
			}
			digit := punyValue(label[0])
			label = label[1:]
			if digit < 0 || i > 1<<30 || weight > 1<<24 {
				return "", false
			}
			i += digit * weight
			t := min(max(k-bias, punyMin), punyMax)
			if digit < t {
				break
			}
			weight *= punyBase - t
		}
		size := len(out) + 1
		bias = adapt(i-old, size, old == 0)
		n += i / size
		i %= size
		if n > 0x10ffff {
			return "", false
		}
		out = append(out[:i], append([]rune{rune(n)}, out[i:]...)...)
		i++
	}
	return string(out), true
}

func punyValue(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return int(c - 'a')
	case c >= '0' && c <= '9':
		return int(c-'0') + 26
	}
	return -1
}

// punycode encodes one label (RFC 3492).
func punycode(label string) (string, bool) {
	runes := []rune(label)
	var out strings.Builder
	for _, r := range runes {
		if r < 128 {
			out.WriteRune(r)
		}
	}
	basic := out.Len()
	if basic > 0 {
		out.WriteByte('-')
	}
	n, delta, bias, done := rune(punyFirst), 0, punyBias, basic
	for done < len(runes) {
		next := rune(0x7fffffff)
		for _, r := range runes {
			if r >= n && r < next {
				next = r
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := punyBase; ; k += punyBase {
				t := min(max(k-bias, punyMin), punyMax)
				if q < t {
					break
				}
				out.WriteByte(punycodeDigit(t + (q-t)%(punyBase-t)))
				q = (q - t) / (punyBase - t)
			}
			out.WriteByte(punycodeDigit(q))
			bias = adapt(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
		n++
	}
	return out.String(), out.Len() <= 59
}

func punycodeDigit(d int) byte {
	if d < 26 {
		return byte('a' + d)
	}
	return byte('0' + d - 26)
}

func adapt(delta, points int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for delta > (punyBase-punyMin)*punyMax/2 {
		delta /= punyBase - punyMin
		k += punyBase
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}
