package cli

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/eval"
)

const (
	runID     = "20260131-120000-x7ab"
	runsRoute = "/v1/dev/evals/runs"
)

// asSeen is a run as a host shows it: its status, and the results of those that ended.
func asSeen(status string, cases int, results ...string) string {
	r := eval.Run{ID: runID, Status: status, Agent: "bot", Running: []string{}, Totals: eval.Totals{Cases: cases}}
	for _, text := range results {
		id, verdict, _ := strings.Cut(text, " ")
		res := &eval.Result{ID: id, Verdict: verdict, SessionID: "ses_" + id}
		switch r.Totals.Done++; verdict {
		case eval.Passed:
			r.Totals.Passed++
		case eval.Scored:
			r.Totals.Scored++
			res.Assertions = []eval.Assertion{{Name: "similarity", Severity: eval.AtLeast, Threshold: 0.8, Score: 0.5}}
		case eval.Skipped:
			r.Totals.Skipped++
		case eval.Failed:
			r.Totals.Failed++
			res.Assertions = []eval.Assertion{{Name: `calledTool("search")`, Severity: eval.Gate, Threshold: 1, Message: "no tool was called"}}
		default: // it is under way
			r.Totals.Done--
			r.Running = append(r.Running, id)
			continue
		}
		r.Results = append(r.Results, res)
	}
	b, err := json.Marshal(map[string]any{"ok": true, "run": r})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// evals.md: "Case verdicts are `passed`, `failed`, `scored`, or `skipped`. The CLI exits 1
// for a failed gate. A scored result exits 0 unless `--strict` is set. Exit 2 means the
// selection matched no cases." A run on a host exits as one here does (P48: "An eval run
// that executed no case is never green").
func TestEvalRemote_ExitCodes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		last   string
		flags  string
		code   int
		stdout string
		stderr string
	}{
		{asSeen(eval.RunCompleted, 2, "a passed", "b passed"), "", 0, "2 cases: 2 passed", ""},
		{asSeen(eval.RunCompleted, 2, "a passed", "b failed"), "", 1, `calledTool("search"): no tool was called`, ""},
		{asSeen(eval.RunCompleted, 2, "a passed", "b scored"), "", 0, "1 scored", ""},
		{asSeen(eval.RunCompleted, 2, "a passed", "b scored"), "--strict", 1, "1 scored", ""},
		{asSeen(eval.RunCompleted, 1, "a skipped"), "", 2, "1 skipped", "skipped"},
		{asSeen(eval.RunCancelled, 2, "a passed"), "", 1, "1 not run", ""},
		{asSeen(eval.RunFailed, 2, "a passed"), "", 1, "1 not run", ""},
	} {
		url := fakeHost(t, map[string][]string{
			"POST " + runsRoute:              {"202|" + asSeen(eval.RunRunning, 2)},
			"GET " + runsRoute + "/" + runID: {asSeen(eval.RunRunning, 2, "a running"), tc.last},
		})
		b := newBench(t, append([]string{"eval", "--url", url}, strings.Fields(tc.flags)...)...)
		b.want(t, tc.code, tc.stdout, tc.stderr)
		if !strings.Contains(b.err.String(), "run "+runID+" of 2 cases on "+url) {
			t.Errorf("the id is not said: %s", b.err.String())
		}
	}
}

// "Server-side batches … return an eval ID for `status` or `cancel`": what is asked for
// goes with the start.
func TestEvalRemote_Starts(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{
		"POST " + runsRoute:              {"202|" + asSeen(eval.RunRunning, 1)},
		"GET " + runsRoute + "/" + runID: {asSeen(eval.RunCompleted, 1, "a passed")},
	})
	b := newBench(t, "eval", "a", "b/c", "--tag", "smoke", "--tag", "slow", "--timeout", "90s", "--verbose", "--json", "--url", url)
	b.want(t, 0, "", "")
	var run eval.Run
	if err := json.Unmarshal([]byte(b.out.String()), &run); err != nil || run.ID != runID || run.Results[0].ID != "a" {
		t.Errorf("stdout is not the run: %v %s", err, b.out.String())
	}
	if want := "POST " + runsRoute + ` {"filterIds":["a","b/c"],"tags":["smoke","slow"],"timeoutMs":90000,"verbose":true}`; api.requests()[0] != want {
		t.Error(api.requests()[0])
	}
}

