package script

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// parseHost reads a host: an IPv6 address in brackets, a number that is an IPv4
// address, a domain in its ASCII form, or an opaque host of an unknown scheme.
func parseHost(text string, opaque bool) (string, bool) {
	if inner, ok := strings.CutPrefix(text, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		a, err := netip.ParseAddr(inner)
		if !ok || err != nil || !a.Is6() || a.Zone() != "" {
			return "", false
		}
		return "[" + ipv6Text(a) + "]", true
	}
	if opaque {
		if strings.ContainsAny(text, "\x00\t\n\r #/:<>?@[\\]^|") {
			return "", false
		}
		return percentEncode(text, inControl), true
	}
	domain, ok := toASCII(percentDecode(text))
	if !ok || domain == "" || strings.ContainsFunc(domain, forbiddenInDomain) {
		return "", false
	}
	if endsInNumber(domain) {
		return ipv4Text(domain)
	}
	return domain, true
}

func forbiddenInDomain(r rune) bool {
	return r <= 0x20 || r == 0x7f || strings.ContainsRune("#/:<>?@[\\]^|%", r)
}

// ipv6Text writes an address by the rules of the standard, IPv4 tails in hex too.
func ipv6Text(a netip.Addr) string {
	if !a.Is4In6() {
		return a.String()
	}
	b := a.As16()
	return fmt.Sprintf("::ffff:%x:%x", int(b[12])<<8|int(b[13]), int(b[14])<<8|int(b[15]))
}

// endsInNumber says that the last label makes the host an IPv4 address, or nothing.
func endsInNumber(domain string) bool {
	labels := strings.Split(strings.TrimSuffix(domain, "."), ".")
	last := labels[len(labels)-1]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := ipv4Number(last)
	return ok
}

// ipv4Text reads one to four numbers, decimal, octal or hex.
func ipv4Text(domain string) (string, bool) {
	labels := strings.Split(strings.TrimSuffix(domain, "."), ".")
	if len(labels) > 4 {
		return "", false
	}
	var address uint64
	for i, l := range labels {
		n, ok := ipv4Number(l)
		if !ok {
			return "", false
		}
		last := i == len(labels)-1
		if !last && n > 255 || last && n >= 1<<(8*(5-len(labels))) {
			return "", false
		}
		if last {
			address |= n
		} else {
			address |= n << (8 * (3 - i))
		}
	}
	return fmt.Sprintf("%d.%d.%d.%d", address>>24, address>>16&255, address>>8&255, address&255), true
}

func ipv4Number(s string) (uint64, bool) {
	base := 10
	switch {
	case s == "":
		return 0, false
	case strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return 0, true
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}

func percentDecode(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// toASCII lowers a domain and writes its non-ASCII labels in Punycode.
func toASCII(domain string) (string, bool) {
	domain = strings.ToLower(norm.NFKC.String(domain))
	domain = strings.NewReplacer("。", ".", "．", ".", "｡", ".", "\u00ad", "").Replace(domain)
	labels := strings.Split(domain, ".")
	for i, l := range labels {
		if strings.IndexFunc(l, func(r rune) bool { return r > 0x7e }) < 0 {
			continue
		}
		p, ok := punycode(norm.NFC.String(l))
		if !ok {
			return "", false
		}
		labels[i] = "xn--" + p
	}
	return strings.Join(labels, "."), true
}
