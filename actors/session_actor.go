package actors

import (
	"fmt"
	"slices"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// A sessionActor owns one session in memory. The session decides, the actor
// records what it decided, and only when that is on disk answers and acts.
// Everything here runs in receive, one message at a time; nothing blocks.
type sessionActor struct {
	h     *Host
	id    string
	pid   *actor.PID
	fault string // what the actor before this one panicked with
	// orphan says that what is open in the log is to end, and has not.
	orphan bool

	core  *session.Session // nil until loaded
	agent *agentRuntime
	info  *SessionInfo
	start *events.SessionStarted

	held      bool  // the journal keeps the log's end in memory for us
	appending bool  // an append is under way
	gone      bool  // the session was given up; what still comes goes back
	reason    error // … why
	again     bool  // … and has something open

	inHand   *command       // being stepped; answered if that panics
	inflight session.Ready  // being recorded
	pending  journal.Append // … as it was given to the journal
	waiting  []answer       // wait for what is not yet handed to the journal
	sent     []answer       // wait for what is being recorded
	results  map[string][]*command
	position uint64 // of our last append
	next     uint64 // the end of the log on disk
	// progressed says that something was recorded since we were loaded.
	progressed bool
	mark       string // the open mark as it is on disk
	nextMark   string // … as the append under way makes it
	snapAt     uint64
	// conversation is the name that the session holds in its channel, as it is on disk;
	// empty: none. nextConversation and nextPlace are as the append under way makes them.
	conversation, nextConversation string
	nextPlace                      *channelPlace
	// nextToken is the number of the newest HTTP token as the append under way makes it.
	nextToken int64

	place  placeState
	clock  turnClock
	alarm  time.Time        // of the reminder that fires next; zero: none is set
	queued []session.Effect // wait for a place

	fresh fresh // recorded since the turn's last model step
	turn  *turnChild
	subs  map[string]*turnChild // by the call that their subagent answers
	// compaction sums up the context while no turn runs; compacts wait for it.
	compaction *turnChild
	compacts   []*command

	calls     map[string]*callChild
	approvals map[string]*approvalChild
	hooks     *hookChild     // nil before the first event that a hook wants
	delivery  *deliveryChild // nil before the first event that the channel wants
	owed      *uint64        // from where on events wait for a channel that is not there
	counted   bool           // among the host's busy sessions
	owing     bool           // … and among those that deliver
	handed    bool           // … since one actor hands over to the next
}

// An answer waits for the disk.
type answer struct {
	to *command
	r  reply
}

// Messages of a session actor, besides commands and outcomes (session.Input).
type (
	recorded struct {
		at  journal.Appended
		err error
	}
	retry struct{}
	sleep struct {
		force bool
		// settled spares a session that is parked.
		settled bool
	}
	granted struct{ ticket *ticket }
)

func (a *sessionActor) receive(msg any) {
	if a.gone {
		a.refer(msg)
		return
	}
	a.inHand, _ = msg.(*command)
	if a.core == nil && !a.load(msg) {
		return
	}
	switch m := msg.(type) {
	case *command:
		a.command(m)
	case *recorded:
		a.recorded(m)
	case *retry:
		a.append(a.pending)
	case *sleep:
		a.sleep(m)
		return
	case *granted:
		a.granted(m.ticket)
	case session.Input:
		a.outcome(m)
	}
	a.kick()
}

// command lets the session decide. A refusal waits for the disk as well: it may
// rest on something that is not there yet.
func (a *sessionActor) command(c *command) {
	if c.compacts && len(a.compacts) > 0 { // the one before may have ended, and is not on disk
		a.waiting = append(a.waiting, answer{c, reply{err: session.ErrBusy}})
		return
	}
	if len(c.inputs) == 0 {
		a.remind()
	}
	r := reply{}
	from := a.core.Next
	for _, in := range c.inputs {
		a.before(in)
		r.stopped = r.stopped || isStop(in) && a.core.OpenTurn() != ""
		if r.err = a.core.Step(in, a.h.now()); r.err != nil {
			break
		}
	}
	a.caused(c.hook, from)
	for _, e := range a.core.Decided(from) {
		switch d := e.Data.(type) {
		case *events.MessageReceived:
			r.index, r.turn = e.Index, e.TurnID
		case *events.ArtifactTagged:
			r.index, r.artifact = e.Index, d
		case *events.ActionsRequested:
			c.asked = e.At
		}
	}
	r.followUps = a.core.FollowUps
	switch {
	case r.err != nil:
	case c.result != "":
		a.await(c)
		return
	case c.compacts:
		a.compacts = append(a.compacts, c)
		return
	}
	a.waiting = append(a.waiting, answer{c, r})
}

// before brings in what the session must know of the world for this input.
func (a *sessionActor) before(in session.Input) {
	switch in := in.(type) {
	case *session.Message:
		if a.core.Admits(in) != nil {
			return
		}
		if in.Interrupt {
			a.takeDeltas()
			in.NotStarted = a.notStarted()
		}
		in.Place = a.hasPlace()
	case *session.FireReminder:
		in.Place = a.hasPlace()
	case *session.Stop:
		a.takeDeltas()
		in.NotStarted = a.notStarted()
	}
}

// notStarted lists the calls that were decided and have not begun: they wait for
// the disk, or for a place.
func (a *sessionActor) notStarted() (ids []string) {
	for _, f := range slices.Concat(a.inflight.Effects, a.queued) {
		if r, ok := f.(*session.RunTool); ok {
			ids = append(ids, r.Call.CallID)
		}
	}
	return ids
}

func isStop(in session.Input) bool { _, ok := in.(*session.Stop); return ok }

// outcome takes what a child reports.
func (a *sessionActor) outcome(in session.Input) {
	if err := a.core.Step(in, a.h.now()); err != nil {
		panic(fmt.Sprintf("outcome %T was refused: %v", in, err))
	}
	switch d := in.(type) {
	case *session.ToolDone:
		a.dropCall(d.CallID)
	case *session.Delegate:
		a.dropCall(d.CallID)
	case *session.NeedGrant:
		a.dropCall(d.CallID)
	case *session.NeedApproval:
		a.dropCall(d.CallID)
	}
}

// crashed drops what we believe: the log is the truth. The next actor folds it
// and fails the turn that was open.
func (a *sessionActor) crashed(fault any) {
	text := fmt.Sprint(fault)
	a.h.logFault(a.id, text)
	a.h.eng.send(a.h.sup, &leaving{id: a.id, pid: a.pid, fault: text, fruitless: !a.progressed})
	a.giveUp(ErrFault)
}

// snapshotEvery is how many events may lie behind the newest snapshot of an idle session.
const snapshotEvery = 200

func (a *sessionActor) snapshotSometimes() {
	if a.core.Next-a.snapAt >= snapshotEvery && !a.core.Open() && !a.core.HasReady() {
		a.snapshot()
	}
}