// Each case is said once, as it ends, however often the host is asked.
func TestEvalRemote_Progress(t *testing.T) {
	t.Parallel()
	url := fakeHost(t, map[string][]string{
		"POST " + runsRoute: {"202|" + asSeen(eval.RunRunning, 3)},
		"GET " + runsRoute + "/" + runID: {
			asSeen(eval.RunRunning, 3, "a running"), asSeen(eval.RunRunning, 3, "a passed", "b running"), asSeen(eval.RunRunning, 3, "a passed", "b running"),
			asSeen(eval.RunCompleted, 3, "a passed", "b failed", "c passed"),
		},
	})
	b := newBench(t, "eval", "--url", url)
	b.want(t, 1, "3 cases: 2 passed, 1 failed", "")
	out, _, _ := strings.Cut(b.out.String(), "\n\n")
	var order []string
	for line := range strings.Lines(out) {
		order = append(order, strings.Join(strings.Fields(line)[:2], " "))
	}
	if !slices.Equal(order, []string{"✓ a", "✗ b", "✓ c"}) {
		t.Errorf("the cases were said as %q", order)
	}
	if want := "bdk sessions events ses_b --url " + url; !strings.Contains(b.out.String(), want) {
		t.Errorf("no %s in %s", want, b.out.String())
	}
}

// "Local reporter and concurrency flags don't apply to `--url` or `--prod` runs": they are
// refused by name.
func TestEvalRemote_FlagsOfHere(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, nil)
	for _, flags := range []string{
		"--max-concurrency 3", "--junit x.xml", "--artifacts out", "--no-artifacts", "--compare last", "--model scripted", "--replay", "--state-root x",
	} {
		name, _, _ := strings.Cut(flags, " ")
		newBench(t, append([]string{"eval", "--url", url}, strings.Fields(flags)...)...).want(t, 2, "", name+" is for evals that run here")
	}
	newBench(t, "eval", "--timeout", "50us", "--url", url).want(t, 2, "", "--timeout 50µs")
	if got := api.requests(); len(got) > 0 {
		t.Errorf("the host was asked: %q", got)
	}
}

// "`--prod --slug <slug>` targets a hosted deployment", the one that BDK_PROD_URL names.
func TestEvalRemote_Prod(t *testing.T) {
	t.Parallel()
	newBench(t, "eval", "--prod").want(t, 2, "", "BDK_PROD_URL names, and that variable is not set")
	newBench(t, "eval", "cancel", runID, "--prod").want(t, 2, "", "BDK_PROD_URL names, and that variable is not set")
	newBench(t, "eval", "--prod", "--url", "http://127.0.0.1:1").want(t, 2, "", "--url and --prod exclude each other")

	url, api := fakeAPI(t, map[string][]string{
		"GET /scanner/v1/info":                   {`{"ok":true}`},
		"GET /v1/info":                           {`404|{"ok":false,"error":"not_found"}`},
		"POST /scanner" + runsRoute:              {"202|" + asSeen(eval.RunRunning, 1)},
		"GET /scanner" + runsRoute + "/" + runID: {asSeen(eval.RunCompleted, 1, "a passed")},
	})
	whole := newBench(t, "eval", "--url", url+"/scanner", "--json")
	whole.want(t, 0, `"runId"`, "")
	if !slices.Contains(api.requests(), "POST /scanner"+runsRoute+` {"verbose":true}`) {
		t.Error(api.requests())
	}
	b := newBench(t, "eval", "--prod", "--slug", "scanner", "--tag", "smoke")
	b.Environ = []string{"BDK_PROD_URL=" + url}
	b.want(t, 0, "1 passed", "on "+url+"/scanner")
	if !slices.Contains(api.requests(), "POST /scanner"+runsRoute+` {"tags":["smoke"]}`) {
		t.Error(api.requests())
	}
}

