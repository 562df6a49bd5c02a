package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	pathLiteral  = regexp.MustCompile(`^[A-Za-z0-9._~@!$&'+,=-][A-Za-z0-9._~@!$&'+,=:-]*$`)
	pathParam    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)
	routeMethods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}
)

// Check says everything that is wrong with a channel, nil when it can be served.
func (c *Channel) Check() error {
	if c == nil {
		return errors.New("a channel is nil")
	}
	faults := []error{formed("a channel's id", c.ID, idForm), checkAuth(c.Auth), c.checkRoutes()}
	if !slices.Contains(admissions, c.Admission) {
		faults = append(faults, fmt.Errorf("its admission is %q; it can be queue, interrupt, coalesce or reject", c.Admission))
	}
	if c.State != nil && !json.Valid(c.State) {
		faults = append(faults, errors.New("the state that its sessions begin with is not JSON"))
	}
	if _, ok := c.On[ownUpdate]; ok {
		faults = append(faults, errors.New("channel.updated is what the channel itself did: it is not delivered, and a handler for it would never run"))
	}
	faults = append(faults, checkHandlers(c.On, func(f DeliverFunc) bool { return f == nil }))
	return under(fmt.Sprintf("channel %q", c.ID), errors.Join(faults...))
}

// ownUpdate is what a channel's own SetState and SetContinuationToken record.
const ownUpdate = "channel.updated"

// admissions are the values that a setting can have; empty is the default.
var admissions = []string{"", AdmissionQueue, AdmissionInterrupt, AdmissionCoalesce, AdmissionReject}

// checkRoutes checks each route, and that no two take the same requests.
func (c *Channel) checkRoutes() error {
	var faults []error
	seen := map[string]string{}
	for i, r := range c.Routes {
		if r == nil {
			faults = append(faults, fmt.Errorf("route %d of %d is nil: leave it out", i+1, len(c.Routes)))
			continue
		}
		if err := r.Check(); err != nil {
			faults = append(faults, err)
			continue
		}
		shape := r.Method + " " + shapeOf(r.Path)
		if other, twice := seen[shape]; twice {
			faults = append(faults, fmt.Errorf("%s %s takes the same requests as %s: keep one of them", r.Method, r.Path, other))
		}
		seen[shape] = r.Path
	}
	return errors.Join(faults...)
}

// Check says what is wrong with a route, nil when it can be served.
func (r *Route) Check() error {
	if r == nil {
		return errors.New("a route is nil")
	}
	if !slices.Contains(routeMethods, r.Method) {
		return fmt.Errorf("route %s: the method %q is none of %s", r.Path, r.Method, strings.Join(routeMethods, ", "))
	}
	if err := checkPath(r.Path); err != nil {
		return fmt.Errorf("route %s %q: %w", r.Method, r.Path, err)
	}
	if r.Method == "GET" && r.BodySchema != nil {
		return fmt.Errorf("route GET %s: a GET has no body, so that it never fits a schema: take the query, or another method", r.Path)
	}
	if r.Handle == nil {
		return fmt.Errorf("route %s %s: the handler is missing", r.Method, r.Path)
	}
	return nil
}

func checkPath(path string) error {
	if path == "/" {
		return nil
	}
	if !strings.HasPrefix(path, "/") {
		return errors.New("a path begins with a slash")
	}
	var params []string
	for part := range strings.SplitSeq(path[1:], "/") {
		name, isParam := strings.CutPrefix(part, ":")
		switch {
		case part == "":
			return errors.New("a path has no slash at its end, and no two in a row")
		case part == "." || part == "..":
			return errors.New("a path does not go up")
		case isParam && !pathParam.MatchString(name):
			return fmt.Errorf("%q is no parameter: a whole part of the path is : and a name of letters, digits and _", part)
		case isParam && slices.Contains(params, name):
			return fmt.Errorf("the parameter :%s is there twice", name)
		case !isParam && !pathLiteral.MatchString(part):
			return fmt.Errorf("%q has characters that a path cannot have here; patterns and wildcards are not known", part)
		}
		if isParam {
			params = append(params, name)
		}
	}
	return nil
}

// shapeOf is a path without the names of its parameters.
func shapeOf(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, ":") {
			parts[i] = ":"
		}
	}
	return strings.Join(parts, "/")
}
