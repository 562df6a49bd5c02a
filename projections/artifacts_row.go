package projections

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/events"
)

// An ArtifactRow is an artifact with the agent that it was made by and whose it is.
type ArtifactRow struct {
	// Agent is the slug.
	Agent    string
	Owner    events.Principal
	Artifact events.Artifact
}

// An artifactRow is what the store holds of an artifact; position is that of the
// event that tagged it last.
type artifactRow struct {
	ArtifactRow
	position uint64
}

// The key space of the artifacts, layout 1. A place is the time of the last tag and
// its position, 8 bytes each, so that rows sort by when they were updated.
//
//	i <id>                        agent, owner, position, then the record as JSON
//	o <owner, 16 bytes> <place>   id, agent, kind and session of what one owner has
//	u <place>                     the same, of all
//	s <session> 0 <id>            nothing
//	c <owner, 16 bytes>           how many the owner has
const (
	kindArtifact = 'i'
	kindOwned    = 'o'
	kindUpdated  = 'u'
	kindMade     = 's'
	kindCount    = 'c'
)

func artifactKey(id string) []byte { return append([]byte{kindArtifact}, id...) }

// ownedPrefix begins the keys of what one owner has of one agent.
func ownedPrefix(agent string, owner events.Principal) []byte {
	p := packer{}
	p.strs(agent, owner.Kind, owner.ID, owner.Issuer, owner.Tenant)
	sum := sha256.Sum256(p.b)
	return append([]byte{kindOwned}, sum[:16]...)
}

func countKey(owned []byte) []byte { return append([]byte{kindCount}, owned[1:]...) }

func sessionKey(session, id string) []byte {
	return append(append([]byte{kindMade}, session...), "\x00"+id...)
}

// place appends where the row stands among others.
func (r *artifactRow) place(key []byte) []byte {
	key = binary.BigEndian.AppendUint64(key, uint64(r.Artifact.UpdatedAt.UnixMilli())^1<<63)
	return binary.BigEndian.AppendUint64(key, r.position)
}

// after is the first key behind those that begin with a prefix.
func after(prefix []byte) []byte {
	end := bytes.Clone(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}

func (r *artifactRow) add(w *Writer) error {
	b, err := r.encode()
	if err != nil {
		return err
	}
	owned := ownedPrefix(r.Agent, r.Owner)
	w.Set(artifactKey(r.Artifact.ID), b)
	listed := r.listed()
	w.Set(r.place(owned), listed)
	w.Set(r.place([]byte{kindUpdated}), listed)
	w.Set(sessionKey(r.Artifact.SessionID, r.Artifact.ID), nil)
	return addCount(w, owned, 1)
}

func (r *artifactRow) remove(w *Writer) error {
	owned := ownedPrefix(r.Agent, r.Owner)
	w.Delete(artifactKey(r.Artifact.ID))
	w.Delete(r.place(owned))
	w.Delete(r.place([]byte{kindUpdated}))
	w.Delete(sessionKey(r.Artifact.SessionID, r.Artifact.ID))
	return addCount(w, owned, -1)
}

func countOf(w *Writer, owned []byte) (int, error) {
	b, ok, err := w.Get(countKey(owned))
	if err != nil || !ok {
		return 0, err
	}
	u := unpacker{b: b}
	n := int(u.uint())
	if u.short {
		return 0, errRow
	}
	return n, nil
}

func addCount(w *Writer, owned []byte, change int) error {
	n, err := countOf(w, owned)
	if err != nil {
		return err
	}
	if n += change; n == 0 {
		w.Delete(countKey(owned))
		return nil
	}
	p := packer{}
	p.uint(uint64(n))
	w.Set(countKey(owned), p.b)
	return nil
}

func (r *artifactRow) encode() ([]byte, error) {
	p := packer{}
	p.strs(r.Agent, r.Owner.Kind, r.Owner.ID, r.Owner.Issuer, r.Owner.Tenant)
	p.uint(r.position)
	b := bytes.NewBuffer(p.b)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false) // data comes back as it was stored
	if err := enc.Encode(&r.Artifact); err != nil {
		return nil, fmt.Errorf("projections: encoding an artifact: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func decodeArtifact(b []byte) (*artifactRow, error) {
	r := &artifactRow{}
	u := unpacker{b: b}
	u.strs(&r.Agent, &r.Owner.Kind, &r.Owner.ID, &r.Owner.Issuer, &r.Owner.Tenant)
	r.position = u.uint()
	if u.short || json.Unmarshal(u.b, &r.Artifact) != nil {
		return nil, errRow
	}
	return r, nil
}

// readArtifact gives nil for an artifact that there is not.
func readArtifact(w *Writer, id string) (*artifactRow, error) {
	b, ok, err := w.Get(artifactKey(id))
	if err != nil || !ok {
		return nil, err
	}
	return decodeArtifact(b)
}

// A listedArtifact is what a list filters by.
type listedArtifact struct{ id, agent, kind, session string }

func (r *artifactRow) listed() []byte {
	p := packer{}
	p.strs(r.Artifact.ID, r.Agent, r.Artifact.Kind, r.Artifact.SessionID)
	return p.b
}

func decodeListed(b []byte) (l listedArtifact, err error) {
	u := unpacker{b: b}
	u.strs(&l.id, &l.agent, &l.kind, &l.session)
	if u.short {
		err = errRow
	}
	return l, err
}

// agentOf gives the slug of an agent's log.
func agentOf(stream string) (string, bool) { return strings.CutPrefix(stream, events.AgentLogPrefix) }