// What a host refuses ends as it would here: 2 where nothing can run, 3 where nobody is there.
func TestEvalRemote_Refused(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]struct {
		code int
		text string
	}{
		`404|{"ok":false,"error":"no_cases","message":"no case is selected: near are builds/api"}`:       {2, "near are builds/api"},
		`400|{"ok":false,"error":"invalid_evals","message":"there is no evals/evals.config.ts"}`:         {2, "evals.config.ts"},
		`400|{"ok":false,"error":"invalid_body","message":"tags[0]: must not be blank"}`:                 {2, "tags[0]"},
		`404|{"ok":false,"error":"not_found","message":"there is nothing at this path"}`:                 {2, "has no evals: there is no evals/ folder"},
		`409|{"ok":false,"error":"run_active","message":"a run is under way: 20260131-110000-aaaa"}`:     {1, "20260131-110000-aaaa"},
		`401|{"ok":false,"error":"unauthorized","message":"no policy of this host admits this request"}`: {1, "--token"},
		`503|{"ok":false,"error":"draining","message":"the host is shutting down"}`:                      {1, "shutting down"},
	} {
		url := fakeHost(t, map[string][]string{"POST " + runsRoute: {answer}})
		newBench(t, "eval", "x", "--url", url).want(t, want.code, "", want.text)
	}
	url := fakeHost(t, map[string][]string{
		"POST " + runsRoute:              {"202|" + asSeen(eval.RunRunning, 1)},
		"GET " + runsRoute + "/" + runID: {`500|{"ok":false,"error":"internal"}`},
	})
	newBench(t, "eval", "--url", url).want(t, 1, "", "the run may go on there: bdk eval status "+runID+" --url "+url+" shows it")
	newBench(t, "eval", "--url", "http://127.0.0.1:1").want(t, 3, "", "no answer from http://127.0.0.1:1")
	newBench(t, "eval", "--url", "example.com").want(t, 2, "", "is not the URL of a host")
}

// Ctrl-C leaves the run on the host alone, and says how to look at it and how to end it.
func TestEvalRemote_CtrlCLeavesTheRun(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{
		"POST " + runsRoute:              {"202|" + asSeen(eval.RunRunning, 1)},
		"GET " + runsRoute + "/" + runID: {asSeen(eval.RunRunning, 1, "a running")},
	})
	b := newBench(t, "eval", "--url", url)
	sig := make(chan os.Signal, 1)
	b.Signals = sig
	go func() {
		api.log.await(t, "GET "+runsRoute+"/"+runID, 1)
		sig <- os.Interrupt
	}()
	b.want(t, ExitInterrupted, "", "the run "+runID+" goes on: bdk eval status "+runID+" --url "+url+" shows it, bdk eval cancel "+runID+" --url "+url+" ends it")
	for _, r := range api.requests() {
		if strings.HasSuffix(r, "/cancel") {
			t.Error("the run was cancelled")
		}
	}
}

