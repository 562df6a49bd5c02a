package redact

import (
	"strings"
	"testing"
)

func TestRedactor_LeavesOrdinaryFieldsAlone(t *testing.T) {
	t.Parallel()
	r := New("abc", "")
	for key, value := range map[string]string{"inputTokens": "12", "tokens": "x", "session": "abcd", "tool": "get_token_count", "message": "basic training, bearer of news"} {
		if got := r.Value(key, value); got != value {
			t.Errorf("%s became %q", key, got)
		}
	}
}

func TestRedactor_ALongerSecretIsNotCutByAShorterOne(t *testing.T) {
	t.Parallel()
	r := New("secret", "secret-and-more")
	if got := r.Text("x secret-and-more y"); got != "x "+Redacted+" y" {
		t.Errorf("got %q", got)
	}
}

func TestSecretsOf_FindsKeysByName(t *testing.T) {
	t.Parallel()
	got := SecretsOf([]string{"OPENAI_API_KEY=a", "PATH=/bin", "BDK_TOKEN=b", "BDK_PROVIDER_X_KEY=c", "DB_PASSWORD=d=e"})
	if strings.Join(got, " ") != "a b c d=e" {
		t.Errorf("found %q", got)
	}
}

// "Bearer tokens, common key shapes": what services give out is known by its form.
func TestRedactor_KnowsCommonShapes(t *testing.T) {
	t.Parallel()
	r := New()
	long := strings.Repeat("Ab3", 14)
	for _, secret := range []string{
		"sk-" + long, "sk-proj-" + long, "sk-ant-api03-" + long, "sk_live_" + long, "ghp_" + long, "github_pat_" + long,
		"glpat-" + long, "xoxb-123-" + long, "xapp-1-" + long, "npm_" + long, "hf_" + long, "AKIA" + strings.Repeat("Z", 16),
		"AIza" + long[:35], "eyJhbGciOiJ9." + long + "." + long, "-----BEGIN RSA PRIVATE KEY-----\n" + long + "\n-----END RSA PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY-----\n" + long,
	} {
		for _, text := range []string{secret, "key=" + secret, "use \"" + secret + "\""} {
			if got := r.Text(text); strings.Contains(got, long[:16]) || strings.Contains(got, "ZZZZ") || !strings.Contains(got, Redacted) {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
	for _, text := range []string{"desk-mounted-arm-for-large-screens", "task_force_for_something_long_enough", "sk-8 is a size", "high_availability_of_all_services", "eyJ", "://a/b@c"} {
		if got := r.Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// S26: "Redact by key name … in logs, errors": a library's error has the whole URL that it asked.
func TestRedactor_KnowsTheNamesOfAQuery(t *testing.T) {
	t.Parallel()
	r := New()
	for in, want := range map[string]string{
		`Get "https://h/v1?alt=sse&key=abc123": EOF`:                  `Get "https://h/v1?alt=sse&key=[redacted]": EOF`,
		"https://h/x?access_token=a%20b&n=1#top":                      "https://h/x?access_token=[redacted]&n=1#top",
		"https://s3/x?X-Amz-Credential=AK&X-Amz-Signature=ff&x-id=1":  "https://s3/x?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&x-id=1",
		"https://h/x?client_secret=s":                                 "https://h/x?client_secret=[redacted]",
		"https://h/x?sort_key=name&tokens=5&monkey=1 what token=5 is": "https://h/x?sort_key=name&tokens=5&monkey=1 what token=5 is",
	} {
		if got := r.Text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// A short secret is a word like others: it is taken out where it stands alone.
func TestRedactor_ShortSecretsAreWords(t *testing.T) {
	t.Parallel()
	r := New("short", "pw-1", "12345678")
	for text, want := range map[string]string{
		"token short, short": "token [redacted], [redacted]", "shortly, too short-lived": "shortly, too short-lived", "shorts short": "shorts [redacted]", "short": Redacted,
		`{"a":"short"}`: `{"a":"[redacted]"}`, "?k=pw-1&b": "?k=[redacted]&b", "xpw-1": "xpw-1", "éshort short\xff": "éshort [redacted]\xff", "shortshort short": "shortshort [redacted]", "x12345678y": "x[redacted]y",
	} {
		if got := r.Text(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// A text that quotes JSON has escapes before words: their letter is not the word's.
func TestRedactor_KnowsWordsBehindEscapes(t *testing.T) {
	t.Parallel()
	r := New("hunter2")
	long := strings.Repeat("Ab3", 14)
	for _, secret := range []string{"sk-" + long, "AKIA" + strings.Repeat("Z", 16), "Bearer " + long, "authorization: basic " + long, "Set-Cookie: " + long, "hunter2"} {
		for _, before := range []string{`\n`, `\\n`, `\t`, `\r\n`, `\u003c`} {
			got := r.Text(`it is ["one` + before + secret + `\n"]`)
			if strings.Contains(got, long[:16]) || strings.Contains(got, "ZZZZ") || strings.Contains(got, "hunter2") || !strings.HasPrefix(got, `it is ["one`+before) {
				t.Errorf("%q behind %s became %q", secret, before, got)
			}
		}
	}
	for _, text := range []string{`C:\task_force_for_something_long_enough`, `\nhunter22`, `n` + "hunter2"} {
		if got := r.Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
