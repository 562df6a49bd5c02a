package journal

import (
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// childEnv makes the test binary a child process of a test: its first word says which.
const childEnv = "JOURNAL_TEST_CHILD"

func TestMain(m *testing.M) {
	if what, arg, ok := strings.Cut(os.Getenv(childEnv), " "); ok {
		children[what](arg)
		return
	}
	// Watermill's own suite leaves goroutines of its multiplying subscriber behind
	// when a test of it ends before all of its messages were taken.
	const multiplier = "github.com/ThreeDotsLabs/watermill/internal/subscriber.(*multiplier).Subscribe"
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction(multiplier+".func2"), goleak.IgnoreAnyFunction(multiplier+".func3"))
}

var children = map[string]func(arg string){
	"hold": holdRoot,
	"fail": failRoot,
}

var (
	seedFlag = flag.Uint64("seed", 0, "the seed of random tests; 0 takes a new one")
	longFlag = flag.Int("long", 1, "how many times longer random tests run")
)

// testSeed is the seed of a random test, which prints it.
func testSeed(t *testing.T) uint64 {
	t.Helper()
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d: run again with -run '^%s$' -seed %d", seed, t.Name(), seed)
	return seed
}

func scale() int { return *longFlag }
