package netguard

import "net/netip"

// A block is a range of addresses that lead to no public server.
type block struct {
	prefix netip.Prefix
	what   string
}

func blocksOf(what string, prefixes ...string) (list []block) {
	for _, p := range prefixes {
		list = append(list, block{netip.MustParsePrefix(p), what})
	}
	return list
}

var blocked = func() (all []block) {
	for what, prefixes := range map[string][]string{
		"this machine":            {"127.0.0.0/8", "::1/128", "0.0.0.0/8", "::/128"},
		"a private network":       {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"},
		"the network of a link":   {"169.254.0.0/16", "fe80::/10"},
		"a provider's network":    {"100.64.0.0/10"},
		"a service of the cloud":  {"168.63.129.16/32", "192.0.0.192/32"},
		"many machines":           {"224.0.0.0/4", "255.255.255.255/32", "ff00::/8"},
		"a range kept for others": {"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16"},
	} {
		all = append(all, blocksOf(what, prefixes...)...)
	}
	return all
}()

// Ranges of IPv6 that hold an IPv4 address, and the byte where it begins.
var carriers = []struct {
	prefix netip.Prefix
	at     int
}{
	{netip.MustParsePrefix("::/96"), 12},           // compatible, as of old
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12}, // translated
	{netip.MustParsePrefix("64:ff9b::/96"), 12},    // NAT64
	{netip.MustParsePrefix("2002::/16"), 2},        // 6to4
}

// localNAT64 is the range that a network chooses its own NAT64 prefixes from: where
// the IPv4 address lies in it is the network's secret.
var localNAT64 = netip.MustParsePrefix("64:ff9b:1::/48")

// CheckAddr refuses an address that is not of a public server, also where it
// stands inside of another one.
func CheckAddr(ip netip.Addr) error {
	ip = ip.Unmap().WithZone("")
	if !ip.IsValid() {
		return refusedf("it is no address")
	}
	for _, b := range blocked {
		if b.prefix.Contains(ip) {
			return refusedf("%s belongs to %s", ip, b.what)
		}
	}
	if localNAT64.Contains(ip) {
		return refusedf("%s is translated to an address that cannot be known", ip)
	}
	for _, c := range carriers {
		if c.prefix.Contains(ip) {
			raw := ip.As16()
			inner, _ := netip.AddrFromSlice(raw[c.at : c.at+4])
			return CheckAddr(inner)
		}
	}
	return nil
}
