package project

import (
	"fmt"
	"testing"
)

func TestParseEnv_Forms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"bare", "A=1", "[{A 1}] []"},
		{"spaces around", "  A = one two  ", "[{A one two}] []"},
		{"export", "export A=1", "[{A 1}] []"},
		{"empty", "A=\nB=", "[{A } {B }] []"},
		{"comment", "# A=1\nB=2 # two\nC=x#y\nD= # nothing", "[{B 2} {C x#y} {D }] []"},
		{"single quotes", `A='a # \n "b"'`, `[{A a # \n "b"}] []`},
		{"double quotes", `A="a\tb \"c\" \\d \e" # why`, "[{A a\tb \"c\" \\d \\e}] []"},
		{"backquotes", "A=`it's \"it\"`", "[{A it's \"it\"}] []"},
		{"many lines", "A=\"one\ntwo\"\nB=3", "[{A one\ntwo} {B 3}] []"},
		{"windows lines", "\uFEFFA=1\r\nB='2'\r\n", "[{A 1} {B 2}] []"},
		{"nothing is expanded", "A=$HOME ${B}", "[{A $HOME ${B}}] []"},
		{"non-ASCII", "NAME=দৈনিক", "[{NAME দৈনিক}] []"},
		{"equals in the value", "A=b=c==", "[{A b=c==}] []"},
		{"no assignment", "A=1\n\nwhat is this\nB=2", "[{A 1} {B 2}] [{3 this is no assignment like NAME=value}]"},
		{"not closed", "A=\"1\nB=2", "[{B 2}] [{1 the quote of A is not closed}]"},
		{"text behind", "A='1' 2\nB=2", "[{B 2}] [{1 there is text behind the quoted value of A}]"},
		{"line after a long value", "A='\n\n'\n?", "[{A \n\n}] [{4 this is no assignment like NAME=value}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			vars, faults := parseEnv(c.text)
			if got := fmt.Sprint(vars, faults); got != c.want {
				t.Errorf("parseEnv(%q) gives %s, want %s", c.text, got, c.want)
			}
		})
	}
}

func FuzzParseEnv(f *testing.F) {
	f.Add("A=\"1\n2\"\nexport B='x' # y\n")
	f.Fuzz(func(t *testing.T, text string) {
		vars, faults := parseEnv(text)
		for _, v := range vars {
			if !envName.MatchString(v.name + "=") {
				t.Errorf("%q gives the name %q", text, v.name)
			}
		}
		for _, fault := range faults {
			if fault.line < 1 {
				t.Errorf("%q gives line %d", text, fault.line)
			}
		}
	})
}
