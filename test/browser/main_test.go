package browser

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gobdk/bdk/internal/cli"
)

var (
	full  = flag.Bool("full", false, "open every state of every surface, in every size and scheme")
	shots = flag.String("screenshots", "", "folder that screenshots are written to")
)

// asHost makes this test's program the bdk command.
const asHost = "BDK_BROWSER_TEST_HOST"

// started is the browser: each tab is a child of this context.
var started context.Context

func TestMain(m *testing.M) {
	if os.Getenv(asHost) != "" {
		os.Exit(cli.Main(cli.System()))
	}
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	program, why := find()
	if program == "" {
		fmt.Printf("test/browser: %s: none of its tests ran. On Debian: apt-get install -y chromium-headless-shell\n", why)
		return 0
	}
	profile, err := os.MkdirTemp("", "browser")
	if err != nil {
		fmt.Println("test/browser:", err)
		return 1
	}
	defer os.RemoveAll(profile)
	stop, err := launch(program, profile)
	if err != nil {
		fmt.Printf("test/browser: starting %s: %v\n", program, err)
		return 1
	}
	defer stop()
	return m.Run()
}

// find gives the browser's program, or says why there is none.
func find() (program, why string) {
	switch chosen := os.Getenv("CHROMIUM"); chosen {
	case "":
	case "none":
		return "", "CHROMIUM=none"
	default:
		if path, err := exec.LookPath(chosen); err == nil {
			return path, ""
		}
		return "", fmt.Sprintf("CHROMIUM=%s is not there", chosen)
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, ""
		}
	}
	return "", "no chromium is installed"
}

// launch starts the browser, which ends when stop is called.
func launch(program, profile string) (stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(filepath.Join(profile, "profile")), chromedp.Flag("lang", "en-US"), chromedp.Flag("hide-scrollbars", true),
		// Names of the network that lead to this machine, as a phone's would.
		chromedp.Flag("host-resolver-rules", "MAP bdk.example 127.0.0.1"),
	)
	alloc, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(alloc)
	stop = func() { leave(); end() }
	started = ctx
	up := make(chan error, 1)
	go func() { up <- chromedp.Do(ctx) }()
	select {
	case err = <-up:
	case <-time.After(2 * time.Minute):
		err = fmt.Errorf("it did not answer in two minutes")
	}
	if err != nil {
		stop()
	}
	return stop, err
}
