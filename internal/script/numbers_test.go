package script

import (
	"encoding/json"
	"testing"
)

// "Big integers keep their digits": one that JavaScript would round does not pass.
func TestCheckNumbers(t *testing.T) {
	t.Parallel()
	rounded := func(at, to string) string {
		return "invalid input: " + at + "is a whole number that JavaScript would round to " + to + "; send it as a string"
	}
	for args, want := range map[string]string{
		`{"n":9007199254740992,"s":"12345678901234567891","f":0.12345678901234567891}`: "",
		`{"n":1e23,"m":-1E+2,"k":100000000000000000000,"z":-0e999,"f":1.5e-300}`:       "",
		`{"n":9007199254740993}`:                     rounded("n: ", "9007199254740992"),
		`{"a":[1,{"id":-12345678901234567891}]}`:     rounded("a[1].id: ", "-12345678901234567000"),
		`12345678901234567891`:                       rounded("", "12345678901234567000"),
		`{"n":1.2345678901234567891e19}`:             rounded("n: ", "12345678901234567000"),
		`{"n":1e400}`:                                "invalid input: n: is a number too large for JavaScript; send it as a string",
		`{"s":"1e400","t":"\"9007199254740993","n":`: "",
		``: "",
		`{"a":[9007199254740993,[9007199254740993]],"b":true}`: rounded("a[0]: ", "9007199254740992") + "; a[1][0]: is a whole number that JavaScript would round to 9007199254740992; send it as a string",
	} {
		got := ""
		if err := CheckNumbers(json.RawMessage(args)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", args, got, want)
		}
	}
}
