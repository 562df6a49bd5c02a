package types

import "testing"

// The sources of the pages in the browser type-check, in the strict way that their own
// tsconfig.json asks for.
func TestWeb_TypeChecks(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"../../transport/playground/web", "../../transport/docs/web"} {
		if said := tsc(t, dir, "-p", "."); said != "" {
			t.Errorf("tsc says of %s\n%s", dir, said)
		}
	}
}
