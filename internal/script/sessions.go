package script

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// codeBusy is the code of the error that a message with admission "reject" meets.
const codeBusy = "session_busy"

// sessionOps serve send, getSession and the handles that they give.
func sessionOps(o *ops) {
	o.async("sessions.send", sessionWork("send", func(ctx context.Context, s agent.Sessions, a args) (any, error) {
		options, err := sendOptions(a)
		if err != nil {
			return nil, err
		}
		sent, err := s.Send(ctx, a.text(0), options)
		if errors.Is(err, agent.ErrBusy) {
			return nil, &hostError{Name: "Error", Message: "the session has an open turn", Code: codeBusy}
		}
		if err != nil {
			return nil, err
		}
		return asJSON(sent)
	}))
	o.async("sessions.find", sessionWork("getSession", func(ctx context.Context, s agent.Sessions, a args) (any, error) {
		sent, found, err := s.Find(ctx, a.text(0))
		if err != nil || !found {
			return "", err
		}
		return asJSON(sent)
	}))
	o.async("sessions.wait", sessionWork("send", func(ctx context.Context, s agent.Sessions, a args) (any, error) {
		var sent agent.Sent
		if err := a.into(0, &sent); err != nil {
			return nil, err
		}
		done, err := s.Wait(ctx, sent)
		if err != nil {
			return nil, err
		}
		return asJSON(done)
	}))
}

// sessionWork binds a function to the sessions of its call.
func sessionWork(name string, f func(ctx context.Context, s agent.Sessions, a args) (any, error)) asyncOp {
	return func(v *vm, a args) (work, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.call.Sessions == nil {
			return nil, errors.New("ctx." + name + " is not available: this call belongs to no channel")
		}
		return func(ctx context.Context) (any, error) { return f(ctx, c.call.Sessions, a[1:]) }, nil
	}
}

// sendOptions reads what sessions.js has checked.
func sendOptions(a args) (agent.SendOptions, error) {
	var o struct {
		ContinuationToken, Title, Admission, Mode, DeliveryID string
		Auth                                                  events.Principal
	}
	if err := a.into(1, &o); err != nil {
		return agent.SendOptions{}, err
	}
	files, err := seedFiles(a.text(2))
	return agent.SendOptions{
		ContinuationToken: o.ContinuationToken, Title: o.Title, Admission: o.Admission, Mode: o.Mode, DeliveryID: o.DeliveryID,
		Auth: o.Auth, Files: files,
	}, err
}

func seedFiles(text string) ([]agent.SeedFile, error) {
	var list []struct {
		Path   string
		Text   string
		Base64 *string
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, err
	}
	var files []agent.SeedFile
	for _, f := range list {
		content := []byte(f.Text)
		if f.Base64 != nil {
			var err error
			if content, err = base64.StdEncoding.DecodeString(*f.Base64); err != nil {
				return nil, typeError("workspaceFiles of send: the base64 of %q cannot be read", f.Path)
			}
		}
		files = append(files, agent.SeedFile{Path: f.Path, Content: content})
	}
	return files, nil
}
