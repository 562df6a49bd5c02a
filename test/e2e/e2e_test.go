package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gobdk/bdk/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"bdk": func() { os.Exit(cli.Main(cli.System())) },
	})
}

// The commands of the scripts beside testscript's own:
//
//	host name [flags…]      starts bdk serve on a free port and waits until it is ready; $name is
//	                        its first URL, $name_port the port, $name_err the file with its stderr
//	dev name [flags…]       the same with bdk dev
//	envsubst file           fills in ${NAME} in a file
//	halt name [signal [n]]  sends TERM (or INT, KILL) and waits for exit code n (0)
//	signal name signal      sends a signal and goes on
//	http METHOD url [-H 'name: value'] [-n lines] [body]
//	                        prints "status" and then the body, or its first lines; fails on 4xx and 5xx
//	exits code command [args…]
//	                        runs a command that ends with this exit code
//	terminal file args…     runs bdk on a terminal where the lines of a file are seen and typed
//	follow name url         reads a stream beside the script, from its first line on
//	followed name           waits for its end and prints what came
//	keep name pattern       puts the first group of the pattern, in the last stdout, into $name
//	provider file           starts a model provider that plays a script; $PROVIDER is its URL
//	github repo n diff      starts a stand-in of GitHub with one pull request, whose URL is $GITHUB_API_URL
//	commented repo n count  waits until a pull request has so many comments, and prints them
//	slack                   starts a stand-in of Slack, whose URL is $SLACK_API_URL
//	posted channel count [text]
//	                        waits until a channel has so many messages, the last with the text, and prints them
//	asked                   prints the requests that it got; fails where one was wrong
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, "NO_COLOR=1", "BIG="+strings.Repeat("x", 4096))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"host": host, "dev": dev, "envsubst": envsubst, "halt": halt, "signal": sendSignal, "follow": follow, "followed": followed, "http": request, "keep": keep, "exits": exits, "terminal": terminal, "provider": provider, "asked": asked, "github": gitHub, "commented": commented, "slack": slackAPI, "posted": posted,
		},
	})
}