// --list asks the host, and starts nothing.
func TestEvalRemote_List(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{"GET /v1/dev/evals": {`{"ok":true,"agent":"bot","config":null,"diagnostics":[],"broken":[{"id":"a/z","message":"m"}],
		"cases":[{"id":"a/x","tags":["smoke"]},{"id":"a/y","tags":[]},{"id":"b","tags":["smoke"]}]}`}})
	b := newBench(t, "eval", "a", "--tag", "smoke", "--list", "--url", url)
	b.want(t, 1, "a/x", "") // a file of it is broken
	if out := b.out.String(); strings.Contains(out, "a/y") || strings.Contains(out, "b") {
		t.Error(out)
	}
	newBench(t, "eval", "a/y", "--list", "--json", "--url", url).want(t, 0, `"id": "a/y"`, "")
	newBench(t, "eval", "zzz", "--list", "--url", url).want(t, 2, "", "no case")
	url, _ = fakeAPI(t, map[string][]string{"GET /v1/dev/evals": {`{"ok":true,"agent":"bot","config":null,"diagnostics":[{"rule":"r","severity":"error","file":"evals/evals.config.ts","message":"m"}],"broken":[],"cases":[{"id":"a","tags":[]}]}`}})
	newBench(t, "eval", "--list", "--url", url).want(t, 2, "a\n", "evals.config.ts") // what holds no configuration runs nothing
	if got := api.requests(); len(got) != 3 || got[0] != "GET /v1/dev/evals" {
		t.Error(got)
	}
}

func TestEvalStatus(t *testing.T) {
	t.Parallel()
	show := "GET " + runsRoute + "/" + runID
	running := asSeen(eval.RunRunning, 3, "a passed", "b failed", "c running")
	status := func(code int, stdout, stderr, answer string, flags ...string) {
		url := fakeHost(t, map[string][]string{show: strings.Split(answer, "\n")})
		newBench(t, append([]string{"eval", "status", runID, "--url", url}, flags...)...).want(t, code, stdout, stderr)
	}
	status(0, runID+" is running: 2 of 3 cases, 1 failed; now c\n", "", running)
	status(0, `"runId": "`+runID+`"`, "", running, "--json")
	status(1, "3 cases: 2 passed, 1 failed", "", running+"\n"+asSeen(eval.RunCompleted, 3, "a passed", "b failed", "c passed"), "--follow")
	status(1, `calledTool("search")`, "", asSeen(eval.RunCompleted, 1, "a failed"))
	status(0, "1 scored", "", asSeen(eval.RunCompleted, 1, "a scored"))
	status(1, "1 scored", "", asSeen(eval.RunCompleted, 1, "a scored"), "--strict")
	status(1, "", "there is no run "+runID, `404|{"ok":false,"error":"unknown_run","message":"m"}`)

	url := fakeHost(t, map[string][]string{"GET " + runsRoute: {`{"ok":true,"runs":[{"runId":"` + runID + `","status":"completed","totals":{"cases":3,"done":3,"failed":1}}]}`}})
	newBench(t, "eval", "status", "--url", url).want(t, 0, runID+"  completed", "")
	newBench(t, "eval", "status", "--json", "--url", url).want(t, 0, `"runs": [`, "")
	newBench(t, "eval", "status", "a", "b").want(t, 2, "", "takes a run's id and nothing more")
	newBench(t, "eval", "status").want(t, 3, "", "no host is running on ")
}

func TestEvalCancel(t *testing.T) {
	t.Parallel()
	cancel, show := "POST "+runsRoute+"/"+runID+"/cancel", "GET "+runsRoute+"/"+runID
	url := fakeHost(t, map[string][]string{
		cancel: {asSeen(eval.RunRunning, 3, "a passed", "b running")},
		show:   {asSeen(eval.RunRunning, 3, "a passed", "b running"), asSeen(eval.RunCancelled, 3, "a passed", "b failed")},
	})
	newBench(t, "eval", "cancel", runID, "--url", url).want(t, 0, "cancelled "+runID+": 2 of 3 cases had ended", "")
	newBench(t, "eval", "cancel", runID, "--json", "--url", url).want(t, 0, `"status": "cancelled"`, "")
	url = fakeHost(t, map[string][]string{cancel: {`409|{"ok":false,"error":"not_running","message":"m"}`}})
	newBench(t, "eval", "cancel", runID, "--url", url).want(t, 1, "", "has ended already: bdk eval status "+runID+" --url "+url+" shows how")
	newBench(t, "eval", "cancel").want(t, 2, "", "needs a run's id")
}
