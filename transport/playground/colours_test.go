package playground

import (
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"strings"
	"testing"
)

// sights are how people see colours: as most do, and with each kind of colour blindness
// (Machado, Oliveira and Fernandes 2009), over linear red, green and blue.
var sights = map[string][3][3]float64{
	"most":   {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protan": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deutan": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritan": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// The colours of the kinds of a trace are told apart by everybody, in light and in dark.
func TestColours_KindsAreToldApart(t *testing.T) {
	text, err := fs.ReadFile(web, "web/style/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, ok := strings.Cut(string(text), "prefers-color-scheme: dark")
	if !ok {
		t.Fatal("there is no dark scheme")
	}
	kinds := []string{"model", "tool", "sub", "wait"}
	for scheme, css := range map[string]string{"light": light, "dark": dark} {
		for sight, by := range sights {
			for i, a := range kinds {
				for _, b := range kinds[i+1:] {
					if d := apart(seen(t, css, a, by), seen(t, css, b, by)); d < 25 {
						t.Errorf("%s, %s: --%s and --%s are %.0f apart", scheme, sight, a, b, d)
					}
				}
			}
		}
	}
}

// seen is a token's colour, as L*a*b* of how it is seen.
func seen(t *testing.T, css, token string, sight [3][3]float64) [3]float64 {
	t.Helper()
	m := regexp.MustCompile(`--` + token + `: #([0-9a-f]{6})`).FindStringSubmatch(css)
	if m == nil {
		t.Fatalf("there is no --%s", token)
	}
	var rgb [3]int
	if _, err := fmt.Sscanf(m[1], "%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		t.Fatal(err)
	}
	var linear, as [3]float64
	for i, c := range rgb {
		if linear[i] = float64(c) / 255 / 12.92; c > 10 {
			linear[i] = math.Pow((float64(c)/255+0.055)/1.055, 2.4)
		}
	}
	for i, row := range sight {
		as[i] = min(1, max(0, row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2]))
	}
	root := func(x float64) float64 {
		if x > 0.008856 {
			return math.Cbrt(x)
		}
		return 7.787*x + 16.0/116
	}
	x := root((0.4124*as[0] + 0.3576*as[1] + 0.1805*as[2]) / 0.9505)
	y := root(0.2126*as[0] + 0.7152*as[1] + 0.0722*as[2])
	z := root((0.0193*as[0] + 0.1192*as[1] + 0.9505*as[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func apart(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}
