package cron

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // a machine need not have a database of zones

	"github.com/gobdk/bdk/internal/near"
)

// A ZoneError says that there is no such zone.
type ZoneError struct{ Zone, Near string }

// Error is one sentence.
func (e *ZoneError) Error() string {
	text := fmt.Sprintf("there is no time zone %q: write a name of the IANA database, such as Europe/Berlin", e.Zone)
	if e.Near != "" {
		text += "; did you mean " + e.Near + "?"
	}
	return text
}

// Zone finds a zone by its IANA name; the empty name is UTC.
func Zone(name string) (*time.Location, error) {
	if name == "" || strings.EqualFold(name, "UTC") {
		return time.UTC, nil
	}
	if name != "Local" { // depends on the machine
		if loc, err := time.LoadLocation(name); err == nil {
			return loc, nil
		}
	}
	return nil, &ZoneError{Zone: name, Near: meant(name)}
}

// meant guesses the zone that was meant: by its spelling, by its city, or by one slip.
func meant(name string) string {
	folded := fold(name)
	best, least := "", 3
	for _, zone := range zones {
		_, city, _ := strings.Cut(zone, "/")
		if folded == fold(zone) || folded == fold(city) {
			return zone
		}
		if d := near.Distance(folded, fold(zone)); d < least {
			best, least = zone, d
		}
	}
	return best
}

// fold leaves out what people write differently.
func fold(name string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(name))
}
