package agent_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/gobdk/bdk/actors/agent"
)

// A route with a typed body and query. What does not fit never reaches the function.
func ExampleNewRoute() {
	type report struct {
		Subject string   `json:"subject"`
		Labels  []string `json:"labels,omitempty"`
	}
	type query struct {
		Urgent bool `json:"urgent,omitempty"`
	}
	route, err := agent.NewRoute("POST", "/reports", func(_ context.Context, r report, q query, _ *agent.Call) (*agent.Response, error) {
		return agent.JSON(http.StatusCreated, map[string]any{"subject": r.Subject, "urgent": q.Urgent})
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	send := func(body, rawQuery string) {
		values, _ := url.ParseQuery(rawQuery)
		call := &agent.Call{Request: &agent.Request{Body: []byte(body), Query: values}}
		response, err := route.Handle(context.Background(), call)
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, _ := io.ReadAll(response.Body)
		fmt.Println(response.Status, string(answer))
	}
	send(`{"subject":"The door is open"}`, "urgent=true")
	send(`{"labels":[1]}`, "")
	send(`{"subject":"x"}`, "urgent=perhaps")
	// Output:
	// 201 {"subject":"The door is open","urgent":true}
	// invalid body: labels[0]: must be a string, not a number; subject: is required
	// invalid query: urgent: must be a boolean, not a string
}
